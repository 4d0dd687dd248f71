"""Jumps: joints that an edit moves further between two frames than the take did or the drag needs.

A joint may move twice as far as it ever did nearby, and on top twice what the drag displaces it
by, over the frames from the drag to the nearest pose that stays: the slope of a parabola that rises
and falls that far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.tool import Note

FASTER = 2.0  # times the greatest step of a joint before
NEARBY = 1.0  # s around the span of the edit, where that is looked up
NEEDED = 2.0  # times the displacement, over the frames that there are for it
UNSEEN = 1.0  # of the rig's size in a second; what is faster by less is no jump


@dataclass(frozen=True)
class Jump:
    """The step of a joint between two frames that goes furthest beyond what it may."""

    joint: str
    frame: int  # that it leaves
    step: float  # m
    needed: bool  # whether the drag leaves no other way: poses that stay are close to it

    @property
    def where(self) -> str:
        """How far and when, in words."""
        return f"{100 * self.step:.1f} cm between frames {self.frame} and {self.frame + 1}"

    def note(self, close: str) -> Note:
        """In words; `close` says what is close to the drag, where that is the cause."""
        cause = f": {close}" if self.needed else ""
        return Note(f"{self.joint} jumps {self.where}{cause}", "jumps", self.step)


def worst_jump(
    take: Take, after: Take, span: tuple[float, float], drags: Sequence[Drag], room: Sequence[float]
) -> Jump | None:
    """The worst one in the span of an edit; None where timing is scaled, which changes speeds.

    `room` is, for each drag, how many seconds lie between it and the nearest pose that stays.
    """
    if any(drag.time_scale for drag in drags):
        return None
    edited = _frames(take, span)
    if len(edited) < 2:
        return None
    around = _frames(take, (span[0] - NEARBY, span[1] + NEARBY))
    before = _steps(take, around).max(axis=0)  # (J,)
    steps = _steps(after, edited)  # (F, J)
    least = FASTER * before + UNSEEN * rig_size(take.rig) / take.rate
    if (steps <= least).all():
        return None
    beyond = steps - least - _needed(take, after, drags, room)
    frame, joint = np.unravel_index(beyond.argmax(), beyond.shape)
    needless = bool(beyond[frame, joint] > 0)
    if not needless:
        frame, joint = np.unravel_index((steps - least).argmax(), steps.shape)
    return Jump(
        take.rig.names[joint],
        int(edited[frame]),
        float(steps[frame, joint]),
        not needless,
    )


def _frames(take: Take, span: tuple[float, float]) -> Ints:
    """Whole frames of a take that touch a span."""
    first = max(int(np.floor(span[0] * take.rate)), 0)
    last = min(int(np.ceil(span[1] * take.rate)), round(take.duration * take.rate))
    return np.arange(first, last + 1)


def _places(take: Take, times: Floats) -> Floats:
    """(T, J, 3) m."""
    placed: Floats = forward(take.rig, values_at(take, times))[..., :3, 3]
    return placed


def _steps(take: Take, frames: Ints) -> Floats:
    """(F - 1, J) m from each frame to the next."""
    moved: Floats = np.linalg.norm(np.diff(_places(take, frames / take.rate), axis=0), axis=-1)
    return moved


def _needed(take: Take, after: Take, drags: Sequence[Drag], room: Sequence[float]) -> Floats:
    """(J,) m that joints have to move in a frame, so that each drag is where it is."""
    times = np.array([drag.time for drag in drags])
    was, now = (_places(each, times) for each in (take, after))
    needed = np.zeros(was.shape[1])
    for drag, away, one, two in zip(drags, room, was, now, strict=True):
        moved = np.linalg.norm(two - one, axis=-1)
        dragged = moved[take.rig.joint(drag.point.joint)]
        frames = max(away * take.rate, 1.0)
        needed = np.maximum(needed, NEEDED * np.maximum(moved, dragged) / frames)
    return needed
