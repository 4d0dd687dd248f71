"""What a composition did to the objects of a shot, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.flow.arap import distortion, points_of
from arcwright.tools.flow.model import Bent
from arcwright.tools.flow.prepared_shot import PreparedShot


@dataclass(frozen=True)
class ObjectMeasures:
    """Of one bent object."""

    name: str
    flips: int  # triangles of its grid that are turned over
    distortion_p95: float  # ratio of singular values
    contact_drift_px: float  # largest; 0 without contacts
    contact_drift_share: float  # the same in space, of the object's size


def measures(prepared: PreparedShot, bent: Bent) -> tuple[ObjectMeasures, ...]:
    """Of every object that differs from rest."""
    return tuple(_measured(prepared, bent, index) for index in sorted(bent.states))


def _measured(prepared: PreparedShot, bent: Bent, index: int) -> ObjectMeasures:
    grid, state = prepared.grids[index], bent.states[index]
    large, small = distortion(grid.rest, state, grid.grid.triangles)
    drift, share = _drift(prepared, bent, index)
    ratio = large / np.maximum(np.abs(small), 1e-9)
    return ObjectMeasures(
        prepared.names[index],
        int((small <= 0).sum()),
        float(np.percentile(ratio, 95)),
        drift,
        share,
    )


def _drift(prepared: PreparedShot, bent: Bent, index: int) -> tuple[float, float]:
    """How far the places move at which an object touches others: px, and share of its size."""
    places = [points for a, b, points in prepared.contacts if index in (a, b)]
    if not places:
        return 0.0, 0.0
    points = np.concatenate(places)
    pixels = prepared.view.project(points)
    known = np.isfinite(pixels).all(1)
    points, pixels = points[known], pixels[known]
    if not len(points):
        return 0.0, 0.0
    by = _shift(prepared, bent, index, pixels)
    away = prepared.view.distance(points)
    view = prepared.view
    moved = view.at_distance(pixels + by, away) - view.at_distance(pixels, away)
    far = float(np.sqrt((moved**2).sum(1)).max())
    return float(np.sqrt((by**2).sum(1)).max()), far / prepared.objects[index].size


def _shift(prepared: PreparedShot, bent: Bent, index: int, pixels: Floats) -> Floats:
    grid = prepared.grids[index]
    corners, shares = grid.grid.locate(pixels)
    by = points_of(bent.states[index] - grid.rest)
    shift: Floats = (by[corners] * shares[..., None]).sum(1)
    return shift
