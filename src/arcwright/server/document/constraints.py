"""Constraints of the scene as messages, and edits of them from messages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from arcwright.arrays import Floats
from arcwright.edits import constraints as edits
from arcwright.edits.ownership import owner
from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.path import path_through
from arcwright.scene import constraint as kinds
from arcwright.scene import region as shapes
from arcwright.scene.constraint import Balance, Constraint, Flight, Follow, name_of
from arcwright.scene.edit import Edit
from arcwright.scene.point import Point
from arcwright.scene.region import Region
from arcwright.scene.scene import Actor, Scene
from arcwright.server import messages as m
from arcwright.server.messages.encoding import point_of, point_ref

SAMPLES_PER_SEGMENT = 12  # of a path
MAX_SAMPLES = 2400  # of a path


def constraint_infos(scene: Scene) -> list[m.ConstraintInfo]:
    """All constraints of a scene, in order."""
    return [_info(scene, index, each) for index, each in enumerate(scene.constraints)]


def add_constraint(scene: Scene, change: m.AddConstraint) -> Edit:
    """The edit that adds a constraint."""
    made = _constraint(change.constraint, change.character)
    return edits.add_constraint(scene, replace(made, clip=change.take))


def change_constraint(scene: Scene, change: m.ChangeConstraint) -> Edit:
    """The edit that changes a constraint; its character and take stay."""
    known = dict(enumerate(scene.constraints)).get(change.index)
    name, clip = (owner(scene, known), known.clip) if known else (change.character, "")
    made = replace(_constraint(change.constraint, name), clip=clip)
    return edits.change_constraint(scene, change.index, made)


def remove_constraint(scene: Scene, change: m.RemoveConstraint) -> Edit:
    """The edit that removes a constraint."""
    return edits.remove_constraint(scene, change.index)


def _constraint(message: m.Constraint, character: str) -> Constraint:
    """The constraint of a message: fields have the same names; points and regions are converted."""
    given: dict[str, Any] = msgspec.structs.asdict(message)
    for name, value in given.items():
        if isinstance(value, m.PointRef):
            given[name] = point_of(value, character)
        elif name == "region":
            given[name] = getattr(shapes, type(value).__name__)(**msgspec.structs.asdict(value))
    kind = getattr(kinds, type(message).__name__)
    if given.get("point") is None and "character" in kind.__dataclass_fields__:
        given["character"] = character
    made: Constraint = kind(**given)
    return made


def _info(scene: Scene, index: int, constraint: Constraint) -> m.ConstraintInfo:
    character = owner(scene, constraint)
    has_mass = isinstance(constraint, Balance | Flight)
    parts = _mass(scene.actor(character)) if has_mass else []
    return m.ConstraintInfo(
        index=index,
        name=name_of(constraint),
        character=character,
        take=constraint.clip,
        start=constraint.start,
        end=constraint.end,
        constraint=_message(constraint, character),
        line=_line(constraint) if isinstance(constraint, Follow) else [],
        masses=[m.MassInfo(point_ref(point, character), share) for point, share in parts],
    )


def _mass(actor: Actor) -> list[tuple[Point, float]]:
    """Centres of mass of an actor's segments, and the share of each."""
    mass = body_mass(actor.rig, actor.shapes)
    return list(zip(mass.points(actor.rig), mass.share.tolist(), strict=True))


def _message(constraint: Constraint, character: str) -> m.Constraint:
    kind = getattr(m, type(constraint).__name__)
    given = {name: _plain(getattr(constraint, name), character) for name in kind.__struct_fields__}
    if isinstance(constraint, Follow):
        given["times"] = constraint.times.tolist()  # as many as there are, so no tuple
    made: m.Constraint = kind(**given)
    return made


def _plain(value: object, character: str) -> object:
    if isinstance(value, Point):
        return point_ref(value, value.character or character)
    if isinstance(value, Region):
        kind = getattr(m, type(value).__name__)
        return kind(**{name: _plain(getattr(value, name), "") for name in kind.__struct_fields__})
    if isinstance(value, np.ndarray):
        return [tuple(row) for row in value.tolist()] if value.ndim > 1 else tuple(value.tolist())
    return value


def _line(path: Follow) -> list[m.Vec3]:
    """A path as clients draw it: through its places, curved between them."""
    fine: Floats = np.linspace(0, 1, SAMPLES_PER_SEGMENT, endpoint=False)
    lengths = np.diff(path.times)
    times = np.append((path.times[:-1, None] + lengths[:, None] * fine).ravel(), path.times[-1])
    if len(times) > MAX_SAMPLES:
        times = path.times
    return [(x, y, z) for x, y, z in path_through(path.times, path.places, times).tolist()]
