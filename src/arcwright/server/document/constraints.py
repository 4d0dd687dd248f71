"""Constraints of the scene as messages, and edits of them from messages."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.edits import constraints as edits
from arcwright.edits.ownership import owner
from arcwright.errors import BadValue
from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.path import path_through
from arcwright.scene.constraint import (
    KINDS,
    BalanceConstraint,
    Constraint,
    FlightConstraint,
    PathConstraint,
)
from arcwright.scene.constraint_values import (
    constraint_from_values,
    constraint_values,
    value_fields,
)
from arcwright.scene.edit import Edit
from arcwright.scene.point import Point
from arcwright.scene.quantity import Field
from arcwright.scene.scene import Actor, Scene
from arcwright.server import messages as m
from arcwright.server.messages.encoding import point_ref

SAMPLES_PER_SEGMENT = 12  # of a path
MAX_SAMPLES = 2400  # of a path
MAX_ITEMS = 1000  # of a list in a message, such as the positions of a path
MAX_TEXT = 200  # characters of a name in a message


def kind_infos() -> list[m.ConstraintKindInfo]:
    """All kinds of constraints with their fields."""
    return [
        m.ConstraintKindInfo(
            name, kind.label, _first_line(kind), [_field_info(each) for each in value_fields(kind)]
        )
        for name, kind in KINDS.items()
    ]


def constraint_infos(scene: Scene) -> list[m.ConstraintInfo]:
    """All constraints of a scene, in order."""
    return [_info(scene, index, each) for index, each in enumerate(scene.constraints)]


def add_constraint(scene: Scene, change: m.AddConstraint) -> Edit:
    """The edit that adds a constraint."""
    made = _constraint(change.constraint, change.character, change.take)
    return edits.add_constraint(scene, made)


def change_constraint(scene: Scene, change: m.ChangeConstraint) -> Edit:
    """The edit that changes a constraint; its character and take stay."""
    known = dict(enumerate(scene.constraints)).get(change.index)
    name, take = (owner(scene, known), known.take) if known else (change.character, "")
    made = _constraint(change.constraint, name, take)
    return edits.change_constraint(scene, change.index, made)


def remove_constraint(scene: Scene, change: m.RemoveConstraint) -> Edit:
    """The edit that removes a constraint."""
    return edits.remove_constraint(scene, change.index)


def _constraint(values: m.ConstraintValues, character: str, take: str) -> Constraint:
    _check_size(values)
    return constraint_from_values(values, character=character, take=take)


def _check_size(value: object) -> None:
    """Raise for values too large for a message, before anything is made of them."""
    if isinstance(value, str) and len(value) > MAX_TEXT:
        raise BadValue("constraint", f"texts of at most {MAX_TEXT} characters", len(value))
    if isinstance(value, list | dict):
        if len(value) > MAX_ITEMS:
            raise BadValue("constraint", f"at most {MAX_ITEMS} items", len(value))
        for each in value.values() if isinstance(value, dict) else value:
            _check_size(each)


def _info(scene: Scene, index: int, constraint: Constraint) -> m.ConstraintInfo:
    character = owner(scene, constraint)
    has_mass = isinstance(constraint, BalanceConstraint | FlightConstraint)
    parts = _mass(scene.actor(character)) if has_mass else []
    return m.ConstraintInfo(
        index=index,
        name=constraint.name,
        title=constraint.title,
        character=character,
        take=constraint.take,
        start=constraint.start,
        end=constraint.end,
        constraint=constraint_values(constraint, character),
        line=_line(constraint) if isinstance(constraint, PathConstraint) else [],
        masses=[m.MassInfo(point_ref(point, character), share) for point, share in parts],
    )


def _field_info(field: Field) -> m.FieldInfo:
    shown = field.quantity
    return m.FieldInfo(
        name=field.name,
        quantity=shown.kind,
        label=shown.label,
        help=shown.help,
        unit=shown.unit,
        low=shown.low,
        high=shown.high,
        choices=list(shown.choices),
        optional=field.optional,
        none=shown.none,
        required=field.required,
        default=None if field.required else field.default,
    )


def _first_line(kind: type[Constraint]) -> str:
    return (kind.__doc__ or "").partition("\n")[0]


def _mass(actor: Actor) -> list[tuple[Point, float]]:
    """Centers of mass of an actor's segments, and the share of each."""
    mass = body_mass(actor.rig, actor.shapes)
    return list(zip(mass.points(actor.rig), mass.share.tolist(), strict=True))


def _line(path: PathConstraint) -> list[m.Vec3]:
    """A path as clients draw it: through its positions, curved between them."""
    fine: Floats = np.linspace(0, 1, SAMPLES_PER_SEGMENT, endpoint=False)
    lengths = np.diff(path.times)
    times = np.append((path.times[:-1, None] + lengths[:, None] * fine).ravel(), path.times[-1])
    if len(times) > MAX_SAMPLES:
        times = path.times
    return [(x, y, z) for x, y, z in path_through(path.times, path.positions, times).tolist()]
