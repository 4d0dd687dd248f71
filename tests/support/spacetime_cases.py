"""Drags of whole motions as cases: a take, a held point, where it goes, and how that ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import Reason, analyse
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.edit import Edit
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.session import SpacetimeSession
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from arcwright.tools.tool import Note, Preview

SECONDS = 4.0  # of captured motion
MOVES = 8  # updates of a drag


@dataclass(frozen=True)
class Case:
    """A scene with one take, a held point, and where it is taken."""

    scene: Scene
    point: Point
    time: float
    place: Floats  # before
    target: Floats
    options: SpacetimeOptions

    @property
    def take(self) -> Take:
        """The take that is edited."""
        return self.scene.characters[0].takes[0]

    def begin(self) -> SpacetimeSession:
        """A session of its own."""
        return SpacetimeTool().begin(self.scene, Target(), self.options)

    def session(self, by: Sequence[Floats]) -> tuple[SpacetimeSession, Preview]:
        """A session after updates of the drag, and its last preview."""
        session = self.begin()
        for place in by:
            preview = self.move(session, place)
        return session, preview

    def move(self, session: SpacetimeSession, place: Floats) -> Preview:
        """Move the drag to a position."""
        return session.update(Drag(self.point, self.time, position=place))

    def straight(self) -> list[Floats]:
        """The positions of a straight drag."""
        shares = np.linspace(0.1, 1, MOVES)
        return [self.place + share * (self.target - self.place) for share in shares]

    def description(self) -> str:
        """The case in a line."""
        usual = SpacetimeOptions()
        chosen = [
            f"{name}={value}" if isinstance(value, str) else f"{name}={value:.3g}"
            for name, value in vars(self.options).items()
            if value != getattr(usual, name)
        ]
        kept = [
            f"{type(w).__name__} {w.point.joint}" for w in self.scene.pins + self.scene.contacts
        ]
        by = np.linalg.norm(self.target - self.place)
        return (
            f"{self.scene.name}:{self.take.name} {self.point.joint} at {self.time:.3f} s"
            f" by {by:.3f} m {' '.join(chosen)} {', '.join(kept)}"
        )


def only(scene: Scene, take: Take, rig: Rig) -> Scene:
    """The character of a rig with one take, which may have come to stand on another one."""
    actor = next(each for each in scene.characters if each.rig is rig)
    return Scene(scene.name, (replace(actor, rig=take.rig, takes=(take,)),))


def cut(take: Take, share: float, seconds: float = SECONDS) -> Take:
    """Some seconds of a motion, beginning at a share of what could be left out before them."""
    assert isinstance(take.base, Motion)
    time, count = take.base.time, int(seconds * take.rate)
    first = int(share * max(len(time) - count, 0))
    part = slice(first, first + count)
    base = replace(take.base, time=time[part] - time[first], values=take.base.values[part])
    return replace(take, base=base)


def limited(take: Take, room: float) -> Take:
    """On a rig whose angles, but for those of the root, end so far (rad) beyond the motion's."""
    values, table = values_at(take, take.frame_times()), take.rig.channels
    turns = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.ROTATE_Z)
    turns &= take.rig.parents[table.joint] >= 0
    low = np.where(turns, values.min(axis=0) - room, table.low)
    high = np.where(turns, values.max(axis=0) + room, table.high)
    rig = replace(take.rig, channels=replace(table, low=low, high=high))
    return replace(take, rig=rig)


@dataclass(frozen=True)
class Ended:
    """A released drag."""

    case: Case
    session: SpacetimeSession
    preview: Preview
    edit: Edit
    notes: Sequence[Note]
    after: Scene
    cost: float
    controls: int  # with how many control values; only costs of as many can be compared
    unfinished: bool  # time was up: another run may come further

    @classmethod
    def of(cls, case: Case, session: SpacetimeSession, preview: Preview) -> Ended:
        """Release the drag."""
        edit = session.finish()
        solved = list(getattr(session, "session", session)._released().solved.values())
        cost = sum(each.state.cost for each in solved)
        controls = sum(len(each.state.x) for each in solved)
        after = edit.apply(case.scene)
        late = any(each.unfinished for each in solved)
        return cls(case, session, preview, edit, session.notes(), after, cost, controls, late)

    @property
    def take(self) -> Take:
        """The take as it is now."""
        return self.after.characters[0].takes[0]

    @property
    def layer(self) -> Layer | None:
        """What was added."""
        return self.take.layers[-1] if len(self.take.layers) > len(self.case.take.layers) else None

    @property
    def held(self) -> Floats:
        """(3,) where the held point is."""
        place: Floats = trail(self.take, self.case.point, [self.case.time]).position[0]
        return place


def ended(case: Case, by: Sequence[Floats]) -> Ended:
    """How a drag ends that goes through some places."""
    return Ended.of(case, *case.session(by))


def places(take: Take, times: Floats) -> Floats:
    """(T, J, 3) of all joints."""
    found: Floats = forward(take.rig, values_at(take, times))[..., :3, 3]
    return found


def stretched(case: Case, before: Floats, after: Floats) -> float:
    """By how much a bone that keeps its length is longer or shorter than at the same frame, m.

    What carries the body, what the take itself moves on its parent, and what moves no mesh is none.
    """
    rig, found = case.take.rig, analyse(case.scene.characters[0], case.take)
    keeps = np.array([reason is Reason.RIGID for reason in found.reasons])
    below = np.flatnonzero((rig.parents >= 0) & keeps)
    above = rig.parents[below]
    was, now = (np.linalg.norm(at[:, below] - at[:, above], axis=-1) for at in (before, after))
    return float(np.abs(now - was).max(initial=0.0))
