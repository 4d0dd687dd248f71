"""Tables 3.1 and 4.1 and figure 4.8 of Zhang (2018) from our trainings, and their curves.

`autocomplete_table.py` calls these. The paper does not state how its losses are normalised, so
that only ratios within a table compare; those of its rows are printed beside ours.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Bools, Floats
from arcwright.errors import BadFile
from arcwright.tools.autocomplete.hops.lamp import COLUMNS
from arcwright.tools.autocomplete.train.sequences import Normalisation
from arcwright.tools.autocomplete.train.trained import trained
from autocomplete_measures import frame_error, key_error
from autocomplete_methods import Method, spread
from drawing.plots import Curve, plot
from drawing.small_png import write_small

PUBLISHED = {  # key loss, frame loss; the sum printed for the segregated network is another
    "arnn": (0.00100392, 0.00395658),
    "arnn-plain": (0.00120846, 0.00670011),
    "feed-forward": (0.000183804, 0.0081695),
    "segregated": (0.00124264, 0.0160917),
}
TABLES = {"3.1": ("arnn", "arnn-plain"), "4.1": ("arnn", "feed-forward", "segregated")}
COLOURS = "arnn blue, arnn-plain grey, feed-forward orange, segregated violet, ours green"
COLOURS_4_8 = "feed-forward orange, segregated violet, ARNN blue"
TINTS = {
    "arnn": "#5b9bff",
    "arnn-plain": "#8a94a0",
    "feed-forward": "#f2a93b",
    "segregated": "#d46bd4",
    "residual": "#4fd18b",
}
SHOWN = ("feed-forward", "segregated", "arnn")  # in figure 4.8
LATE = 0.8  # share of the steps after which a curve should be level


def paper_tables(
    found: list[Method], states: Floats, whole: Bools, fewer: Bools, normal: Normalisation
) -> None:
    """Losses with all keys and with 0 to 2 deleted, and ratios to the ARNN's, ours and theirs."""
    named = {each.name: each for each in found}
    for title, names in TABLES.items():
        rows = [name for name in names if name in named]
        for label, known in (("all keys", whole), ("0-2 keys deleted", fewer)):
            print(
                f"\ntable {title}, {label}: mean squares of z-scores; ratios to the ARNN (paper's)"
            )
            print(f"  {'':14s}{'key':20s}{'frame':20s}{'total':20s}frame ratio     total ratio")
            losses = {name: _losses(named[name], states, known, normal) for name in rows}
            for name, own in losses.items():
                cells = "".join(f"{spread(each):20s}" for each in own)
                print(f"  {name:14s}{cells}{_ratios(name, losses)}")


def _losses(method: Method, states: Floats, known: Bools, normal: Normalisation) -> list[Floats]:
    """(M,) key loss, frame loss and their sum."""
    completed = [model(states, known) for model in method.models]
    key = np.array([key_error(each, states, known, normal) for each in completed])
    frame = np.array([frame_error(each, states, normal) for each in completed])
    return [key, frame, key + frame]


def _ratios(name: str, losses: dict[str, list[Floats]]) -> str:
    if "arnn" not in losses:
        return ""
    ours = [losses[name][part].mean() / losses["arnn"][part].mean() for part in (1, 2)]
    (key, frame), (first_key, first_frame) = PUBLISHED[name], PUBLISHED["arnn"]
    theirs = (frame / first_frame, (key + frame) / (first_key + first_frame))
    pairs = zip(ours, theirs, strict=True)
    return "    ".join(f"{own:.2f} ({their:.2f})" for own, their in pairs)


def drawn(found: list[Method], work: Path, states: Floats, whole: Bools) -> None:
    """Figure 4.8 and the curves of training, into the folder of the trainings."""
    named = {each.name: each for each in found}
    if set(SHOWN) <= named.keys():
        write_small(figure_4_8(named, states[:1], whole[:1]), work / "figure_4_8.png")
    curves, lines = [], []
    for name, tint in TINTS.items():
        try:
            own = trained(name, work)
        except BadFile:
            continue
        errors, share = own.curves["held_out_frame"], own.curve_steps / own.steps
        curves += [Curve(share, np.minimum(each, 2.0), tint) for each in errors.T]
        before, after = (errors[share >= part].mean(0) for part in (LATE, (1 + LATE) / 2))
        lines.append(f"  {name:16s}{spread(before):20s}{spread(after):20s}{spread(errors[-1])}")
    if curves:
        parts = (f"last {1 - LATE:.0%}", f"last {(1 - LATE) / 2:.0%}", "at the end")
        print(f"\n{'held-out error':18s}" + "".join(f"{part:20s}" for part in parts))
        print("\n".join(lines))
        title = f"held-out frame error: {COLOURS}"
        picture = plot(curves, title, (1000, 360), x_label="share of steps")
        write_small(picture, work / "training_curves.png")


def figure_4_8(named: dict[str, Method], states: Floats, whole: Bools) -> AnyArray:
    """Base position and angles of one sequence by each network; the truth is grey."""
    panels, frames = [], np.arange(states.shape[1], dtype=float)
    keys = np.flatnonzero(whole[0].any(axis=1))
    for column in (0, 1, 3):
        curves = [Curve(frames, states[0, :, column], "#8a94a0")]
        for name in SHOWN:
            completed = named[name].models[0](states, whole)
            curves.append(Curve(frames, completed[0, :, column], TINTS[name]))
        curves.append(Curve(frames[keys], states[0, keys, column], "#e8e8e8", rings=True))
        unit = "m" if column < 2 else "rad"
        title = f"{COLUMNS[column]}, {unit}: truth grey, {COLOURS_4_8}"
        panels.append(plot(curves, title, (1000, 260), x_label="frame"))
    return np.concatenate(panels)
