"""Recipe: all that makes one built-in character; each character's module has one, named RECIPE."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from arcwright.characters.mesh import Mesh
from arcwright.characters.sdf_primitive import SdfPrimitive
from arcwright.characters.skeleton import Joint
from arcwright.scene.activity import Activity
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Constraint
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop


@dataclass(frozen=True)
class Sculpture:
    """Primitives that form one closed surface by smooth union."""

    primitives: Sequence[SdfPrimitive]
    cell: float  # m, grid size: a third of the smallest detail
    faces: int = 0  # triangles to keep, 0 for all
    holders: Sequence[SdfPrimitive] = ()  # primitives for skin weights; by default the own


@dataclass(frozen=True, eq=False)
class Stage:
    """Props and constraints of one clip of a character, and what the clip is about."""

    props: tuple[Prop, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    activities: tuple[Activity, ...] = ()


@dataclass(frozen=True)
class Recipe:
    """A character: table of joints, sculptures, materials, clips and stages."""

    name: str
    joints: Sequence[Joint]
    sculptures: Callable[[], Sequence[Sculpture | Mesh]]  # called only when the asset is made
    palette: Mapping[str, tuple[str, float, float]]  # material: #rrggbb, metalness, roughness
    clips: Callable[[Rig], Sequence[Clip]]  # called only when the asset is made
    stages: Mapping[str, Callable[[], Stage]] = field(default_factory=dict)  # by clip name
    activity_clips: Callable[[Rig], Sequence[Clip]] | None = None  # in an asset of their own
