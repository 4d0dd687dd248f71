"""Hop search: many search runs in worker processes, until a database has enough sequences.

Runs are numbered, and the random numbers of each depend on the seed and its number alone. The
database holds the first distinct sequences in the order of their runs, so it depends neither on the
number of processes nor on where an interrupted search went on.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arcwright.batch import Progress, map_files, read_manifest
from arcwright.errors import ArcwrightError, BadValue
from arcwright.tools.autocomplete.hops.database import (
    HopDatabase,
    read_database,
    write_database,
)
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.hops.search_run import SEARCHES, database_of, search_run
from arcwright.tools.autocomplete.hops.selection import distinct

SEARCH_VERSION = 1  # raised where searches find other hops than before
BLOCK = 8  # search runs of one task
YIELD = 0.3  # share of good runs that is expected before any is known
MOST_BLOCKS = 60  # of one round
HOPELESS = 250  # blocks without a single sequence, after which a search gives up


@dataclass(frozen=True)
class Searched:
    """How far a search is."""

    sequences: int  # distinct ones
    runs: int
    good: int
    faults: dict[str, int]  # how many runs had each


def collect(
    count: int,
    out: Path,
    *,
    seed: int = 0,
    search: str = "shaped",
    workers: int | None = None,
    progress: Callable[[Searched], None] | None = None,
) -> Searched:
    """Write a database of `count` distinct sequences; run again, it goes on where it ended.

    What search runs found is kept in the folder `OUT.runs`, for a continued or larger search.
    """
    if search not in SEARCHES:
        raise BadValue("search", " or ".join(SEARCHES), search)
    if seed < 0:
        raise BadValue("seed", "a whole number from 0 on", seed)
    if out.suffix != ".npz":
        raise BadValue("out", "a name that ends in .npz", out.name)
    folder = out.with_name(f"{out.name}.runs")
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    blocks = _blocks_done(folder, seed, search)
    _run_blocks(folder, seed, search, blocks, workers, progress)
    while True:
        state, hops = _gathered(folder, seed, search, blocks)
        if progress is not None:
            progress(state)
        if len(hops) >= count:
            break
        if blocks >= HOPELESS and not len(hops):
            raise ArcwrightError(f"{state.runs} search runs found no sequence")
        rate = max(len(hops), 1) / state.runs if state.runs else YIELD
        more = math.ceil((count - len(hops)) / rate / BLOCK)
        blocks += min(more, MOST_BLOCKS)
        _run_blocks(folder, seed, search, blocks, workers, progress)
    write_database(hops.rows(np.arange(count)), out)
    return state


def search_block(path: str, out: str) -> dict[str, Any]:
    """The search runs of one task; a function of `map_files`."""
    task = json.loads(Path(path).read_text(encoding="utf-8"))
    numbers = range(task["first"], task["first"] + task["runs"])
    lamp = Lamp()
    outcomes = [search_run(lamp, task["seed"], each, task["search"]) for each in numbers]
    write_database(database_of(outcomes), out)
    return {
        "runs": len(outcomes),
        "good": sum(not each.faults for each in outcomes),
        "loosely": sum(each.loosely for each in outcomes),
        "faults": Counter(name for each in outcomes for name in each.faults),
    }


def _run_blocks(
    folder: Path,
    seed: int,
    search: str,
    blocks: int,
    workers: int | None,
    progress: Callable[[Searched], None] | None,
) -> None:
    """Run all blocks that are not done, or were done by an earlier version."""
    if not blocks:
        return
    files = [_task_file(folder, seed, search, each) for each in range(blocks)]

    def report(_: Progress) -> None:
        if progress is not None:
            progress(_counted(folder, seed, search, blocks, 0))

    done = map_files(
        search_block, files, out=folder, template="{stem}.npz", workers=workers, progress=report
    )
    if done.stopped or done.failures:
        raise ArcwrightError(done.stopped or done.failures[0].error)


def _blocks_done(folder: Path, seed: int, search: str) -> int:
    """How many blocks are there from an earlier search, without a gap."""
    block = 0
    while (folder / f"{_name(seed, search, block)}.npz").exists():
        block += 1
    return block


def _task_file(folder: Path, seed: int, search: str, block: int) -> Path:
    path = folder / "tasks" / f"{_name(seed, search, block)}.json"
    task = {"version": SEARCH_VERSION, "search": search, "seed": seed, "first": block * BLOCK}
    text = json.dumps({**task, "runs": BLOCK})
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


def _name(seed: int, search: str, block: int) -> str:
    return f"{search}-{seed}-{block:05d}"


def _gathered(folder: Path, seed: int, search: str, blocks: int) -> tuple[Searched, HopDatabase]:
    """The distinct sequences of the first blocks."""
    files = [folder / f"{_name(seed, search, each)}.npz" for each in range(blocks)]
    hops = database_of([])
    if files:
        hops = joined([read_database(path) for path in files])
        hops = hops.rows(distinct(hops.states))
    return _counted(folder, seed, search, blocks, len(hops)), hops


def _counted(folder: Path, seed: int, search: str, blocks: int, sequences: int) -> Searched:
    names = {f"{_name(seed, search, each)}.npz" for each in range(blocks)}
    rows = [each for each in read_manifest(folder) if each.output in names] if blocks else []
    values = [each.value for each in rows if each.outcome == "done" and each.value]
    counts: Counter[str] = Counter()
    for value in values:
        counts.update(value["faults"])
    good = sum(value["good"] for value in values)
    runs = sum(value["runs"] for value in values)
    return Searched(sequences or good, runs, good, dict(counts))


def joined(parts: list[HopDatabase]) -> HopDatabase:
    """Several databases as one."""
    names = ("states", "time", "contact", "keys", "run", "policy")
    arrays = {name: np.concatenate([getattr(each, name) for each in parts]) for name in names}
    return HopDatabase(**arrays, rate=parts[0].rate)
