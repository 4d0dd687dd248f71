"""Reference pose: a pose in which a character stands upright, from which retargeting measures.

That is the rest pose where its legs point down, else the most upright pose of a take: some captures
rest with all bones along one axis. Feet are taken to be flat in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.joint_roles import Body
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_rotate
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.soles import HEEL_BEHIND, LOW, TIP_AHEAD, vertices_of
from arcwright.scene.take import Take

UPRIGHT = 0.7  # cosine of the angle between a leg and the vertical, at least
LOOKED_AT = 120  # poses of a take
NEXT: Mapping[str, str] = {
    "upper_arm": "lower_arm",
    "lower_arm": "hand",
    "upper_leg": "lower_leg",
    "lower_leg": "foot",
}
_THUMB = "thumb"


class SolePoints(NamedTuple):
    """Points under a foot that stands flat, as they lie in its joints."""

    heel: Floats  # (3,) m, in the axes of the foot
    ball: Floats  # (3,) m, in the axes of the foot
    toes: Floats  # (3,) m, the joint of the toes in the axes of the foot; 0 without
    tip: Floats  # (3,) m from it, in the axes of the toes, or of a foot without


@dataclass(frozen=True, eq=False)
class ReferencePose:
    """A pose of a body in the world, and what retargeting reads from it."""

    body: Body
    chains: Mapping[str, Sequence[int]]
    values: Floats  # (C,)

    @cached_property
    def orientation(self) -> Floats:
        """(J, 4) wxyz."""
        found: Floats = orientation(self.body.rig, self.values[None])[0]
        return found

    @cached_property
    def place(self) -> Floats:
        """(J, 3) m."""
        return forward(self.body.rig, self.values[None])[0, :, :3, 3]

    def first(self, role: str) -> Floats | None:
        """(3,) m, where the first joint of a role is."""
        return self.place[self.chains[role][0]] if role in self.chains else None

    @cached_property
    def facing(self) -> float:
        """rad about the vertical, from the way from the right to the left limb."""
        for part in ("upper_leg", "upper_arm"):
            left, right = self.first(f"left_{part}"), self.first(f"right_{part}")
            if left is not None and right is not None:
                return float(np.arctan2(-(left - right)[2], (left - right)[0]))
        return 0.0

    def direction(self, role: str) -> Floats | None:
        """(3,) unit vector along the bone of a limb; of a hand towards its palm."""
        side, _, part = role.partition("_")
        start = self.first(role)
        if start is None:
            return None
        end = self.first(f"{side}_{NEXT[part]}") if part in NEXT else self._palm(self.chains[role])
        return None if end is None else _unit(end - start)

    def _palm(self, hand: Sequence[int]) -> Floats | None:
        """(3,) m, the middle of the next joints away from the hand."""
        rig, ends, waiting = self.body.rig, list[Floats](), [hand[0]]
        while waiting:
            joint = waiting.pop()
            for child in np.flatnonzero(rig.parents == joint).tolist():
                if np.linalg.norm(self.place[child] - self.place[hand[0]]) < 1e-4:
                    waiting.append(child)
                elif _THUMB not in rig.names[child].lower() and self.body.poses[child]:
                    ends.append(self.place[child])
        return np.asarray(np.mean(ends, axis=0)) if ends else None

    def heading(self, side: str) -> float | None:
        """rad about the vertical, where a foot points."""
        ahead = self._ahead(side)
        return None if ahead is None else float(np.arctan2(ahead[0], ahead[2]))

    def _ahead(self, side: str) -> Floats | None:
        """(3,) m, level, from the ankle to the toes, or to the end of a foot without."""
        role = f"{side}_foot"
        if role not in self.chains:
            return None
        foot = self.chains[role][0]
        ends = self.chains.get(f"{side}_toes")
        below = [ends[0]] if ends else np.flatnonzero(self.body.rig.parents == foot).tolist()
        ways = [(self.place[each] - self.place[foot]) * [1.0, 0.0, 1.0] for each in below]
        longest = max(ways, key=lambda way: float(np.linalg.norm(way)), default=np.zeros(3))
        return longest if np.linalg.norm(longest) > 1e-3 * self.leg_length else None

    @cached_property
    def leg_length(self) -> float:
        """m, of both bones; of a body without legs, from the hips to the head, else its size."""
        parts = ("upper_leg", "lower_leg", "foot")
        lengths = []
        for side in ("left", "right"):
            where = [self.first(f"{side}_{part}") for part in parts]
            if all(each is not None for each in where):
                lengths.append(np.linalg.norm(np.diff(np.array(where), axis=0), axis=1).sum())
        if lengths:
            return float(np.mean(lengths))
        top, hips = self.first("head"), self.first("hips")
        if top is None or hips is None:
            return max(float(np.ptp(self.place, axis=0).max()), 1e-6)
        return max(float(np.linalg.norm(top - hips)), 1e-6)

    @cached_property
    def ball_height(self) -> float | None:
        """m, of the balls of the feet above the ground; None where no mesh tells."""
        found = [low for side in ("left", "right") if (low := self._lowest(side)) is not None]
        return float(np.mean(found)) if found else None

    def _lowest(self, side: str) -> float | None:
        ball, vertices = self._ball(side), self._vertices(side)
        return None if ball is None or not len(vertices) else float(ball[1] - vertices[:, 1].min())

    def _ball(self, side: str) -> Floats | None:
        """(3,) m, the joint of the toes, or that of a foot without."""
        toes = self.first(f"{side}_toes")
        return self.first(f"{side}_foot") if toes is None else toes

    @cached_property
    def rise(self) -> float:
        """m, of the ankles above the balls of the feet."""
        pairs = [(self.first(f"{side}_foot"), self._ball(side)) for side in ("left", "right")]
        known = [
            float(foot[1] - ball[1])
            for foot, ball in pairs
            if foot is not None and ball is not None
        ]
        return float(np.mean(known)) if known else 0.0

    def _vertices(self, side: str) -> Floats:
        """(V, 3) m, of a foot."""
        body, role = self.body, f"{side}_foot"
        if role not in self.chains or not body.actor.shapes:
            return np.zeros((0, 3))
        rig, values = body.actor.rig, self.values[None]
        if body.skeleton is not None:
            values = body.skeleton.original_values(values, rig.channels.default[None])
        top = self.chains[role][0]
        below = [body.rig.is_below(joint, top) for joint in range(len(body.rig.names))]
        own: Bools = np.zeros(len(below), bool)
        own[body.order] = below
        return vertices_of(body.actor, values[0], forward(rig, values)[0], own)[0]

    def sole(self, side: str, ball_height: float) -> SolePoints | None:
        """The points under a foot whose ball is that high above the ground."""
        ball, ahead = self._ball(side), self._ahead(side)
        if ball is None or ahead is None:
            return None
        foot = self.chains[f"{side}_foot"][0]
        toes = self.chains.get(f"{side}_toes", (foot,))[0]
        ankle, level = self.place[foot], np.array([1.0, 0.0, 1.0])
        ground = np.array([0.0, ball[1] - ball_height, 0.0])
        long = float(np.linalg.norm(ahead))
        reach = -HEEL_BEHIND * long, (long if toes == foot else (1 + TIP_AHEAD) * long)
        vertices = self._vertices(side)
        if len(vertices):
            ground[1] = vertices[:, 1].min()
            low = vertices[:, 1] <= ground[1] + LOW * (ankle[1] - ground[1])
            along = (vertices[low] - ankle) @ ahead / long
            reach = float(along.min()), float(along.max())
        heel, tip = (ankle * level + ground + each * ahead / long for each in reach)
        under = tip if toes == foot else ball * level + ground
        back, front = (quaternion_conjugate(self.orientation[joint]) for joint in (foot, toes))
        return SolePoints(
            quaternion_rotate(back, heel - ankle),
            quaternion_rotate(back, under - ankle),
            quaternion_rotate(back, self.place[toes] - ankle),
            quaternion_rotate(front, tip - self.place[toes]),
        )


def reference_pose(
    body: Body, chains: Mapping[str, Sequence[int]], take: Take | None
) -> ReferencePose:
    """The rest pose of a body where it is upright, else the most upright pose of a take."""
    rest: Floats = body.rig.channels.default
    legs = [
        [chains[f"{side}_{part}"][0] for part in ("upper_leg", "lower_leg", "foot")]
        for side in ("left", "right")
        if f"{side}_foot" in chains and f"{side}_lower_leg" in chains
    ]
    if (
        not legs
        or take is None
        or _hanging(body, rest[None], [leg[::2] for leg in legs])[0] > UPRIGHT
    ):
        return ReferencePose(body, chains, rest)
    poses = values_at(take, np.linspace(0.0, take.duration, LOOKED_AT))
    if body.skeleton is not None:
        poses = body.skeleton.assembled_values(poses)
    return ReferencePose(body, chains, poses[int(np.argmax(_hanging(body, poses, legs)))])


def _hanging(body: Body, poses: Floats, legs: Sequence[Sequence[int]]) -> Floats:
    """(T,) the least cosine of the angles between the vertical and the ways down legs."""
    place = forward(body.rig, poses)[..., :3, 3]
    bones = np.diff(place[:, np.array(legs)], axis=2)
    return np.asarray((-_unit(bones)[..., 1]).min(axis=(1, 2)))


def _unit(vector: Floats) -> Floats:
    size = np.linalg.norm(vector, axis=-1, keepdims=True)
    scaled: Floats = vector / np.where(size > 1e-12, size, 1.0)
    return scaled
