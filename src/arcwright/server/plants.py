"""Plants: footplants that drags of whole motions would find, told and kept as contacts."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from arcwright.arrays import same
from arcwright.edits.held import counted, hold
from arcwright.errors import BadValue
from arcwright.kinematics.detection import contacts_with_footplants
from arcwright.scene.edit import Change, Edit
from arcwright.scene.point import Contact
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.spots import point_of, spot
from arcwright.server.window import Window

log = logging.getLogger("arcwright.studio")


class Plants:
    """Looks for them on a thread of its own; of what a window asks, only the last counts.

    What was found in a scene that has changed meanwhile is not told: its windows ask again.
    """

    def __init__(
        self, soon: Callable[[Callable[[], None]], None], scene: Callable[[], Scene]
    ) -> None:
        self._soon = soon
        self._scene = scene
        self._asked: dict[int, m.RequestFootplants] = {}  # by window
        self._pool = ThreadPoolExecutor(1, "plants")

    def ask(self, window: Window, ask: m.RequestFootplants) -> None:
        """A window wants to see them; it is told when they are found."""
        scene = self._scene()
        hold(scene, ask.character, ask.take)  # or an error that names what there is
        self._asked[window.number] = ask
        self._pool.submit(self._look, window, ask, scene)

    def close(self) -> None:
        """Look for nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _look(self, window: Window, ask: m.RequestFootplants, scene: Scene) -> None:
        if self._asked.get(window.number) is not ask:
            return
        try:
            plants = found_plants(scene, ask.character, ask.take, heels=ask.include_heels)
        except Exception:
            log.exception("plants")
            return
        told = m.Footplants(
            character=ask.character,
            take=ask.take,
            footplants=[_told(ask.character, each) for each in plants],
        )

        def tell() -> None:
            if self._scene() is scene and self._asked.get(window.number) is ask:
                window.say(told)

        self._soon(tell)


def _told(character: str, plant: Contact) -> m.FootplantInfo:
    return m.FootplantInfo(spot(plant.point, character), plant.start, plant.end)


def found_plants(scene: Scene, character: str, take: str, *, heels: bool) -> list[Contact]:
    """Those that are no contacts of the scene yet, with the names of whom they are."""
    held = hold(scene, character, take)
    own = [
        each
        for each in scene.contacts
        if scene.actor(each.point.character).name == held.actor.name
        and each.clip in ("", held.take.name)
    ]
    found = contacts_with_footplants(held.take, own, heels=heels)
    named = (replace(each.point, character=held.actor.name) for each in found)
    named_plants = [replace(each, point=point) for each, point in zip(found, named, strict=True)]
    return named_plants if not own else named_plants[len(own) :]


def kept_plants(scene: Scene, character: str, take: str, *, heels: bool) -> Edit:
    """The edit that makes contacts of all that are found; empty where there are none."""
    return _kept(scene, found_plants(scene, character, take, heels=heels))


def keep_plants(scene: Scene, change: m.AcceptFootplants) -> Edit:
    """The edit that a window asks for, by which one of them may become another."""
    found = found_plants(scene, change.character, change.take, heels=change.include_heels)
    if change.point is None:
        return _kept(scene, found)
    point = point_of(change.point, change.character)
    alike = [each for each in found if _same_point(each, point.joint, point.offset)]
    if not alike:
        raise BadValue("plant", "one that is found", f"{point.joint}, where none is")
    one = min(alike, key=lambda each: abs(each.start - change.was))
    joint = one.point.joint
    if change.without:
        if len(found) == 1:
            raise BadValue("plants", "more than one; turn off finding them to have none", 1)
        rest = [each for each in found if each is not one]
        return _kept(scene, rest, f"Leave out a footplant of {joint}")
    start = one.start if change.start is None else change.start
    end = one.end if change.end is None else change.end
    other = replace(one, start=start, end=end)
    changed = [other if each is one else each for each in found]
    return _kept(scene, changed, f"Change a footplant of {joint}")


def _same_point(plant: Contact, joint: str, offset: object) -> bool:
    return plant.point.joint == joint and same(plant.point.offset, offset)


def _kept(scene: Scene, plants: list[Contact], label: str = "") -> Edit:
    label = label or f"Keep {counted(len(plants), 'footplant')}"
    if not plants:
        return Edit(label)
    return Edit(label, (Change(("contacts",), scene.contacts, (*scene.contacts, *plants)),))
