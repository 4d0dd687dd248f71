"""Random drags of motion curves on real rigs: exported characters and fitted captures.

    python benchmarks/real_rigs.py [--cases 2000] [--half 0|1] [--jobs 2] [--json FILE] [--only far]

Drags of a position, a joint's rotation, an orientation, both, or the timing, with 0 to 3 pins and
contacts, in reach and out of reach, over every take of ../shared/data/gltf and 20 fitted captures.
Takes with a key on every frame are reduced first, as the studio offers. Files are split in two
halves, so that what was built with one can be tried on the other. Printed for each kind:
exceptions, joints whose distance to their parent changed, how far the point ends from a target in
reach, how far pins drift, thread CPU time of moves, of notes and of the release; for targets out
of reach also how far any joint moves at any time when the target moves by 1 um, and when it is
reached in one move. `--only` measures the drags whose kind has that text in it ("far", "near pins",
"position far pins") and skips the others, so that the rest are those of a whole run.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    matrix_from_vector,
    quaternion_from_matrix,
    vector_from_matrix,
)
from arcwright.kinematics.sample import values_at
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.replay.outcome import pin_drift
from arcwright.tools.tangent.tool import TangentTool
from rig_drag_cases import Case, height, point_frame, random_case
from tangent_drag_cases import DATA

MOVES = 8  # until the target is reached
LONGEST = 60  # s that one drag may take, all its ways together
RIGID = 1e-3  # of a joint's distance to its parent
SHOWN = ("length %", "hit mm", "angle deg", "pins mm", "move ms", "first ms", "notes ms", "end ms")
FAR_SHOWN = ("1 um mm", "leap mm")


def measured(case: Case) -> dict[str, float]:
    """One drag in small moves; what it costs and what comes of it."""
    session = TangentTool().begin(case.scene, Target(), case.options)
    spent = []
    for share in np.linspace(0, 1, MOVES + 1)[1:]:
        began = time.thread_time()
        session.update(between(case, share))
        spent.append(1e3 * (time.thread_time() - began))
    began = time.thread_time()
    edit = session.finish()
    ended = time.thread_time()
    session.notes()
    noted = time.thread_time()
    after = edit.apply(case.scene).characters[0].takes[0]
    position, orientation = point_frame(after, case.drag.point, case.drag.time)
    found = {
        "length %": 100 * stretched(case, after),
        "pins mm": 1e3 * drifted(case, after),
        "move ms": float(np.percentile(spent[1:], 95)),
        "first ms": spent[0],
        "end ms": 1e3 * (ended - began),
        "notes ms": 1e3 * (noted - began),
    }
    if case.drag.position is not None:
        found["hit mm"] = 1e3 * float(np.linalg.norm(position - case.drag.position))
    if case.drag.orientation is not None:
        wanted = Drag(case.drag.point, 0.0, orientation=case.drag.orientation).orientation
        found["angle deg"] = angle_between(wanted, orientation)
    if not case.near and case.drag.position is not None:
        found["1 um mm"] = 1e3 * apart(case, after, replace_position(case, 1e-6), leap=False)
        found["leap mm"] = 1e3 * apart(case, after, case.drag, leap=True)
    return found


def drifted(case: Case, after: Take) -> float:
    """How much further than before pins and contacts are from where they should be, m."""
    before = pin_drift(case.scene, case.take, case.take)
    return max(0.0, pin_drift(case.scene, case.take, after) - before)


def angle_between(quaternion: np.ndarray, matrix: np.ndarray) -> float:
    """The angle between two orientations, in degrees."""
    rotation = matrix_from_quaternion(quaternion[None])[0] @ matrix.T
    return float(np.degrees(np.linalg.norm(vector_from_matrix(rotation[None])[0])))


def between(case: Case, share: float) -> Drag:
    """A gesture on the way to the last one."""
    last = case.drag
    position, orientation = point_frame(case.take, last.point, last.time)
    given = {}
    if last.position is not None:
        given["position"] = position + share * (last.position - position)
    if last.orientation is not None:
        rotation = matrix_from_quaternion(last.orientation[None])[0] @ orientation.T
        partly = matrix_from_vector(share * vector_from_matrix(rotation[None]))[0] @ orientation
        given["orientation"] = quaternion_from_matrix(partly)
    if last.time_scale:
        given["time_scale"] = share * last.time_scale
    return Drag(last.point, last.time, **given)


def replace_position(case: Case, by: float) -> Drag:
    return replace(case.drag, position=case.drag.position + np.array([by, 0, 0]))


def apart(case: Case, after: Take, drag: Drag, *, leap: bool) -> float:
    """How far any joint at any time is from where another way to nearly the same target ends, m."""
    session = TangentTool().begin(case.scene, Target(), case.options)
    for share in () if leap else np.linspace(0, 1, MOVES + 1)[1:-1]:
        session.update(between(case, share))
    session.update(drag)
    other = session.finish().apply(case.scene).characters[0].takes[0]
    times = np.append(np.linspace(0, case.take.duration, 25), drag.time)
    one, two = (forward(t.rig, values_at(t, times))[:, :, :3, 3] for t in (after, other))
    return float(np.linalg.norm(one - two, axis=-1).max())


def stretched(case: Case, after: Take) -> float:
    """The largest relative change of a joint's distance to its parent, where that is rigid."""
    rig, take = case.take.rig, case.take
    analysis = analyse(case.scene.characters[0], take)
    rigid = ~analysis.translates & (analysis.attached_to < 0)
    child = np.flatnonzero((rig.parents >= 0) & rigid)
    times = np.linspace(0, take.duration, 25)
    lengths = []
    for each in (take, after):
        values = values_at(each, times)
        assert np.isfinite(values).all()
        position = forward(rig, values)[:, :, :3, 3]
        bones = position[:, child] - position[:, rig.parents[child]]
        lengths.append(np.linalg.norm(bones, axis=2))
    before, now = lengths
    safe = np.maximum(before, 1e-3 * height(take))
    return float((np.abs(now - before) / safe).max(initial=0.0))


def work(half: int, seed: int, cases: int, only: str = "") -> list[dict]:
    signal.signal(signal.SIGALRM, overdue)
    found: list[dict] = []
    number = drawn = 0
    while drawn < cases:
        number += 1
        case = random_case(np.random.default_rng([seed, half, number]), half)
        if case is None:
            continue
        drawn += 1
        if only not in case.group:
            continue
        line = {"name": case.name, "clip": case.take.name, "group": case.group}
        line |= {"joint": case.drag.point.joint, "frame": case.drag.time * case.take.rate}
        line["seed"] = [seed, half, number]
        line["constraints"] = len(case.scene.pins) + len(case.scene.contacts)
        signal.alarm(LONGEST)
        try:
            found.append(line | measured(case))
        except Exception:
            found.append(line | {"error": traceback.format_exc()})
        signal.alarm(0)
    return found


def overdue(*_: object) -> None:
    raise TimeoutError(f"more than {LONGEST} s")


def report(lines: list[dict]) -> bool:
    """The table, and whether nothing failed."""
    names = (*SHOWN, *FAR_SHOWN)
    print(f"{'':24}{'drags':>6}" + "".join(f"{name:>20}" for name in names))
    print(f"{'':30}" + f"{'p50 p95 max':>20}" * len(names))
    for group in sorted({line["group"] for line in lines}):
        own = [line for line in lines if line["group"] == group]
        cells = []
        for name in names:
            values = [line[name] for line in own if name in line]
            three = (np.median(values), np.percentile(values, 95), max(values)) if values else ()
            cells.append(" ".join(f"{each:.3g}" for each in three))
        print(f"{group:24}{len(own):6}" + "".join(f"{cell:>20}" for cell in cells))
    errors = [line for line in lines if "error" in line]
    for line in errors[:5]:
        print(line["error"])
    tiny = [line["1 um mm"] <= 1.0 for line in lines if "1 um mm" in line and line["hit mm"] > 1]
    share = f"{np.mean(tiny):.1%} of {len(tiny)}" if tiny else "none"
    stretching = sum(line.get("length %", 0) > 100 * RIGID for line in lines)
    print(
        f"exceptions {len(errors)}, stretched {stretching}, missed and steady within 1 mm: {share}"
    )
    return not errors and not stretching


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--half", type=int, choices=(0, 1), default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", default="", help="text in the kinds of the drags to measure")
    given = parser.parse_args()
    if not DATA.is_dir():
        print("no real files: ../shared/data is not there")
        return 0
    each = -(-given.cases // given.jobs)
    if given.jobs == 1:
        lines = work(given.half, given.seed, each, given.only)
    else:
        with ProcessPoolExecutor(given.jobs) as pool:
            seeds = [given.seed * 1000 + job for job in range(given.jobs)]
            same = [
                [given.half] * given.jobs,
                seeds,
                [each] * given.jobs,
                [given.only] * given.jobs,
            ]
            parts = pool.map(work, *same)
            lines = [line for part in parts for line in part]
    if given.json:
        given.json.write_text(json.dumps(lines))
    return 0 if report(lines) else 1


if __name__ == "__main__":
    sys.exit(main())
