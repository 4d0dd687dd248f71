"""What must be so of a drag of a whole motion, as numbers: 0 or small where all is well."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from arcwright.arrays import Floats, same
from arcwright.curves.spline import band
from arcwright.edits.layers import flatten
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.tool import Note

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from spacetime_cases import MOVES, Case, Ended, ended, places, stretched

Found = dict[str, float]
FINE = 4  # looks per frame
ASIDE = 0.2  # m, how far a drag strays that takes another path
FLAT = 0.005  # m, how near flattened takes shall be
ROUNDED = 6e-5  # m, of what a label says
LONG = 5.0  # s; longer takes are not flattened


def tried(random: np.random.Generator, case: Case, found: Found) -> Iterator[str]:
    """Put what came of a drag into `found`, and name each stage as it begins."""
    yield "move"
    began = time.process_time()
    session, preview = case.session(case.straight()[:1])
    taken = time.process_time()
    for place in case.straight()[1:]:
        preview = case.move(session, place)
    moved = time.process_time()
    found["begin ms"] = 1e3 * (taken - began)
    found["move ms"] = 1e3 * (moved - taken) / (MOVES - 1)
    yield "release"
    small = Ended.of(case, session, preview)
    found["end ms"] = 1e3 * (time.process_time() - moved)
    yield "checks"
    found |= checked(small)
    yield "back"
    case.move(session, case.place)
    found["back"] = float(not session.finish().empty)
    found["still"] = float(not case.session([case.place])[0].finish().empty)
    yield "one move"
    compare(small, ended(case, [case.target]), "big", found)
    yield "another way"
    aside = case.place + random.normal(0, ASIDE, 3)
    compare(small, ended(case, [aside, *np.linspace(aside, case.target, 5)]), "way", found)
    yield "again"
    again = ended(case, case.straight())
    in_time = not (small.unfinished or again.unfinished)
    found["again"] = float(not same(small.after, again.after)) if in_time else np.nan
    if case.take.duration <= LONG and small.layer is not None:
        yield "flatten"
        found["flat mm"] = 1e3 * flattened(small.after)


def compare(one: Ended, other: Ended, name: str, found: Found) -> None:
    """How far held points and bodies are apart, and what the other costs for each 1 of this."""
    times = one.case.take.frame_times()
    apart = np.linalg.norm(places(one.take, times) - places(other.take, times), axis=-1)
    found[f"{name} mm"] = 1e3 * float(np.linalg.norm(one.held - other.held))
    found[f"{name} body {agreement(one)} mm"] = 1e3 * float(apart.max())
    alike = one.controls == other.controls
    found[f"{name} cost"] = other.cost / max(one.cost, 1e-12) if alike else np.nan


def checked(end: Ended) -> Found:
    """Measures of one drag."""
    case, before, after = end.case, end.case.take, end.take
    times = np.arange(0, before.duration, 1 / (FINE * before.rate))
    was, now = values_at(before, times), values_at(after, times)
    assert np.isfinite(now).all(), "not a number"
    outside = np.ones(len(times), bool)
    if end.layer is not None:
        outside = (times < end.layer.start - 1e-9) | (times > end.layer.end + 1e-9)
    frames = before.frame_times()
    where = places(before, frames), places(after, frames)
    shown = places(end.preview.edit.apply(case.scene).characters[0].takes[0], frames)
    short = float(np.linalg.norm(end.held - case.target))
    return {
        "short mm": 1e3 * short,
        "unreported mm": 1e3 * abs(short - reported_distance(end.notes)) * (short > 5e-4),
        "slip mm": 1e3 * slipped(end),
        "limit rad": excess(before, was[::FINE], now[::FINE]),
        "between rad": excess(before, was, now),
        "bone mm": 1e3 * stretched(case, *where),
        "outside": float((was[outside] != now[outside]).sum()),
        "ends": kept_ends(end),
        "seam": seam(end),
        "last mm": 1e3 * last_frame(end),
        "undo": float(not same(end.edit.inverse().apply(end.after), case.scene)),
        f"jump {agreement(end)} mm": 1e3 * float(np.linalg.norm(where[1] - shown, axis=-1).max()),
        **side_effects(end, *where),
    }


def agreement(end: Ended) -> str:
    """Whether drag and constraints agree: nothing is left undone."""
    return "differ" if any(note.kind == "residual" for note in end.notes) else "agree"


def side_effects(end: Ended, before: Floats, after: Floats) -> Found:
    """How far something moved of which no note says so, and how much more notes say than is so."""
    case = end.case
    real = np.unique(case.take.rig.channels.joint)
    moved = np.linalg.norm(after - before, axis=-1)[:, real]
    size = float(np.ptp(before[0], axis=0).max())
    meant = 2 * float(np.linalg.norm(case.target - case.place)) + 0.08 * size
    noted = [note.amount for note in end.notes if note.kind == "moved"]
    unsaid = 0.0 if noted else max(float(moved.max()) - meant, 0.0)
    return {
        "unsaid cm": 100 * unsaid,
        "overstated cm": 100 * max(max(noted, default=0.0) - float(moved.max()) - 0.02, 0.0),
        "moved notes": float(len(noted)),
    }


def reported_distance(notes: Sequence[Note]) -> float:
    """Remaining distance to the drag target, as the notes say, m."""
    return max((note.amount for note in notes if note.text.endswith(" short")), default=0.0)


def excess(take: Take, before: Floats, after: Floats) -> float:
    """How much further any angle is beyond its limit, rad."""
    table = take.rig.channels
    turning = (table.kind >= 3) & (table.kind <= 5)
    low, high = np.minimum(table.low, before), np.maximum(table.high, before)
    over = np.maximum(np.maximum(low - after, after - high), 0.0)
    return float(over[:, turning].max(initial=0.0))


def slipped(end: Ended) -> float:
    """How far a footplant or a pin is at any frame from its place, m, beyond what a note says."""
    case = end.case
    standing = case.scene.contacts or footplants(case.take, heels=case.options.include_heels)
    worst = 0.0
    for each in (*standing, *case.scene.pins):
        away = slip_of(end, each) if end.layer is not None else 0.0
        name = f"{each.point.joint} {'pin' if isinstance(each, Pin) else 'contact'}"
        noted = [note.amount for note in end.notes if note.text.startswith(f"{name} is off")]
        noted += [np.inf for note in end.notes if note.text.startswith(f"{name} slides back")]
        worst = max(worst, away - max(noted, default=0.0))
    return worst


def slip_of(end: Ended, kept: Contact | Pin) -> float:
    """Footplants that slide in the original may come to a stop; those that a drag holds move."""
    case, layer = end.case, end.layer
    assert layer is not None
    frames = np.union1d(case.take.frame_times(), [case.time])
    start, last = max(kept.start, layer.start), min(kept.end, layer.end)
    inside = frames[(frames >= start) & (frames <= last)]
    if not len(inside) or not kept.position:
        return 0.0
    was, now = (trail(each, kept.point, inside).position for each in (case.take, end.take))
    away = now - was
    if isinstance(kept, Pin):
        return float(np.linalg.norm(away, axis=1).max())
    rest = was.mean(axis=0) - was
    best = float((away * rest).sum() / max((rest * rest).sum(), 1e-12))
    ways = [away - share * rest for share in (*np.linspace(0, 1, 21), np.clip(best, 0, 1))]
    if case.options.floating_footplants or taken_along(case, kept):
        ways = [each - each.mean(axis=0) for each in ways]
    return min(float(np.linalg.norm(each, axis=1).max()) for each in ways)


def taken_along(case: Case, footplant: Contact) -> bool:
    """Whether the drag may move a footplant: any of a joint next to the held one."""
    rig = case.take.rig
    a, b = rig.joint(footplant.point.joint), rig.joint(case.point.joint)
    near = a == b or rig.parents[a] == b or rig.parents[b] == a or rig.parents[a] == rig.parents[b]
    return bool(near)


def kept_ends(end: Ended) -> float:
    """By how much place and speed of the displacement differ from 0 where an end is kept."""
    layer, take = end.layer, end.case.take
    if layer is None:
        return 0.0
    kept = end.case.options.lock_ends
    ends = [layer.start] if kept or layer.start > 0 else []
    ends += [layer.end] if kept or layer.end < take.duration else []
    x = np.concatenate([layer.turn.reshape(len(layer.turn), -1), layer.add], axis=1)
    found = [
        np.abs(band(layer.start, layer.end, len(x), ends, derivative=order).apply(x))
        for order in (0, 1)
    ]
    return float(max(each.max(initial=0.0) for each in found))


def last_frame(end: Ended) -> float:
    """How far the last frame is from the end of the take, m, beyond what it was."""
    before = end.case.take
    times = np.array([before.duration, before.frame_times()[-1]])
    was, now = (np.diff(places(take, times), axis=0) for take in (before, end.take))
    near = times[1] - times[0] > -1e-6
    return float(np.linalg.norm(now - was, axis=-1).max()) if near else 0.0


def seam(end: Ended) -> float:
    """By how much the displacement of a loop ends otherwise than it begins."""
    options, base, layer = end.case.options, end.case.take.base, end.layer
    whole = not (options.start or options.end or options.lock_ends)
    if not (isinstance(base, Clip) and base.loops and whole and layer is not None):
        return 0.0
    x = np.concatenate([layer.turn.reshape(len(layer.turn), -1), layer.add], axis=1)
    slopes = (x[1] - x[0]) - (x[-1] - x[-2])
    return float(max(np.abs(x[0] - x[-1]).max(), np.abs(slopes).max()))


def flattened(scene: Scene) -> float:
    """By how much a flattened take is further off than its label says, m."""
    actor = scene.characters[0]
    take = actor.takes[0]
    edit = flatten(scene, actor.name, take.name, FLAT)
    flat = edit.apply(scene).characters[0].takes[0]
    times = take.frame_times()
    off = float(np.linalg.norm(places(flat, times) - places(take, times), axis=-1).max())
    said = re.search(r"within (.*?) mm", edit.label)
    assert said is not None, edit.label
    return max(off - float(said[1]) / 1e3 - ROUNDED, 0.0)
