"""Tick: a puppet at one moment."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.arrays import Bools, Floats
from arcwright.tools.puppet.objects.movable import Placement
from arcwright.tools.puppet.state_machine import State


@dataclass(frozen=True, eq=False)
class Tick:
    """A puppet at one moment."""

    values: Floats  # (C,) channel values
    state: State
    end: Floats | None  # (3,) m, of the stick that holds it
    locked: Bools  # (F,) feet that stand
    objects: tuple[Placement, ...] = ()  # where the props are
    event: str = ""  # what happened to which prop
