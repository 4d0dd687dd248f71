"""Completion of held-out hops: our network against splines and the networks of Zhang (2018).

    python benchmarks/autocomplete_table.py --hops HOPS.npz --work FOLDER

All see the same keys of the same sequences, of search runs that none was trained on. Errors are
mean squares of z-scored channels (mean and standard deviation of all training frames); rms in
brackets. What was not trained is left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.autocomplete.hops.database import HopDatabase, read_database
from arcwright.tools.autocomplete.train.plans import PLANS, prepared, trained
from arcwright.tools.autocomplete.train.queries import DELETED, deleted, virtual_keys
from arcwright.tools.autocomplete.train.sequences import Normalisation
from autocomplete_measures import ballistic_error, frame_error, key_error, penetration, slide
from autocomplete_methods import (
    Method,
    framed_model,
    methods,
    network,
    sequences_of,
    steps_of,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hops", required=True)
    parser.add_argument("--work", required=True, type=Path)
    given = parser.parse_args()
    hops = read_database(given.hops)
    ready = prepared(PLANS["residual"], hops)
    states, keys, _ = sequences_of(hops, ready)
    found, normal = methods(given.work, ready), ready.normalisation
    print(f"{len(ready.train)} sequences to train on, {len(states)} held out")
    for method in found:
        name = "residual" if method.name == "ours" else method.name
        steps = "" if name == "PCHIP" else f"{steps_of(given.work, name)} steps"
        print(f"  {method.name:14s}{steps}")
    draw = np.random.default_rng(0)
    whole = virtual_keys(keys, *states.shape[1:])
    _frames(found, states, whole, deleted(whole, DELETED, draw), normal)
    _edits(found, states, whole, keys, normal, draw)
    _partial([each for each in found if each.partial], states, whole, normal, draw)
    if (given.work / "sizes.npz").exists():
        _sizes(given.work, hops)


def _frames(
    found: list[Method], states: Floats, whole: Bools, fewer: Bools, normal: Normalisation
) -> None:
    print(
        "\nframes                   all keys: key   frame (rms)    0-2 deleted: key   frame (rms)"
    )
    for method in found:
        cells = []
        for known in (whole, fewer):
            completed = method.complete(states, known)
            frame = frame_error(completed, states, normal)
            key = key_error(completed, states, known, normal)
            cells.append(f"{key:8.4f}  {frame:7.4f} ({frame**0.5:.3f})")
        print(f"  {method.name:24s}" + "      ".join(cells))


def _edits(
    found: list[Method],
    states: Floats,
    whole: Bools,
    keys: np.ndarray,
    normal: Normalisation,
    draw: np.random.Generator,
) -> None:
    """Keys that no simulation gave; there is no truth but physics."""
    print(
        "\nedited keys: key error (rms z); centre of mass off ballistic, sole in ground, slide (mm)"
    )
    for label, edited, known in _edited(states, whole, keys, draw):
        print(f" {label}")
        if label == "as simulated":
            print(_physics("truth", states, None, None, normal))
        for method in found:
            completed = method.complete(edited, known)
            print(_physics(method.name, completed, edited, known, normal))


def _physics(
    name: str, states: Floats, edited: Floats | None, known: Bools | None, normal: Normalisation
) -> str:
    off = 0.0
    if edited is not None and known is not None:
        off = key_error(states, edited, known, normal) ** 0.5
    numbers = (ballistic_error(states), penetration(states), slide(states))
    return f"  {name:16s}{off:8.3f}" + "".join(f"{1000 * each:9.1f}" for each in numbers)


def _edited(
    states: Floats, whole: Bools, keys: np.ndarray, draw: np.random.Generator
) -> list[tuple[str, Floats, Bools]]:
    """Keys as figs. 4.2 to 4.6 of the paper change them."""
    apex = keys[:, 1::3]
    rows = np.arange(len(states))[:, None]
    cases = [("as simulated", states, whole)]
    for factor in (0.7, 1.5, 1.8):
        higher = states.copy()
        higher[rows, apex, 1] *= factor
        cases.append((f"apex {factor} times as high", higher, whole))
    for shift in (-6, 6):
        moved, known = states.copy(), whole.copy()
        known[rows, apex] = False
        known[rows, apex + shift] = True
        moved[rows, apex + shift] = states[rows, apex]
        cases.append((f"apex {shift:+d} frames", moved, known))
    sparse = whole.copy()
    sparse[rows, keys[:, 4:6]] = False
    cases.append(("second apex and landing removed", states, sparse))
    other = states[draw.permutation(len(states))]
    mixed = states.copy()
    mixed[rows, apex, 1:] = other[rows, apex, 1:]
    mixed[rows, keys, 2:] += draw.normal(0, 0.1, (len(states), keys.shape[1], 4))
    cases.append(("novel keys: apexes of others, angles off by 0.1 rad", mixed, whole))
    return cases


def _partial(
    found: list[Method],
    states: Floats,
    whole: Bools,
    normal: Normalisation,
    draw: np.random.Generator,
) -> None:
    """Keys that know some channels; the first and the last key know all."""
    print("\npartial keys             " + "".join(f"{method.name:>12s}" for method in found))
    root = np.array([True, True, True, False, False, False])
    half = draw.random(whole.shape) < 0.5
    cases = {
        "base only": whole & root,
        "joints only": whole & ~root,
        "heights and angles of the base": whole & np.array([False, True, True, *[False] * 3]),
        "a random half of all values": whole & half,
        "all but the head": whole & np.array([*[True] * 5, False]),
    }
    for label, known in cases.items():
        known = known.copy()
        known[:, [0, -1]] = True
        errors = [frame_error(each.complete(states, known), states, normal) for each in found]
        print(f"  {label:32s}" + "".join(f"{error:12.4f}" for error in errors))


def _sizes(work: Path, hops: HopDatabase) -> None:
    """Models of the plan `sizes`, which all were trained equally long."""
    ready = prepared(PLANS["sizes"], hops)
    states, keys, _ = sequences_of(hops, ready)
    whole = virtual_keys(keys, *states.shape[1:])
    fewer = deleted(whole, DELETED, np.random.default_rng(0))
    _, counts, steps = trained("sizes", work)
    print(f"\ntraining sequences, {steps} steps    all keys    0-2 deleted")
    for index, count in enumerate(counts):
        complete = network(framed_model(work, "sizes", ready, index))
        errors = [
            frame_error(complete(states, known), states, ready.normalisation)
            for known in (whole, fewer)
        ]
        print(f"  {count:6d}" + "".join(f"{error:22.4f}" for error in errors))


if __name__ == "__main__":
    main()
