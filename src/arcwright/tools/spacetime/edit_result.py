"""Edit result: drags and the edit that they lead to, of props and characters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.edit import Edit
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.drags import DRAG_TOLERANCE, DragResidual
from arcwright.tools.spacetime.diagnosis import CharacterSolution, diagnose
from arcwright.tools.spacetime.props import ZERO_DISPLACEMENT, MovedProp
from arcwright.tools.spacetime.side_effects import side_effect_notes
from arcwright.tools.tool import Note


@dataclass(frozen=True, eq=False)
class EditResult:
    """Drags, each of a point that names its character or prop, and the edit they lead to."""

    drags: tuple[Drag, ...]
    moved: Mapping[str, MovedProp]
    solved: Mapping[str, CharacterSolution]
    unmoved: bool  # whether every drag is at its original position

    @property
    def span(self) -> tuple[float, float]:
        """Seconds; elsewhere nothing changes."""
        spans = [each.span for each in self.moved.values()]
        ranges = [each.prepared.range for each in self.solved.values()]
        spans += [(each.start, each.end) for each in ranges]
        return min(start for start, _ in spans), max(end for _, end in spans)

    @property
    def used(self) -> Mapping[str, float]:
        """Values used for spacing and range, s; empty where only props moved."""
        return next((each.prepared.range.used for each in self.solved.values()), {})

    def reached(self, drag: Drag) -> tuple[Floats, Floats]:
        """Position (3,) of a held point and orientation (3, 3) of its joint."""
        if drag.point.character in self.moved:
            take = self.moved[drag.point.character].take
            at = trail(take, drag.point, [drag.time])
            return at.position[0], matrix_from_quaternion(at.orientation[0])
        own = self.solved[drag.point.character]
        held = own.prepared.held_point(drag)
        return own.state.point_pose(held.sample, held.point)

    def pose(self, name: str, take: Take, time: float) -> Floats:
        """(C,) channel values of an actor."""
        values: Floats
        if name in self.solved:
            own = self.solved[name]
            at = int(np.argmin(np.abs(own.prepared.range.times - time)))
            values = own.model.values(own.state.unknowns, slice(at, at + 1))[0]
        else:
            played = self.moved[name].take if name in self.moved else take
            values = values_at(played, np.array([time]))[0]
        return values

    def worst_drag(self) -> DragResidual:
        """The residual of the drag that is furthest off."""
        found = [DragResidual.of(drag, *self.reached(drag)) for drag in self.drags]
        return max(found, key=lambda each: each.size)

    def notes(self) -> tuple[Note, ...]:
        """The drags and constraints that are missed, what blocks them, and side effects."""
        held = [drag for drag in self.drags if drag.point.character in self.moved]
        residuals = [DragResidual.of(drag, *self.reached(drag)) for drag in held]
        found = [each.note() for each in residuals if each.size > DRAG_TOLERANCE]
        for each in self.solved.values():
            found += diagnose(each)
            if not self.unmoved:
                found += side_effect_notes(each, list(self.moved.values()))
        return tuple(found)

    def edit(self) -> Edit:
        """One undo step."""
        if self.unmoved:
            return Edit(self._label())
        changes = [each.change for each in self.moved.values() if not each.unmoved]
        name = self._layer_name()
        for each in self.solved.values():
            if np.abs(each.state.x).max(initial=0.0) > ZERO_DISPLACEMENT:
                changes.append(each.change(name))
        return Edit(self._label(), tuple(changes))

    def _layer_name(self) -> str:
        last = self.drags[-1]
        name = last.point.character
        moved, solved = self.moved.get(name), self.solved.get(name)
        if moved is not None:
            return f"{name} at frame {last.time * moved.take.rate:g}"
        assert solved is not None
        return f"{last.point.joint} at frame {last.time * solved.character.take.rate:g}"

    def _label(self) -> str:
        if len(self.drags) > 1:
            return f"Move {len(self.drags)} points and the motion around them"
        verb = "Rotate" if self.drags[0].position is None else "Move"
        along = "hands that hold it" if self.moved else "the motion around it"
        return f"{verb} {self._layer_name()} and {along}"
