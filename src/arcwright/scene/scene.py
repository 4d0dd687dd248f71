"""Scene: characters, props, constraints, recordings, activities, shots and their composition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Self, TypeVar

from arcwright.errors import BadValue, UnknownName
from arcwright.scene.activity import Activity
from arcwright.scene.constraint import Constraint, Contact, Pin
from arcwright.scene.flow import Flow
from arcwright.scene.recording import Recording
from arcwright.scene.rig import Rig
from arcwright.scene.shape import Look, Shape
from arcwright.scene.shot import Shot
from arcwright.scene.sound import Sound
from arcwright.scene.stored_pose import StoredPose
from arcwright.scene.take import Take
from arcwright.scene.terrain import LEVEL, Terrain

_FIRST_WARNINGS, _LAST_WARNINGS = 40, 10  # kept of many
_LONGEST = 300  # characters of a warning


@dataclass(frozen=True, eq=False)
class Actor:
    """Base of characters and props. Its takes always use its own rig."""

    name: str
    rig: Rig
    takes: tuple[Take, ...] = ()
    shapes: tuple[Shape, ...] = ()
    look: Look = field(default_factory=Look)

    def __post_init__(self) -> None:
        takes = tuple(
            take if take.rig is self.rig else replace(take, rig=self.rig) for take in self.takes
        )
        object.__setattr__(self, "takes", takes)
        object.__setattr__(self, "shapes", tuple(self.shapes))
        _check_unique(takes, f"takes of {self.name!r}")
        for shape in self.shapes:
            joints = [shape.joint, *(shape.skin.joints.tolist() if shape.skin else [])]
            if not (min(joints) >= 0 and max(joints) < len(self.rig.names)):
                where = f"shape {shape.name!r} of {self.name!r}"
                raise BadValue(where, f"joints 0 to {len(self.rig.names) - 1}", "one outside")

    def __repr__(self) -> str:
        size = f"{len(self.rig.names)} joints, {len(self.rig.channels)} channels"
        return f"<{type(self).__name__} {self.name!r}: {size}, {_takes(self)}>"

    def take(self, name: str) -> Take:
        """The take of this name; an unknown name raises with similar ones.

        Of `Armature|Walk`, as Blender exports it, the part after the bar is enough.
        """
        short = [take for take in self.takes if take.name.rpartition("|")[2] == name]
        if len(short) == 1 and all(take.name != name for take in self.takes):
            return short[0]
        return _named(self.takes, "take", name)

    def with_take(self, take: Take) -> Self:
        """This actor with `take` in place of the one of its name, or added at the end."""
        names = [each.name for each in self.takes]
        at = names.index(take.name) if take.name in names else len(names)
        return replace(self, takes=(*self.takes[:at], take, *self.takes[at + 1 :]))


@dataclass(frozen=True, eq=False, repr=False)
class Character(Actor):
    """An animated actor: a rig, its takes and its shapes."""

    roles: Mapping[str, str] = field(default_factory=dict)  # what a take is for: walk, idle, …

    def __post_init__(self) -> None:
        super().__post_init__()
        roles = {str(role): str(take) for role, take in self.roles.items()}
        object.__setattr__(self, "roles", MappingProxyType(roles))


@dataclass(frozen=True, eq=False, repr=False)
class Prop(Actor):
    """An object in the scene: scenery, a box to carry; it may have takes of its own."""


def few_warnings(warnings: Sequence[str]) -> tuple[str, ...]:
    """At most 51 of the warnings, the first and the last, each at most 300 characters long."""
    left_out = len(warnings) - _FIRST_WARNINGS - _LAST_WARNINGS
    if left_out > 1:
        first, last = warnings[:_FIRST_WARNINGS], warnings[-_LAST_WARNINGS:]
        warnings = (*first, f"and {left_out} more", *last)
    return tuple(w if len(w) <= _LONGEST else f"{w[: _LONGEST - 3]}..." for w in warnings)


@dataclass(frozen=True, eq=False)
class Source:
    """The file a scene was read from, and the warnings of the reader."""

    format: str  # "bvh", "glb", ...
    unit: float = 1.0  # metres per unit of the file
    up: str = "Y"  # up axis of the file
    warnings: tuple[str, ...] = ()  # guesses, repairs and losses; at most 51, shortened

    def __post_init__(self) -> None:
        object.__setattr__(self, "warnings", few_warnings(self.warnings))
        if not 0 < self.unit < float("inf"):
            raise BadValue("Source.unit", "metres per unit above 0", self.unit)
        if self.up not in ("X", "Y", "Z"):
            raise BadValue("Source.up", "X, Y or Z", repr(self.up))


@dataclass(frozen=True, eq=False)
class Scene:
    """A scene. Units are metres, seconds, radians; right-handed, +Y up, +Z forward."""

    name: str = "scene"
    characters: tuple[Character, ...] = ()
    props: tuple[Prop, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    source: Source | None = None
    recordings: tuple[Recording, ...] = ()  # of performances, the latest last
    activities: tuple[Activity, ...] = ()
    poses: tuple[StoredPose, ...] = ()  # the pose library
    cameras: tuple[Shot, ...] = ()
    flow: Flow | None = None  # bends what its shot shows
    ground: Terrain = LEVEL
    sound: Sound | None = None  # plays with every take

    def __post_init__(self) -> None:
        groups = (
            "characters",
            "props",
            "constraints",
            "recordings",
            "activities",
            "cameras",
            "poses",
        )
        for group in groups:
            object.__setattr__(self, group, tuple(getattr(self, group)))
        _check_unique(self.actors, "characters and props")
        _check_unique(self.activities, "activities")
        _check_unique(self.cameras, "cameras")
        _check_unique(self.poses, "poses")

    @cached_property
    def pins(self) -> tuple[Pin, ...]:
        """The pins among its constraints."""
        return tuple(each for each in self.constraints if isinstance(each, Pin))

    @cached_property
    def contacts(self) -> tuple[Contact, ...]:
        """The contacts among its constraints."""
        return tuple(each for each in self.constraints if isinstance(each, Contact))

    def __repr__(self) -> str:
        """One line: actors, their takes, and how many constraints there are."""
        actors = ", ".join(f"{each.name} with {_takes(each)}" for each in self.actors)
        kinds = Counter(each.kind for each in self.constraints)
        counts = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        parts = [actors or "empty", *([f"constraints: {counts}"] if counts else [])]
        return f"<Scene {self.name!r}: {'; '.join(parts)}>"

    @property
    def actors(self) -> tuple[Actor, ...]:
        """All characters, then all props."""
        return (*self.characters, *self.props)

    def activity(self, name: str = "") -> Activity:
        """The activity of this name; "" is the first one."""
        if name == "" and self.activities:
            return self.activities[0]
        return _named(self.activities, "activity", name)

    def subject(self, activity: Activity) -> tuple[str, str]:
        """Full names of the character and take that an activity is about; unknown ones as given."""
        actors = {each.name: each for each in self.actors}
        name = activity.character or next(iter(actors), "")
        takes = [each.name for each in actors[name].takes] if name in actors else []
        if activity.take in takes or not takes:
            return name, activity.take
        ends = [each for each in takes if each.rpartition("|")[2] == activity.take]
        found = takes[:1] if not activity.take else ends
        return name, found[0] if len(found) == 1 else activity.take

    def actor(self, name: str = "") -> Actor:
        """The character or prop of this name; "" is the first character."""
        actors = self.actors
        return actors[0] if name == "" and actors else _named(actors, "character", name)


_SHOWN_TAKES = 3  # of many, named in a repr


def _takes(actor: Actor) -> str:
    shown = [f"{take.name} {take.duration:.4g} s" for take in actor.takes[:_SHOWN_TAKES]]
    more = len(actor.takes) - len(shown)
    listed = f" ({', '.join(shown)}{f' and {more} more' if more else ''})" if shown else ""
    return _count(len(actor.takes), "take") + listed


def _count(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


_N = TypeVar("_N", Take, Actor, Activity)


def _named(among: Sequence[_N], kind: str, name: str) -> _N:
    for each in among:
        if each.name == name:
            return each
    raise UnknownName(kind, name, [each.name for each in among])


def _check_unique(among: Sequence[Take | Actor | Activity | Shot | StoredPose], what: str) -> None:
    names = [each.name for each in among]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadValue(what, "each name once", f"{twice!r} twice")
