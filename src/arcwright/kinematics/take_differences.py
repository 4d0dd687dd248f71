"""Differences between two states of a scene: takes, channels and spans of time that changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import same
from arcwright.kinematics.take_difference import EVERYWHERE, Span, changed_span
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take


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
        if old is None or before is None:
            every = list(range(len(take.rig.channels)))  # one of this name may have had other keys
            yield TakeDifference(after.name, take, every, EVERYWHERE)
        elif take.base is not old.base or take.layers is not old.layers:
            yield from _of_take(after.name, old, take)


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
