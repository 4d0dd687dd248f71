"""Cubic Hermite splines in the plane, fitted to points and kept smooth."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from arcwright.arrays import Floats


def basis(parameter: Floats, knots: int, *, closed: bool = False) -> Floats:
    """(S, 2 K) weights of positions, then of tangents, at parameters in [0, 1].

    A closed spline has as many segments as knots; its parameter runs round.
    """
    return _rows(parameter, knots, closed, 0)


def second_derivative(parameter: Floats, knots: int, *, closed: bool = False) -> Floats:
    """(S, 2 K) weights that give the second derivative by the parameter."""
    return _rows(parameter, knots, closed, 2)


def first_derivative(parameter: Floats, knots: int, *, closed: bool = False) -> Floats:
    """(S, 2 K) weights that give the derivative by the parameter."""
    return _rows(parameter, knots, closed, 1)


def _rows(parameter: Floats, knots: int, closed: bool, order: int) -> Floats:
    segments = knots if closed else knots - 1
    along = np.asarray(parameter, float) * segments
    if closed:
        along = np.mod(along, segments)
    index = np.clip(np.floor(along).astype(int), 0, segments - 1)
    t = along - index
    weights = _weights(t, order) * float(segments) ** order
    rows = np.zeros((len(t), 2 * knots))
    each, after = np.arange(len(t)), (index + 1) % knots
    for column, weight in zip((index, after, knots + index, knots + after), weights, strict=True):
        rows[each, column] += weight
    return rows


def _weights(t: Floats, order: int) -> Floats:
    """Start, end, start tangent, end tangent (4, S)."""
    if order == 0:
        start = 2 * t**3 - 3 * t**2 + 1
        return np.stack([start, 1 - start, t**3 - 2 * t**2 + t, t**3 - t**2])
    if order == 1:
        start = 6 * t**2 - 6 * t
        return np.stack([start, -start, 3 * t**2 - 4 * t + 1, 3 * t**2 - 2 * t])
    start = 12 * t - 6
    return np.stack([start, -start, 6 * t - 4, 6 * t - 2])


@lru_cache(maxsize=64)
def bending(knots: int, closed: bool = False, samples: int = 8) -> Floats:
    """(2 K, 2 K) such that q' B q is the integral of the squared second derivative."""
    return _integral(second_derivative, knots, closed, samples)


@lru_cache(maxsize=64)
def stretching(knots: int, closed: bool = False, samples: int = 8) -> Floats:
    """(2 K, 2 K) such that q' B q is the integral of the squared derivative."""
    return _integral(first_derivative, knots, closed, samples)


def _integral(rows_of: object, knots: int, closed: bool, samples: int) -> Floats:
    count = samples * knots
    middle = (np.arange(count) + 0.5) / count
    rows = rows_of(middle, knots, closed=closed)  # type: ignore[operator]
    integral: Floats = rows.T @ rows / count
    integral.setflags(write=False)
    return integral


def fitted(
    points: Floats, parameter: Floats, knots: int, smooth: float, *, closed: bool = False
) -> Floats:
    """Knots and tangents (2 K, 2): mean squared distance plus `smooth` times the bending."""
    rows = basis(parameter, knots, closed=closed)
    left = rows.T @ rows / len(rows) + smooth * bending(knots, closed)
    left += 1e-9 * np.eye(len(left))
    found: Floats = np.asarray(np.linalg.solve(left, rows.T @ points / len(rows)), float)
    return found


def lengths(points: Floats) -> Floats:
    """(N,) arc length from the first point to each."""
    steps = np.sqrt((np.diff(points, axis=0) ** 2).sum(1))
    return np.concatenate([[0.0], np.cumsum(steps)])


def resampled(points: Floats, count: int, *, closed: bool = False) -> Floats:
    """`count` points at even arc length; of a closed line the end is not repeated."""
    line = np.concatenate([points, points[:1]]) if closed else points
    along = lengths(line)
    wanted = np.linspace(0, along[-1], count, endpoint=not closed)
    return np.stack([np.interp(wanted, along, line[:, i]) for i in range(2)], axis=1)


def tangents(points: Floats, *, closed: bool = False) -> Floats:
    """(N, 2) unit tangents of a line."""
    if closed:
        steps = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    else:
        steps = np.gradient(points, axis=0) if len(points) > 1 else np.zeros_like(points)
    size = np.sqrt((steps**2).sum(1, keepdims=True))
    return steps / np.where(size > 1e-12, size, 1)
