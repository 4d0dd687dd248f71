"""Measures of completed hops: errors of frames and keys, flights that are no parabolas, feet."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.autocomplete.hops.lamp import Lamp
from arcwright.tools.autocomplete.train.sequences import Normalisation

FLIGHTS = ((0, 26), (33, 59), (66, 92))  # frames from lift-off to landing
GROUNDED = ((26, 33), (59, 66))


def frame_error(found: Floats, truth: Floats, normal: Normalisation) -> float:
    """Mean square over frames and channels of z-scored differences."""
    return float(np.square((found - truth) / normal.deviation).mean())


def key_error(found: Floats, states: Floats, known: Bools, normal: Normalisation) -> float:
    """Mean square of z-scored differences at known keys."""
    return float(np.square(((found - states) / normal.deviation)[known]).mean())


def centre_of_mass(states: Floats, lamp: Lamp | None = None) -> Floats:
    """(..., 2) m, forward and up."""
    lamp = lamp or Lamp()
    angle = np.cumsum(states[..., 2:], axis=-1)
    place, total = states[..., :2], np.zeros((*states.shape[:-1], 2))
    for link in range(4):
        sine, cosine = np.sin(angle[..., link, None]), np.cos(angle[..., link, None])

        def turned(vector: Floats, sine: Floats = sine, cosine: Floats = cosine) -> Floats:
            x, y = vector
            return np.concatenate([x * cosine + y * sine, y * cosine - x * sine], axis=-1)

        total = total + lamp.mass[link] * (place + turned(lamp.centre[link]))
        place = place + turned(lamp.hinge[link])
    return total / lamp.mass.sum()


def ballistic_error(states: Floats) -> float:
    """m: rms distance of the centre of mass in flight from the best ballistic curve, (B, T, C)."""
    squares = []
    centre = centre_of_mass(states)
    for first, last in FLIGHTS:
        own = centre[:, first : last + 1]
        u = np.linspace(-1, 1, own.shape[1])
        for axis, degree in ((0, 1), (1, 2)):
            basis = np.vander(u, degree + 1)
            curve = basis @ np.linalg.lstsq(basis, own[..., axis].T, rcond=None)[0]
            squares.append(np.square(curve.T - own[..., axis]))
    return float(np.sqrt(np.mean(squares)))


def penetration(states: Floats) -> float:
    """m: mean over sequences of the deepest point of the sole."""
    reach = float(np.abs(Lamp().foot[:, 0]).max())
    low = states[..., 1] - reach * abs(np.sin(states[..., 2]))
    return float(np.maximum(-low, 0).max(axis=1).mean())


def slide(states: Floats) -> float:
    """m: mean over ground phases of how far the base moves along the ground."""
    spans = [np.ptp(states[:, first : last + 1, 0], axis=1) for first, last in GROUNDED]
    return float(np.mean(spans))
