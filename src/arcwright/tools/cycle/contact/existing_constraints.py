"""Constraints that a loop has before a contact stroke: what they plant, and whether they hold.

Contacts of the loop's points take part in the new contact. All pins and contacts are measured on
the edited take, so that nothing slides without a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_rotate
from arcwright.kinematics.trail import trail
from arcwright.objectives.active_constraints import active_constraints
from arcwright.objectives.edited_clip import EditedClip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.tool import Note

NOTED = 0.005  # m: what is off or moves by more gets a note
NEAR = 1e-6  # s
SAMPLES = 96.0  # a second, of the measured paths


def planted_samples(
    scene: Scene, edited: EditedClip, points: Sequence[Point], times: Floats
) -> Bools:
    """(M, P) which samples of the points contacts with the world hold in place."""
    found = np.zeros((len(times), len(points)), bool)
    for each in _own(scene, edited):
        if not _is_planted(each):
            continue
        inside = (times >= each.start - NEAR) & (times <= each.end + NEAR)
        for item, point in enumerate(points):
            if point.joint == each.point.joint and np.array_equal(point.offset, each.point.offset):
                found[inside, item] = True
    return found


def as_planted(planted: Bools, items: Ints, touches: Bools) -> tuple[Ints, Bools]:
    """Items and when they touch (M, P): those `planted` (M, all) already exactly as they were.

    A stroke changes the ground of such an item, not its timing. Where it meets none of its
    contacts, it is drawn under a swing and not meant for it.
    """
    own = planted[:, items]
    has = own.any(axis=0)
    meant = ~has | (touches & own).any(axis=0)
    return items[meant], np.where(has, own, touches)[:, meant]


def constraint_notes(scene: Scene, edited: EditedClip, take: Take) -> tuple[Note, ...]:
    """What of the pins and contacts the edited take does not keep, or keeps elsewhere.

    One note for all spans of a constraint's name, of the worst.
    """
    found: dict[tuple[str, str], Note] = {}
    for each in _own(scene, edited):
        note = _note(scene, edited, take, each) if each.position else None
        if note is not None:
            key = each.name, note.kind
            found[key] = max(found.get(key, note), note, key=lambda known: known.amount)
    return tuple(found.values())


def _note(scene: Scene, edited: EditedClip, take: Take, each: Pin | Contact) -> Note | None:
    count = max(round((each.end - each.start) * SAMPLES), 1) + 1
    times = np.linspace(each.start, each.end, count)
    holder = _holder(scene, edited, each)
    before, after = (_path(own, each.point, holder, times) for own in (edited.take, take))
    moved = float(np.linalg.norm(after - before, axis=1).max())
    slides = float(np.linalg.norm(after - after[0], axis=1).max())
    fixed = isinstance(each, Contact) and (each.relative_to is None or holder is not None)
    if fixed and slides > NOTED:
        text = f"{each.name} slides by up to {1e3 * slides:.0f} mm."
        return Note(text, "residual", slides, each.name)
    if moved <= NOTED:
        return None
    if fixed:
        return Note(f"{each.name} moves by {1e3 * moved:.0f} mm with the ground.", "info", moved)
    return Note(f"{each.name} is off by up to {1e3 * moved:.0f} mm.", "residual", moved, each.name)


def _own(scene: Scene, edited: EditedClip) -> Iterator[Pin | Contact]:
    for each in active_constraints(scene, edited.actor, edited.take, (-np.inf, np.inf)):
        yield each.constraint


def _is_planted(each: Pin | Contact) -> bool:
    return isinstance(each, Contact) and each.position and each.relative_to is None


def _holder(scene: Scene, edited: EditedClip, each: Pin | Contact) -> Point | None:
    """The point of the same body that a contact is relative to."""
    holder = each.relative_to if isinstance(each, Contact) else None
    same = holder is not None and scene.actor(holder.character).name == edited.actor.name
    return holder if same else None


def _path(take: Take, point: Point, holder: Point | None, times: Floats) -> Floats:
    """(T, 3) m, in the world or as its holder sees it."""
    path = trail(take, point, times).position
    if holder is None:
        return path
    base = trail(take, holder, times)
    away = quaternion_conjugate(base.orientation)
    return np.asarray(quaternion_rotate(away, path - base.position))
