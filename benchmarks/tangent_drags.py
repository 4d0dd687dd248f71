"""Random drags of motion curves: do they hit, do pins hold, do keys stay, is the note true?

near: targets in reach, made by moving tangents at random inside their bounds on channels that
      move no pinned point, and reading where the dragged point went.
far:  targets up to 2 m away, most of them out of reach; where they end on release is
      compared with random restarts, and what the note said of it with where they end.
real: near targets on the rigged files of ../shared/data/gltf and on captured motion fitted
      to few keys; `far --real` has far ones there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import same
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.solve.descent import StoppingCriteria, descend
from arcwright.tools.gesture import Drag
from arcwright.tools.replay.outcome import limit_excess, pin_drift
from arcwright.tools.tangent.session import TangentSession
from tangent_drag_cases import (
    BROKEN,
    DATA,
    Case,
    Takes,
    built_in_takes,
    drag,
    random_case,
    real_takes,
    released_drag,
    target_in_reach,
)

Found = dict[str, list]  # what was measured, a number (or a line of text) for each drag
NEAR_BOUNDS = {"hit m": 1e-4, "pin drift m": 5e-5, "limit excess": 1e-9, "back": 1e-6}
FAR_BOUNDS = {
    "pin slip m": 1e-3,
    "rest jitter m": 1e-6,
    "note off": 0.1,
    "noise m": 1e-3,
    "short / best": 1.5,
    "jump m": 0.1,
    "move p95 ms": 33.0,
}


def near(random: np.random.Generator, takes: Takes, count: int, _: int) -> Found:
    """Drags in reach: hit or missed, and back again."""
    found: Found = {name: [] for name in (*NEAR_BOUNDS, "length", "keys", "move ms", "case")}
    while len(found["case"]) < count:
        case = random_case(random, takes)
        target = target_in_reach(random, case)
        if target is None:
            continue
        session = TangentSession(case.scene, Target(), BROKEN)
        found["move ms"].append(float(np.mean(drag(case, target, session)[1])))
        after, ended = released_drag(case, session)
        found["length"].append(float(np.linalg.norm(target - case.start)))
        found["hit m"].append(float(np.linalg.norm(ended - target)))
        found["pin drift m"].append(pin_drift(case.scene, case.take, after))
        found["limit excess"].append(limit_excess(after) - limit_excess(case.take))
        found["keys"].append(keys_changed(case.take, after))
        drag(case, target, session, back=True)
        back = session.finish().apply(case.scene).characters[0].takes[0]
        times = np.linspace(0, case.take.duration, 50)
        away = np.abs(values_at(back, times) - values_at(case.take, times))
        found["back"].append(float(away.max()))
        found["case"].append(case.description())
    return found


def near_report(found: Found) -> bool:
    lengths, cases = found["length"], found["case"]
    middle, longest = np.median(lengths), max(lengths)
    print(f"{len(cases)} drags in reach, {middle:.3f} m in the middle, {longest:.2f} m at most")
    for name, bound in NEAR_BOUNDS.items():
        say(name, found[name], bound)
    print(f"{'keys changed':14} {sum(found['keys'])}")
    hardness = [
        h / 1e-4 + d / 5e-5 for h, d in zip(found["hit m"], found["pin drift m"], strict=True)
    ]
    for _, line in sorted(zip(hardness, cases, strict=True))[-3:]:
        print(f"  hardest: {line}")
    say("move ms", found["move ms"], 33.0)
    for ms, line in sorted(zip(found["move ms"], cases, strict=True))[-3:]:
        print(f"  slowest: {ms:.0f} ms of CPU a move, {line}")
    held = all(max(found[name]) <= bound for name, bound in NEAR_BOUNDS.items())
    return sum(found["keys"]) == 0 and held


def far(random: np.random.Generator, takes: Takes, count: int, restarts: int) -> Found:
    """Drags out of reach: how near they end, whether they rest, what is said to be in the way."""
    found: Found = {name: [] for name in (*FAR_BOUNDS, "named", "true", "ending s", "case")}
    while len(found["case"]) < count:
        case = random_case(random, takes)
        away = random.normal(size=3)
        target = case.start + away / np.linalg.norm(away) * random.uniform(0.3, 2)
        session = TangentSession(case.scene, Target(), BROKEN)
        reached, moved = drag(case, target, session)
        found["move p95 ms"].append(float(np.percentile(moved, 95)))
        began = time.process_time()
        notes = session.notes()
        found["ending s"].append(time.process_time() - began)
        after, ended = released_drag(case, session)
        found["rest jitter m"].append(rest_jitter(case, target, session, reached))
        with_noise = session.update(Drag(case.point, case.time, position=target + 1e-6))
        found["noise m"].append(float(np.linalg.norm(with_noise.drag.position - reached)))
        found["jump m"].append(float(np.linalg.norm(ended - reached)))
        assert np.isfinite(values_at(after, np.linspace(0, case.take.duration, 50))).all()
        found["pin slip m"].append(pin_drift(case.scene, case.take, after))
        short = float(np.linalg.norm(ended - target))
        noted = notes[0].amount if notes else 0.0
        off = abs(noted - short)
        found["note off"].append(off / short if off > 5e-4 else 0.0)
        best = best_of(random, session, target, short, restarts)
        found["short / best"].append(short / max(best, 1e-3))
        named = bool(notes) and notes[0].blocker.endswith("pin")
        found["named"].append(named)
        found["true"].append(named and is_true(case, target, short))
        found["case"].append(case.description())
    return found


def rest_jitter(
    case: Case, target: np.ndarray, session: TangentSession, reached: np.ndarray
) -> float:
    """How far the point moves while the pointer rests, m.

    The target moves by less than the noise of a pointer, and back; and another session is
    given the same moves.
    """
    session.update(Drag(case.point, case.time, position=target + 1e-9))
    again = session.update(Drag(case.point, case.time, position=target)).drag.position
    other = drag(case, target, TangentSession(case.scene, Target(), BROKEN))[0]
    return float(max(np.linalg.norm(again - reached), np.linalg.norm(other - reached)))


def is_true(case: Case, target: np.ndarray, short: float) -> bool:
    """Whether the point comes nearer without pins."""
    freed = TangentSession(replace(case.scene, constraints=case.scene.contacts), Target(), BROKEN)
    drag(case, target, freed)
    return bool(np.linalg.norm(released_drag(case, freed)[1] - target) < short - 1e-4)


def far_report(found: Found) -> bool:
    print(f"{len(found['case'])} drags up to 2 m away")
    for name, bound in FAR_BOUNDS.items():
        say(name, found[name], bound)
    say("ending s", found["ending s"], 0.5)
    named, true = sum(found["named"]), sum(found["true"])
    print(f"notes that name a pin: {named}, true: {true}")
    for _, line in sorted(zip(found["short / best"], found["case"], strict=True))[-3:]:
        print(f"  furthest from the best: {line}")
    good = np.mean(np.array(found["short / best"]) <= FAR_BOUNDS["short / best"]) >= 0.85
    checked = ("pin slip m", "rest jitter m", "note off")
    held = all(max(found[name]) <= FAR_BOUNDS[name] for name in checked)
    return bool(good and held and true == named)


def best_of(
    random: np.random.Generator,
    session: TangentSession,
    target: np.ndarray,
    short: float,
    restarts: int,
) -> float:
    """The nearest that random restarts come, pins kept."""
    problem = session._current_problem()
    prepared = problem.prepared
    box, regularisation = prepared.handles.box, prepared.handles.stiffness**2
    best = short
    for _ in range(restarts if len(regularisation) else 0):
        model = problem.model(prepared)
        x = random.uniform(np.maximum(box.low, -2), np.minimum(box.high, 2))
        found = descend(model, x, regularisation, np.zeros_like(x), box, StoppingCriteria(60))
        x = found.x
        if np.abs(found.residuals.residual[3:]).max(initial=0.0) < 1e-3:
            place = model.places_at(model.values(x)[0]).position[0, 0]
            best = min(best, float(np.linalg.norm(place - target)))
    return best


def keys_changed(before: Take, after: Take) -> int:
    assert isinstance(before.base, Clip)
    assert isinstance(after.base, Clip)
    pairs = zip(before.base.curves, after.base.curves, strict=True)
    return sum(
        old is not None and not (same(old.time, new.time) and same(old.value, new.value))
        for old, new in pairs
    )


def say(name: str, values: Sequence[float], bound: float) -> None:
    kept = np.array(values)
    print(
        f"{name:14} p50 {np.median(kept):.1e}  p95 {np.percentile(kept, 95):.1e}  "
        f"max {kept.max():.1e}  over {bound:g}: {(kept > bound).sum()}"
    )


def work(given: argparse.Namespace, job: int) -> Found:
    """One process's share of the drags."""
    seed = given.seed if given.jobs == 1 else [given.seed, job]
    takes = real_takes() if given.real else built_in_takes()
    count = given.cases // given.jobs + (job < given.cases % given.jobs)
    run = far if given.kind == "far" else near
    return run(np.random.default_rng(seed), takes, count, given.restarts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=("near", "far", "real"))
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--restarts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes, each with its own drags")
    parser.add_argument("--real", action="store_true", help="on real files, as kind real does")
    given = parser.parse_args()
    given.real |= given.kind == "real"
    if given.real and not DATA.is_dir():
        print("no real files: ../shared/data is not there")
        return 0
    if given.jobs == 1:
        parts = [work(given, 0)]
    else:
        with ProcessPoolExecutor(given.jobs) as pool:
            parts = list(pool.map(work, [given] * given.jobs, range(given.jobs)))
    found = {name: [each for part in parts for each in part[name]] for name in parts[0]}
    report = far_report if given.kind == "far" else near_report
    return 0 if report(found) else 1


if __name__ == "__main__":
    sys.exit(main())
