"""Contours as the thesis finds them: CMA-ES over the control points of a closed Hermite spline.

A baseline beside ours. Energies (3.2) to (3.5), corrected: the ray goes up, area and lengths are
relative to the box of the object.
"""

from __future__ import annotations

import numpy as np

from arcwright.tools.flow.distance_field import area, inside_line
from arcwright.tools.flow.hermite import basis

KNOTS, SAMPLES = 10, 60
AREA, OUTSIDE, CURVATURE = 100.0, 1e5, 5.0
STILL, GENERATIONS = 1e-4, 1500


def paper_contour(edge, seed: int = 0):
    """A closed line (S, 2) around edge pixels (E, 2), and how many energies were computed."""
    low, high = edge.min(0), edge.max(0)
    size = float(np.linalg.norm(high - low))
    drawn = basis(np.arange(SAMPLES) / SAMPLES, KNOTS, closed=True)
    start = _box_spline(low, high)
    box = float((high - low).prod())

    def energy(values):
        spline = start + size * values.reshape(-1, 2)
        line = drawn @ spline
        bend = np.roll(line, -1, 0) - 2 * line + np.roll(line, 1, 0)
        curvature = ((bend * SAMPLES**2 / size) ** 2).sum(1).mean() / SAMPLES
        outside = int((~inside_line(edge, line)).sum())
        return AREA * area(line) / box + OUTSIDE * outside + CURVATURE * curvature

    best, count = cma_es(energy, np.zeros(start.size), 0.03, seed)
    return drawn @ (start + size * best.reshape(-1, 2)), count


def _box_spline(low, high):
    """Knots and tangents of a spline around a box, with some room."""
    middle, half = (low + high) / 2, 0.62 * (high - low) + 4
    angle = 2 * np.pi * np.arange(KNOTS) / KNOTS
    round_ = np.stack([np.cos(angle), np.sin(angle)], 1)
    square = round_ / np.abs(round_).max(1, keepdims=True)
    knots = middle + half * (0.4 * round_ + 0.6 * square)
    return np.concatenate([knots, (np.roll(knots, -1, 0) - np.roll(knots, 1, 0)) / 2])


def cma_es(energy, start, spread: float, seed: int):
    """The lowest point found by the standard (mu/mu_w, lambda) strategy, and evaluations."""
    random = np.random.default_rng(seed)
    n = len(start)
    population = 4 + int(3 * np.log(n))
    parents = population // 2
    weights = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    weights /= weights.sum()
    effective = 1 / (weights**2).sum()
    c_path = (4 + effective / n) / (n + 4 + 2 * effective / n)
    c_step = (effective + 2) / (n + effective + 5)
    c_one = 2 / ((n + 1.3) ** 2 + effective)
    c_rank = min(1 - c_one, 2 * (effective - 2 + 1 / effective) / ((n + 2) ** 2 + effective))
    damping = 1 + 2 * max(0, np.sqrt((effective - 1) / (n + 1)) - 1) + c_step
    expected = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    mean, covariance = start.copy(), np.eye(n)
    path = step_path = np.zeros(n)
    best, lowest, history, count = start, np.inf, [], 0
    for generation in range(GENERATIONS):
        if generation % max(1, n // 10) == 0:
            values, axes = np.linalg.eigh((covariance + covariance.T) / 2)
            root = np.sqrt(np.maximum(values, 1e-14))
        steps = (random.normal(size=(population, n)) * root) @ axes.T
        costs = np.array([energy(mean + spread * each) for each in steps])
        count += population
        order = np.argsort(costs)
        if costs[order[0]] < lowest:
            lowest, best = costs[order[0]], mean + spread * steps[order[0]]
        chosen = steps[order[:parents]]
        move = weights @ chosen
        mean = mean + spread * move
        whitened = axes @ ((axes.T @ move) / root)
        step_path = (1 - c_step) * step_path + np.sqrt(c_step * (2 - c_step) * effective) * whitened
        path = (1 - c_path) * path + np.sqrt(c_path * (2 - c_path) * effective) * move
        covariance = (
            (1 - c_one - c_rank) * covariance
            + c_one * np.outer(path, path)
            + c_rank * (chosen.T * weights) @ chosen
        )
        spread *= np.exp(c_step / damping * (np.linalg.norm(step_path) / expected - 1))
        history.append(lowest)
        if len(history) > 150 and history[-150] - lowest < STILL * abs(lowest):
            break
    return best, count
