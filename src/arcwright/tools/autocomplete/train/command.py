"""The command of training: train plans, and write model files.

A command ends after `--minutes` at the latest; the same command goes on from there. Its exit
status is 75 until all plans are done.
"""

from __future__ import annotations

import argparse
import json
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
from arcwright.tools.autocomplete.train.plans import (
    PLANS,
    Machine,
    architecture_of,
    prepared,
    train,
    trained,
)
from arcwright.tools.autocomplete.train.sequences import FRAME_TIME

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
    given = parser.parse_args(words)
    torch.set_num_threads(given.threads)
    work = Path(given.work)
    work.mkdir(parents=True, exist_ok=True)
    try:
        return _train(given, work, read_database(given.hops))
    except ArcwrightError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2


def _train(given: argparse.Namespace, work: Path, hops: HopDatabase) -> int:
    end = time.monotonic() + 60 * given.minutes
    for name in PLANS if "all" in given.names else given.names:
        if not (work / f"{name}.npz").exists():
            left = end - time.monotonic()
            machine = Machine(given.device, left, given.seeds, _reported(name))
            if left <= 0 or not train(name, hops, work, machine, given.steps):
                return UNFINISHED
        if name == "lamp" and given.out:
            _export(hops, work, Path(given.out))
    return 0


def _reported(name: str) -> Callable[[str], None]:
    def report(line: str) -> None:
        print(json.dumps({"plan": name, **json.loads(line)}), flush=True)  # noqa: T201

    return report


def _export(hops: HopDatabase, work: Path, path: Path) -> None:
    plan = PLANS["lamp"]
    ready = prepared(plan, hops)
    weights, _, steps = trained("lamp", work)
    runs = len(np.unique(hops.run[ready.train]))
    about = (
        f"{len(ready.train)} sequences of hops of the simulated lamp from {runs} search runs; "
        f"{steps} steps"
    )
    examples = [layout.part(ready.train) for layout in ready.layouts]
    single = {name: each[0] for name, each in weights.items()}
    model = exported(architecture_of(6), single, examples, ready.normalisation, FRAME_TIME, about)
    write_model(path, model)
    print(f"{path}: {path.stat().st_size / 1024:.0f} KB", flush=True)  # noqa: T201
