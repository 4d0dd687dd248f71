"""The command of training: train plans, and write model files.

A command ends after `--minutes` at the latest; the same command goes on from there. Its exit
status is 75 until all plans are done. With `--parallel` every program has a process of its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from arcwright.errors import ArcwrightError
from arcwright.tools.autocomplete.hops.database import HopDatabase, read_database
from arcwright.tools.autocomplete.network.model_file import write_model
from arcwright.tools.autocomplete.train.export import exported
from arcwright.tools.autocomplete.train.plans import PLANS, architecture_of, prepared, programs
from arcwright.tools.autocomplete.train.sequences import FRAME_TIME, stored_timed_sequences
from arcwright.tools.autocomplete.train.trained import Machine, train, trained

UNFINISHED = 75  # exit status: try again


def main(words: list[str]) -> int:
    """Train what is named."""
    parser = argparse.ArgumentParser("arcwright.tools.autocomplete.train")
    parser.add_argument("names", nargs="+", choices=[*PLANS, "all"])
    parser.add_argument("--hops", required=True, help="the database that `arcwright hops` wrote")
    parser.add_argument("--work", required=True, help="folder of checkpoints and weights")
    parser.add_argument("--out", help="model file that the plan `lamp` ends in")
    parser.add_argument("--device", default="cpu", help="of PyTorch: cpu, cuda")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, help="models of each kind")
    parser.add_argument("--steps", type=int, default=0, help="instead of those of the plan")
    parser.add_argument("--minutes", type=float, default=8.5, help="after which it ends")
    parser.add_argument("--workers", type=int, default=0, help="processes that make queries")
    parser.add_argument("--parallel", action="store_true", help="programs in processes")
    parser.add_argument("--eager", action="store_true", help="no CUDA graphs")
    parser.add_argument("--prepare", action="store_true", help="simulate only, for elsewhere")
    given = parser.parse_args(words)
    torch.set_num_threads(given.threads)
    names = [*PLANS] if "all" in given.names else list(dict.fromkeys(given.names))
    try:
        Path(given.work).mkdir(parents=True, exist_ok=True)
        if given.prepare:
            stored_timed_sequences(read_database(given.hops), Path(given.work) / "timed.npz")
            return 0
        if given.parallel:
            return _in_processes(words, names)
        return _train(given, names, Path(given.work), read_database(given.hops))
    except ArcwrightError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2


def _in_processes(words: list[str], names: list[str]) -> int:
    """Every program by a command of its own; 75 if one is unfinished, else the worst status."""
    options = [word for word in words if word not in {*PLANS, "all", "--parallel"}]
    module = "arcwright.tools.autocomplete.train"
    started = [
        subprocess.Popen([sys.executable, "-m", module, *plans, *options])
        for plans in programs(names)
    ]
    ends = [each.wait() for each in started]
    failed = [end for end in ends if end not in (0, UNFINISHED)]
    return failed[0] if failed else max(ends, default=0)


def _train(given: argparse.Namespace, names: list[str], work: Path, hops: HopDatabase) -> int:
    end = time.monotonic() + 60 * given.minutes
    for plans in programs(name for name in names if not (work / f"{name}.npz").exists()):
        left = end - time.monotonic()
        report = _reported("+".join(plans))
        own = (given.device, left, given.seeds, given.workers, not given.eager)
        machine = Machine(*own, report)
        if left <= 0 or not train(plans, hops, work, machine, given.steps):
            return UNFINISHED
    if "lamp" in names and given.out:
        _export(hops, work, Path(given.out))
    return 0


def _reported(name: str) -> Callable[[str], None]:
    def report(line: str) -> None:
        print(json.dumps({"plan": name, **json.loads(line)}), flush=True)  # noqa: T201

    return report


def _export(hops: HopDatabase, work: Path, path: Path) -> None:
    plan = PLANS["lamp"]
    ready = prepared(plan, hops, work / "timed.npz")
    found = trained("lamp", work)
    runs = len(np.unique(hops.run[ready.train]))
    about = (
        f"{len(ready.train)} sequences of hops of the simulated lamp from {runs} search runs; "
        f"{found.steps} steps"
    )
    examples = [layout.part(ready.train) for layout in ready.layouts]
    single, normal = found.single(0), ready.normalisation
    model = exported(architecture_of(6), single, examples, normal, FRAME_TIME, about)
    write_model(path, model)
    print(f"{path}: {path.stat().st_size / 1024:.0f} KB", flush=True)  # noqa: T201
