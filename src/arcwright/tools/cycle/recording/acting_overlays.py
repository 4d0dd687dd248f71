"""Overlays of a recording: the live path, each acted cycle, the loop, its period and others."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.cycle.extraction.period import Candidate
from arcwright.tools.cycle.recording.acted_loop import ActedLoop
from arcwright.tools.cycle.recording.performed_item import PerformedItem
from arcwright.tools.cycle.recording.performed_layer import PerformedLayer
from arcwright.tools.overlay import (
    Choice,
    ChoicesOverlay,
    CurveOverlay,
    HandleOverlay,
    Overlay,
    TextOverlay,
)

CUT = "cut"  # the handle's name
MOST_CYCLES = 8  # drawn as ghosts, the latest
MOST_POINTS = 120  # of a ghost
CHOICES = 5  # periods


def acting_overlays(
    layer: PerformedLayer | None, item: PerformedItem, live: Floats | None, place: Floats
) -> tuple[Overlay, ...]:
    """What is drawn while acting and after; `place` (3,) m is where texts stand without a path."""
    found: list[Overlay] = []
    if live is not None and len(live) > 1:
        found.append(CurveOverlay(live, "reference"))
    if layer is None:
        return tuple(found)
    acted = layer.acted
    at = _text_at(layer, item, place) if live is None else live[-1]
    if layer.timing is not None:
        found += _cycles(layer, item)
        found += _loop(layer, item)
        count = int((acted.weights > 0).sum())
        cycles = "1 cycle" if count == 1 else f"{count} cycles"
        ratio = f" · {layer.timing.ratio}" if layer.timing.ratio else ""
        found.append(TextOverlay(f"{acted.period:.2f} s · {cycles}{ratio}", at))
    choices = _choices(acted)
    return (*found, *(() if choices is None else (choices,)))


def _text_at(layer: PerformedLayer, item: PerformedItem, place: Floats) -> Floats:
    """Where the loop begins, or `place` where it has none."""
    path = None if layer.timing is None else item.path(layer.acted.at(np.zeros(1)))
    return place if path is None else path[0]


def _cycles(layer: PerformedLayer, item: PerformedItem) -> list[Overlay]:
    path = item.path(layer.mapped.samples.values)
    if path is None:
        return []
    time, ghosts = layer.mapped.samples.time, []
    for start, end in list(pairwise(layer.acted.cuts.tolist()))[-MOST_CYCLES:]:
        own = path[(time >= start) & (time <= end)]
        if len(own) > 1:
            ghosts.append(CurveOverlay(own[:: max(1, len(own) // MOST_POINTS)], "guide"))
    return list(ghosts)


def _loop(layer: PerformedLayer, item: PerformedItem) -> list[Overlay]:
    assert layer.timing is not None
    path = item.path(layer.acted.at(np.arange(MOST_POINTS) / MOST_POINTS))
    if path is None:
        return []
    first = item.path(layer.acted.at(layer.timing.phases(np.zeros(1))))
    assert first is not None
    return [CurveOverlay(path, "edit", closed=True), HandleOverlay(CUT, first[0], "tick")]


def _choices(acted: ActedLoop) -> ChoicesOverlay | None:
    """Periods to choose from; where nothing repeats, a single cycle that can be closed."""
    if acted.reason is None and not acted.alternatives:
        return None
    chosen = 0
    if acted.reason is None and acted.single is None:
        listed = sorted(_offered(acted), key=lambda each: (not each.trusted, each.score))
        shown = [_choice(each.period, acted.period) for each in listed[:CHOICES]]
        near = [abs(np.log(each.period / acted.period)) for each in listed[:CHOICES]]
        chosen = int(np.argmin(near))
        shown[chosen] = replace(shown[chosen], label=f"{acted.period:.2f} s")  # as the curve says
    elif acted.single is not None:
        shown = [
            Choice("No loop", None),
            Choice(f"One cycle, {acted.single:.2f} s", round(acted.single, 3)),
        ]
        chosen = int(acted.reason is None)
    else:
        return None
    return ChoicesOverlay("period", "Period", tuple(shown), chosen)


def shape_choices(shape: str) -> ChoicesOverlay:
    """How the loop is made of the acted cycles."""
    names = {"average": "Average", "best": "Best", "latest": "Latest"}
    shown = tuple(Choice(label, name) for name, label in names.items())
    return ChoicesOverlay("shape", "Shape", shown, list(names).index(shape))


def _offered(acted: ActedLoop) -> list[Candidate]:
    """Periods with which it does repeat, and the one that was chosen."""
    near = min(acted.alternatives, key=lambda each: abs(np.log(each.period / acted.period)))
    return [each for each in acted.alternatives if each.trusted or each is near]


def _choice(period: float, now: float) -> Choice:
    names = {0.5: "half, ", 2.0: "double, "}
    near = next((name for size, name in names.items() if abs(period / now / size - 1) < 0.08), "")
    return Choice(f"{near}{period:.2f} s", round(period, 3))


def nearest_phase(layer: PerformedLayer, item: PerformedItem, position: Floats) -> float | None:
    """The phase of the loop nearest to a position; None for what has no path."""
    phases = np.arange(4 * MOST_POINTS) / (4 * MOST_POINTS)
    path = item.path(layer.acted.at(phases))
    if path is None:
        return None
    return float(phases[int(np.linalg.norm(path - position, axis=1).argmin())])
