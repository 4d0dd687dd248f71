"""Blend overlay: the blend space of a puppet on a board beside it, with the point it is at."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.overlay import CurveOverlay, MarkersOverlay, Overlay, TextOverlay
from arcwright.tools.puppet.locomotion.blend_space import BlendSpace

WIDE, HIGH = 0.5, 0.3  # of the puppet's size
ASIDE, ABOVE = 0.35, 0.9  # of its size, from its place to the lower corner of the board


def blend_overlay(
    space: BlendSpace, point: Floats | None, place: Floats, size: float
) -> tuple[Overlay, ...]:
    """The clips and what lies between them; `point` (2,) is where the puppet is, if it blends."""
    corner = place + size * np.array([ASIDE, ABOVE, 0.0])

    def on_board(points: Floats) -> Floats:
        """(N, 3) m: speed to the right, height up."""
        flat = np.atleast_2d(points) * size * [WIDE, HIGH]
        return np.asarray(corner + np.column_stack([flat, np.zeros(len(flat))]))

    edges: list[Overlay] = [
        CurveOverlay(on_board(space.points[list(pair)]), "reference") for pair in space.edges
    ]
    clips = on_board(space.points)
    names = zip(space.clips, clips, strict=True)
    texts = [TextOverlay(clip.name, at, "reference") for clip, at in names]
    found = [*edges, MarkersOverlay(clips, "reference"), *texts]
    return (*found, MarkersOverlay(on_board(point), "edit")) if point is not None else tuple(found)
