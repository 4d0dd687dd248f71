"""Few keys for a layer: as many as its joints need to be within a tolerance.

All channels start with the same key times, as errors of joints below each other cancel then. Keys
of single channels are removed as long as all of them, fitted again together, stay within it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise
from typing import TypeVar

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.deviation import UNITLESS_SCALE, Deviation
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.lever_arms import units_per_metre
from arcwright.kinematics.sample import quaternion_channels
from arcwright.scene.curve import Curve, Handle, Interpolation
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.take import Take
from arcwright.tools.cycle.recording.channel_basis import Keys
from arcwright.tools.cycle.recording.key_spline import (
    KeySets,
    KeySplines,
    Series,
    Solved,
    SplineFit,
)
from arcwright.tools.cycle.recording.key_times import key_times, segment_distances
from arcwright.tools.cycle.recording.layer_curves import CLIMBS, LayerFit, LayerPoses, repeated
from arcwright.tools.cycle.recording.long_layer_fit import fitted_long

T = TypeVar("T")

LEVELS = np.geomspace(64.0, 0.1, 20)  # tolerances at which key times are looked for
LONG = 60  # frames: longer layers get as few keys by keyframe reduction, and sooner
FINE = 0.05  # of the layer's movement: the tolerance of one that moves little, such as a jaw
LEAST = 1e-5  # m, of its movement
PLANTED = 10.0  # weight of the deviation of a planted foot: it should not slide
ROUNDS = 4  # of weighting frames where joints are far off more (Lawson's iteration)
HOPELESS = 1.4  # times the tolerance: more rounds would not get there
QUIET = 0.3  # of the tolerance: what channels that stay may take joints off
OWN = 0.05  # weight of channels themselves beside that of joints
MOST_UNKNOWNS = 600  # of a block: in longer takes all channels keep the same key times
TRIES = 16  # of removals in a block of channels
FAILURES = 5  # single keys that are tried: where none can be removed, no other is
AT_ONCE = 24  # keys, for each of which one more is added at once
BLOCK = 6  # channels, at least, that are fitted together while keys are removed


def fitted_curves(layer: LayerPoses, tolerance: float) -> LayerFit:
    """Few keys: joints stay within `tolerance` metres, with everything else as it moves."""
    if layer.frames > LONG:
        return fitted_long(layer, tolerance)
    return _Fitting(layer, tolerance).fit()


class _Fitting:
    def __init__(self, layer: LayerPoses, tolerance: float) -> None:
        self._layer = layer
        self._values = layer.values[layer.rows]  # (N + 1, C)
        aim = Deviation.of(layer.take.rig, self._values)
        self._aim = replace(aim, strict=_strict(layer, aim, self._values))
        self._tolerance = min(tolerance, FINE * self._size())
        self._series = _series(layer)
        self._splines = SplineFit(self._series, partial(_metric, layer, self._aim))
        self._quiet = self._quiet_groups()
        self._worst = np.zeros(len(self._values))  # m, of the splines solved last

    def _size(self) -> float:
        """m, how far the layer moves joints, or points a little off them, from its mean."""
        own = self._values[:, self._layer.channels]
        middle = 0.5 * (own.max(axis=0) + own.min(axis=0))
        return max(float(self._off(np.tile(middle, (len(own), 1))).max()), LEAST)

    def _off(self, values: Floats, frames: Ints | None = None) -> Floats:
        """(T,) m, how far joints are off with values (T, n) of the layer's channels at frames."""
        aim = self._aim if frames is None else self._aim.at(frames)
        poses = aim.values.copy()
        poses[:, self._layer.channels] = values
        return aim.largest(poses)

    def fit(self) -> LayerFit:
        """The curves."""
        found = self._reduced(self._aligned())
        curves = _curves(self._layer, self._series, found)
        poses = self._values.copy()
        poses[:, self._layer.channels] = found.made
        return LayerFit(curves, float(self._aim.joints(poses).max(initial=0.0)))

    def _aligned(self) -> KeySplines:
        """All channels with the same keys, few of them."""
        series, last = self._series, len(self._series.values) - 1
        distance = segment_distances(series.values, series.slopes, self._off)
        levels = key_times(distance, np.asarray(LEVELS * self._tolerance))
        counts = {len(keys): keys for keys in levels[::-1]}
        choices = [counts[count] for count in sorted(counts)]
        low, high, best = 0, len(choices), None
        while low < high:
            middle = (low + high) // 2
            tried = self._apart(choices[middle])
            low, high = (low, middle) if tried is not None else (middle + 1, high)
            best = tried or best
        most = len(choices[low]) if low < len(choices) else last + 1
        fewer = None if low == 0 else self._refined(choices[low - 1], most)
        every = self._same(np.arange(last + 1))
        return fewer or best or self._splines.apart(every, np.ones(last + 1))

    def _refined(self, keys: Ints, most: int) -> KeySplines | None:
        """With keys added where joints are farthest off, if fewer than `most` are enough."""
        while len(keys) < most:
            found = self._apart(keys)
            if found is not None:
                return found
            keys = self._with_more(keys)
        return None

    def _with_more(self, keys: Ints) -> Ints:
        """With keys in the segments that are farthest off: one, in long takes several at once."""
        worst = [self._worst[start : end + 1].max() for start, end in pairwise(keys.tolist())]
        for segment in np.argsort(worst)[::-1][: 1 + len(keys) // AT_ONCE].tolist():
            start, end = int(keys[segment]), int(keys[segment + 1])
            if end - start > 1:
                far = start + int(self._worst[start : end + 1].argmax())
                new = int(np.clip(round(0.5 * far + 0.25 * (start + end)), start + 1, end - 1))
                keys = np.append(keys, new)
        free = np.setdiff1d(np.arange(len(self._worst)), keys)
        more = keys if len(np.unique(keys)) > len(worst) + 1 else np.append(keys, free[:1])
        return np.unique(more)

    def _same(self, keys: Ints) -> KeySets:
        """Keys of all groups; quiet ones have one."""
        groups = range(len(self._series.groups))
        return tuple((0,) if group in self._quiet else tuple(keys.tolist()) for group in groups)

    def _quiet_groups(self) -> set[int]:
        """Groups that move so little that joints stay near without: as many as together do."""
        series = self._series
        middle = 0.5 * (series.values.max(axis=0) + series.values.min(axis=0))
        may = [g for g, own in enumerate(series.groups) if not series.comes_back_otherwise(own)]
        alone = {group: self._held(middle, [group]) for group in may}
        order = sorted(may, key=lambda group: alone[group])
        low, high = 0, len(order)
        while low < high:
            count = (low + high + 1) // 2
            near = self._held(middle, order[:count]) <= QUIET * self._tolerance
            low, high = (count, high) if near else (low, count - 1)
        return set(order[:low])

    def _held(self, middle: Floats, groups: Sequence[int]) -> float:
        """m, how far joints are off where some groups stay and all others are exact."""
        values = self._series.values.copy()
        for group in groups:
            own = self._series.groups[group]
            values[:, own] = middle[own]
        return float(self._off(values).max())

    def _near(self, solve: Callable[[Floats], T], splines: Callable[[T], KeySplines]) -> T | None:
        """What `solve` makes of weights of frames with which joints are near; None without any."""
        weight = np.ones(len(self._values))
        for _ in range(ROUNDS):
            tried = solve(weight)
            self._worst = off = self._off(splines(tried).made)
            if off.max() <= self._tolerance:
                return tried
            if off.max() > HOPELESS * self._tolerance:
                break
            weight = weight * (off / max(off.mean(), 1e-300) + 0.1)
            weight /= weight.mean()
        return None

    def _apart(self, keys: Ints) -> KeySplines | None:
        """All channels with the same keys; None where joints are too far off."""
        own = self._same(keys)
        return self._near(lambda weight: self._splines.apart(own, weight), lambda made: made)

    def _together(self, keys: KeySets, channels: list[int], others: KeySplines) -> Solved | None:
        """Some channels solved in space; None where joints are too far off."""
        return self._near(
            lambda weight: self._splines.together(keys, weight, channels, others),
            lambda made: made.splines,
        )

    def _reduced(self, splines: KeySplines) -> KeySplines:
        """Without the keys of single channels that are not needed, block by block."""
        block: list[int] = []
        for group, own in enumerate(self._series.groups):
            if group not in self._quiet:
                block += own.tolist()
            if len(block) >= BLOCK or group == len(self._series.groups) - 1:
                splines = self._reduced_block(splines, block) if block else splines
                block = []
        return splines

    def _reduced_block(self, splines: KeySplines, channels: list[int]) -> KeySplines:
        """The cheapest keys first, several at once while that works."""
        if sum(len(splines.nodes[channel]) for channel in channels) > MOST_UNKNOWNS:
            return splines
        solved = self._together(splines.keys, channels, splines)
        most, tries = len(channels), TRIES
        while solved is not None:
            splines, costs = solved.splines, self._splines.removal_costs(solved)
            solved = None
            for chosen in islice(_removals(costs, most), tries):
                tries -= 1
                left = (chosen.get(group, own) for group, own in enumerate(splines.keys))
                solved = self._together(tuple(left), channels, splines)
                if solved is not None:
                    most = len(chosen)
                    break
        return splines


def _removals(costs: Sequence[tuple[float, int, Keys]], most: int) -> Iterator[dict[int, Keys]]:
    """What is tried: a key of each of the cheapest groups, of half as many, then single keys."""
    cheapest: dict[int, Keys] = {}
    for _, group, keys in costs:
        cheapest.setdefault(group, keys)
    most = min(most, len(cheapest))
    while most > 1:
        yield dict(list(cheapest.items())[:most])
        most //= 2
    yield from ({group: keys} for _, group, keys in costs[:FAILURES])


def _strict(layer: LayerPoses, aim: Deviation, values: Floats) -> Floats:
    """(N + 1, J) weights of deviations, larger for planted feet."""
    time = np.arange(len(values)) * layer.span / layer.frames
    moved = Take(layer.take.rig, Motion(layer.take.name, time, values, 1 / time[1]))
    strict = np.ones(aim.world.shape[:2])
    for plant in footplants(moved):
        on = (time >= plant.start - 1e-9) & (time <= plant.end + 1e-9)
        strict[on, aim.rig.joint(plant.point.joint)] = PLANTED
    return strict


def _metric(layer: LayerPoses, aim: Deviation) -> Floats:
    """(N + 1, n, n) what errors of channels count at frames, by the joints that they move.

    Channels count a little by themselves, too: joints alone do not say where each of them is.
    """
    rig, own = layer.take.rig, layer.channels
    joints = [(joint, np.zeros(3)) for joint in range(len(rig.names))]
    there = point_jacobian(rig, aim.values, joints, own)
    assert aim.strict is not None
    strict = aim.strict[..., None, None]
    moved = np.concatenate(
        [strict * there.linear, aim.surface_offset * strict * there.angular], axis=1
    )
    order = np.argsort(own)
    columns = order[np.searchsorted(own, there.channels, sorter=order)]
    metric = np.zeros((len(aim.values), len(own), len(own)))
    rows = moved.reshape(len(moved), -1, len(columns))
    metric[:, columns[:, None], columns] = rows.transpose(0, 2, 1) @ rows
    alone = OWN / units_per_metre(rig, aim)[own]
    unseen = rig.channels.kind[own] > Kind.SCALE_Z
    alone[unseen] = UNITLESS_SCALE * aim.size
    metric[:, np.arange(len(own)), np.arange(len(own))] += alone**2
    return metric


def _series(layer: LayerPoses) -> Series:
    """The layer's channels over its span."""
    rows, channels, table = layer.rows, layer.channels, layer.take.rig.channels
    values = layer.values[:, channels]
    inside, slopes = values[rows].copy(), _slopes(values)[rows]
    sign, climb = np.ones(len(channels)), np.zeros(len(channels))
    if layer.closed:
        sign, climb = _seam(values, layer.frames)
        inside[-1], slopes[-1] = sign * inside[0] + climb, sign * slopes[0]
    low = np.minimum(table.low[channels], inside.min(axis=0))
    high = np.maximum(table.high[channels], inside.max(axis=0))
    return Series(inside, slopes, low, high, layer.closed, sign, climb, _groups(layer))


def _slopes(values: Floats) -> Floats:
    """(T, M) per frame, of lines through five frames."""
    near = np.pad(values, ((2, 2), (0, 0)), mode="reflect", reflect_type="odd")
    return np.asarray((2 * (near[4:] - near[:-4]) + near[3:-1] - near[1:-3]) / 10)


def _seam(values: Floats, frames: int) -> tuple[Floats, Floats]:
    """(M,) each: sign and climb of values (T, M) from one round to the next.

    The same pose may come back as the negative quaternion, or by other Euler angles.
    """
    early, late = values[:-frames], values[frames:]
    sign = np.where(np.ptp(late + early, axis=0) < 0.5 * np.ptp(late - early, axis=0), -1.0, 1.0)
    climb = (late - sign * early)[len(early) // 2]
    return sign, np.where(np.abs(climb) > CLIMBS, climb, 0.0)


def _groups(layer: LayerPoses) -> list[Ints]:
    """Channels with the same keys: those of a quaternion, and each other one alone."""
    first = np.arange(len(layer.take.rig.channels))
    for four in quaternion_channels(layer.take.rig):
        first[four] = four[0]
    own = first[layer.channels]
    return [np.flatnonzero(own == each) for each in np.unique(own)]


def _curves(layer: LayerPoses, series: Series, splines: KeySplines) -> dict[int, Curve]:
    """Aligned handles, each a third of its segment long."""
    step, curves = layer.span / layer.frames, {}
    for group, keys in enumerate(splines.keys):
        time, own = np.array(keys) * step, series.groups[group]
        run = np.diff(time, prepend=time[:1], append=time[-1:]) / 3.0
        if len(keys) > 1:
            run[0], run[-1] = (run[-2], run[1]) if layer.closed else (run[1], run[-2])
        handle = np.stack([run[:-1], run[1:]], axis=1)  # (K, 2)
        nodes = np.stack([splines.nodes[c] for c in own.tolist()])  # (W, 2 K)
        rise = handle * nodes[:, 1::2, None] / step
        tangent = np.stack([np.broadcast_to(handle, rise.shape), rise], axis=-1)
        kinds = np.full((len(keys), 2), Handle.ALIGNED)
        modes = np.full(len(keys), Interpolation.BEZIER)
        made = Curve.side_by_side(time, nodes[:, ::2], tangent, kinds, modes)
        for c, curve in zip(own.tolist(), made, strict=True):
            closed = repeated(curve, series.sign[c] > 0) if layer.closed else curve
            curves[int(layer.channels[c])] = closed
    return curves
