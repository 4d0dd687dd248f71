"""Completion of held-out hops: our network against splines and the networks of Zhang (2018).

    python benchmarks/autocomplete_table.py --hops HOPS.npz --work FOLDER

All see the same keys of the same sequences, of search runs that none was trained on. Errors are
mean squares of z-scored channels (mean and standard deviation of all training frames of the plan
`residual`); mean and standard deviation over seeds. What was not trained is left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.autocomplete.hops.database import HopDatabase, read_database
from arcwright.tools.autocomplete.train.plans import PLANS, Prepared, prepared
from arcwright.tools.autocomplete.train.queries import DELETED, deleted, virtual_keys
from arcwright.tools.autocomplete.train.sequences import Normalisation
from arcwright.tools.autocomplete.train.trained import trained
from autocomplete_measures import ballistic_error, frame_error, key_error, penetration, slide
from autocomplete_methods import (
    ABLATIONS,
    PAPER,
    Complete,
    Method,
    framed_models,
    methods,
    network,
    sequences_of,
    spread,
    steps_of,
)
from autocomplete_paper import drawn, paper_tables

SPACINGS = (4, 8, 16, 24, 32, 46)  # frames between keys


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hops", required=True)
    parser.add_argument("--work", required=True, type=Path)
    given = parser.parse_args()
    hops = read_database(given.hops)
    ready = prepared(PLANS["residual"], hops)
    states, keys, _ = sequences_of(hops, ready)
    every, normal = methods(given.work, ready, (*PAPER, *ABLATIONS)), ready.normalisation
    found = [each for each in every if each.name not in ABLATIONS]
    print(f"{len(ready.train)} sequences to train on, {len(states)} held out")
    for method in every[1:]:
        name = "residual" if method.name == "ours" else method.name
        print(f"  {method.name:18s}{steps_of(given.work, name)} steps, {len(method.models)} seeds")
    draw = np.random.default_rng(0)
    whole = virtual_keys(keys, *states.shape[1:])
    fewer = deleted(whole, DELETED, draw)
    _frames(every, states, whole, fewer, normal)
    paper_tables(every, states, whole, fewer, normal)
    _edits(found, states, whole, keys, normal, draw)
    _partial([each for each in found if each.partial], states, whole, normal, draw)
    _spacings(found, states, normal)
    if (given.work / "sizes.npz").exists():
        _sizes(given.work, hops, ready)
    drawn(found, given.work, states, whole)


def _error(model: Complete, states: Floats, known: Bools, normal: Normalisation) -> float:
    return frame_error(model(states, known), states, normal)


def _frames(
    every: list[Method], states: Floats, whole: Bools, fewer: Bools, normal: Normalisation
) -> None:
    print(f"\n{'frames':20s}{'all keys: key':20s}{'frame':20s}{'0-2 deleted: key':20s}frame")
    for method in every:
        cells = []
        for known in (whole, fewer):
            completed = [model(states, known) for model in method.models]
            key = np.array([key_error(each, states, known, normal) for each in completed])
            frame = np.array([frame_error(each, states, normal) for each in completed])
            cells += [spread(key), spread(frame)]
        print(f"  {method.name:18s}" + "".join(f"{cell:20s}" for cell in cells))


def _spacings(found: list[Method], states: Floats, normal: Normalisation) -> None:
    """Keys at even distances, wherever hops begin and end."""
    print(f"\n{'frames between keys':20s}" + "".join(f"{each.name:20s}" for each in found))
    for spacing in SPACINGS:
        known = np.zeros(states.shape, bool)
        known[:, ::spacing] = known[:, -1] = True
        errors = [
            each.each(lambda model, known=known: _error(model, states, known, normal))  # type: ignore[misc]
            for each in found
        ]
        print(f"  {spacing:<18d}" + "".join(f"{spread(each):20s}" for each in errors))


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
            print(_physics("truth", [states], None, None, normal))
        for method in found:
            completed = [model(edited, known) for model in method.models]
            print(_physics(method.name, completed, edited, known, normal))


def _physics(
    name: str,
    completed: list[Floats],
    edited: Floats | None,
    known: Bools | None,
    normal: Normalisation,
) -> str:
    """Means over the models of a method."""
    off = 0.0
    if edited is not None and known is not None:
        off = np.mean([key_error(each, edited, known, normal) ** 0.5 for each in completed])
    numbers = [
        np.mean([measure(each) for each in completed])
        for measure in (ballistic_error, penetration, slide)
    ]
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
    print(f"\n{'partial keys':32s}" + "".join(f"{method.name:20s}" for method in found))
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
        errors = [
            each.each(lambda model, known=known: _error(model, states, known, normal))  # type: ignore[misc]
            for each in found
        ]
        print(f"  {label:30s}" + "".join(f"{spread(error):20s}" for error in errors))


def _sizes(work: Path, hops: HopDatabase, ready: Prepared) -> None:
    """Models of the plan `sizes`, which all were trained equally long."""
    own = prepared(PLANS["sizes"], hops)
    states, keys, _ = sequences_of(hops, ready)
    whole = virtual_keys(keys, *states.shape[1:])
    fewer = deleted(whole, DELETED, np.random.default_rng(0))
    found, models = trained("sizes", work), framed_models(work, "sizes", own)
    print(f"\ntraining sequences, {found.steps} steps    all keys            0-2 deleted")
    for count in np.unique(found.counts):
        some = [network(models[index]) for index in np.flatnonzero(found.counts == count)]
        method = Method("ours", tuple(some))
        cells = [
            spread(method.each(lambda m, known=k: _error(m, states, known, ready.normalisation)))  # type: ignore[misc]
            for k in (whole, fewer)
        ]
        print(f"  {count:<30d}" + "".join(f"{cell:20s}" for cell in cells))


if __name__ == "__main__":
    main()
