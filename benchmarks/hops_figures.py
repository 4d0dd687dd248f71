"""Figures 3.4, 3.5 and 3.7 of Zhang (2018) again, a contact sheet of a database, and films.

    python benchmarks/hops_figures.py HOPS.npz OUT_FOLDER [RUN]

3.4 is one run of the paper's search (number RUN, of seed 1), 3.5 one sequence of the database. For
3.7 the paper gives the kind of both schedules and no constants: those here are ours.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.characters import built_in
from arcwright.picture.film import film
from arcwright.picture.strip import strip
from arcwright.picture.strobe import strobe
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.hops.annealing import Trace, paper_search
from arcwright.tools.autocomplete.hops.database import HopDatabase, read_database
from arcwright.tools.autocomplete.hops.lamp import COLUMNS, Lamp
from arcwright.tools.autocomplete.hops.lamp_take import take_of
from arcwright.tools.autocomplete.hops.pose_graph import graph_of
from arcwright.tools.autocomplete.hops.simulation import simulate
from drawing.plots import Curve, plot
from drawing.small_png import write_small

ORANGE, BLUE, GREEN = "#f2a93b", "#5b9bff", "#4fd18b"
EPOCHS = 60_000
SHEET = 24  # sequences of the contact sheet, evenly over the database
SIDE = (1.0, -0.08, 0.0)  # direction to look along
FILMED = (0.15, 0.85)  # of the database, by distance


def main() -> None:
    hops, folder = read_database(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    draw_annealing(folder / "figure_3_4.png", int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    draw_sequence(folder / "figure_3_5.png", hops, 0)
    draw_schedules(folder / "figure_3_7.png")
    draw_sheet(folder / "contact_sheet.png", hops)
    for share in FILMED:
        draw_film(folder / f"hops_{round(100 * share)}.png", hops, share)


def draw_annealing(path: Path, run: int) -> None:
    traces: list[Trace] = []
    paper_search(Lamp(), (1, run), traces.append)
    step = np.arange(len(traces), dtype=float)
    parts = [
        ("energy of candidates (blue) and of the current graph (orange)", ("energy", "current")),
        ("probability of acceptance", ("acceptance",)),
        ("temperature", ("temperature",)),
    ]
    panels = []
    for title, names in parts:
        rows = [np.array([getattr(each, name) for each in traces]) for name in names]
        curves = [Curve(step, row, tint) for row, tint in zip(rows, (BLUE, ORANGE), strict=False)]
        panels.append(plot(curves, title, x_label="iteration"))
    write_small(np.concatenate(panels), path)


def draw_sequence(path: Path, hops: HopDatabase, row: int) -> None:
    states, keys = hops.states[row].astype(float), hops.keys[row]
    frames = np.arange(len(states), dtype=float)
    panels = []
    for column, name in enumerate(COLUMNS):
        unit = "m" if column < 2 else "rad"
        curve = Curve(frames, states[:, column], BLUE)
        rings = Curve(frames[keys], states[keys, column], ORANGE, rings=True)
        panels.append(plot([curve, rings], f"{name}, {unit}", (900, 180), x_label="frame"))
    write_small(np.concatenate(panels), path)


def draw_schedules(path: Path) -> None:
    epoch = np.linspace(0, EPOCHS, 600)
    share = epoch / EPOCHS
    forced = _sigmoid((0.25 - share) / 0.04)  # within the first half
    importance = _sigmoid((share - 0.75) / 0.04)  # within the second half
    panels = [
        plot([Curve(epoch, forced, GREEN)], "teacher forcing ratio", x_label="epoch"),
        plot([Curve(epoch, importance, BLUE)], "key importance, as a share", x_label="epoch"),
    ]
    write_small(np.concatenate(panels), path)


def _sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def draw_sheet(path: Path, hops: HopDatabase) -> None:
    rows = np.linspace(0, len(hops) - 1, min(SHEET, len(hops))).round().astype(int)
    panels = []
    for row in rows:
        lift, apex, land = (hops.states[row, hops.keys[row, at]] for at in (3, 4, 5))
        far, high = land[0] - lift[0], apex[1]
        caption = f"run {hops.run[row]}: {100 * far:.0f} cm, {100 * high:.0f} cm"
        panels.append((drawn(spread_out(hops, row)), caption))
    write_small(strip(panels, columns=4, title=f"{len(rows)} of {len(hops)} sequences"), path)


def spread_out(hops: HopDatabase, row: int) -> Take:
    """Poses before, in and after the second hop, 60 ms apart, set side by side."""
    lamp = built_in("lamp").characters[0]
    run = simulate(Lamp(), graph_of(hops.policy[row].astype(float)))
    time = np.arange(len(run.states)) * run.step
    first = float(_moment(hops, row, 3, run.states))
    shown = first + np.arange(-5, 13) * 0.06
    states = np.stack([np.interp(shown, time, column) for column in run.states.T], axis=1)
    states[:, 0] += np.arange(len(shown)) * 0.15 - states[0, 0]
    return take_of(lamp.rig, states)


def _moment(hops: HopDatabase, row: int, key: int, states: AnyArray) -> float:
    """When the run is where a key of its sequence is, s."""
    wanted = hops.states[row, hops.keys[row, key]]
    return float(np.abs(states - wanted).sum(axis=1).argmin()) * 0.002


def scene_of(take: Take) -> Scene:
    scene = built_in("lamp")
    actor = replace(scene.characters[0], takes=(take,))
    return replace(scene, characters=(actor,), constraints=())


def drawn(take: Take) -> AnyArray:
    shown = {"spread": False, "view": SIDE, "points": ("Base",), "labels": False, "title": ""}
    return strobe(scene_of(take), take=take.name, every=1, size=(620, 130), **shown)


def draw_film(path: Path, hops: HopDatabase, share: float) -> None:
    """The whole run of a sequence, from rest to rest."""
    far = hops.states[:, -1, 0] - hops.states[:, 0, 0]
    row = int(np.argsort(far)[round(share * (len(hops) - 1))])
    run = simulate(Lamp(), graph_of(hops.policy[row].astype(float)))
    take = take_of(built_in("lamp").characters[0].rig, run.states[::10], 50.0)
    film(scene_of(take), path, rate=25.0, size=(640, 300), view=SIDE, points=("Base",))


if __name__ == "__main__":
    main()
