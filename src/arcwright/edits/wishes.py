"""Wishes: add, change and remove pins and contacts."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from arcwright.arrays import Ints, same
from arcwright.edits.held import counted, hold
from arcwright.edits.owned import frames_of
from arcwright.errors import BadValue
from arcwright.kinematics.contact import find_contacts
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Change, Edit
from arcwright.scene.point import Contact, Pin, Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take

Kind = Literal["pin", "contact"]


def add_wish(scene: Scene, wish: Pin | Contact) -> Edit:
    """A pin or contact more; one that is there already is not added twice."""
    actor = scene.actor(wish.point.character)
    actor.rig.joint(wish.point.joint)
    if wish.clip:
        wish = replace(wish, clip=actor.take(wish.clip).name)  # which may be longer
    if isinstance(wish, Contact) and wish.relative_to is not None:
        scene.actor(wish.relative_to.character).rig.joint(wish.relative_to.joint)
    kind: Kind = "pin" if isinstance(wish, Pin) else "contact"
    known = _listed(scene, kind)
    label = f"{kind.capitalize()} {wish.point.joint}, {frames_of(scene, wish)}"
    if any(same(wish, each) for each in known):
        return Edit(label)
    return Edit(label, (Change((f"{kind}s",), known, (*known, wish)),))


def change_wish(
    scene: Scene,
    kind: Kind,
    index: int,
    *,
    start: float | None = None,
    end: float | None = None,
    position: bool | None = None,
    orientation: bool | None = None,
) -> Edit:
    """A pin or contact, by its place in the scene's list, with another range (s) or hold."""
    before = _wish(scene, kind, index)
    after = replace(
        before,
        start=before.start if start is None else start,
        end=before.end if end is None else end,
        position=before.position if position is None else position,
        orientation=before.orientation if orientation is None else orientation,
    )
    label = f"Change {before.point.joint} {kind}, {frames_of(scene, after)}"
    if same(before, after):
        return Edit(label)
    return Edit(label, (Change((f"{kind}s", index), before, after),))


def remove_wish(scene: Scene, kind: Kind, index: int) -> Edit:
    """A pin or contact taken away."""
    gone = _wish(scene, kind, index)
    known = _listed(scene, kind)
    change = Change((f"{kind}s",), known, (*known[:index], *known[index + 1 :]))
    return Edit(f"Remove {gone.point.joint} {kind}", (change,))


def contacts_found(scene: Scene, character: str, take: str) -> Edit:
    """Contacts where the feet stand still; where a foot has one at that time it stays as it is."""
    held = hold(scene, character, take)
    found = [
        replace(contact, point=replace(contact.point, character=held.actor.name))
        for contact in find_contacts(held.take)
    ]
    new = [contact for contact in found if not covered(scene, contact)]
    label = f"Find {counted(len(new), 'contact')}"
    if not new:
        return Edit(label)
    return Edit(label, (Change(("contacts",), scene.contacts, (*scene.contacts, *new)),))


def segment_around(take: Take, point: Point, time: float) -> tuple[float, float]:
    """From the last key at or before a time to the next one, of all channels moving the point.

    Where there is none, the beginning or the end of the take; so for a motion with samples.
    """
    curves = take.base.curves if isinstance(take.base, Clip) else ()
    marks = [0.0, take.duration]
    for channel in channels_moving(take, point).tolist() if curves else ():
        curve = curves[channel]
        marks += [] if curve is None else curve.time.tolist()
    cuts = np.unique([mark for mark in marks if 0 <= mark <= take.duration])
    cuts = cuts[np.append(True, np.diff(cuts) > 1e-9)]
    if len(cuts) < 2:
        return float(cuts[0]), float(cuts[0])
    place = int(np.clip(np.searchsorted(cuts, time + 1e-9, "right"), 1, len(cuts) - 1))
    return float(cuts[place - 1]), float(cuts[place])


def channels_moving(take: Take, point: Point) -> Ints:
    """The channels that move or turn a point."""
    return point_jacobian(take.rig, take.rig.channels.default[None], [point]).channels


def _listed(scene: Scene, kind: Kind) -> tuple[Pin | Contact, ...]:
    if kind not in ("pin", "contact"):
        raise BadValue("kind", "pin or contact", repr(kind))
    return scene.pins if kind == "pin" else scene.contacts


def _wish(scene: Scene, kind: Kind, index: int) -> Pin | Contact:
    known = _listed(scene, kind)
    if not 0 <= index < len(known):
        there = f"0 to {len(known) - 1}" if known else "none, as the scene has none"
        raise BadValue(kind, there, index)
    return known[index]


def covered(scene: Scene, contact: Contact) -> bool:
    """Whether the scene has a contact of this point at some of its time."""
    return any(
        each.point.joint == contact.point.joint
        and same(each.point.offset, contact.point.offset)
        and scene.actor(each.point.character).name == contact.point.character
        and each.clip in ("", contact.clip)
        and each.start <= contact.end
        and each.end >= contact.start
        for each in scene.contacts
    )
