"""Report of spacetime editing: the paper's examples replayed, measured, drawn; then the tables.

    python benchmarks/report_spacetime.py [--pictures] [--only WORDS]     # shown, and no page

Every figure in the text is measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.mesh import look, shape
from arcwright.characters.skeleton import root, skeleton
from arcwright.characters.solids import box
from arcwright.kinematics.trail import trail
from arcwright.scene.scene import Prop, Scene
from arcwright.tools.replay.outcome import Outcome
from drawing.compare import compare
from drawing.marks import Mark
from report_spacetime_cases import EXAMPLES, PLAIN, Example
from report_spacetime_measures import (
    ROOT,
    RUNS,
    Replayed,
    chosen,
    lift,
    replayed,
    skate,
    slip,
    strides,
)
from spacetime_props import hands

TARGET = ROOT / "docs" / "report"
SCRIPTS = {
    "Table 1 of the paper": ("spacetime_table.py", "--long"),
    "Footplants dragged 30 cm on captured walks": ("spacetime_walks.py",),
    "Boxes that are carried, moved 40 cm": ("spacetime_props.py",),
}
OBSTACLE = {"wood": ("#d9a868", 0.0, 0.7)}


def table(rows: list[tuple[str, Replayed]]) -> list[str]:
    """What came of one gesture, or of one done in two ways."""
    lines = [
        "| | off target | footplants slip, was | is | skate, was | is | feet lifted | p50 | p95 |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, each in rows:
        old, new = each.takes
        slips = [f"{1000 * slip(take, each.footplants):.1f} mm" for take in (old, new)]
        skids = [f"{100 * skate(take, each.footplants):.3f} cm" for take in (old, new)]
        high = f"{1000 * lift(new, old, each.footplants):.1f} mm"
        got = each.outcome
        cells = [name, f"{1000 * got.hit_m:.3f} mm", *slips, *skids, high]
        lines.append("| " + " | ".join([*cells, *(f"{ms:.0f} ms" for ms in _ms(got))]) + " |")
    return lines


def _ms(got: Outcome) -> tuple[float, float]:
    return got.ms_p50, got.ms_p95


def obstacles(each: Replayed) -> tuple[Prop, ...]:
    """The boxes that points stay out of, to be seen."""
    found = {
        json.dumps(entry["box"]): entry["box"]
        for _, entry in each.case.constraints
        if "box" in entry
    }
    props = []
    for at, region in enumerate(found.values()):
        low, high = (np.array(region[name], float) for name in ("low", "high"))
        low[1] = max(low[1], 0.0)
        name = f"Obstacle{at + 1}"
        x, y, z = ((low + high) / 2).tolist()
        rig = skeleton([root(name, (x, y, z))])
        wide, tall, deep = (high - low).tolist()
        mesh = assembled(rig, [Piece(name, "wood", box(wide, tall, deep, 0.01))])
        props.append(Prop(name, rig, (), (shape(name, mesh, rig),), look(OBSTACLE, mesh.materials)))
    return tuple(props)


def marks(each: Replayed, scene: Scene) -> list[Mark]:
    """Green at footplants that stand at the shown frame, white at what is dragged."""
    take = scene.characters[0].takes[0]
    now = np.array([each.shown.framing.now / take.rate])
    found = [
        Mark("contact", trail(take, footplant.point, now).position[0])
        for footplant in each.footplants
        if footplant.start <= now[0] <= footplant.end
    ]
    drag = each.case.drags[-1]
    if abs(drag.frame - each.shown.framing.now) < 1:
        owner = scene.actor(drag.point.character).takes[0]
        found.append(Mark("hand", trail(owner, drag.point, now).position[0]))
    return found


def draw(each: Replayed, other: Replayed | None = None) -> str:
    """Before beside after, or two answers beside each other; the name of the picture."""
    left = each.before if other is None else each.after
    right = each.after if other is None else other.after
    words = ("Before", "After") if other is None else ("Plain displacement", "With footplants")
    name = each.shown.picture if other is None else f"plain_{each.shown.picture}"
    signs = marks(each, left), marks(each, right)
    things = obstacles(each)
    shown = [replace(scene, props=(*scene.props, *things)) for scene in (left, right)]
    shot = each.shown.framing.shot(each.case)
    path = TARGET / "pictures" / name
    compare(shown[0], shown[1], shot, path, marks=signs, captions=words)
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1024:.0f} KB")
    return name


def section(example: Example) -> list[str]:
    """The text about one example."""
    each = replayed(chosen(example))
    lines = [f"## {example.title}", "", each.about, ""]
    lines += [f"![{example.title}: before and after](pictures/{draw(each)})", ""]
    lines += [*table([("", each)]), ""]
    if any(contact.relative_to is not None for contact in each.after.contacts):
        off, apart = (1000 * size for size in hands(each.after))
        lines += [
            f"Palms are at most {off:.2f} mm from their places on it; their distance changes by "
            f"at most {apart:.2f} mm.",
            "",
        ]
    if each.case.options.get("floating_footplants"):
        was, now = (strides(take, each.footplants) for take in each.takes)
        lines += [f"From footplant to footplant, m: {was} before, {now} after.", ""]
    if each.outcome.notes:
        lines += [f"Said at the end: *{'; '.join(each.outcome.notes)}*.", ""]
    if each.shown.seen:
        lines += [*each.shown.seen.strip().splitlines(), ""]
    return [*lines, *_replayed(each), ""]


def _replayed(each: Replayed) -> list[str]:
    file = f"../../tests/gestures/spacetime/{each.shown.file}"
    name = Path(each.case.scene).name
    return [f"Replay it: [{each.shown.file}]({file}), on `{name}`."]


def plain_section() -> list[str]:
    """The same drag with and without footplants."""
    shown = chosen(PLAIN)
    plain, ours = replayed(shown, plain=True), replayed(shown)
    picture = draw(plain, ours)
    lines = [f"## {PLAIN.title}", "", *PLAIN_TEXT.splitlines(), ""]
    lines += [f"![{PLAIN.title}](pictures/{picture})", ""]
    return [*lines, *table([("plain displacement", plain), ("with footplants", ours)]), ""]


def printed() -> list[str]:
    """The tables of the benchmarks, as they are printed."""
    lines = []
    for title, (script, *given) in SCRIPTS.items():
        command = [sys.executable, str(ROOT / "benchmarks" / script), *given]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not done.stdout:
            raise SystemExit(done.stderr)
        lines += [f"## {title}", "", f"`python {' '.join(('benchmarks/' + script, *given))}`", ""]
        lines += ["```text", *done.stdout.rstrip().splitlines(), "```", ""]
        print(script)
    return lines


HEAD = """# Spacetime editing: the examples

Written by `make report`: each gesture is replayed, measured and drawn; nothing in the tables is
typed by hand. The gestures follow the examples of *Motion Editing with Spacetime Constraints*
(Gleicher, 1997), on captured clips (120 frames a second) where they are there, otherwise on the
characters of this library.

How to read the pictures: the solid figure is the frame named, faint ones are other frames. The
curve is the path of a point; striped grey is its path before the edit. A white ring marks what is
dragged, a green triangle a footplant.

How to read the tables: *off target* is the distance of the dragged point from its target;
*footplants slip* the farthest that a planted point is from its mean place at any frame; *skate* its
mean way along the floor in a planted frame; *feet lifted* the highest that a planted point is above
where it was. p50 and p95 are CPU milliseconds of one update, the quickest of {runs}
replays on one thread of the machine that wrote this page. What is said of how it looks is by eye,
of the captured clips.
"""

PLAIN_TEXT = """The higher jump again, with the same drag: left as a displacement alone (no
footplants, a control value every 0.4 s), right with footplants. Without them the body is already
in the air before it takes off."""


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", action="store_true", help="without the tables and the page")
    parser.add_argument("--only", default="", help="titles with these words")
    given = parser.parse_args()
    lines = [*HEAD.format(runs=RUNS).splitlines(), ""]
    for example in EXAMPLES:
        if given.only in example.title:
            lines += section(example)
    if given.only in PLAIN.title:
        lines += plain_section()
    if given.pictures or given.only:
        print("\n".join(lines))
        return
    lines += printed()
    page = TARGET / "spacetime.md"
    page.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
