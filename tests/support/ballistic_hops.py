"""Stand-ins for the database of hops: ballistic flights, joints that chase four target poses."""

import numpy as np

GRAVITY = 9.81  # m/s²
HOP, PERIOD, FRAMES = 26, 33, 93  # frames of a flight, from lift-off to lift-off, of a sequence
KEYS = np.array([0, 13, 26, 33, 46, 59, 66, 79, 92])
TARGETS = np.array([[-0.4, 0.9, -0.3], [0.45, -0.6, 0.4], [0.1, 0.3, -0.2], [-0.3, 0.7, 0.3]])


def ballistic_hops(count=12, seed=0, runs=None):
    """The arrays of a `hops.npz`: `count` sequences of three equal hops, T = 93 frames."""
    draw = np.random.default_rng(seed)
    states = np.stack([_sequence(draw) for _ in range(count)]).astype(np.float32)
    contact = np.isin(np.arange(FRAMES) % PERIOD, np.arange(1, HOP), invert=True)
    return {
        "version": np.array(1),
        "frame_time": np.full(count, 1 / 60),
        "states": states,
        "keys": np.tile(KEYS, (count, 1)).astype(np.int16),
        "contact": np.tile(contact, (count, 1)),
        "run": np.arange(count) if runs is None else np.asarray(runs),
        "names": np.array(["x", "y", "angle", "leg", "neck", "head"]),
    }


def _sequence(draw):
    """(T, 6) one policy, three times: a height and a lean come from how far joints swing."""
    targets = TARGETS * draw.uniform(0.6, 1.2, TARGETS.shape)
    turns = np.array([0, 8, 20, 27]) + draw.integers(-2, 3, 4)
    swing = float(np.abs(targets[1] - targets[0]).sum())
    flight = HOP / 60
    speed = 0.25 * swing + 0.3 * targets[1, 0]
    angle = _angle(draw.uniform(0.1, 0.5) * targets[1, 0])
    joints = _chased(targets, turns, draw.uniform(3, 5))
    u = np.minimum(np.arange(FRAMES) % PERIOD, HOP) / HOP
    hop = np.arange(FRAMES) // PERIOD
    height = GRAVITY * flight**2 / 2 * u * (1 - u) * (0.6 + 0.2 * swing)
    x = speed * flight * (hop + u)
    return np.column_stack([x, height, angle[np.arange(FRAMES) % PERIOD], joints])


def _angle(lean):
    """(PERIOD,) the base tips back and forth in the air, flat on the ground."""
    u = np.clip(np.arange(PERIOD) / HOP, 0, 1)
    return lean * np.sin(2 * np.pi * u)


def _chased(targets, turns, frames):
    """(T, 3) a critically damped chase of the targets; a cycle before the first is let pass."""
    value, rate, rows = targets[-1].copy(), np.zeros(3), []
    for frame in range(PERIOD + FRAMES):
        state = np.searchsorted(turns, frame % PERIOD, side="right") - 1
        rate += (targets[state] - value - 2 * frames * rate) / frames**2
        value = value + rate
        rows.append(value)
    return np.array(rows[PERIOD:])
