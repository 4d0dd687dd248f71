"""Wires: polylines in space through one camera: strands, cloth and stick figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import SUPERSAMPLING, colour, composite, to_srgb
from arcwright.picture.lines import line

BLUE, YELLOW, GREEN = "#5b9bff", "#f2c94c", "#4fd18b"
GROUND = "#14161b"


@dataclass(frozen=True, eq=False)
class Wire:
    """A polyline: places (P, 3) m, its colour, and its radius in pixels."""

    places: Floats
    tint: str
    radius: float = 1.2
    alpha: float = 1.0


def draw_wires(wires: Sequence[Wire], camera: Camera) -> AnyArray:
    """(H, W, 3) uint8."""
    finer = camera.finer(SUPERSAMPLING)
    layers = [
        line(finer, each.places, SUPERSAMPLING * each.radius, colour(each.tint), each.alpha)
        for each in wires
    ]
    ground = np.broadcast_to(colour(GROUND), (camera.height, camera.width, 3))
    light = composite(layers, np.array(ground, np.float32))
    return np.asarray((to_srgb(light) * 255).round().clip(0, 255).astype(np.uint8))
