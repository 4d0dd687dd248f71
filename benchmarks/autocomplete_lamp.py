"""The shipped model of the lamp on hops in real time that were held out: errors, answers, speed.

    python benchmarks/autocomplete_lamp.py --hops HOPS.npz [--model lamp]

Errors are mean squares of z-scored channels over all frames between the first and the last key.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.autocomplete.hops.database import read_database
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated, window
from arcwright.tools.autocomplete.network.completion_model import SHIPPED, CompletionModel
from arcwright.tools.autocomplete.train.plans import PLANS, prepared
from arcwright.tools.autocomplete.train.queries import DELETED, deleted, virtual_keys
from arcwright.tools.autocomplete.train.sequences import FRAME_TIME, Sequences
from autocomplete_measures import ballistic_error, penetration, slide

ANSWERS = 5
RUNS = 200  # of what is timed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hops", required=True)
    parser.add_argument("--model", default="lamp")
    given = parser.parse_args()
    model = CompletionModel.load(given.model)
    ready = prepared(PLANS["lamp"], read_database(given.hops))
    print(f"{model.name}: {model.file.about}; {len(ready.test)} held out")
    for name, layout in zip(("93 frames of the paper", "real time"), ready.layouts, strict=True):
        test, train = layout.part(ready.test), layout.part(ready.train)
        print(f"\n{name}: frame error (rms)      PCHIP               model     unlike the examples")
        for label, known in _cases(test):
            _compared(model, test, known, label)
        print(f"\n{name}: {ANSWERS} answers")
        for label, known in list(_cases(test))[:3]:
            _answers(model, test, train, known, label)
    _physics(model, ready.layouts[0].part(ready.test))
    _speed(model, ready.layouts[0].part(ready.test))


def _queries(sequences: Sequences, known: Bools) -> Iterator[tuple[KeyedValues, Floats, Floats]]:
    """Keys, times and states between the first and last key of each sequence."""
    for states, own in zip(sequences.states, known, strict=True):
        rows = np.flatnonzero(own.any(axis=1))
        frames = np.arange(rows[0], rows[-1] + 1)
        keys = KeyedValues(rows * FRAME_TIME, states[rows], own[rows])
        yield keys, frames * FRAME_TIME, states[frames]


def _cases(test: Sequences) -> Iterator[tuple[str, Bools]]:
    """Key sets of the held-out sequences; the first and the last key know all channels."""
    draw = np.random.default_rng(0)
    count, channels = test.states.shape[1:]
    whole = virtual_keys(test.keys, count, channels)
    yield "all keys", whole
    yield "0-2 deleted", deleted(whole, DELETED, draw)
    sparse = whole.copy()
    sparse[:, :, :] = False
    ends = np.sort(test.keys, axis=1)
    for row, keys in zip(sparse, ends, strict=True):
        row[keys[[0, len(keys) // 2, -1]]] = True
    yield "first, middle and last only", sparse
    for gap in (4, 8, 16, 32):
        spaced = np.zeros_like(whole)
        spaced[:, ::gap] = True
        for row, keys in zip(spaced, ends, strict=True):
            row[keys[-1] + 1 :] = False
            row[keys[-1]] = True
        yield f"every {gap} frames", spaced
    for label, channel in (("base only", slice(0, 3)), ("joints only", slice(3, 6))):
        partial = np.zeros_like(whole)
        partial[:, :, channel] = whole[:, :, channel]
        for row, keys in zip(partial, ends, strict=True):
            row[keys[[0, -1]]] = True
        yield label, partial


def _compared(model: CompletionModel, test: Sequences, known: Bools, label: str) -> None:
    errors, flagged = [], []
    for keys, times, states in _queries(test, known):
        own = (interpolated(keys, times), model.complete(keys, times)[0])
        deviation = model.file.deviation
        errors.append([np.square((each - states) / deviation).mean() for each in own])
        flagged.append(model.distance_to_examples(keys) > 1)
    spline, ours = np.mean(errors, axis=0)
    print(
        f"  {label:32s}{spline:8.4f} ({spline**0.5:.3f})   {ours:8.4f} ({ours**0.5:.3f})"
        f"   {100 * np.mean(flagged):4.0f} %"
    )


def _answers(
    model: CompletionModel, test: Sequences, train: Sequences, known: Bools, label: str
) -> None:
    """How far answers differ, beside the motions of examples with the nearest keys."""
    single, best, apart, real = [], [], [], []
    rows = zip(_queries(test, known), known, strict=True)
    for number, ((keys, times, states), own) in enumerate(rows):
        answers = model.complete(keys, times, ANSWERS + 1, seed=number) / model.file.deviation
        truth = states / model.file.deviation
        errors = np.square(answers - truth).mean(axis=(1, 2))
        single.append(errors[0])
        best.append(errors[1:].min())
        apart.append(_apart(answers[1:]))
        real.append(_apart(_alternatives(keys, times, train, own) / model.file.deviation))
    print(
        f"  {label:32s}single {np.mean(single):.4f}, best of {ANSWERS} {np.mean(best):.4f} "
        f"({100 * np.mean(np.less(best, single)):.0f} % better); apart {np.mean(apart):.3f}, "
        f"examples {np.mean(real):.3f} ({100 * np.mean(apart) / np.mean(real):.0f} %)"
    )


def _alternatives(keys: KeyedValues, times: Floats, train: Sequences, known: Bools) -> Floats:
    """(5, T, C) the examples with the nearest keys, made to pass through these keys."""
    rows = np.flatnonzero(known.any(axis=1))
    scale = train.states.std(axis=(0, 1))
    off = (train.states[:, rows] - train.states[:, rows[:1]] - keys.values + keys.values[0]) / scale
    off[..., 1:] = (train.states[:, rows, 1:] - keys.values[:, 1:]) / scale[1:]
    nearest = np.argsort(np.square(off[:, known[rows]]).mean(axis=1))[:ANSWERS]
    frames = np.arange(rows[0], rows[-1] + 1)
    open_window = window(keys, times, open_ends=True)
    made = []
    for states in train.states[nearest]:
        own = KeyedValues(keys.times, states[rows], keys.known)
        residual = states[frames] - interpolated(own, times)
        made.append(interpolated(keys, times) + np.where(open_window > 0, residual, 0))
    return np.array(made)


def _apart(answers: Floats) -> float:
    """Mean rms difference of pairs."""
    pairs = [(a, b) for a in range(len(answers)) for b in range(a)]
    return float(np.mean([np.sqrt(np.square(answers[a] - answers[b]).mean()) for a, b in pairs]))


def _physics(model: CompletionModel, test: Sequences) -> None:
    """Flights and feet over the 93 frames of the paper; apexes are raised."""
    known = virtual_keys(test.keys, *test.states.shape[1:])
    print("\ncentre of mass off ballistic, sole in the ground, slide on the ground (mm)")
    print(_measured("simulated", test.states))
    rows = np.arange(len(test))[:, None]
    for factor in (1.0, 0.7, 1.5, 1.8):
        states = test.states.copy()
        states[rows, test.keys[:, 1::3], 1] *= factor
        queries = list(_queries(replace(test, states=states), known))
        spline = np.stack([interpolated(keys, times) for keys, times, _ in queries])
        completed = np.stack([model.complete(keys, times)[0] for keys, times, _ in queries])
        unlike = np.mean([model.distance_to_examples(keys) > 1 for keys, _, _ in queries])
        print(_measured(f"PCHIP, apex {factor:g} times as high", spline))
        print(_measured("model", completed) + f"   {100 * unlike:4.0f} % unlike the examples")


def _measured(name: str, states: Floats) -> str:
    numbers = (ballistic_error(states), penetration(states), slide(states))
    return f"  {name:32s}" + "".join(f"{1000 * each:9.1f}" for each in numbers)


def _speed(model: CompletionModel, test: Sequences) -> None:
    known = virtual_keys(test.keys, *test.states.shape[1:])
    queries = list(_queries(test, known))
    for answers in (1, ANSWERS):
        taken = []
        for number in range(RUNS):
            keys, times, _ = queries[number % len(queries)]
            start = time.process_time()
            model.complete(keys, times, answers)
            taken.append(1000 * (time.process_time() - start))
        print(f"\n93 frames, {answers} answers: median {np.median(taken):.1f} ms of CPU, ", end="")
        print(f"p95 {np.percentile(taken, 95):.1f} ms")
    taken = []
    for number in range(RUNS):
        start = time.process_time()
        model.distance_to_examples(queries[number % len(queries)][0])
        taken.append(1000 * (time.process_time() - start))
    print(f"distance to the examples: p95 {np.percentile(taken, 95):.1f} ms")
    path = SHIPPED / f"{model.name}.npz"
    if path.exists():
        print(f"file: {path.stat().st_size / 1024:.0f} KB, {model.file.weights.size} weights")


if __name__ == "__main__":
    main()
