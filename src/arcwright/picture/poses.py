"""Poses: frames of a take to draw, and the view direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

POSES = 7  # as many as a picture shows well
MOST_POSES = 200
SIDES = (("left", "right"), ("_l", "_r"), (".l", ".r"), ("l_", "r_"))


@dataclass(frozen=True, eq=False)
class Poses:
    """The moments shown."""

    frames: Ints  # (T,)
    time: Floats  # (T,) s
    values: Floats  # (T, C)
    world: Floats  # (T, J, 4, 4)
    now: int  # which of them is the solid one


def poses_of(
    actor: Actor, take: Take | None, every: int | None, now: int | None, count: int = POSES
) -> Poses:
    """Moments `every` so many frames apart, or `count` of them from first to last.

    `now` is the frame shown solid, else it is one past half.
    """
    if every is not None and every < 1:
        raise BadValue("every", "1 frame or more", every)
    if take is None:
        values = actor.rig.channels.default[None]
        zero = np.zeros(1, np.int64)
        return Poses(zero, np.zeros(1), values, forward(actor.rig, values), 0)
    frames = _frames(take, every, count)
    if now is not None:
        frames = np.unique(np.append(frames, np.clip(now, 0, take.frame_count - 1)))
    wanted = frames[round(0.6 * (len(frames) - 1))] if now is None else now
    values = values_at(take, frames / take.rate)
    at = min(int(np.searchsorted(frames, wanted)), len(frames) - 1)
    return Poses(frames, frames / take.rate, values, forward(actor.rig, values), at)


def _frames(take: Take, every: int | None, count: int) -> Ints:
    last = take.frame_count - 1
    first = _first(take) if last > 10 else 0
    if every is not None:
        if (last - first) // every >= MOST_POSES:
            least = (last - first) // MOST_POSES + 1
            raise BadValue("every", f"{least} frames or more: at most {MOST_POSES} poses", every)
        return np.arange(first, last + 1, every)
    return np.unique(np.linspace(first, last, min(count, last - first + 1)).round()).astype(
        np.int64
    )


def _first(take: Take) -> int:
    """The first frame of the motion: much motion capture jumps there from a T-pose."""
    place = forward(take.rig, values_at(take, np.arange(10) / take.rate))[..., :3, 3]
    moved = np.abs(np.diff(place, axis=0)).max((1, 2))
    usual = 12 * float(np.median(moved[3:])) + 0.02 * float(np.ptp(place[0], axis=0).max())
    return int(np.flatnonzero(np.append(0, moved[:3]) > usual).max(initial=0))


def view_direction(rig: Rig, world: Floats) -> Floats:
    """View direction (3,): across the travel, or else at the face from one side."""
    place = world[..., :3, 3]
    middle = place.mean(1)
    travel = (middle[-1] - middle[0]) * (1, 0, 1)
    size = np.median(np.ptp(place, axis=1), axis=0)
    far = float(np.linalg.norm(travel))
    if far > 0.7 * size.max():
        ahead, turn = travel / far, 0.5
    else:
        ahead = facing(rig, place)
        length = np.median(np.ptp(place @ ahead, axis=1))
        # Long bodies are seen more from the side, or else each would hide the next.
        turn = 1.75 if length < 1.1 * size[1] else 1.1
    across = np.cross((0.0, 1.0, 0.0), ahead)
    level = across - turn * ahead
    # Flat bodies such as spiders read better from higher up.
    broad = float(min(size[0], size[2]))
    flat = max(1 - size[1] / broad, 0) if broad > 1e-9 else 0.0
    looking: Floats = level / np.linalg.norm(level) - (0.0, 0.17 + 0.3 * flat, 0.0)
    return looking


def facing(rig: Rig, place: Floats) -> Floats:
    """The level direction a body looks along, +Z if unknown; place is (T, J, 3).

    Found from left and right twins on one parent, as hips and shoulders are: feet stride.
    """
    twins = _twins(rig)
    pairs = [(a, b) for a, b in twins if rig.parents[a] == rig.parents[b]] or twins
    left = sum((place[:, a] - place[:, b] for a, b in pairs), np.zeros((len(place), 3))).mean(0)
    ahead = np.cross(left, (0.0, 1.0, 0.0))
    length = float(np.linalg.norm(ahead))
    known = length > 1e-3 * float(np.ptp(place[0], axis=0).max())
    return ahead / length if known else np.array([0.0, 0.0, 1.0])


def _twins(rig: Rig) -> list[tuple[int, int]]:
    """Left and right joints of the same name."""
    index = {name.lower(): joint for joint, name in enumerate(rig.names)}
    found = []
    for name, joint in index.items():
        for one, other in SIDES:
            twin = index.get(name.replace(one, other)) if one in name else None
            if twin is not None and twin != joint:
                found.append((joint, twin))
                break
    return found
