"""Cycle span: one cycle of a walk or run of many, as captures have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.places import Places
from arcwright.kinematics.root_path import root_path, turned_about_vertical
from arcwright.kinematics.sample import values_at
from arcwright.scene.constraint import Contact
from arcwright.scene.take import Take

Span = tuple[float, float]

SHORTEST, LONGEST = 0.25, 4.0  # s of a cycle
ALIKE = 0.06  # of the body's size: how far joints may be, on average, from where they began
STRAIGHT = np.radians(35.0)  # by which it may turn meanwhile
GOES = 0.1  # of the body's size a second: slower ones stand


def cycle_span(take: Take, root: int, toes: Places, size: float) -> Span | None:
    """When the cycle of a take begins and ends that ends most as it begins; None without one.

    It goes from a landing of a foot to its next one, each other foot lands once meanwhile.
    """
    plants = footplants(take)
    names = [take.rig.names[joint] for joint in toes.joints]
    spans = list(_spans(plants, names))
    if not spans:
        return None
    errors = [_error(take, root, size, span) for span in spans]
    best = int(np.argmin(errors))
    return spans[best] if np.isfinite(errors[best]) else None


def _spans(plants: Sequence[Contact], names: Sequence[str]) -> Iterator[Span]:
    """From landing to landing of the same foot; what stands from the beginning has not landed."""
    first = min((plant.start for plant in plants), default=0.0) + 0.05
    landings = {
        name: sorted(p.start for p in plants if p.point.joint == name and p.start > first)
        for name in names
    }
    for own in landings.values():
        for start, end in pairwise(own):
            counts = [sum(start <= t < end for t in each) for each in landings.values()]
            if SHORTEST <= end - start <= LONGEST and counts == [1] * len(names):
                yield start, end


def _error(take: Take, root: int, size: float, span: Span) -> float:
    """How far joints are, of the size, from where they began; infinite for what is no gait."""
    times = np.array(span)
    values = values_at(take, times)
    path = root_path(take.rig, root, values)
    if path is None:
        return np.inf
    way = (path.position[1] - path.position[0]) * [1, 0, 1]
    turned = abs(float(path.heading[1] - path.heading[0]))
    if float(np.linalg.norm(way)) < GOES * size * (span[1] - span[0]) or turned > STRAIGHT:
        return np.inf
    first, last = _seen_from_root(take, values, path.heading, path.position)
    error = float(np.linalg.norm(last - first, axis=1).mean()) / size
    return error if error < ALIKE else np.inf


def _seen_from_root(take: Take, values: Floats, heading: Floats, root: Floats) -> Floats:
    """(2, J, 3) m, joints from above the root, in the direction that it heads."""
    away = forward(take.rig, values)[..., :3, 3] - root[:, None] * [1, 0, 1]
    return np.stack(
        [
            turned_about_vertical(np.full(len(own), -turn), own)
            for own, turn in zip(away, heading, strict=True)
        ]
    )
