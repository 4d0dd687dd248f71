"""Gestures of a hand that holds a stick, made by code: those that ask for an action, and others.

All go right, up and ahead (x, y, z) in metres from where the hand rests, at 60 Hz, with a tremor.
"""

from dataclasses import dataclass

import numpy as np

RATE = 60
ACTIONS = ("punch", "kick", "throw")


@dataclass(frozen=True, eq=False)
class StickGesture:
    """A path (T, 3) m, and from when to when the gesture is made, s."""

    label: str
    path: np.ndarray
    start: float
    end: float


def bump(share, rises=0.5):
    """0 at 0 and 1, 1 at `rises`, smooth."""
    share = np.clip(share, 0.0, 1.0)
    warped = np.where(share < rises, 0.5 * share / rises, 0.5 + 0.5 * (share - rises) / (1 - rises))
    return np.sin(np.pi * warped) ** 2


def ease(share):
    share = np.clip(share, 0.0, 1.0)
    return share**3 * (share * (6 * share - 15) + 10)


def punch(random, t):
    """Ahead and back."""
    seconds = random.uniform(0.26, 0.5)
    share = t / seconds
    ahead = random.uniform(0.12, 0.3) * bump(share, random.uniform(0.4, 0.55))
    up = random.uniform(-0.15, 0.15) * ahead
    return np.stack([random.uniform(-0.2, 0.2) * ahead, up, ahead], axis=1), seconds


def kick(random, t):
    """Down, ahead in a low arc, up at its end, and back."""
    seconds = random.uniform(0.35, 0.65)
    share = t / seconds
    size = random.uniform(0.14, 0.3)
    ahead = size * bump(share, random.uniform(0.5, 0.6)) - 0.2 * size * bump(share / 0.4)
    dip = random.uniform(0.45, 0.8) * size
    up = -dip * bump(share / 0.6, 0.5) + random.uniform(0.1, 0.35) * size * bump(
        (share - 0.3) / 0.7
    )
    return np.stack([random.uniform(-0.2, 0.2) * ahead, up, ahead], axis=1), seconds


def throw(random, t):
    """Back and up, over to the front, down and back."""
    seconds = random.uniform(0.5, 0.85)
    share = t / seconds
    size = random.uniform(0.12, 0.24)
    angle = 2 * np.pi * ease(share) - random.uniform(0.0, 0.5)
    # A loop through the rest place: back (angle 90 degrees), over (180), front (270).
    first = angle[0]
    ahead = -size * (np.sin(angle) - np.sin(first))
    up = random.uniform(0.7, 1.1) * size * (np.cos(first) - np.cos(angle)) / 1.0
    return np.stack([random.uniform(-0.25, 0.25) * up, up, ahead], axis=1), seconds


def flick(random, t):
    """A jump: up and down along a parabola, often after a dip, often ahead."""
    rise, dip = random.uniform(2.2, 3.8), random.choice([0.0, random.uniform(0.02, 0.08)])
    wind = 0.2
    since = np.clip(t - wind, 0.0, 2 * rise / 9.81)
    up = rise * since - 4.905 * since**2 - dip * bump(t / wind)
    ahead = random.uniform(0.0, 1.2) * since
    return np.stack([random.uniform(-0.2, 0.2) * ahead, up, ahead], axis=1), wind + 2 * rise / 9.81


def shake(random, t):
    """To and fro, more than once."""
    often, size = random.uniform(1.5, 4.0), random.uniform(0.02, 0.07)
    seconds = random.uniform(1.5, 6) / often
    swing = size * np.sin(2 * np.pi * often * t) * (ease(t / 0.15) - ease((t - seconds) / 0.15))
    angle, steep = random.uniform(0, 2 * np.pi), random.uniform(-0.3, 0.3)
    axis = np.array([np.cos(angle) * np.cos(steep), np.sin(steep), np.sin(angle) * np.cos(steep)])
    return swing[:, None] * axis, seconds


def lead(random, t):
    """Off in any direction, at some speed, and a stop."""
    seconds, angle = random.uniform(1.0, 2.0), random.uniform(-np.pi, np.pi)
    quick = random.uniform(0.2, 0.6)
    way = random.uniform(0.3, 1.6) * (ease(t / quick) - ease((t - seconds) / quick))
    path = np.cumsum(way)[:, None] / RATE * [np.sin(angle), 0.0, np.cos(angle)]
    return path, seconds + quick


def turn(random, t):
    """Along a curve, one way and the other."""
    seconds, speed = random.uniform(1.2, 2.0), random.uniform(0.5, 1.3)
    going = speed * (ease(t / 0.4) - ease((t - seconds) / 0.4))
    angle = random.uniform(0.5, 1.6) * np.sin(random.uniform(2, 5) * t)
    step = going[:, None] / RATE * np.stack([np.sin(angle), 0 * t, np.cos(angle)], axis=1)
    return np.cumsum(step, axis=0), seconds + 0.4


def lower(random, t):
    """A crouch, and up again; or a lift."""
    seconds, quick = random.uniform(0.9, 2.0), random.uniform(0.3, 0.6)
    size = random.choice([-1, 1]) * random.uniform(0.15, 0.45)
    up = size * (ease(t / quick) - ease((t - seconds) / quick))
    ahead = random.uniform(-0.15, 0.15) * up
    return np.stack([0 * t, up, ahead], axis=1), seconds + quick


def lunge(random, t):
    """A quick step to one side, or ahead, that stays there or comes back late."""
    quick, angle = random.uniform(0.2, 0.45), random.uniform(-np.pi, np.pi)
    back = random.choice([0.0, 1.0])
    rests = random.uniform(0.35, 0.8)
    way = random.uniform(0.1, 0.4) * (ease(t / quick) - back * ease((t - quick - rests) / quick))
    return way[:, None] * [np.sin(angle), 0.0, np.cos(angle)], 2 * quick + rests


def aside(random, t):
    """Quickly to one side or back, and to the middle again."""
    seconds, angle = random.uniform(0.26, 0.5), random.uniform(0.35, 1.65) * np.pi
    way = random.uniform(0.08, 0.25) * bump(t / seconds)
    return way[:, None] * [np.sin(angle), 0.0, np.cos(angle)], seconds


GESTURES = {"punch": punch, "kick": kick, "throw": throw}
OTHERS = {
    **{"flick": flick, "shake": shake, "lead": lead, "turn": turn},
    **{"lower": lower, "lunge": lunge, "aside": aside},
}


def sloppy(random, path, share):
    """The path as hands make it: turned, uneven in time, and not quite back where it began."""
    late = np.clip(share + random.uniform(-0.12, 0.12) * np.sin(np.pi * np.clip(share, 0, 1)), 0, 1)
    at = np.interp(late, np.clip(share, 0, 1), np.arange(len(share)))
    at = np.where(share < 1, at, np.arange(len(share)))
    warped = np.stack([np.interp(at, np.arange(len(at)), axis) for axis in path.T], axis=1)
    off = 0.15 * np.abs(path).max() * random.normal(size=3) * [1.0, 0.5, 1.0]
    moved = warped + ease(share)[:, None] * off
    angle = random.normal(scale=0.2)
    x, y, z = moved.T
    right, ahead = np.cos(angle) * x + np.sin(angle) * z, np.cos(angle) * z - np.sin(angle) * x
    return np.stack([right, y, ahead], axis=1)


def tremor(random, count):
    """(T, 3) m, about 2 mm, as a hand has it."""
    noise = np.cumsum(random.normal(size=(count, 3)), axis=0)
    noise -= np.stack([np.convolve(c, np.ones(31) / 31, mode="same") for c in noise.T], axis=1)
    return 0.002 * noise / max(noise.std(), 1e-9)


def gesture(kind, seed):
    """One gesture of a kind after 0.8 s, of a hand that stands still or leads at a steady speed."""
    random = np.random.default_rng([seed, [*GESTURES, *OTHERS].index(kind)])
    t = np.arange(round(3.6 * RATE)) / RATE
    path, seconds = (GESTURES | OTHERS)[kind](random, np.maximum(t - 0.8, 0.0))
    path = sloppy(random, path - path[0], (t - 0.8) / seconds)
    walks = random.random() < 0.4 and kind not in ("lead", "turn")
    ahead = random.uniform(0.3, 1.2) if walks else 0.0
    led = ahead * (t + 5.0)[:, None] * [0.0, 0.0, 1.0]
    label = kind if kind in ACTIONS else "none"
    return StickGesture(label, path + led + tremor(random, len(t)), 0.8, 0.8 + seconds)


def leading(seed, seconds=60.0):
    """(T, 3) m, ordinary leading: one movement after another that asks for no action."""
    random, parts, place = np.random.default_rng([seed, 99]), [], np.zeros(3)
    count = 0
    while count < seconds * RATE:
        kind = random.choice(["lead", "turn", "lower", "lunge", "flick", "shake", "lead", "turn"])
        t = np.arange(round(random.uniform(2.6, 3.6) * RATE)) / RATE
        path, _ = OTHERS[kind](random, np.maximum(t - random.uniform(0.1, 0.5), 0.0))
        path = path - path[0] + place
        parts.append(path)
        place, count = path[-1] * [1.0, 0.0, 1.0], count + len(path)
    whole = np.concatenate(parts)
    return whole + tremor(random, len(whole))
