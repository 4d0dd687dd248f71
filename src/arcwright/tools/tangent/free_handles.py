"""Free handles: which handles an edit may change, their unknowns and bounds."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.objectives.freedom import Freedom
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Interpolation
from arcwright.solve.problem import Box
from arcwright.tools.tangent.control_limits import value_ranges
from arcwright.tools.tangent.followers import followers_of, shortest_shares
from arcwright.tools.tangent.handles import Handles, Smooth
from arcwright.tools.tangent.hinge_weights import hinge_weights
from arcwright.tools.tangent.segment_weights import lasting, leverage

SHORTEST, LONGEST = 0.02, 0.98  # handle time in parts of its segment; at 1 slopes are vertical
TIME_STEP = 0.3  # of the segment
FARTHEST = 25.0  # steps that a handle without joint limits may rise
BEZIER = int(Interpolation.BEZIER)
BRIEFEST = 1.01  # frames; tangents of a briefer segment are seen only at times within it
ON_KEY = 0.01  # frames


def window(clip: Clip, channels: Ints, times: list[float], time_reach: int) -> tuple[float, float]:
    """The union, over channels, of the segments that hold one of the times.

    `time_reach` takes in that many segments more on both sides.
    """
    spans = _spans(clip, channels, times, time_reach)
    return _union([(min(times), max(times)), *spans])


def narrow_window(
    clip: Clip, channels: Ints, times: list[float], time_reach: int, most: int
) -> tuple[float, float]:
    """The same, left at the widest with at most so many segments inside.

    One channel with few keys would else open it to all segments of all channels.
    """
    spans = sorted(_spans(clip, channels, times, time_reach), key=lambda span: span[1] - span[0])
    for count in range(len(spans), 1, -1):
        whole = _union(spans[:count])
        if count < len(spans) and spans[count][1] - spans[count][0] == whole[1] - whole[0]:
            continue  # as wide as the last one
        if len(_segments(clip, channels, whole, times)) <= most:
            return whole
    return _union([(min(times), max(times)), *spans[:1]])


def _spans(
    clip: Clip, channels: Ints, times: list[float], time_reach: int
) -> list[tuple[float, float]]:
    """Of each channel with keys: from the first to the last segment that holds one of the times."""
    spans: list[tuple[float, float]] = []
    for channel in channels:
        curve = clip.curves[channel]
        if curve is None or len(curve) < 2:
            continue
        first = int(np.searchsorted(curve.time, min(times), "right")) - 1
        last = int(np.searchsorted(curve.time, max(times), "left"))
        first, last = first - time_reach, last + time_reach
        if last > 0 and first < len(curve) - 1:
            start, end = curve.time[max(first, 0)], curve.time[min(last, len(curve) - 1)]
            spans.append((float(start), float(end)))
    return spans


def _union(spans: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return min(start for start, _ in spans), max(end for _, end in spans)


def free_handles(
    free: Freedom,
    clip: Clip,
    channels: Ints,
    span: tuple[float, float],
    poses: Floats,
    *,
    held: Sequence[float] = (),
    only_held: bool = False,
    unified: bool = False,
    loose: Sequence[tuple[frozenset[int], float, float]] = (),
    limited: bool = True,
    tasks_beyond: bool = True,
    dragged: Ints | None = None,
) -> Handles:
    """The handles of all segments of these channels that lie wholly inside the span.

    In `poses` (T, C) it is weighed how readily each channel moves, and handles with little leverage
    at the `held` times weigh less. With `only_held`, only segments that hold one of these times
    count: where there are no tasks at other times, no other segment matters.

    Unified, smooth keys turn both their handles as one, and those at the ends of the span
    take the handle beyond it along; but not those of channels that are `loose` from some time to
    some other on either side. Without `tasks_beyond`, no task but those at the `held` times depends
    on the segments beyond. Knees keep to their planes, but not those among the channels that move
    the `dragged` points: a dragged foot bends its own knee.
    """
    segments = _segments(clip, channels, span, held)
    if only_held:
        segments = [each for each in segments if _holds(each, held)]
    inner = len(segments)
    if unified:
        segments += _neighbours(segments, loose)
    driven = [curve for _, _, curve in segments]
    channel = np.array([c for c, _, _ in segments], np.int64)
    key = np.array([k for _, k, _ in segments], np.int64)
    begin = np.array([curve.time[k] for _, k, curve in segments])
    length = np.array([curve.time[k + 1] - curve.time[k] for _, k, curve in segments])
    value = np.array([curve.value[k : k + 2] for _, k, curve in segments]).reshape(-1, 2)
    start = np.array([_shrunk(curve, k) for _, k, curve in segments]).reshape(-1, 2)
    rig = free.take.rig
    step = free.steps(channel)
    every = np.unique(channel)
    moved = np.zeros(0, np.int64) if dragged is None else dragged
    weight = free.weights(every, poses) * hinge_weights(free, every, poses[0], moved)
    weight = weight[np.searchsorted(every, channel)]
    weight = weight * lasting(length, clip.rate) * leverage(begin, length, start, held)
    ties = _ties(driven, channel, key, loose) if unified else np.full(2 * len(channel), -1)
    unknown, factor = _unknowns(start, length, step, ties, inner)
    count = int(unknown.max(initial=-1)) + 1
    stiffness = np.ones(count)
    owner = np.repeat(channel, 2)
    for column in (0, 1):
        used = unknown[:, column] >= 0
        own = rig.channels.stiffness[owner] * np.sqrt(np.repeat(weight, 2))
        stiffness[unknown[used, column]] = own[used]
    table = rig.channels
    limits = np.stack([table.low[channel], table.high[channel]])
    if not limited:
        limits[:] = [[-np.inf], [np.inf]]
    following = (ties >= 0) & (np.arange(len(ties)) >= 2 * inner) & (not tasks_beyond)
    following &= ~np.repeat([_holds(each, held) for each in segments], 2).astype(bool)
    ranges, shares = value_ranges(value, *limits), shortest_shares(start, clip.rate)
    beyond = followers_of(
        following,
        ties,
        (start, length, value),
        ranges,
        np.repeat(step, 2),
        unknown.max(axis=1) >= 0,
        clip.rate,
    )
    box = _box(ranges, np.where(following, shares, 1.0), length, start, unknown, factor, count)
    joints = _smooth_keys(driven, channel, key, start, unknown, step / np.sqrt(weight))
    return Handles(
        channel, key, begin, length, value, start, unknown, factor, stiffness, box, joints, beyond
    )


_Segment = tuple[int, int, Curve]  # channel, first key, curve


def _segments(
    clip: Clip, channels: Ints, span: tuple[float, float], held: Sequence[float]
) -> list[_Segment]:
    """Those inside a span; of brief ones only those that hold one of the times between keys.

    Without these, a drag between two keys a frame apart would move the body, not the limb.
    """
    found: list[_Segment] = []
    margin = ON_KEY / clip.rate
    for channel in channels.tolist():
        curve = clip.curves[channel]
        if curve is None or len(curve) < 2:
            continue
        inside = (curve.time[:-1] >= span[0] - 1e-9) & (curve.time[1:] <= span[1] + 1e-9)
        inside &= curve.interpolation[: len(curve) - 1] != Interpolation.STEP
        brief = np.diff(curve.time) * clip.rate <= BRIEFEST
        if brief.any():
            for time in held:
                brief &= (time <= curve.time[:-1] + margin) | (curve.time[1:] - margin <= time)
            inside &= ~brief
        found += [(channel, k, curve) for k in np.flatnonzero(inside).tolist()]
    return found


def _holds(segment: _Segment, times: Sequence[float]) -> bool:
    _, k, curve = segment
    return any(curve.time[k] <= time <= curve.time[k + 1] for time in times)


_Loose = Sequence[tuple[frozenset[int], float, float]]


def _neighbours(segments: list[_Segment], loose: _Loose) -> list[_Segment]:
    """Segments beside the given ones that share a smooth key with them."""
    inside = {(channel, k) for channel, k, _ in segments}
    beside: dict[tuple[int, int], _Segment] = {}
    for channel, k, curve in segments:
        for near, shared in ((k - 1, k), (k + 1, k + 1)):
            exists = 0 <= near < len(curve) - 1 and (channel, near) not in inside
            if (
                exists
                and curve.interpolation[near] == BEZIER
                and _can_tie(channel, curve, shared, loose)
            ):
                beside[channel, near] = (channel, near, curve)
    return list(beside.values())


def _can_tie(channel: int, curve: Curve, key: int, loose: _Loose) -> bool:
    """Whether a smooth key inside a curve is not loose on either side."""
    if not _smooth(curve, key):
        return False
    start, end = curve.time[key - 1], curve.time[key + 1]
    return not any(
        channel in channels and since < end and until > start for channels, since, until in loose
    )


_known_smooth: WeakKeyDictionary[Curve, list[bool]] = WeakKeyDictionary()


def _smooth(curve: Curve, key: int) -> bool:
    """Whether a key's two handles have some length and one direction; remembered for each curve."""
    known = _known_smooth.get(curve)
    if known is None:
        into, out = curve.tangent[:, 0], curve.tangent[:, 1]
        cross = np.abs(into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0])
        long = np.minimum(into[:, 0], out[:, 0]) > 0
        sizes = np.hypot(*into.T) * np.hypot(*out.T)
        known = _known_smooth[curve] = (long & (cross <= 1e-6 * sizes)).tolist()
    return known[key]


def _shrunk(curve: Curve, key: int) -> tuple[Floats, Floats]:
    """Both handles as evaluated: no longer than the segment; straight ones at one third."""
    length = curve.time[key + 1] - curve.time[key]
    if curve.interpolation[key] != BEZIER:
        third = np.array([length, curve.value[key + 1] - curve.value[key]]) / 3
        return third, third
    out, into = curve.tangent[key, 1], curve.tangent[key + 1, 0]
    return (
        out * min(1.0, length / out[0]) if out[0] > 0 else out,
        into * min(1.0, length / into[0]) if into[0] > 0 else into,
    )


def _ties(driven: list[Curve], channel: Ints, key: Ints, loose: _Loose) -> Ints:
    """(H,) the handle whose slope a handle shares, -1 for none: both sides of smooth keys."""
    ties = np.full(2 * len(channel), -1, np.int64)
    place = {(int(c), int(k)): s for s, (c, k) in enumerate(zip(channel, key, strict=True))}
    for s, curve in enumerate(driven):
        before = place.get((int(channel[s]), int(key[s]) - 1))
        if before is not None and _can_tie(int(channel[s]), curve, int(key[s]), loose):
            leader = 2 * min(s, before) + (1 if before < s else 0)
            ties[2 * s] = ties[2 * before + 1] = leader
    return ties


def _smooth_keys(
    driven: list[Curve], channel: Ints, key: Ints, start: Floats, unknown: Ints, step: Floats
) -> Smooth:
    """Smooth keys next to a free segment, those that are tied left out."""
    place = {(int(c), int(k)): s for s, (c, k) in enumerate(zip(channel, key, strict=True))}
    own, other, fixed, size = [], [], [], []
    for s, curve in enumerate(driven):
        for side, at, beside in ((0, key[s], key[s] - 1), (1, key[s] + 1, key[s] + 1)):
            handle = 2 * s + side
            inside = 0 < at < len(curve) - 1
            if not inside or unknown[handle, 0] < 0 or not _smooth(curve, int(at)):
                continue
            near = place.get((int(channel[s]), int(beside)), -1)
            if near >= 0 and side == 1:
                continue  # counted on the other side of this key
            own.append(handle)
            other.append(-1 if near < 0 else 2 * near + 1 - side)
            fixed.append(curve.tangent[at, side] if near < 0 else start[2 * near + 1 - side])
            size.append(step[s] * fixed[-1][0])
    return Smooth(
        np.array(own, np.int64),
        np.array(other, np.int64),
        np.array(fixed).reshape(-1, 2),
        np.array(size),
    )


def _unknowns(
    start: Floats, length: Floats, step: Floats, ties: Ints, inner: int
) -> tuple[Ints, Floats]:
    """An unknown for time and one for value of each handle of the inner segments.

    Tied handles keep their time and turn as one. A step turns them as far as it would turn a handle
    of a third of the leader's segment, else short handles would get steep.
    """
    count = len(start)
    unknown = np.arange(2 * count).reshape(count, 2)
    unknown[2 * inner :] = -1
    factor = np.stack([np.repeat(TIME_STEP * length, 2), np.repeat(step, 2)], axis=-1)
    for handle in np.flatnonzero(ties >= 0):
        leader = int(ties[handle])
        unknown[handle] = -1, 2 * leader + 1
        factor[handle, 1] = step[leader // 2] * start[handle, 0] / (length[leader // 2] / 3)
    renamed = np.full(2 * count + 1, -1, np.int64)
    used = np.unique(unknown[unknown >= 0])
    renamed[used] = np.arange(len(used))
    return renamed[unknown], factor


def _box(
    ranges: tuple[Floats, Floats],
    share: Floats,
    length: Floats,
    start: Floats,
    unknown: Ints,
    factor: Floats,
    count: int,
) -> Box:
    """Bounds of the unknowns: time stays a function, values stay in the joint limits (eqs 7-9).

    The beginning is always inside, so an edit can begin from curves that already break them.
    A handle that may be shortened to a share of its length (H,) may be steeper by as much.
    """
    size = np.repeat(length, 2)
    low = np.stack([SHORTEST * size, -FARTHEST * factor[:, 1]], axis=-1)
    high = np.stack([LONGEST * size, FARTHEST * factor[:, 1]], axis=-1)
    low[:, 1] = np.maximum(low[:, 1], ranges[0] / share)
    high[:, 1] = np.minimum(high[:, 1], ranges[1] / share)
    low, high = np.minimum(low, start), np.maximum(high, start)
    bottom, top = np.full(count, -np.inf), np.full(count, np.inf)
    moving: Bools = (unknown >= 0) & (factor > 0)
    np.maximum.at(bottom, unknown[moving], ((low - start) / np.where(moving, factor, 1))[moving])
    np.minimum.at(top, unknown[moving], ((high - start) / np.where(moving, factor, 1))[moving])
    return Box(np.minimum(bottom, 0.0), np.maximum(top, 0.0))
