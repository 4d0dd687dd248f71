"""Replay: rebuild the history from recorded events, as far as they can be read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from arcwright.errors import ArcwrightError
from arcwright.files.values import LOST
from arcwright.scene.edit import Address, Change, Edit, value_at
from arcwright.scene.scene import Scene
from arcwright.server.storage.journal.old_addresses import Changes, with_current_addresses
from arcwright.server.storage.journal.records import STEPS, Kind
from arcwright.server.storage.journal.state import State, Step
from arcwright.server.storage.journal.units import Joined

Content = tuple[str, Changes] | None  # label and changes; None where a step cannot be read


@dataclass(frozen=True, eq=False)
class Written:
    """An event as it was written down; equal to itself only."""

    kind: int
    time: float  # s since 1970
    content: Content = None  # of a step that was done
    path: str | None = None
    intact: bool = True  # its record is as it was written
    size: int = 0  # bytes it took


@dataclass
class Losses:
    """What a damaged journal has lost."""

    parts: list[str] = field(default_factory=list)
    skipped: int = 0  # steps that changed nothing but lost parts
    steps: int = 0
    of_steps: int = 0
    at_step: int = 0  # 0: no step was lost
    end_unread: bool = False  # something behind the last step that can be read
    unconfirmed: bool = False  # how much there was is not known
    path: bool = False  # where it was saved last

    def __bool__(self) -> bool:
        found = self.parts or self.skipped or self.steps or self.end_unread or self.path
        return bool(found or self.unconfirmed)

    def cut(self, place: int, count: int) -> None:
        """Of `count` steps those from `place` on are lost."""
        if not self.steps:
            self.of_steps, self.at_step = count, place + 1
        self.steps += count - place

    def describe(self) -> str:
        """One sentence, "" where nothing was lost."""
        what = [*self.parts]
        if self.steps:
            what.append(f"{self.steps} of {self.of_steps} steps")
        if self.path:
            what.append("the name of the file it was saved to")
        if self.end_unread and not self.steps:
            what.append("the end of the journal")
        if not what:
            unknown = "Its beginning is damaged: whether steps are missing at its end is not known"
            return unknown if self.unconfirmed else ""
        listed = " and ".join([", ".join(what[:-1]), what[-1]] if len(what) > 1 else what)
        where = f" (damaged at step {self.at_step})" if self.steps else ""
        text = f"{listed[0].upper()}{listed[1:]} could not be read{where}"
        if self.skipped:
            text += f"; {_steps(self.skipped)} that changed only that went with it"
        return text


def replayed(
    joined: Joined,
    written: list[Written],
    empty: State,
    losses: Losses,
    *,
    old_groups: bool = False,
) -> tuple[State, Scene]:
    """The state that events lead to and its scene; steps that cannot be read are added to `losses`.

    Only steps that something comes of are applied: each was made to the scene after those that
    were done before it. With `old_groups` their addresses are those of `old_addresses`.
    """
    found = standing(written, empty)
    groups = found.dropped, found.done, found.undone[::-1]
    count = sum(map(len, groups))
    start = now = scene = joined.scene
    made: tuple[list[Step], ...] = ([], [], [])
    for place, (event, own) in enumerate(
        (event, own) for group, own in zip(groups, made, strict=True) for event in group
    ):
        step = _applied(event, scene, joined, old_groups=old_groups)
        if step is None:
            losses.cut(place, count)
            break
        edit, scene = step
        if edit.empty:
            losses.skipped += 1
        else:
            own.append(Step(edit, event.time, event.size))
        if own is made[0]:
            start = now = scene
        elif own is made[1]:
            now = scene
    state = replace(
        found.state,
        start=start,
        unsaved=found.state.unsaved or bool(losses),
        done=tuple(made[1]),
        undone=tuple(made[2][::-1]),
    )
    return state, now


@dataclass
class Standing:
    """The steps that something comes of in the end, and what else is known then."""

    state: State
    differs: bool = True  # from the user's file, or from what was opened
    dropped: list[Written] = field(default_factory=list)
    done: list[Written] = field(default_factory=list)
    undone: list[Written] = field(default_factory=list)

    @property
    def in_order(self) -> list[Written]:
        """All of them, each made to the scene after those before it."""
        return [*self.dropped, *self.done, *self.undone[::-1]]


def standing(written: list[Written], state: State) -> Standing:
    """The steps that remain after a list of events."""
    made = Standing(state)
    path, saved_at, unsaved = state.path, state.saved_at, state.unsaved
    in_file: list[Written] | None = None if unsaved else []  # None: not known
    for event in written:
        match event.kind:
            case Kind.EDIT:
                made.done.append(event)
                made.undone.clear()
            case Kind.UNDO if made.done:
                made.undone.append(made.done.pop())
            case Kind.REDO if made.undone:
                made.done.append(made.undone.pop())
            case Kind.DROPPED if made.done:
                made.dropped.append(made.done.pop(0))
            case Kind.OPENED:
                path, saved_at = event.path, event.time
            case Kind.SAVED:
                path, saved_at, unsaved = event.path, event.time, False
                in_file = [*made.dropped, *made.done]
        unsaved |= event.kind in STEPS
    made.state = replace(state, path=path, saved_at=saved_at, unsaved=unsaved)
    made.differs = in_file is None or in_file != [*made.dropped, *made.done]
    return made


def _applied(
    event: Written, scene: Scene, joined: Joined, *, old_groups: bool
) -> tuple[Edit, Scene] | None:
    """A step as an edit, without what it did to lost parts, and the scene after it."""
    if event.content is None:
        return None
    label, changes = event.content
    try:
        if old_groups:
            changes = with_current_addresses(changes, scene)
        if joined.placeholders:
            changes = [each for each in changes if not joined.touches_lost(scene, each[0])]
        if any(after is LOST for _, after in changes):
            return None
        return _made(scene, label, changes)
    except (ArcwrightError, TypeError, ValueError, LookupError, AssertionError):
        return None


def _made(scene: Scene, label: str, changes: Changes) -> tuple[Edit, Scene]:
    """The edit as it was made: what was there before stands in the scene."""
    made: list[Change] = []
    if _are_apart([address for address, _ in changes]):
        made = [Change(address, value_at(scene, address), after) for address, after in changes]
        edit = Edit(label, tuple(made))
        return edit, edit.apply(scene)
    for address, after in changes:
        made.append(Change(address, value_at(scene, address), after))
        scene = Edit(label, (made[-1],)).apply(scene)
    return Edit(label, tuple(made)), scene


def _are_apart(addresses: list[Address]) -> bool:
    """Whether no change is made to what another one changes."""
    above = {address[:depth] for address in addresses for depth in range(len(address))}
    return len(set(addresses)) == len(addresses) and not above.intersection(addresses)


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"
