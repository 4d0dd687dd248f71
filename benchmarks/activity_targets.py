"""Random targets for every movable element of every event, in ours and in the published way.

    python benchmarks/activity_targets.py [--cases N] [--scenes NAME ...] [--seed S] [--rows FILE]
    python benchmarks/activity_targets.py --table FILE ...

Targets are chosen by a geometric test of its own; everything is measured in the takes of the
edited scene. Long runs can be split: `--rows` keeps what was measured in a file, a line for each
edit, and goes on after it, `--seconds` stops after so much CPU time, and `--table` prints the
shares of files.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from time import thread_time
from typing import Any

import one_thread  # noqa: F401

# isort: split
import numpy as np

from activity_measures import Measured, Original
from activity_published import published
from activity_sampled import Node, Sampled, examples
from arcwright.arrays import Floats
from arcwright.scene.activity import element_of
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.session import ActivitySession
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.gesture import Drag, ToolHandle

HIT = 1e-3  # m
SHARES: dict[str, Callable[[Floats], Floats]] = {  # of columns of Measured: what is asked for
    "hit": lambda t: t[:, 0] <= HIT,
    "drift": lambda t: t[:, 1] <= HIT,
    "pairs": lambda t: t[:, 2] <= 2e-3,
    "limits": lambda t: t[:, 3] == 0,
    "depth": lambda t: t[:, 4] <= 5e-3,
    "speed": lambda t: t[np.isfinite(t[:, 5]), 5] >= 0.99,
    "elbows": lambda t: _known(t[:, 7] / t[:, 6]) <= 1.1,
    "knees": lambda t: _known(t[:, 9] / t[:, 8]) <= 1.1,
    "calm": lambda t: _known(np.maximum(_over(t[:, 6:8]), _over(t[:, 8:10]))) <= 0,
}
CALMEST = 100.0  # rad/s^3, of the swivel: captures have 130 or more, keyed clips 2 to 110
Row = list[Any]  # scene, method, element, event, displacement (3 m), and all of `Measured`
Edit = Callable[[Sampled, str, int, Floats], Scene]


def _known(values: Floats) -> Floats:
    return values[np.isfinite(values)]


def _over(jerk: Floats) -> Floats:
    """By how much the second column is above 1.1 times the first and what captures have."""
    return np.nan_to_num(jerk[:, 1] - np.maximum(1.1 * jerk[:, 0], CALMEST), nan=-1.0)


@dataclass(frozen=True)
class Case:
    """One target."""

    element: str
    event: int
    by: Floats
    nodes: set[Node]


@cache
def begun(scene: Scene, name: str) -> ActivitySession:
    """A session without any edit, to fork."""
    session = ActivityTool().begin(scene, Target(activity=name), ActivityOptions())
    assert isinstance(session, ActivitySession)
    return session


def ours(sampled: Sampled, element: str, event: int, by: Floats) -> Scene:
    """The scene after a drag of an element at an event."""
    session = begun(sampled.scene, sampled.activity.name).fork()
    frame = sampled.frames[event]
    start = sampled.elements[element][frame, :3, 3]
    handle = ToolHandle(f"{element} at frame {frame}")
    session.update(Drag(handle, frame / sampled.rate, start + by))
    return session.finish().apply(sampled.scene)


METHODS: dict[str, Edit] = {"ours": ours, "published": published}


@cache
def original_of(label: str) -> Original:
    """What is measured once for a scene."""
    return Original(Sampled.of(*examples()[label]))


def cells(label: str) -> Iterator[tuple[str, int]]:
    """Each movable element at each event of a scene."""
    for at, event in enumerate(original_of(label).sampled.activity.events):
        for element in sorted({element_of(each) for each in event.movable}):
            yield element, at


@cache
def case_of(label: str, element: str, event: int, index: int, seed: int) -> Case | None:
    """One target of a cell, the same for every method; None where too few are found."""
    original = original_of(label)
    rng = np.random.default_rng([seed, event, zlib.crc32(element.encode()), index])
    found = original.reachable.targets(element, event, 1, rng)
    if not len(found):
        return None
    return Case(element, event, found[0], original.sampled.moved_with(element, event))


def flat(measured: Measured) -> list[float]:
    """All values of a row, elbows and knees with two each."""
    found: list[float] = []
    for value in astuple(measured):
        found += value if isinstance(value, tuple) else [value]
    return found


def print_table(rows: list[Row]) -> None:
    """Shares of edits that do what is asked for, by scene and of all, and medians."""
    print(
        f"{'scene':22} {'method':9} {'n':>4} " + " ".join(f"{name:>6}" for name in SHARES), end=""
    )
    print(f" {'hit p50':>8} {'max mm':>7} {'speed':>6} {'elbows':>6} {'knees':>6} {'com':>5}")
    for scene in [*dict.fromkeys(row[0] for row in rows), "all"]:
        for method in METHODS:
            own = [row[7:] for row in rows if row[1] == method and scene in (row[0], "all")]
            if own:
                table = np.array(own, float)
                ratios = [table[:, 7] / table[:, 6], table[:, 9] / table[:, 8]]
                with np.errstate(all="ignore"):
                    shares = [100 * each(table).mean() for each in SHARES.values()]
                    middle = [np.nanmedian(v) for v in (table[:, 5], *ratios, table[:, 10])]
                print(
                    f"{scene:22} {method:9} {len(table):4} "
                    + " ".join(f"{each:6.0f}" for each in shares)
                    + f" {1e3 * np.median(table[:, 0]):8.2f} {1e3 * table[:, 0].max():7.1f}"
                    + f" {middle[0]:6.3f} {middle[1]:6.2f} {middle[2]:6.2f} {middle[3]:5.2f}"
                )


def print_misses(rows: list[Row]) -> None:
    """Each edit of ours that misses something, by the displacement that was asked for."""
    wanted = ("hit", "drift", "pairs", "limits", "depth")
    print(f"\n{'missed':22} {'element':11} {'event':24} {'by, m':>17} {'  mm: hit':>9} ", end="")
    print(f"{'drift':>6} {'pairs':>6} {'lim':>4} {'depth':>6}")
    for label, method, element, event, *numbers in rows:
        table = np.array([numbers[3:]], float)
        if method == "ours" and not all(SHARES[name](table).all() for name in wanted):
            by = ", ".join(f"{each:5.2f}" for each in numbers[:3])
            hit, drift, pairs, limits, depth = table[0, :5]
            print(f"{label:22} {element:11} {event:24} {by:>17} {1e3 * hit:9.1f} ", end="")
            print(f"{1e3 * drift:6.1f} {1e3 * pairs:6.1f} {limits:4.0f} {1e3 * depth:6.1f}")


def read_rows(paths: Iterable[Path]) -> list[Row]:
    """What was measured so far."""
    found = [path.read_text().splitlines() for path in paths if path.is_file()]
    return [json.loads(line) for lines in found for line in lines]


def pending(given: argparse.Namespace, known: list[Row]) -> Iterator[tuple[str, str, Case]]:
    """Scene, method and case of what is still to be measured: one target of each, then the next.

    So a run that is stopped has as many targets of each element at each event.
    """
    done = Counter(tuple(row[:4]) for row in known)
    labels = given.scenes or list(examples())
    every = [(label, *cell) for label in labels for cell in cells(label)]
    for index in range(given.cases):
        for cell in list(every):
            label, element, event = cell
            name = original_of(label).sampled.activity.events[event].name
            for method in given.methods:
                thin = given.thin if method == "published" else 1
                if index % thin or done[label, method, element, name] > index // thin:
                    continue
                case = case_of(label, element, event, index, given.seed)
                if case is None:  # there is hardly any room: no further targets are looked for
                    every.remove(cell)
                    break
                yield label, method, case


def main() -> None:
    """Measure what is not in the file yet, and print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenes", nargs="*")
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--table", nargs="*", type=Path)
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    parser.add_argument("--thin", type=int, default=1, help="every so many targets, as published")
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop after so much CPU time")
    given = parser.parse_args()
    if given.table:
        print_table(read_rows(given.table))
        print_misses(read_rows(given.table))
        return
    rows = read_rows([given.rows] if given.rows else [])
    for label, method, case in pending(given, rows):
        if thread_time() > given.seconds:
            break
        original = original_of(label)
        event = original.sampled.activity.events[case.event].name
        about = label, method, case.element, event, *case.by.tolist()
        rows.append([*about, *flat(_measured(original, method, case))])
        if given.rows:
            with given.rows.open("a") as file:
                print(json.dumps(rows[-1]), file=file)
    print_table(rows)
    print_misses(rows)


def _measured(original: Original, method: str, case: Case) -> Measured:
    after = METHODS[method](original.sampled, case.element, case.event, case.by)
    sampled = Sampled.of(after, original.sampled.activity.name)
    return original.measure(sampled, case.nodes, case.by)


if __name__ == "__main__":
    main()
