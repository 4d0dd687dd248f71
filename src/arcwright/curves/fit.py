"""Fit: from samples to few keys, within a stated tolerance."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Bools, Floats, Ints, frozen
from arcwright.curves.evaluate import evaluate
from arcwright.curves.keyed_spline import Spline
from arcwright.curves.pack import pack_curves, quaternion_channels
from arcwright.curves.segments import Cubics, Known, Samples, fitted, longest_pieces
from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Handle, Interpolation
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig


@dataclass(frozen=True, eq=False)
class Fit:
    """A clip and how well it follows the samples it was made from."""

    clip: Clip
    error: Floats  # (C,) largest difference at the samples, as measured on the clip
    keys_before: int  # samples times channels
    keys_after: int
    position_error: float | None = None  # m, largest of any joint, where that was asked for
    deviation: float | None = None  # m, as position_error, also of points a little off the joints

    @property
    def key_poses(self) -> int:
        """How many moments have a key of any channel."""
        times = [curve.time for curve in self.clip.curves if curve is not None]
        return len(np.unique(np.concatenate(times))) if times else 0


def fit_curve(time: ArrayLike, value: ArrayLike, tolerance: float) -> Curve:
    """A Bezier curve with few keys, all on samples, within `tolerance` of every sample."""
    times = frozen(time, "time", ("T",))
    values = frozen(value, "value", ("T",))
    if len(times) == 0 or len(times) != len(values):
        raise BadValue("value", f"{max(len(times), 1)} samples, as in time", len(values))
    if not (np.diff(times) > 0).all():
        raise BadValue("time", "times that rise", "a time out of order")
    samples = Samples(times, values[None].copy(), _tolerances(tolerance, 1, len(times)))
    return fit_rows(samples, np.zeros((0, 4), np.int64))[0]


def fit_motion(motion: Motion, rig: Rig, tolerance: ArrayLike) -> Fit:
    """A clip with few keys, every channel within its tolerance (one number or (C,)).

    Keys sit on samples, handle times are one third. A quaternion's four channels have the same
    key times. Angles are unwrapped and quaternions kept on one side first, so a value may
    differ from the sample by a whole turn or sign: the pose is the same.
    """
    count = len(rig.channels)
    if motion.values.shape[1] != count:
        raise BadValue("Motion.values", f"{count} channels, as in the rig", motion.values.shape[1])
    values = continuous(motion, rig)
    samples = Samples(motion.time, values, _tolerances(tolerance, *values.shape))
    return finished(motion, samples, fit_rows(samples, quaternion_channels(rig)))


def finished(motion: Motion, samples: Samples, curves: list[Curve]) -> Fit:
    """The fit of a motion by these curves, its error measured."""
    packed = pack_curves(curves, np.zeros(len(curves)))
    apart = abs(evaluate(packed, motion.time) - samples.values.T)
    clip = Clip(motion.name, tuple(curves), max(motion.duration, 0.0), motion.rate)
    return Fit(clip, apart.max(axis=0, initial=0.0), motion.values.size, clip.key_count)


def continuous(motion: Motion, rig: Rig) -> Floats:
    """(C, T) values without jumps of a whole turn, of a flipped Euler triple or of a sign."""
    values = np.array(motion.values.T, order="C")
    kind = rig.channels.kind
    angles = (kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z)
    for triple in euler_triples(rig):
        values[triple] = _unflipped(values[triple])
    values[angles] = np.unwrap(values[angles], axis=1)
    four = quaternion_channels(rig)
    if len(four):
        turn = values[four]  # (Q, 4, T)
        away = (turn[:, :, 1:] * turn[:, :, :-1]).sum(axis=1) < 0
        sign = np.where(np.cumsum(away, axis=1) % 2 == 1, -1.0, 1.0)
        turn[:, :, 1:] *= sign[:, None]
        values[four] = turn
    return values


def euler_triples(rig: Rig) -> list[list[int]]:
    """The three rotation channels of every joint that has three, in the order of its mode."""
    found: dict[int, dict[int, int]] = {}
    for channel, (joint, kind) in enumerate(
        zip(rig.channels.joint.tolist(), rig.channels.kind.tolist(), strict=True)
    ):
        if Kind.ROTATE_X <= kind <= Kind.ROTATE_Z:
            found.setdefault(joint, {})[kind - Kind.ROTATE_X] = channel
    return [
        [axes["XYZ".index(letter)] for letter in rig.modes[joint]]
        for joint, axes in found.items()
        if len(axes) == 3
    ]


def _unflipped(angles: Floats) -> Floats:
    """Euler angles (3, T), those of a sample replaced by the equal (a + pi, pi - b, c + pi)
    where that is nearer to the sample before."""
    other = np.stack([angles[0] + np.pi, np.pi - angles[1], angles[2] + np.pi])
    near = _apart(angles[:, :-1], angles[:, 1:])
    swap = _apart(angles[:, :-1], other[:, 1:]) < near - 1e-6
    flipped = np.concatenate([[False], np.cumsum(swap) % 2 == 1])
    return np.where(flipped, other, angles)


def _apart(a: Floats, b: Floats) -> Floats:
    """(T,) sum of the angles between, the short way round."""
    step = b - a
    return np.asarray(abs(step - 2 * np.pi * np.round(step / (2 * np.pi))).sum(axis=0))


def fit_rows(samples: Samples, together: Ints, known: list[Curve] | None = None) -> list[Curve]:
    """One curve per row of samples; rows (Q, 4) together have the same key times.

    Curves `known` from an earlier fit are cut anew only where they fail their tolerance.
    """
    worn = np.full(samples.values.shape, True) if known is None else _worn(samples, known)
    still = _still(samples)
    curves: list[Curve | None] = [None] * len(still) if known is None else [*known]
    keys: list[Ints] = []
    rows: list[Ints] = []
    alone = np.setdiff1d(np.arange(len(still)), together)
    for lanes in (alone[:, None], together):
        moving = lanes[~still[lanes].all(axis=1) & worn[lanes].any(axis=(1, 2))]
        if len(moving):
            keys += longest_pieces(samples, moving, _known(samples, moving, worn, known))
            rows += list(moving)
    for row in np.flatnonzero(still & worn.any(axis=1)).tolist():
        curves[row] = _one_key(samples, row)
    if rows:
        for curve, row in _curves(samples, fitted(samples, *_pieces_between(keys, rows))):
            curves[row] = curve
    return [curve for curve in curves if curve is not None]


def spline_curves(spline: Spline) -> list[Curve]:
    """A curve for each moving channel of a spline; handle times are one third."""
    target, keys = spline.target, spline.keys
    time, nodes = target.time[keys], spline.nodes[keys]
    if len(keys) < 2:
        return [_single(time[0], value) for value in nodes[0, 0].tolist()]
    gap = np.diff(time) / 3
    run = np.stack([np.append(gap[:1], gap), np.append(gap, gap[-1:])], axis=-1)  # (K, 2)
    made = []
    for own in range(len(target.moving)):
        kinds = np.where(target.broken[keys, own], Handle.FREE, Handle.ALIGNED)
        curve = Curve(
            time=time,
            value=nodes[:, 0, own],
            tangent=np.stack([run, run * nodes[:, 1:, own]], axis=-1),
            handles=np.stack([kinds, kinds], axis=-1),
            interpolation=np.full(len(keys), Interpolation.BEZIER),
        )
        made.append(curve)
    return made


def _single(time: float, value: float) -> Curve:
    return Curve.of([time], [value], interpolation=Interpolation.BEZIER)


def _worn(samples: Samples, known: list[Curve]) -> Bools:
    """(R, T) where the known curves fail."""
    values = evaluate(pack_curves(known, np.zeros(len(known))), samples.time)
    failed: Bools = abs(values.T - samples.values) > samples.tolerance * (1 + 1e-9)
    return failed


def _known(samples: Samples, lanes: Ints, worn: Bools, known: list[Curve] | None) -> Known | None:
    if known is None:
        return None
    keys = [np.searchsorted(samples.time, known[lane[0]].time) for lane in lanes]
    return Known.of(keys, np.asarray(worn[lanes].any(axis=1), np.bool_))


def _tolerances(tolerance: ArrayLike, count: int, times: int) -> Floats:
    given = np.asarray(tolerance, dtype=np.float64)
    if given.shape not in ((), (count,)) or not (given > 0).all():
        raise BadValue("tolerance", f"one number above 0 or {count} of them", given)
    return np.broadcast_to(given[..., None], (count, times)).copy()


def _still(samples: Samples) -> Bools:
    """(R,) rows that one value can stand for."""
    still: Bools = _lowest(samples) <= _highest(samples)
    return still


def _lowest(samples: Samples) -> Floats:
    """(R,) what a single value must be at least."""
    return np.asarray((samples.values - samples.tolerance).max(axis=1), np.float64)


def _highest(samples: Samples) -> Floats:
    return np.asarray((samples.values + samples.tolerance).min(axis=1), np.float64)


def _one_key(samples: Samples, row: int) -> Curve:
    middle = (_lowest(samples)[row] + _highest(samples)[row]) / 2
    values = samples.values[row]
    value = values[0] if np.ptp(values) == 0 else middle
    return _single(samples.time[0], value)


def _pieces_between(keys: list[Ints], rows: list[Ints]) -> tuple[Ints, Ints, Ints]:
    """Row, start and end of the pieces between the keys of every row."""
    pairs = [(row, key) for key, among in zip(keys, rows, strict=True) for row in among.tolist()]
    pairs.sort(key=lambda pair: pair[0])
    row = np.repeat([row for row, _ in pairs], [len(key) - 1 for _, key in pairs])
    start = np.concatenate([key[:-1] for _, key in pairs])
    end = np.concatenate([key[1:] for _, key in pairs])
    return row.astype(np.int64), start, end


def _curves(samples: Samples, pieces: Cubics) -> list[tuple[Curve, int]]:
    """The curve of every row among the pieces, and the row."""
    bounds = np.flatnonzero(np.diff(pieces.row)) + 1
    bounds = np.concatenate([[0], bounds, [len(pieces.row)]])
    third = np.stack(
        [samples.time[pieces.end] - samples.time[pieces.start]] * 2 + list(pieces.slope.T)
    )
    third = third.reshape(2, 2, -1).transpose(2, 1, 0) / 3  # (A, out/in, [dt, dv])
    made = []
    for low, high in pairwise(bounds.tolist()):
        row = int(pieces.row[low])
        key = np.append(pieces.start[low:high], pieces.end[high - 1])
        tangent = np.empty((len(key), 2, 2))
        tangent[:-1, 1], tangent[1:, 0] = third[low:high, 0], third[low:high, 1]
        tangent[0, 0], tangent[-1, 1] = tangent[0, 1], tangent[-1, 0]
        curve = Curve(
            time=samples.time[key],
            value=samples.values[row, key],
            tangent=tangent,
            handles=np.full((len(key), 2), Handle.FREE),
            interpolation=np.full(len(key), Interpolation.BEZIER),
        )
        made.append((curve, row))
    return made
