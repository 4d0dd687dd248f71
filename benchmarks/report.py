"""Report: replays the recorded gestures, draws each before and after, writes docs/report.

    python benchmarks/report.py [NAME ...]     # all, or some of the pictures anew

Every figure in the text is measured in the same run.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.open import read
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.replay.gesture_entries import FileDrag
from arcwright.tools.replay.gesture_file import Case
from arcwright.tools.replay.outcome import Outcome
from arcwright.tools.replay.replay import replay
from drawing.compare import Shot, compare
from drawing.marks import Mark

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from gesture_files import GESTURES, case_in, slips, starting_scene  # noqa: E402
from report_shots import SHOTS  # noqa: E402

TARGET = ROOT / "docs" / "report"
RUNS = 3  # each gesture is replayed so often; the times of the quickest run count
GUITAR = "tangent/guitar.json"
WALK = ("tangent/walk_land.json", "tangent/walk_contacts.json")


@dataclass(frozen=True)
class ReplayedCase:
    """A gesture file replayed and measured."""

    name: str
    about: str
    case: Case
    before: Scene
    after: Scene
    outcomes: list[Outcome]
    slip: tuple[float, float] | None  # m, before and after, where the motion changed


def replayed(name: str) -> ReplayedCase:
    """Replay a gesture file and measure what came of it."""
    case, before = case_in(name), starting_scene(name)
    runs = [replay(case, before) for _ in range(RUNS)]
    after, outcomes = min(runs, key=lambda run: sum(each.ms_p50 for each in run[1]))
    about = json.loads((GESTURES / name).read_text(encoding="utf-8"))["about"]
    return ReplayedCase(name, about, case, before, after, outcomes, _slip(case, before, after))


def _take(scene: Scene) -> Take:
    return scene.characters[0].takes[0]


def _point_constraints(scene: Scene) -> tuple[Pin | Contact, ...]:
    return (*scene.pins, *scene.contacts)


def _slip(case: Case, before: Scene, after: Scene) -> tuple[float, float] | None:
    """Farthest any pin or contact is from its place, before and after, at quarter frames."""
    old, new = _take(before), _take(after)
    pairs = []
    for constraint in _point_constraints(after):
        times = np.arange(constraint.start, constraint.end + 1e-9, 1 / (4 * old.rate))
        if case.tool == "pose":
            times = np.array([case.drags[0].frame / old.rate])
            times = times[(times >= constraint.start) & (times <= constraint.end)]
            gone = (
                trail(old, constraint.point, times).position
                - trail(new, constraint.point, times).position
            )
            pairs += [(0.0, float(np.linalg.norm(each))) for each in gone]
            continue
        moved = np.abs(values_at(old, times) - values_at(new, times)).max(axis=1) > 1e-9
        was, now = slips(old, new, constraint, times, before)
        if moved.any():
            pairs.append((float(was[moved].max()), float(now[moved].max())))
    return (max(a for a, _ in pairs), max(b for _, b in pairs)) if pairs else None


def draw(each: ReplayedCase, path: Path) -> None:
    """The picture of a gesture, with signs for what is held, pinned, planted and wanted."""
    shot = SHOTS[each.name].shot(each.case)
    keys = [each.outcomes[0].keys_before, each.outcomes[-1].keys_after]
    captions = f"Before: {keys[0]} keys", f"After: {keys[1]} keys"
    marks = (_marks(each, each.before, shot), _marks(each, each.after, shot))
    compare(each.before, each.after, shot, path, marks=marks, captions=captions)


def _marks(each: ReplayedCase, scene: Scene, shot: Shot) -> list[Mark]:
    take = _take(scene)
    time = np.array([shot.now / take.rate])
    marks = []
    for constraint in _point_constraints(each.after):
        if constraint.start - 1e-6 <= time[0] <= constraint.end + 1e-6:
            sign = "pin" if isinstance(constraint, Pin) else "contact"
            marks.append(Mark(sign, trail(take, constraint.point, time).position[0]))
    for drag, outcome in zip(each.case.drags, each.outcomes, strict=True):
        place = trail(take, drag.point, time).position[0]
        if abs(drag.frame - shot.now) > 1:
            continue
        if scene is each.after and outcome.hit_m > 1e-3:
            there = trail(_take(each.before), drag.point, time).position[0] + drag.by
            marks.append(Mark("wanted", there, toward=place))
        marks.append(Mark("hand", place))
    return marks


def section(each: ReplayedCase) -> list[str]:
    """The text about one gesture."""
    plain = each.name.removesuffix(".json")
    lines = [
        f"### {SHOTS[each.name].title}",
        "",
        each.about,
        "",
        f"![{SHOTS[each.name].title}: before and after](pictures/{plain.replace('/', '_')}.png)",
        "",
        "| drag | off target | turn off | keys before | keys after | key change | p50 | p95 |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [_row(*pair) for pair in zip(each.case.drags, each.outcomes, strict=True)]
    lines += ["", *_held(each), *(_said(each, note) for note in each.outcomes[-1].notes)]
    file = f"../../tests/gestures/{each.name}"
    return [*lines, "", f"Replay it: [{each.name}]({file}), on `{each.case.scene}`.", ""]


def _held(each: ReplayedCase) -> list[str]:
    """What became of pins and contacts."""
    if each.slip is None:
        return []
    was, now = (f"{1000 * slip:.3f} mm" for slip in each.slip)
    if each.case.tool == "pose":
        return [f"Pins and contacts at this frame have moved by at most {now}."]
    where = "Where the motion changed, pins and contacts"
    return [f"{where} were at most {was} from their places before and are {now} after."]


def _said(each: ReplayedCase, note: str) -> str:
    """What the tool said, and how far the point gets without the blocking constraint."""
    word, _, kind = note.partition(" keeps")[0].rpartition(" ")
    freed = replace(each.case, constraints=())
    kept = tuple(each for each in each.after.constraints if each.name != f"{word} {kind}")
    _, outcomes = replay(freed, replace(each.before, constraints=kept))
    off = f"{1000 * outcomes[-1].hit_m:.0f} mm"
    return f"Said at the end: *{note}*. Replayed without the {word} {kind}: {off} off."


def _row(drag: FileDrag, outcome: Outcome) -> str:
    placed = drag.to is not None or drag.by.any()
    hit = f"{1000 * outcome.hit_m:.3f} mm" if placed else ""
    turned = f"{outcome.turn_error_rad:.4f} rad" if drag.turn.any() else ""
    return (
        f"| {drag.point.joint}, frame {drag.frame:g} | {hit} | {turned} | {outcome.keys_before} | "
        f"{outcome.keys_after} | {outcome.key_change:.3g} | {outcome.ms_p50:.1f} ms | "
        f"{outcome.ms_p95:.1f} ms |"
    )


def walk_table() -> list[str]:
    """How far planted toes slide: default handles, landed, with contacts, as stored."""
    land, planted = (replayed(name) for name in WALK)
    columns = [land.before, land.after, planted.after, read("biped:walk")]
    lines = [
        "| step | default interpolation | landed | with contacts | the stored clip |",
        "|---|---:|---:|---:|---:|",
    ]
    for constraint in planted.after.contacts:
        frames = f"{constraint.start * 24:g} to {constraint.end * 24:g}"
        slides = [f"{1000 * slide(_take(scene), constraint):.3f} mm" for scene in columns]
        lines.append(f"| {constraint.point.joint}, frames {frames} | {' | '.join(slides)} |")
    keys = [str(sum(map(len, filter(None, _take(scene).base.curves)))) for scene in columns]
    return [*lines, f"| keys in all | {' | '.join(keys)} |", ""]


def guitar_table() -> list[str]:
    """How far fingertips slide on the neck: default handles, and after the drags."""
    each = replayed(GUITAR)
    lines = ["| fingertip | default interpolation | after the drags |", "|---|---:|---:|"]
    for constraint in each.after.contacts:
        if constraint.relative_to is None:
            continue
        times = np.arange(
            constraint.start, constraint.end + 1e-9, 1 / (4 * _take(each.before).rate)
        )
        pair = slips(_take(each.before), _take(each.after), constraint, times, each.before)
        was, now = (f"{1000 * float(slip.max()):.3f} mm" for slip in pair)
        lines.append(f"| {constraint.point.joint} | {was} | {now} |")
    return [*lines, ""]


def slide(take: Take, constraint: Contact) -> float:
    """The farthest that two places of a planted point lie apart, at quarter frames, m."""
    times = np.arange(constraint.start, constraint.end + 1e-9, 1 / (4 * take.rate))
    path = trail(take, constraint.point, times).position
    return float(np.linalg.norm(path[:, None] - path[None], axis=-1).max())


HEAD = """# Motion curves and posing: the examples

Written by `make report`: each recorded gesture is replayed, measured and drawn; nothing in the
tables is typed by hand. The gestures follow the examples of *Tangent-Space Optimization for
Interactive Animation Control* (Ciccone, Öztireli, Sumner, 2019) on the characters of this library.

How to read the pictures: the solid figure is the edited frame, faint ones are other frames. The
curve is the path of the dragged point, warm before that frame and cool after it, with a tick at
each frame and orange balls at keys; striped grey is the path before the edit. A white ring marks
what is dragged, a green triangle a contact, a red square a pin, an amber cross a place that
cannot be reached.

How to read the tables: *off target* is the distance of the dragged point from the hand at the
end, *key change* the largest change of time or value of any key there was. p50 and p95 are
milliseconds of one move of the hand, the quickest of {runs} replays on one thread of the machine
that wrote this page; the benchmarks say more about speed. Pins and contacts are looked at every
quarter frame.
"""

GUITAR_TEXT = """## Guitar: fingers that stay

The guitar is a prop with keys of its own; body and guitar sway between the same key poses, each by
its own curves. With default interpolation the left hand's fingertips slide on the neck between
keys. The figure is the farthest that a fingertip is from its place on the neck at quarter frames.
"""

WALK_TEXT = """## Walk: feet that stay

The built-in walk with default interpolation (automatic handles on all its keys), edited in two
steps: the toes are dragged at the frame where a foot lands to where it will stand, then the hips
are lifted a little in each step with the toes in contact. The figure is the farthest that two
places of the planted toes lie apart.
"""


def main(names: list[str]) -> None:
    """Write the page; only the pictures of the named gestures, where some are named."""
    pictures = TARGET / "pictures"
    lines = [*HEAD.format(runs=RUNS).splitlines(), ""]
    heading = ""
    for name in SHOTS:
        each = replayed(name)
        path = pictures / f"{name.removesuffix('.json').replace('/', '_')}.png"
        if not names or any(word in name for word in names):
            draw(each, path)
            print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1024:.0f} KB")
        kind = "## Motion curves" if each.case.tool == "tangent" else "## Posing"
        if kind != heading:
            lines += [heading := kind, ""]
        lines += section(each)
    lines += [*GUITAR_TEXT.splitlines(), "", *guitar_table()]
    lines += [*WALK_TEXT.splitlines(), "", *walk_table()]
    (TARGET / "tangent.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    print(f"{(TARGET / 'tangent.md').relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
