"""Action clip: what is played once, such as getting up, in the puppet's frame; or a made jump."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import Places
from arcwright.kinematics.root_path import about_vertical, root_path, turned_about_vertical
from arcwright.kinematics.rotation import quaternion_multiply, unwrap_quaternion
from arcwright.kinematics.sample import values_at
from arcwright.scene.take import Take
from arcwright.tools.puppet.locomotion.gait_clip import aligned_values
from arcwright.tools.puppet.locomotion.leg_ik import Legs, solve_legs

RATE = 60.0  # poses a second
TUCK = 0.22  # of a leg's length by which a made jump draws feet up
POSES = 31  # of a made jump


@dataclass(frozen=True, eq=False)
class ActionClip:
    """Poses of one action; its last place is the origin, from where it heads along +z."""

    values: Floats  # (T, C)
    root: Floats  # (T, 7) position, m, and rotation, wxyz

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return (len(self.values) - 1) / RATE

    def at(self, share: float) -> tuple[Floats, Floats]:
        """Values (C,) and root (7,) after a share of it, 0 to 1."""
        where = min(max(share, 0.0), 1.0) * (len(self.values) - 1)
        before = min(int(where), len(self.values) - 2)
        part = where - before
        values = (1 - part) * self.values[before] + part * self.values[before + 1]
        root = (1 - part) * self.root[before] + part * self.root[before + 1]
        root[3:] /= np.linalg.norm(root[3:])
        return values, root


def action_clip(take: Take, root: int, like: Floats) -> ActionClip | None:
    """A take as an action; None where its root cannot be moved and rotated freely.

    Angles go on from those of the pose `like` (C,).
    """
    times = np.linspace(0.0, take.duration, max(round(take.duration * RATE), 1) + 1)
    values = values_at(take, times)
    path = root_path(take.rig, root, values)
    if path is None:
        return None
    heading, origin = float(path.heading[-1]), path.position[-1] * [1, 0, 1]
    position = turned_about_vertical(np.full(len(times), -heading), path.position - origin)
    rotation = quaternion_multiply(about_vertical(np.full(len(times), -heading)), path.rotation)
    whole = np.concatenate([position, unwrap_quaternion(rotation)], axis=1)
    return ActionClip(aligned_values(take.rig, values, like), whole)


def made_jump(stand: Floats, root: Floats, legs: Legs) -> ActionClip:
    """A jump from a standing pose (C,) and its root (7,): feet are drawn up and stretched again."""
    count = len(legs.toes)
    points = legs.toes.joined(Places(legs.ankles, np.zeros((count, 3))))
    there = point_jacobian(legs.rig, stand[None], points, [])
    home, turned = there.position[0, :count], there.orientation[0, count:]
    values, last = np.tile(stand, (POSES, 1)), stand
    for index, share in enumerate(np.linspace(0.0, 1.0, POSES)):
        up = TUCK * legs.length * np.sin(np.pi * share) ** 2
        back = -0.5 * up
        place = home + np.stack([0 * up, up, back], axis=1)
        last = solve_legs(legs, last, place, turned, stand)[0]
        values[index] = last
    return ActionClip(values, np.tile(root, (POSES, 1)))
