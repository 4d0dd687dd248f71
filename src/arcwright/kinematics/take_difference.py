"""Take differences: takes, channels and spans of time in which two states of a scene differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints, same
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take

Span = tuple[float, float]
EVERYWHERE: Span = (-np.inf, np.inf)


@dataclass(frozen=True, eq=False)
class TakeDifference:
    """A take that changed, or a new one."""

    character: str
    take: Take
    channels: list[int]  # whose curves changed
    span: Span | None  # s, in which poses may differ

    @property
    def frames(self) -> range:
        """Whole frames of the take in the span."""
        if self.span is None:
            return range(0)
        rate, last = self.take.rate, last_frame(self.take)
        first = np.ceil(np.clip(self.span[0] * rate, 0, last + 1) - 1e-6)
        stop = np.floor(np.clip(self.span[1] * rate, -1, last) + 1e-3) + 1
        return range(int(first), int(stop))


def last_frame(take: Take) -> int:
    """The last whole frame of a take."""
    return int(np.floor(take.duration * take.rate + 1e-3))


def take_differences(before: Scene, after: Scene) -> list[TakeDifference]:
    """The takes of `after` that differ from `before`; values shared by both are not compared."""
    known = {actor.name: actor for actor in (*before.characters, *before.props)}
    return [
        difference
        for actor in (*after.characters, *after.props)
        if actor is not known.get(actor.name)
        for difference in _of_actor(known.get(actor.name), actor)
    ]


def _of_actor(before: Actor | None, after: Actor) -> Iterator[TakeDifference]:
    known = {take.name: take for take in before.takes} if before is not None else {}
    for take in after.takes:
        old = known.get(take.name)
        if old is None or not _has_channels_of(take.rig, old.rig):
            every = list(range(len(take.rig.channels)))  # one of this name may have had other keys
            yield TakeDifference(after.name, take, every, EVERYWHERE)
        elif take.base is not old.base or take.layers is not old.layers:
            yield from _of_take(after.name, old, take)


def _has_channels_of(rig: Rig, other: Rig) -> bool:
    own, known = rig.channels, other.channels
    return own is known or (same(own.joint, known.joint) and same(own.kind, known.kind))


def _of_take(character: str, before: Take, after: Take) -> Iterator[TakeDifference]:
    channels = _changed_channels(before, after)
    every = np.arange(len(after.rig.channels))
    span = changed_span(before, after, every, (0.0, after.duration))
    if (before.rate, before.duration) != (after.rate, after.duration):
        span = EVERYWHERE
    if channels or span is not None:
        yield TakeDifference(character, after, channels, span)


def _changed_channels(before: Take, after: Take) -> list[int]:
    was, now = before.base, after.base
    if not isinstance(was, Clip) or not isinstance(now, Clip):
        return sorted({*_keyed(before), *_keyed(after)}) if was is not now else []
    pairs = enumerate(zip(was.curves, now.curves, strict=True))
    return [channel for channel, (a, b) in pairs if not same(a, b)]


def _keyed(take: Take) -> list[int]:
    curves = take.base.curves if isinstance(take.base, Clip) else ()
    return [channel for channel, curve in enumerate(curves) if curve is not None]


def changed_span(
    before: Take, after: Take, channels: Ints, within: Span = EVERYWHERE
) -> Span | None:
    """The part of `within` outside which the channels are equal bit for bit; None if all is equal.

    Values that the takes share are not compared, so after an edit this is cheap.
    """
    bases = _bases(before.base, after.base, channels, within)
    spans = [*bases, *_layers(before.layers, after.layers)]
    if not spans:
        return None
    return min(start for start, _ in spans), max(end for _, end in spans)


def changed_curve_span(
    before: Curve | None, after: Curve | None, within: Span = EVERYWHERE
) -> Span | None:
    """The span in which two curves may differ; None if they are equal."""
    if before is after:
        return None
    if before is None or after is None or _repeats(before, within) or _repeats(after, within):
        return EVERYWHERE
    if (before.before, before.after) != (after.before, after.after):
        return EVERYWHERE
    head, tail = _alike(before, after)
    if not same(before.tangent[0, 0], after.tangent[0, 0]):  # a ray before the first key
        head = 0
    if not same(_last(before), _last(after)):
        tail = 0
    start = float(before.time[head]) if head else -np.inf
    end = float(before.time[-1 - tail]) if tail else np.inf
    return (start, end) if start <= end else None


def _bases(
    before: Clip | Motion, after: Clip | Motion, channels: Ints, within: Span
) -> Iterator[Span]:
    if before is after:
        return
    if isinstance(before, Clip) and isinstance(after, Clip):
        for channel in channels.tolist():
            span = changed_curve_span(before.curves[channel], after.curves[channel], within)
            if span is not None:
                yield span
    elif isinstance(before, Motion) and isinstance(after, Motion) and same(before.time, after.time):
        differ = (before.values[:, channels] != after.values[:, channels]).any(axis=1)
        rows = np.flatnonzero(differ)
        if len(rows):
            first, last = int(rows[0]) - 1, int(rows[-1]) + 1
            yield (
                float(before.time[first]) if first >= 0 else -np.inf,
                float(before.time[last]) if last < len(before.time) else np.inf,
            )
    else:
        yield EVERYWHERE


def _layers(before: Sequence[Layer], after: Sequence[Layer]) -> list[Span]:
    """The ranges of all layers between the common lowest and highest ones."""
    was, now = list(before), list(after)
    for end in (0, -1):
        while was and now and same(was[end], now[end]):
            was.pop(end)
            now.pop(end)
    return [(layer.start, layer.end) for layer in (*was, *now)]


def _repeats(curve: Curve, within: Span) -> bool:
    """Whether a change of the curve repeats beyond its keys."""
    beyond = within[0] < curve.time[0] or within[1] > curve.time[-1]
    return beyond and curve.cyclic


def _last(curve: Curve) -> tuple[Floats, int]:
    return curve.tangent[-1, 1], int(curve.interpolation[-1])


def _alike(before: Curve, after: Curve) -> tuple[int, int]:
    """The number of equal segments at the start and at the end of two curves."""
    if len(before) == len(after):
        differ = _differing(before, after)
        marks, count = np.flatnonzero(differ), len(differ)
        return (int(marks[0]), count - 1 - int(marks[-1])) if len(marks) else (count, count)
    was, now = _segments(before), _segments(after)
    count = min(len(was), len(now))
    head = np.flatnonzero((was[:count] != now[:count]).any(axis=1))
    tail = np.flatnonzero((was[::-1][:count] != now[::-1][:count]).any(axis=1))
    first, last = (int(each[0]) if len(each) else count for each in (head, tail))
    return first, last


def _differing(before: Curve, after: Curve) -> Bools:
    """(K - 1,) segments that differ between curves with the same number of keys."""
    moved = np.zeros(len(before), bool)
    for was, now in ((before.time, after.time), (before.value, after.value)):
        if was is not now:
            moved |= was != now
    handles = before.tangent != after.tangent
    into = moved | handles[:, 0, 0] | handles[:, 0, 1]
    out = moved | handles[:, 1, 0] | handles[:, 1, 1]
    out |= before.interpolation != after.interpolation
    differ: Bools = out[:-1] | into[1:]
    return differ


def _segments(curve: Curve) -> Floats:
    """(K - 1, 9) all parameters of each segment."""
    keys = np.column_stack([curve.time, curve.value])
    modes = curve.interpolation[:-1, None]
    return np.hstack([keys[:-1], curve.tangent[:-1, 1], modes, curve.tangent[1:, 0], keys[1:]])
