"""Snowmen and snowballs: characters whose proportions are those of the balls they are made of.

The balls between pelvis and chest lie on a quadratic Bézier curve (Ciccone, eq. 6.4), so that a
long spine bends as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.assembly import both_sides as both_pieces
from arcwright.characters.mesh import look, shape
from arcwright.characters.posing import clip
from arcwright.characters.skeleton import (
    EVERY_WAY,
    Joint,
    both_sides,
    root,
    skeleton,
    vector,
    with_scale_channels,
)
from arcwright.characters.solids import Solid, ball, joined, lathe, ring, rod
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import matrix_from_vector
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Character, Prop
from arcwright.scene.take import Take

BEND = 0.3  # of eq. 6.4: 0 is a straight spine
SUNK = 0.88  # of both radii, between the middles of balls that lie on each other
PRESSED = 0.85  # of the spine's length, in a crouch
RATE = 24.0
PALETTE = {
    "snow": ("#f4f8ff", 0.0, 0.9),
    "ice": ("#b9d4f0", 0.0, 0.6),
    "coal": ("#22252b", 0.0, 0.7),
    "carrot": ("#f0812b", 0.0, 0.6),
    "wood": ("#6b4a2f", 0.0, 0.9),
}


def snowball(name: str, radius: float, x: float, z: float) -> Prop:
    """A ball of snow on the ground, which can grow: its root has channels of scale."""
    rig = with_scale_channels(skeleton([root(name, (x, radius, z))]))
    band = ring(radius, 0.012 * radius)
    balls = [Piece(name, "snow", ball(radius, radius, radius)), Piece(name, "ice", band)]
    mesh = assembled(rig, balls)
    return Prop(name, rig, (), (shape(name, mesh, rig),), look(PALETTE, mesh.materials))


def spine_points(pelvis: Floats, chest: Floats, upright: Floats, shares: Floats) -> Floats:
    """(N, 3) m, places at shares (N,) of the spine (eq. 6.4); `upright` is the chest's, standing.

    The curve goes from the pelvis to the chest by the control point
    p1 = (pelvis + (1 - b) chest + b upright) / 2.
    """
    middle = (pelvis + (1 - BEND) * chest + BEND * upright) / 2
    t = np.asarray(shares, float)[:, None]
    return np.asarray((1 - t) ** 2 * pelvis + 2 * t * (1 - t) * middle + t**2 * chest)


def snowman(radii: Sequence[float], name: str = "snowman") -> Character:
    """A snowman of three or more balls, from the lowest to the head; it stands at the origin."""
    if len(radii) < 3 or min(radii) <= 0:
        raise BadValue("snowman", "three or more radii above 0", list(radii))
    body = _Body(radii)
    rig = replace(skeleton(body.joints()), root=0)  # chest and spine are moved on it, too
    mesh = assembled(rig, both_pieces(body.pieces()))
    takes = tuple(Take(rig, made) for made in body.clips(rig))
    return Character(name, rig, takes, (shape(name, mesh, rig),), look(PALETTE, mesh.materials))


class _Body:
    """Sizes of a snowman."""

    def __init__(self, radii: Sequence[float]) -> None:
        self.radii = np.array(radii, float)
        gaps = SUNK * (self.radii[1:] + self.radii[:-1])
        self.heights = self.radii[0] + np.concatenate([[0.0], np.cumsum(gaps)])
        self.pelvis = np.array([0.0, self.heights[0], 0.0])
        self.chest = np.array([0.0, self.heights[-2] + 0.5 * self.radii[-2], 0.0])
        self.tall = float(self.heights[-1])
        spine = self.heights[1:-1]
        self.shares = (spine - self.heights[0]) / (self.chest[1] - self.heights[0])
        self.spine_names = [f"Spine{number + 1}" for number in range(len(spine))]

    def joints(self) -> list[Joint]:
        wide, arm = 0.8 * self.radii[-2], 0.36 * self.tall
        shoulder = self.chest + np.array([wide, 0.0, 0.0])
        elbow = shoulder + arm * np.array([0.5, -0.86, 0.1])
        hand = elbow + arm * np.array([0.2, -0.75, 0.62])
        turns = {"x": (-150.0, 150.0), "y": (-120.0, 120.0), "z": (-120.0, 120.0)}
        rows = [root("Hips", vector(self.pelvis))]
        bends = {"x": (-90.0, 90.0)}
        rows += [
            Joint(each, "Hips", (0.0, height, 0.0), bends, translation_limits=EVERY_WAY)
            for each, height in zip(self.spine_names, self.heights[1:-1].tolist(), strict=True)
        ]
        rows += [
            Joint("Chest", "Hips", vector(self.chest), turns, translation_limits=EVERY_WAY),
            Joint("Head", "Chest", (0.0, float(self.heights[-1]), 0.0), _NECK, "YXZ"),
            Joint("LeftUpperArm", "Chest", vector(shoulder), turns),
            Joint("LeftLowerArm", "LeftUpperArm", vector(elbow), turns),
            Joint("LeftHand", "LeftLowerArm", vector(hand), turns),
        ]
        return both_sides(rows)

    def pieces(self) -> list[Piece]:
        snow = [Piece("Hips", "snow", _round(self.radii[0]))]
        for name, radius in zip(self.spine_names, self.radii[1:-1], strict=True):
            buttons = [
                ball(0.1 * radius, 0.1 * radius, 0.1 * radius, 10, 7).moved(
                    radius * np.array([0.0, np.sin(angle), np.cos(angle)])
                )
                for angle in (-0.35, 0.05, 0.45)
            ]
            snow += [Piece(name, "snow", _round(radius)), Piece(name, "coal", joined(*buttons))]
        return [*snow, *self._face(), *self._arm()]

    def _face(self) -> list[Piece]:
        size = float(self.radii[-1])
        eye = ball(0.12 * size, 0.12 * size, 0.12 * size, 10, 7)
        nose = lathe([(0.0, 0.0), (0.14 * size, 0.0), (0.0, 0.75 * size)], 12).rotated(x=90)
        eyes = [eye.moved((x * size, 0.3 * size, 0.88 * size)) for x in (-0.35, 0.35)]
        return [
            Piece("Head", "snow", _round(size)),
            Piece("Head", "coal", joined(*eyes)),
            Piece("Head", "carrot", nose.moved((0.0, 0.0, 0.95 * size))),
        ]

    def _arm(self) -> list[Piece]:
        rows = {row.name: np.array(row.at) for row in self.joints()}
        thick, arm = 0.02 * self.tall, 0.36 * self.tall
        pairs = (("LeftUpperArm", "LeftLowerArm"), ("LeftLowerArm", "LeftHand"))
        sticks = [
            Piece(start, "wood", rod((0, 0, 0), vector(rows[end] - rows[start]), thick))
            for start, end in pairs
        ]
        along = (rows["LeftHand"] - rows["LeftLowerArm"]) / arm
        fingers = [
            rod((0, 0, 0), vector(0.2 * arm * (along + np.array(aside))), 0.6 * thick)
            for aside in ((0.4, 0.2, 0.2), (0.0, 0.0, 0.5), (-0.4, 0.1, 0.1))
        ]
        return [*sticks, Piece("LeftHand", "wood", joined(*fingers))]

    def clips(self, rig: Rig) -> list[Clip]:
        """Idle, walk (a waddling hop) and their crouched versions."""
        low, way = np.radians(58.0), 0.55 * self.tall
        still = [(0, {}), (24, {"bow": 0.03}), (48, {})]
        hop = [
            (0, {"bow": 0.1, "roll": 0.09}),
            (4, {"high": 0.05, "bow": 0.02}),
            (8, {"bow": 0.1, "roll": -0.09}),
            (12, {"high": 0.05, "bow": 0.02}),
            (16, {"bow": 0.1, "roll": 0.09}),
        ]
        made = []
        for name, keys, bow, goes in (
            ("idle", still, 0.0, 0.0),
            ("walk", hop, 0.0, way),
            ("crouch", still, low, 0.0),
            ("crouch_walk", hop, low, 0.6 * way),
        ):
            last = keys[-1][0]
            poses = {frame: self._pose(key, bow, goes * frame / last) for frame, key in keys}
            made.append(clip(rig, name, poses, rate=RATE, loops=True, whole=True))
        return made

    def _pose(self, key: Mapping[str, float], bow: float, ahead: float) -> dict[str, float]:
        """Channels of a pose that bows ahead and rolls aside, rad, `high` above the ground."""
        angle = bow + key.get("bow", 0.0)
        turn = matrix_from_vector(np.array([angle, 0.0, key.get("roll", 0.0)]))
        upright = self.chest - self.pelvis
        chest = (PRESSED if bow else 1.0) * turn @ upright
        found = {
            "Hips.translate.y": self.tall * key.get("high", 0.0) * (0.4 if bow else 1.0),
            "Hips.translate.z": ahead,
            "Chest.rotate.x": 0.6 * angle,
            "Head.rotate.x": -0.5 * angle,
            "LeftUpperArm.rotate.x": -1.1 * angle,  # hands stay above the ground
            "RightUpperArm.rotate.x": -1.1 * angle,
        }
        points = spine_points(np.zeros(3), chest, upright, self.shares)
        moved = [*(points - self.shares[:, None] * upright), chest - upright]
        for each, place in zip([*self.spine_names, "Chest"], moved, strict=True):
            for axis, value in zip("xyz", place.tolist(), strict=True):
                found[f"{each}.translate.{axis}"] = value
        return found


_NECK = {"x": (-60.0, 60.0), "y": (-80.0, 80.0), "z": (-30.0, 30.0)}


def _round(radius: float) -> Solid:
    return ball(float(radius), float(radius), float(radius))
