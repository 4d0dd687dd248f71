"""Recipe: all that makes one built-in character; each character's module has one, named RECIPE."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from arcwright.characters.lump import Lump
from arcwright.characters.mesh import Mesh
from arcwright.characters.skeleton import Joint
from arcwright.scene.clip import Clip
from arcwright.scene.point import Contact, Pin
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop


@dataclass(frozen=True)
class Sculpture:
    """Lumps that flow together into one closed surface."""

    lumps: Sequence[Lump]
    cell: float  # m, grid size: a third of the smallest detail
    faces: int = 0  # triangles to keep, 0 for all
    holders: Sequence[Lump] = ()  # lumps whose joints hold the skin; the own ones unless told


@dataclass(frozen=True, eq=False)
class Stage:
    """What stands around a character in one of its clips, and the wishes that belong to it."""

    props: tuple[Prop, ...] = ()
    contacts: tuple[Contact, ...] = ()
    pins: tuple[Pin, ...] = ()


@dataclass(frozen=True)
class Recipe:
    """A character: its skeleton's table, its clay, its colours, its clips, its stage."""

    name: str
    joints: Sequence[Joint]
    sculptures: Callable[[], Sequence[Sculpture | Mesh]]  # called only when the asset is made
    palette: Mapping[str, tuple[str, float, float]]  # material: #rrggbb, metalness, roughness
    clips: Callable[[Rig], Sequence[Clip]]  # called only when the asset is made
    stages: Mapping[str, Callable[[], Stage]] = field(default_factory=dict)  # by clip name
