"""Stripes: a trail as it was before an edit."""

from __future__ import annotations

import numpy as np

from arcwright.picture.camera import Camera
from arcwright.picture.canvas import Fragments, colour
from arcwright.picture.lines import flat_line
from arcwright.picture.trails import Trail

WAS = (colour("#d5dae2"), colour("#4a515d"))
STRIPE = 14.0  # samples of each


def draw_striped(trail: Trail, camera: Camera, weight: float, through: float) -> list[Fragments]:
    """A trail as it was before an edit: thinner, in grey stripes, without ticks and keys."""
    screen = camera.project(trail.place)
    screen[:, 2] *= 1.0005
    with np.errstate(invalid="ignore"):
        steps = np.nan_to_num(np.hypot(*np.diff(screen[:, :2], axis=0).T))
    way = np.append(0.0, np.cumsum(steps))
    fine = np.arange(0.0, way[-1], 2.0)
    if len(fine) < 2:
        return []
    table = np.empty((len(fine), 8))
    for column in range(3):
        table[:, column] = np.interp(fine, way, screen[:, column])
    table[:, 3] = weight * 0.7
    light = (fine // STRIPE % 2 == 0)[:, None]
    table[:, 4:7] = np.where(light, WAS[0], WAS[1])
    table[:, 7] = 0.9
    size = camera.width, camera.height
    ghost = table.copy()
    ghost[:, 2] = 9e2
    ghost[:, 7] *= through
    return [flat_line(table, *size), flat_line(ghost, *size)]
