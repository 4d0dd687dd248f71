"""Reduce: turn any take into a clip with few keys whose joints stay near their places."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.evaluate import evaluate
from arcwright.curves.fit import Fit, continuous, finished, fit_rows
from arcwright.curves.pack import pack_curves, quaternion_channels
from arcwright.curves.segments import Samples
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from arcwright.scene.curve import Curve
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.take import Take

FLESH = 0.05  # of the body's size: how far from a turning joint its turn is seen
START = 0.4  # of the tolerance that one channel may use at first
ROUNDS = 8  # of giving and taking tolerance
AIM = 0.93  # of the tolerance, where the rounds want the error
WINDOW = 0.1  # s; errors so near in time share their tolerance
UNSEEN = 1e-3  # tolerance of channels that move no joint: weights and custom ones


def fit(take: Take, tolerance: float) -> Fit:
    """A clip with few keys; every joint within `tolerance` metres of its place at each sample.

    So are points a little off each turning joint, so that no turn about a bone is lost.
    A motion is fitted at its samples, a clip at its frames. Tolerance goes to channels by
    their lever arms, is taken where the error shows and given back where there is room.
    """
    if not 0 < tolerance < float("inf"):
        raise BadValue("tolerance", "metres above 0", tolerance)
    own = take.base.time if isinstance(take.base, Motion) else take.frame_times()
    motion = sample(take, own)
    body = _Body.of(motion, take.rig)
    base = tolerance * body.share
    values = continuous(motion, take.rig)
    allowed = np.repeat(base[:, None] * START, len(own), axis=1)
    best: list[Curve] | None = None
    turn = 0
    while turn < ROUNDS or best is None:
        curves = fit_rows(Samples(own, values, allowed), quaternion_channels(take.rig))
        error = body.errors(curves, own) / tolerance  # (J, T)
        if error.max() <= 1 and (best is None or _keys(curves) < _keys(best)):
            best = curves
        allowed = allowed * _change(body, error, own, turn)
        np.minimum(allowed, base[:, None] * 2, out=allowed)
        turn += 1
    made = finished(motion, Samples(own, values, allowed), best)
    return replace(made, position_error=float(body.distances(best, own).max()))


def _keys(curves: list[Curve]) -> int:
    return sum(len(curve) for curve in curves)


def _change(body: _Body, error: Floats, time: Floats, turn: int) -> Floats:
    """(C, T) factors for the tolerance of every channel."""
    seen = body.below(error)
    if turn < ROUNDS - 1:
        factor = np.clip((AIM / np.maximum(_spread(seen, time), 1e-3)) ** 0.8, 0.3, 1.35)
    else:
        factor = np.where(seen > 1, 0.85 / np.maximum(seen, 1), 1.0)
    return factor[body.rig.channels.joint]


def _spread(error: Floats, time: Floats) -> Floats:
    """The largest error within the window before and after each time."""
    step = (time[-1] - time[0]) / max(len(time) - 1, 1)
    reach = min(int(WINDOW / step) if step > 0 else 0, len(time) - 1)
    widest = error.copy()
    for away in range(1, reach + 1):
        np.maximum(widest[:, away:], error[:, :-away], out=widest[:, away:])
        np.maximum(widest[:, :-away], error[:, away:], out=widest[:, :-away])
    return widest


@dataclass(frozen=True, eq=False)
class _Body:
    """A rig, where its joints should be, and how far its channels reach."""

    rig: Rig
    world: Floats  # (T, J, 4, 4) as it should be
    flesh: float  # m
    share: Floats  # (C,) channel units per metre of error

    @classmethod
    def of(cls, motion: Motion, rig: Rig) -> _Body:
        world = forward(rig, motion.values)
        place = world[..., :3, 3]
        size = float(np.ptp(place, axis=1).max()) if len(rig.names) > 1 else 1.0
        flesh = FLESH * (size or 1.0)
        return cls(rig, world, flesh, _shares(rig, _levers(rig, place, flesh)))

    def errors(self, curves: list[Curve], time: Floats) -> Floats:
        """(J, T) m, how far each joint or its flesh is from its place."""
        off = self._off(curves, time)
        at = (off[..., :3, 3] ** 2).sum(axis=-1)
        moved = off[..., :3, :3] * self.flesh + off[..., :3, 3:]  # (T, J, 3, axes)
        around = (moved**2).sum(axis=-2).max(axis=-1)
        return np.asarray(np.sqrt(np.maximum(at, around * self._turns())).T)

    def distances(self, curves: list[Curve], time: Floats) -> Floats:
        """(T, J) m, how far each joint is from its place."""
        return np.asarray(np.linalg.norm(self._off(curves, time)[..., :3, 3], axis=-1))

    def below(self, error: Floats) -> Floats:
        """(J, T) the largest error of a joint and all joints below it."""
        seen = error.copy()
        for joint in range(len(self.rig.names) - 1, -1, -1):
            parent = self.rig.parents[joint]
            if parent >= 0:
                np.maximum(seen[parent], seen[joint], out=seen[parent])
        return seen

    def _off(self, curves: list[Curve], time: Floats) -> Floats:
        values = evaluate(pack_curves(curves, np.zeros(len(curves))), time)
        return forward(self.rig, values) - self.world

    def _turns(self) -> Floats:
        """(J,) 1 where a joint or one above it turns, else 0."""
        table = self.rig.channels
        turning = np.zeros(len(self.rig.names))
        turning[table.joint[(table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)]] = 1
        return turning


def _levers(rig: Rig, place: Floats, flesh: float) -> Floats:
    """(J,) m, the farthest that any joint below, or its flesh, ever is."""
    lever = np.full(len(rig.names), flesh)
    for joint in range(len(rig.names)):
        above = int(rig.parents[joint])
        while above >= 0:
            far = np.linalg.norm(place[:, joint] - place[:, above], axis=-1).max() + flesh
            lever[above] = max(lever[above], far)
            above = int(rig.parents[above])
    return lever


def _shares(rig: Rig, lever: Floats) -> Floats:
    """(C,) how much of a channel moves the farthest point below by a metre."""
    kind, reach = rig.channels.kind, lever[rig.channels.joint]
    share = np.full(len(kind), UNSEEN)
    share[kind <= Kind.TRANSLATE_Z] = 1
    turning = (kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z)
    share[turning] = 1 / reach[turning]
    # A quaternion turns by twice the angle that its components change by.
    four = (kind >= Kind.QUATERNION_W) & (kind <= Kind.QUATERNION_Z)
    share[four] = 0.5 / reach[four]
    scale = (kind >= Kind.SCALE_X) & (kind <= Kind.SCALE_Z)
    share[scale] = 1 / reach[scale]
    return share
