"""Action overlay: a clip that is played once over locomotion, such as a punch, as an offset."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools
from arcwright.kinematics.places import Places
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
)
from arcwright.tools.puppet.action_clip import RATE, ActionClip
from arcwright.tools.puppet.locomotion.leg_ik import Legs
from arcwright.tools.puppet.locomotion.root_frame import RootWriter
from arcwright.tools.puppet.locomotion.speed_map import places_in_frame
from arcwright.tools.puppet.locomotion.walker import PoseOffset

LOW = 0.05  # of the leg's length above its lowest place: a foot that is higher does not stand
SLOW = 0.5  # of the leg's length a second: a foot that is faster over the ground does not stand


@dataclass(frozen=True, eq=False)
class ActionOverlay:
    """What an action adds to a pose, from its own first pose, and which feet stand meanwhile."""

    clip: ActionClip
    planted: Bools  # (T, F)
    impact: float  # s, when its fastest hand or foot goes ahead the fastest

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.clip.seconds

    @property
    def steps(self) -> bool:
        """Whether a foot leaves the ground: then the puppet must stand."""
        return not self.planted.all()

    def at(self, seconds: float, legs: Legs, *, walks: bool) -> PoseOffset:
        """What it adds after some seconds; legs and root of a walking puppet go on walking."""
        values, root = self.clip.at(seconds / max(self.seconds, 1e-9))
        added = values - self.clip.values[0]
        if walks:
            added[legs.channels] = 0.0
            return PoseOffset(added, np.array([0.0, 0, 0, 1, 0, 0, 0]), np.ones(len(legs.toes)))
        first = self.clip.root[0]
        turn = quaternion_multiply(root[3:], quaternion_conjugate(first[3:]))
        at = min(int(seconds * RATE), len(self.planted) - 1)
        moved = np.concatenate([root[:3] - first[:3], turn])
        return PoseOffset(added, moved, self.planted[at].astype(float))


def action_overlay(
    clip: ActionClip, writer: RootWriter, legs: Legs, striking: Places
) -> ActionOverlay:
    """A clip as an overlay: feet stand while they are low and slow; hands or feet strike."""
    places = places_in_frame(writer, clip.values, clip.root, legs.toes)
    speed = np.gradient(places, 1.0 / RATE, axis=0) if len(places) > 1 else np.zeros_like(places)
    low = places[..., 1] < places[..., 1].min(axis=0, initial=np.inf) + LOW * legs.length
    slow = np.hypot(speed[..., 0], speed[..., 2]) < SLOW * legs.length
    ends = places_in_frame(writer, clip.values, clip.root, striking)
    ahead = np.gradient(ends[..., 2], axis=0).max(axis=1) if len(striking) else np.zeros(1)
    return ActionOverlay(clip, np.asarray(low & slow), float(np.argmax(ahead)) / RATE)
