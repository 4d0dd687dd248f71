"""Abstract contours: a smooth closed line around an object or a group, tips joined.

Instead of searching for it (`paper_contour.py`), the mask is closed by a disc, whose radius is
the abstraction; its outline is fitted by a closed spline that is pushed out until nothing is
outside.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.tools.flow.distance_field import area, distances, inside_line, outlines
from arcwright.tools.flow.hermite import basis, fitted, resampled, tangents

SAMPLES = 96
_CELLS = 72  # of the longer side of the object
_KNOTS = 14
_PUSHES = 12
_EDGE = 400  # pixels of the edge that must be inside


def abstract_contour(pixels: Floats, abstraction: float = 0.5) -> Floats:
    """A closed line (S, 2) around pixels (N, 2); `abstraction` 0 follows cavities, 1 joins tips."""
    low, high = pixels.min(0), pixels.max(0)
    extent = float(max((high - low).max(), 4.0))
    cell = max(extent / _CELLS, 1.0)
    radius = max(abstraction * 0.5 * extent / cell, 1.5)
    line = _outline(pixels, low, cell, radius)
    return _smooth(line, edge_pixels(pixels, low, high))


def _outline(pixels: Floats, low: Floats, cell: float, radius: float) -> Floats:
    """The outline of the pixels closed by a disc; a larger one where it falls apart."""
    for _ in range(6):
        room = int(np.ceil(radius)) + 3
        index = np.floor((pixels - low) / cell).astype(int) + room
        shape = index.max(0) + room + 1
        inside = np.zeros((shape[1], shape[0]), np.bool_)
        inside[index[:, 1], index[:, 0]] = True
        away = distances(distances(inside) > radius)
        lines = outlines(away - radius + 0.75)
        if len(lines) == 1 or (lines and sum(map(area, lines[1:])) < 0.02 * area(lines[0])):
            break
        if _holes_only(lines):
            break
        radius *= 1.5
    return (lines[0] - room + 0.5) * cell + low


def _holes_only(lines: list[Floats]) -> bool:
    """Whether all smaller outlines lie in the largest one."""
    return all(inside_line(each[:1], lines[0])[0] for each in lines[1:])


def edge_pixels(pixels: Floats, low: Floats, high: Floats) -> Floats:
    """Some of the pixels at the edge of a mask, (E, 2)."""
    index = np.floor(pixels - low).astype(int) + 1
    width, height = (np.floor(high - low).astype(int) + 3).tolist()
    inside = np.zeros((height, width), np.bool_)
    inside[index[:, 1], index[:, 0]] = True
    edge = inside & ~_eroded(inside)
    found = pixels[edge[index[:, 1], index[:, 0]]]
    result: Floats = found[np.linspace(0, len(found) - 1, min(len(found), _EDGE)).astype(int)]
    return result


def _eroded(inside: Bools) -> Bools:
    kept = inside.copy()
    kept[1:] &= inside[:-1]
    kept[:-1] &= inside[1:]
    kept[:, 1:] &= inside[:, :-1]
    kept[:, :-1] &= inside[:, 1:]
    return kept


def _smooth(line: Floats, edge: Floats) -> Floats:
    """A closed spline near the line with the whole edge inside."""
    target = resampled(line, SAMPLES, closed=True)
    parameter = np.arange(SAMPLES) / SAMPLES
    drawn = basis(parameter, _KNOTS, closed=True)
    outward = _outward(target)
    for number in range(_PUSHES):
        spline = fitted(target, parameter, _KNOTS, 1e-7, closed=True)
        smooth = drawn @ spline
        outside = edge[~inside_line(edge, smooth)]
        if not len(outside):
            break
        nearest, away = _nearest(outside, smooth)
        push = np.full(SAMPLES, 0.0 if number < _PUSHES / 2 else float(away.max()))
        np.maximum.at(push, nearest, away + 0.5)
        target = target + 1.3 * _spread(push)[:, None] * outward
    return smooth


def _outward(line: Floats) -> Floats:
    """Unit normals that point out of a closed line."""
    along = tangents(line, closed=True)
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1)
    signed = (line[:, 0] * np.roll(line[:, 1], -1) - line[:, 1] * np.roll(line[:, 0], -1)).sum()
    return normal if signed > 0 else -normal


def _nearest(points: Floats, line: Floats) -> tuple[Ints, Floats]:
    away = np.sqrt(((points[:, None] - line) ** 2).sum(-1))
    nearest: Ints = away.argmin(1)
    return nearest, away[np.arange(len(points)), nearest]


def _spread(push: Floats) -> Floats:
    """Each push, spread over the samples around it."""
    spread = push.copy()
    for shift, weight in ((1, 0.8), (2, 0.5), (3, 0.2)):
        for way in (shift, -shift):
            spread = np.maximum(spread, weight * np.roll(push, way))
    return spread
