"""Completed hops as pictures: curves and strips of held-out sequences, beside truth and splines.

    python benchmarks/autocomplete_pictures.py --hops HOPS.npz --out FOLDER [--model lamp] [--row 0]

Curves: truth green, splines grey, the model blue, other answers faint, keys orange.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.characters import built_in
from arcwright.picture.strip import strip
from arcwright.picture.strobe import strobe
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.hops.database import read_database
from arcwright.tools.autocomplete.hops.lamp import COLUMNS
from arcwright.tools.autocomplete.hops.lamp_take import take_of
from arcwright.tools.autocomplete.key_spline import KeyedValues, interpolated
from arcwright.tools.autocomplete.network.completion_model import CompletionModel
from arcwright.tools.autocomplete.train.plans import PLANS, prepared
from arcwright.tools.autocomplete.train.sequences import FRAME_TIME, timed_sequences
from drawing.plots import Curve, plot
from drawing.small_png import write_small

TRUTH, SPLINE, MODEL, OTHER, KEYS = "#4fd18b", "#8a94a0", "#5b9bff", "#2b4a7d", "#f2a93b"
SIDE = (1.0, -0.08, 0.0)
APART = 0.16  # m between poses of a strip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hops", required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--model", default="lamp")
    parser.add_argument("--row", type=int, default=0, help="of those held out")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    hops, model = read_database(given.hops), CompletionModel.load(given.model)
    row = prepared(replace(PLANS["lamp"], timed=False), hops).test[given.row]
    test = timed_sequences(hops.rows(np.array([row])))
    frames = np.unique(test.keys[0])
    states = test.states[0, : frames[-1] + 1]
    cases = {
        "all_keys": KeyedValues(frames * FRAME_TIME, states[frames]),
        "sparse": _without(frames, states, (5, 6)),
        "base_only": _base_only(frames, states),
        "higher": _higher(frames, states, 1.5),
    }
    for name, keys in cases.items():
        truth = None if name == "higher" else states
        write_small(_curves(model, keys, truth, len(states)), given.out / f"{name}_curves.png")
        write_small(_strips(model, keys, truth, len(states)), given.out / f"{name}_strip.png")
        far = model.distance_to_examples(keys)
        print(f"{name}: {far:.2f} times as far from the examples as is usual at most")


def _without(frames: AnyArray, states: Floats, left_out: tuple[int, ...]) -> KeyedValues:
    kept = np.delete(frames, left_out)
    return KeyedValues(kept * FRAME_TIME, states[kept])


def _base_only(frames: AnyArray, states: Floats) -> KeyedValues:
    known = np.zeros((len(frames), 6), bool)
    known[:, :3] = known[[0, -1]] = True
    return KeyedValues(frames * FRAME_TIME, states[frames], known)


def _higher(frames: AnyArray, states: Floats, factor: float) -> KeyedValues:
    values = states[frames].copy()
    values[2::3, 1] *= factor  # start, then lift-off, apex and landing of each hop
    return KeyedValues(frames * FRAME_TIME, values)


def _curves(
    model: CompletionModel, keys: KeyedValues, truth: Floats | None, count: int
) -> AnyArray:
    times = np.arange(count) * FRAME_TIME
    fine = np.linspace(0, times[-1], 4 * count)
    answers, spline = model.complete(keys, fine, 5), interpolated(keys, fine)
    panels = []
    for column, name in enumerate(COLUMNS):
        known = keys.known[:, column]
        curves = [Curve(fine, each[:, column], OTHER) for each in answers[1:]]
        curves.append(Curve(fine, spline[:, column], SPLINE))
        if truth is not None:
            curves.append(Curve(times, truth[:, column], TRUTH))
        curves.append(Curve(fine, answers[0, :, column], MODEL))
        curves.append(Curve(keys.times[known], keys.values[known, column], KEYS, rings=True))
        unit = "m" if column < 2 else "rad"
        panels.append(plot(curves, f"{name}, {unit}", (1000, 190), x_label="s"))
    return np.concatenate(panels)


def _strips(
    model: CompletionModel, keys: KeyedValues, truth: Floats | None, count: int
) -> AnyArray:
    times = np.arange(count) * FRAME_TIME
    panels = [(_drawn(interpolated(keys, times)), "splines")]
    panels.append((_drawn(model.complete(keys, times)[0]), model.name))
    if truth is not None:
        panels.insert(0, (_drawn(truth), "simulated"))
    return strip(panels, columns=1)


def _drawn(states: Floats) -> AnyArray:
    """Every second pose of the middle of a sequence, side by side."""
    rows = np.arange(len(states) // 4, len(states) - 4, 2)[:26]
    shown = states[rows].copy()
    shown[:, 0] += np.arange(len(rows)) * APART - shown[0, 0]
    lamp = built_in("lamp")
    take: Take = take_of(lamp.characters[0].rig, shown)
    scene = replace(lamp, characters=(replace(lamp.characters[0], takes=(take,)),), constraints=())
    drawn = {"spread": False, "view": SIDE, "points": ("Base",), "labels": False, "title": ""}
    return strobe(scene, take=take.name, every=1, size=(1300, 200), **drawn)


if __name__ == "__main__":
    main()
