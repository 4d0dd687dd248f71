"""Sole points: what of a foot touches the ground besides its toes, by its mesh: heels and tips."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.soles import vertices_of
from arcwright.scene.scene import Actor
from arcwright.tools.puppet.locomotion.gait_clip import GaitClip
from arcwright.tools.puppet.locomotion.leg_ik import Legs, foot_points
from arcwright.tools.puppet.locomotion.root_frame import RootWriter

PITCHES = np.radians([20.0, -80.0, -60.0, -40.0, -20.0, 0.0, 40.0, 60.0, 80.0])
ROLLS = np.radians([0.0, -30.0, 30.0])
"""Of a foot, toes up and to the side: its lowest vertex at each pair; the first of all is that of a
heel that lands."""
LEAST_HEEL = 0.05  # of a leg's length behind the toes: what is nearer to them is no heel
TOUCHES = 0.02  # of a leg's length above the ground: a heel this low may carry
GOES_ALONG = 0.35  # of a gait's speed, by which a heel that carries may miss the ground's


@dataclass(frozen=True, eq=False)
class SolePoints:
    """Points under feet, m from the toes of each; toes alone where a foot has no mesh."""

    hind: Floats  # (F, P, 3) in the frames of the ankles, the heel first
    front: Floats  # (F, P, 3) in the frames of the toes
    level: Floats  # (F,) m, of the lowest of them when they stand
    has_heel: Bools  # (F,)

    def below(self, ankles: Floats, toes: Floats) -> Floats:
        """(F,) m, how far the lowest point is below the toes, by rotations (F, 3, 3)."""
        hind = (self.hind @ ankles[:, 1, :, None])[..., 0]
        front = (self.front @ toes[:, 1, :, None])[..., 0]
        return np.asarray(-np.minimum(hind.min(axis=-1), front.min(axis=-1)))

    def places(self, ankles: Floats, toes: Floats) -> Floats:
        """(T, F, 2 P, 3) m, all points from the toes, by rotations (T, F, 3, 3)."""
        hind = np.einsum("tfxy,fpy->tfpx", ankles, self.hind)
        front = np.einsum("tfxy,fpy->tfpx", toes, self.front)
        return np.concatenate([hind, front], axis=-2)

    def heel(self, foot: int, ankle: Floats) -> Floats:
        """(..., 3) m, from the toes of a foot to its heel, by rotations (..., 3, 3)."""
        return np.asarray(ankle @ self.hind[foot, 0])


def sole_points(actor: Actor, legs: Legs, pose: Floats) -> SolePoints:
    """Points of the meshes of feet of an actor that stands in a pose (C,) of its played rig."""
    rig, world = legs.rig, forward(legs.rig, pose[None])[0]
    count, there = len(legs.toes), point_jacobian(rig, pose[None], foot_points(legs), [])
    place, turned = there.position[0, :count], there.orientation[0]
    below = np.zeros((count, len(world)), bool)
    for foot, ankle in enumerate(legs.ankles.tolist()):
        below[foot] = [rig.is_below(each, ankle) for each in range(len(world))]
    vertices, owners = vertices_of(actor, pose, world, np.asarray(below.any(axis=0)))
    owner = owners.astype(np.int64)
    hind, front = np.zeros((2, count, len(ROLLS) * len(PITCHES), 3))
    for foot in np.flatnonzero(legs.flat).tolist():
        toe, ankle = int(legs.toes.joints[foot]), int(legs.ankles[foot])
        ahead = np.array([toe != ankle and rig.is_below(each, toe) for each in range(len(world))])
        parts = (count + foot, below[foot] & ~ahead, hind), (foot, ahead, front)
        for carrier, own, found in parts:
            away = vertices[own[owner]] - place[foot]
            if len(away):
                found[foot] = away[_lowest(away)] @ turned[carrier]
    ankles, toes = turned[count : 2 * count], turned[:count]
    heel = (ankles @ hind[:, 0, :, None])[..., 0]
    behind = heel[:, 2] < -LEAST_HEEL * legs.length
    made = SolePoints(hind, front, np.zeros(count), behind)
    return replace(made, level=place[:, 1] - made.below(ankles, toes))


def _lowest(away: Floats) -> Ints:
    """The lowest of vertices (V, 3) at each roll and pitch of the foot."""
    ahead = np.hypot(away[:, 0], away[:, 2]) * np.sign(away[:, 2])
    pitched = np.multiply.outer(np.cos(PITCHES), away[:, 1]) + np.multiply.outer(
        np.sin(PITCHES), ahead
    )
    rolled = np.multiply.outer(np.sin(ROLLS), away[:, 0])[:, None]
    heights = np.cos(ROLLS)[:, None, None] * pitched + rolled
    return np.asarray(heights.argmin(axis=-1).ravel())


def with_heels(clip: GaitClip, legs: Legs, writer: RootWriter, soles: SolePoints) -> GaitClip:
    """A gait that also tells when each foot carries by its heel, before its toes come down."""
    if not clip.moves or not soles.has_heel.any():
        return clip
    poses = [writer.written(*each) for each in zip(clip.values, clip.root, strict=True)]
    there, count = (
        point_jacobian(legs.rig, np.array(poses), foot_points(legs), []),
        len(soles.level),
    )
    ankles = there.orientation[:, count : 2 * count]
    away = np.stack([soles.heel(foot, ankles[:, foot]) for foot in range(count)], axis=1)
    heel = there.position[:, :count] + away
    step = clip.period / len(poses)
    speed = (np.roll(heel, -1, axis=0) - np.roll(heel, 1, axis=0))[..., 2] / (2 * step)
    low = heel[..., 1] - soles.level < TOUCHES * legs.length
    carries = low & (np.abs(speed + clip.speed) < GOES_ALONG * clip.speed) & soles.has_heel
    return replace(clip, heels=_leading_in(carries, clip.planted))


def _leading_in(carries: Bools, planted: Bools) -> Bools:
    """(PHASES, F) what carries without a gap before the toes do."""
    found = np.zeros(planted.shape, bool)
    follows = planted
    for _ in range(len(planted)):
        follows = np.roll(follows, -1, axis=0) & (carries | planted)
        found |= follows & ~planted
    return found
