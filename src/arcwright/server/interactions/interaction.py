"""Live hands: a tool's session that is being dragged, or a change that slides."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Protocol

import numpy as np

from arcwright.errors import ArcwrightError, BadValue
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.document import changes
from arcwright.server.document.client import TakeKey, Window
from arcwright.server.document.footplants import kept_plants
from arcwright.server.document.points import point_of
from arcwright.server.document.subscriptions import SpotKey, actor_and_take
from arcwright.server.interactions.options import Options, read_options
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from arcwright.tools.tool import Note, Offer, Preview, Session, Target

log = logging.getLogger("arcwright.studio")


@dataclass
class Live:
    """What windows have been told that is only a hand's preview; each time all of it is told."""

    frames: dict[TakeKey, range] = field(default_factory=dict)
    channels: dict[TakeKey, set[int]] = field(default_factory=dict)
    curves: set[SpotKey] = field(default_factory=set)
    owed: bool = False  # poses too many for one answer are not told as they now are
    due: float = 0.0  # s, when they may be told next
    preview: bytes = b""  # the last one, as it was told
    behind: bool = False  # some window was not told how it now is
    turn: float = 0.0  # s, when a move is told to all windows again
    late: float = 0.0  # s, when they are told without one

    def add(self, key: TakeKey, frames: range, channels: list[int]) -> None:
        """A take differs in these frames and channels."""
        own = self.frames.get(key, frames) or frames
        if frames:
            own = range(min(own.start, frames.start), max(own.stop, frames.stop))
        self.frames[key] = own
        self.channels.setdefault(key, set()).update(channels)


class Hand(Protocol):
    """Something a window holds on to until it lets go."""

    number: int
    window: Window
    scene: Scene  # from which it began
    live: Live

    def finish(self) -> Edit:
        """The hand lets go."""
        ...


class ToolHand:
    """Drags given to one session of a tool."""

    def __init__(self, window: Window, scene: Scene, grab: m.BeginInteraction) -> None:
        self.number = grab.interaction
        self.window = window
        self.tool = tool(grab.tool)
        actor, take = actor_and_take(scene, grab.character, grab.take)
        self.target = Target(actor.name, take.name)
        self.options = read_options(self.tool.Options, grab.options)
        self.keeps_plants = grab.accept_footplants and hasattr(self.options, "heels")
        self.live = Live()
        self.drags: dict[tuple[object, ...], Drag] = {}
        self.preview: Preview | None = None
        self.moved = 0.0  # s, when the last move was answered
        self.noted = True
        self.offer: Offer | None = None
        self.ending: Edit | None = None  # what letting go gives, once that is known
        self.begin(scene)

    def begin(self, scene: Scene) -> None:
        """Take hold of a scene, and repeat what the hand has done so far."""
        self.scene, self.ending = scene, None
        self.plants = self._kept(scene)
        held = self.plants.apply(scene)
        self.session: Session = self.tool.begin(held, self.target, self.options)
        for drag in self.drags.values():
            self._update(drag)

    def tune(self, options: Options) -> None:
        """Other options, from the same scene."""
        self.options = read_options(self.tool.Options, options)
        self.begin(self.scene)

    def move(self, move: m.UpdateInteraction) -> Preview:
        """The hand is somewhere else."""
        drag = Drag(
            point_of(move.point, self.target.character),
            move.time,
            None if move.position is None else np.array(move.position),
            None if move.orientation is None else unit(move.orientation),
            move.time_scale,
            None if move.axes is None else np.array(move.axes),
        )
        held = move.point.character, move.point.joint, move.point.offset, move.time
        self.drags.pop(held, None)
        self.drags[held] = drag
        return self._update(drag)

    def finish(self) -> Edit:
        """The hand lets go: one undo step, with the plants that it keeps."""
        edit = self.session.finish() if self.ending is None else self.ending
        if edit.empty or self.plants.empty:
            return edit
        return Edit(edit.label, (*self.plants.changes, *edit.changes))

    def _kept(self, scene: Scene) -> Edit:
        if not self.keeps_plants or not self.options.find_plants:
            return Edit("")
        at = self.target.character, self.target.clip
        return kept_plants(scene, *at, heels=self.options.heels)

    def _update(self, drag: Drag) -> Preview:
        self.offer = self.ending = None
        self.preview = self.session.update(drag)
        self.moved, self.noted = monotonic(), False
        return self.preview

    def rested(self, ending: Edit) -> Preview:
        """What a hand that rests would leave if it let go: so nothing jumps when it does."""
        assert self.preview is not None
        self.ending, drag, shown = ending, self.held, self.preview
        _, take = actor_and_take(ending.apply(self.scene), self.target.character, self.target.clip)
        reached, short = shown.reached, shown.short
        if drag.point.character in ("", self.target.character):
            reached = trail(take, drag.point, [drag.time]).position[0]
            if drag.position is not None:
                away = reached - drag.position
                short = float(np.linalg.norm(away if drag.axes is None else drag.axes @ away))
        pose = values_at(take, np.array([drag.time]))[0]
        self.preview = Preview(
            lambda: ending, lambda: shown.notes, short, reached, pose, lambda: shown.span
        )
        return self.preview

    @property
    def held(self) -> Drag:
        """The last drag."""
        return list(self.drags.values())[-1]


def thoughts(session: Session) -> tuple[tuple[Note, ...], Offer | None]:
    """What letting go would leave undone, what is in the way, and what a key would buy."""
    notes = session.notes()
    ask = getattr(session, "offer", None)
    try:
        return notes, ask() if notes and ask is not None else None
    except ArcwrightError as error:  # no key can be put there
        log.info("no offer: %s", error)
        return notes, None


class SlideHand:
    """A change that follows the pointer, always counted from where it began."""

    def __init__(self, window: Window, scene: Scene, slide: m.PreviewChange) -> None:
        self.number = slide.interaction
        self.window = window
        self.scene = scene
        self.change = slide.change
        self.live = Live()

    def finish(self) -> Edit:
        """The change as an edit of the scene the hand began with."""
        return changes.edit_of(self.scene, self.change)


def unit(turn: m.Quat) -> Any:
    """A quaternion made exactly one long; pages count in fewer digits."""
    given = np.array(turn)
    size = float(np.linalg.norm(given))
    if not 0.9 < size < 1.1:
        raise BadValue("orientation", "a unit quaternion wxyz", turn)
    return given / size
