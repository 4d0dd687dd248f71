"""Start of a performance: pose, place, heading and velocity of a take at the playhead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.sample import values_at
from arcwright.scene.take import Take
from arcwright.tools.puppet.puppet_character import PuppetCharacter

STEP = 1 / 60  # s, over which a velocity is measured


@dataclass(frozen=True, eq=False)
class Start:
    """What a puppet is like when it is taken hold of."""

    values: Floats  # (C,) its pose, on the character's own rig
    velocity: Floats  # (3,) m/s over the ground
    rates: Floats  # (C,) of its channels, 1/s

    @property
    def stored(self) -> Floats:
        """(2 C + 3,) as a recording keeps it."""
        return np.concatenate([self.values, self.velocity, self.rates])

    @classmethod
    def restored(cls, stored: Floats, channels: int) -> Start:
        """The start that a recording keeps; early ones have no rates."""
        values, velocity, rates = np.split(stored, [channels, channels + 3])
        return cls(values, velocity, rates if len(rates) else np.zeros(channels))

    def at_tick(self, seconds: float) -> tuple[Floats, Floats, Floats]:
        """Pose (C,), velocity (3,), and the pose (C,) of a tick before."""
        return self.values, self.velocity, self.values - seconds * self.rates


def start_at(take: Take, time: float, character: PuppetCharacter) -> Start:
    """The pose of a take at a time, and how fast its root goes there."""
    first = max(time - STEP, 0.0)
    times = np.array([first, min(first + STEP, take.duration), time])
    values = values_at(take, times)
    read, played = character.gaits.writer.read, character.own.played_values(values[:2])
    before, after = (read(each)[:3] for each in played)
    passed = times[1] - times[0]
    velocity = (after - before) * [1, 0, 1] / passed if passed > 0 else np.zeros(3)
    rates = (values[1] - values[0]) / passed if passed > 0 else np.zeros(values.shape[1])
    return Start(values[2], velocity, rates)


def standing(start: Start, character: PuppetCharacter) -> tuple[Floats, float]:
    """Where the frame of a puppet is, (3,) m on the ground, and where it heads, rad."""
    played = character.own.played_values(start.values[None])[0]
    root, own = character.gaits.writer.read(played), character.root
    heading = heading_of(root) - heading_of(own)
    cosine, sine = np.cos(heading), np.sin(heading)
    x, z = cosine * own[0] + sine * own[2], cosine * own[2] - sine * own[0]
    return np.array([root[0] - x, 0.0, root[2] - z]), heading


def heading_of(root: Floats) -> float:
    """Rad about +Y, of a root (7,)."""
    return float(2.0 * np.arctan2(root[5], root[3]))
