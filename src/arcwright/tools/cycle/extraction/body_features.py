"""Joint positions in which repetition is looked for, without frames that belong to no motion."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints

JUMP = 5.0  # times the 95th percentile of all steps between frames: no body moves like that
ENDS = 0.05  # of a motion, at each end, in which frames beyond a jump are left out


def seen_from_root(place: Floats, root: Floats, heading: Floats, *, level: bool) -> Floats:
    """(N, 3 J) joint positions (N, J, 3) seen from the root (N, 3) and its heading (N,).

    Heights are those of the world, or on uneven ground (not `level`) above the root's.
    """
    place = place - root[:, None] * [1.0, 0.0 if level else 1.0, 1.0]
    cosine, sine = np.cos(heading)[:, None], np.sin(heading)[:, None]
    x, z = place[..., 0], place[..., 2]
    turned = np.stack([cosine * x - sine * z, place[..., 1], sine * x + cosine * z], axis=-1)
    return turned.reshape(len(place), -1)


def axis_tips(world: Floats, length: float) -> Floats:
    """(N, 3 J, 3) places on the axes of joints (N, J, 4, 4), so far from them unless they scale."""
    place, axes = world[..., :3, 3], np.swapaxes(world[..., :3, :3], -1, -2)
    return np.asarray((place[..., None, :] + length * axes).reshape(len(world), -1, 3))


def continuous_frames(place: Floats) -> Ints:
    """(N,) frames of joint positions (N, J, 3), with the nearest ones where an end jumps.

    Captures often start in a calibration pose, somewhere else, for a frame or two.
    """
    frames = np.arange(len(place))
    step = np.linalg.norm(np.diff(place, axis=0), axis=-1).mean(axis=-1)
    if len(step) < 2:
        return frames
    jumps = np.flatnonzero(step > JUMP * np.percentile(step, 95))
    near = max(1, int(ENDS * len(place)))
    start, end = jumps[jumps < near], jumps[jumps >= len(step) - near]
    first = start[-1] + 1 if len(start) else 0
    last = end[0] if len(end) else len(place) - 1
    return np.clip(frames, first, max(first, last))
