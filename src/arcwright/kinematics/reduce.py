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
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.take import Take

MOST_SAMPLES = 2_000_000  # of a clip, whose few keys may last very long; a motion has its samples
FLESH = 0.05  # of the body's size: how far from a turning joint its turn is seen
START = 0.5  # of the tolerance that one channel may use at first
ROUNDS = 3  # of giving and taking tolerance before it is only taken
AIM = 0.97  # of the tolerance, where the rounds want the error
TAKEN = 0.95  # of what would do, where tolerance is taken
UNSEEN = 1e-3  # tolerance of channels that move no joint: weights and custom ones


def fit(take: Take, tolerance: float) -> Fit:
    """A clip with few keys; every joint within `tolerance` metres of its place at each sample.

    So are points a little off each turning joint, so that no turn about a bone is lost.
    A motion is fitted at its samples, a clip at its frames. Tolerance goes to channels by
    their lever arms, is taken where the error shows and given back where there is room.
    """
    if not 0 < tolerance < float("inf"):
        raise BadValue("tolerance", "metres above 0", tolerance)
    if isinstance(take.base, Clip) and take.frame_count * len(take.rig.channels) > MOST_SAMPLES:
        most = MOST_SAMPLES // max(len(take.rig.channels), 1)
        raise BadValue("length of the clip to fit", f"at most {most} frames", take.frame_count)
    own = take.base.time if isinstance(take.base, Motion) else take.frame_times()
    motion = sample(take, own)
    body = _Body.of(motion, take.rig)
    share = np.repeat(tolerance * START * body.share[:, None], len(own), axis=1)
    samples = Samples(own, continuous(motion, take.rig), share)
    curves = fit_rows(samples, quaternion_channels(take.rig))
    for _ in range(ROUNDS):
        error = body.seen(curves, own) / tolerance
        change = np.clip((AIM / np.maximum(error, 1e-3)) ** 0.8, 0.3, 1.35)
        samples = replace(samples, tolerance=samples.tolerance * change)
        curves = fit_rows(samples, quaternion_channels(take.rig))
    while (error := body.seen(curves, own) / tolerance).max() > 1:
        change = np.where(error > 1, TAKEN / np.maximum(error, 1), 1.0)
        samples = replace(samples, tolerance=samples.tolerance * change)
        curves = fit_rows(samples, quaternion_channels(take.rig), curves)
    made = finished(motion, samples, curves)
    return replace(made, position_error=float(body.distances(curves, own).max()))


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

    def seen(self, curves: list[Curve], time: Floats) -> Floats:
        """(C, T) m, the farthest that a joint moved by each channel, or its flesh, is off."""
        off = self._off(curves, time)
        at = (off[..., :3, 3] ** 2).sum(axis=-1)
        moved = off[..., :3, :3] * self.flesh + off[..., :3, 3:]  # (T, J, 3, axes)
        around = (moved**2).sum(axis=-2).max(axis=-1)
        seen = np.sqrt(np.maximum(at, around * self._turns())).T.copy()  # (J, T)
        for joint in range(len(self.rig.names) - 1, -1, -1):
            parent = self.rig.parents[joint]
            if parent >= 0:
                np.maximum(seen[parent], seen[joint], out=seen[parent])
        return np.asarray(seen[self.rig.channels.joint])

    def distances(self, curves: list[Curve], time: Floats) -> Floats:
        """(T, J) m, how far each joint is from its place."""
        return np.asarray(np.linalg.norm(self._off(curves, time)[..., :3, 3], axis=-1))

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
