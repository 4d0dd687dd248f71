"""Answer: what drags lead to: things that were moved and the characters that go along."""

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
from arcwright.tools.drag_residual import DRAG_TOLERANCE, DragResidual
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.blame import notes
from arcwright.tools.spacetime.part import Solved
from arcwright.tools.spacetime.props import STILL, Pushed
from arcwright.tools.tool import Note


@dataclass(frozen=True, eq=False)
class Answer:
    """Drags, each of a point that names its character or prop, and where they lead."""

    drags: tuple[Drag, ...]
    moved: Mapping[str, Pushed]
    solved: Mapping[str, Solved]
    still: bool  # whether every hand is where it took hold

    @property
    def span(self) -> tuple[float, float]:
        """Seconds; elsewhere nothing changes."""
        spans = [each.span for each in self.moved.values()]
        spans += [(each.grip.range.start, each.grip.range.end) for each in self.solved.values()]
        return min(start for start, _ in spans), max(end for _, end in spans)

    @property
    def used(self) -> Mapping[str, float]:
        """What was made of the spacing and the range, s; nothing where only things moved."""
        return next((each.grip.range.used for each in self.solved.values()), {})

    def reached(self, drag: Drag) -> tuple[Floats, Floats]:
        """Where a held point is (3,) and how its joint is turned (3, 3)."""
        if drag.point.character in self.moved:
            take = self.moved[drag.point.character].take
            at = trail(take, drag.point, [drag.time])
            return at.position[0], matrix_from_quaternion(at.orientation[0])
        own = self.solved[drag.point.character]
        held = own.grip.of(drag)
        return own.state.placed(held.moment, held.place)

    def pose(self, name: str, take: Take, time: float) -> Floats:
        """(C,) channel values of an actor."""
        values: Floats
        if name in self.solved:
            own = self.solved[name]
            at = int(np.argmin(np.abs(own.grip.range.times - time)))
            values = own.model.values(own.state.at, slice(at, at + 1))[0]
        else:
            played = self.moved[name].take if name in self.moved else take
            values = values_at(played, np.array([time]))[0]
        return values

    def missed(self) -> DragResidual:
        """The drag that is furthest off."""
        return max((DragResidual.of(drag, *self.reached(drag)) for drag in self.drags), key=_size)

    def notes(self) -> tuple[Note, ...]:
        """What is left undone, and what is in the way."""
        held = [drag for drag in self.drags if drag.point.character in self.moved]
        lost = [DragResidual.of(drag, *self.reached(drag)) for drag in held]
        found = [left.note() for left in lost if left.size > DRAG_TOLERANCE]
        for each in self.solved.values():
            found += notes(each.grip, each.drags, each.model, each.state)
        return tuple(found)

    def edit(self) -> Edit:
        """One undo step."""
        if self.still:
            return Edit(self._label())
        changes = [each.change for each in self.moved.values() if not each.still]
        name = self._layer_name()
        for each in self.solved.values():
            if np.abs(each.state.x).max(initial=0.0) > STILL:
                changes.append(each.change(name))
        return Edit(self._label(), tuple(changes))

    def _layer_name(self) -> str:
        last = self.drags[-1]
        rate = self._rate(last)
        what = last.point.character if last.point.character in self.moved else last.point.joint
        return f"{what} at frame {last.time * rate:g}"

    def _label(self) -> str:
        if len(self.drags) > 1:
            return f"Move {len(self.drags)} points and the motion around them"
        along = "hands that hold it" if self.moved else "the motion around it"
        return f"Move {self._layer_name()} and {along}"

    def _rate(self, drag: Drag) -> float:
        name = drag.point.character
        return (
            self.moved[name].take.rate if name in self.moved else self.solved[name].part.take.rate
        )


def _size(missed: DragResidual) -> float:
    return missed.size
