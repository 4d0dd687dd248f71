"""Geometry of the activity benchmarks: arms, meshes of props, and random targets within reach.

The test of reach knows nothing of the one of the tool: a hand gets to within 0.95 arm lengths of
a shoulder that may move 15 cm, and to nowhere inside a prop.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from activity_sampled import Node, Sampled
from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.skinning import deform
from arcwright.scene.activity import element_of
from arcwright.scene.scene import Actor

STRETCH = 0.95  # of an arm's length
SHOULDER = 0.15  # m that a shoulder may move
LEG = 0.98  # of a leg's length, for targets of the pelvis
FREE = 0.5  # m, for objects that no limb holds
TRIES = 300  # for a target
FLOOR = 0.02  # m, height of targets at least
SUNK = 0.001  # m that a prop may be deeper in another than it was
ARM = 0.05  # m, of balls at elbows and wrists
EVERY = 4  # frames, in which arms are looked at
CORNERS = 60  # vertices of a prop that are tested


@dataclass(frozen=True, eq=False)
class Limb:
    """Joints of an arm or a leg and its effector."""

    root: str
    middle: str
    end: str


def limbs(sampled: Sampled) -> dict[str, Limb]:
    """Of each hand among the elements."""
    names = sampled.scene.characters[0].rig.names
    found = {}
    for side in ("Left", "Right"):
        upper = next(each for each in (f"{side}UpperArm", f"{side}Arm") if each in names)
        lower = next(each for each in (f"{side}LowerArm", f"{side}ForeArm") if each in names)
        found[f"{side.lower()} hand"] = Limb(upper, lower, f"{side}Hand")
    return found


def legs(sampled: Sampled) -> list[Limb]:
    """Both of them."""
    names = sampled.scene.characters[0].rig.names
    found = []
    for side in ("Left", "Right"):
        upper = next(each for each in (f"{side}UpperLeg", f"{side}UpLeg") if each in names)
        lower = next(each for each in (f"{side}LowerLeg", f"{side}Leg") if each in names)
        found.append(Limb(upper, lower, f"{side}Foot"))
    return found


def arm_length(sampled: Sampled, name: str) -> float:
    """From the shoulder along elbow and wrist to the hand's point, m."""
    limb = limbs(sampled)[name]
    line = [sampled.joint(each) for each in (limb.root, limb.middle, limb.end)]
    line.append(sampled.elements[name][:, :3, 3])
    return float(sum(np.linalg.norm(b - a, axis=1)[0] for a, b in pairwise(line)))


class Mesh:
    """The triangles of a prop, in the frame of its first joint."""

    def __init__(self, prop: Actor) -> None:
        root = int(np.flatnonzero(prop.rig.parents < 0)[0])
        rest = prop.rig.channels.default
        world = forward(prop.rig, rest[None], range(len(prop.rig.names)))[0]
        back = np.linalg.inv(world[root])
        parts = [np.zeros((0, 3, 3))]
        for each in deform(prop, rest, world):
            points = each.positions @ back[:3, :3].T + back[:3, 3]
            parts.append(points[np.asarray(each.part.indices).reshape(-1, 3)])
        self.triangles: Floats = np.concatenate(parts)

    @cached_property
    def box(self) -> tuple[Floats, Floats]:
        """Lowest and highest corner."""
        every = self.triangles.reshape(-1, 3)
        return every.min(axis=0), every.max(axis=0)

    @cached_property
    def corners(self) -> Floats:
        """(N, 3) some of its vertices, spread over all of them."""
        every = np.unique(self.triangles.reshape(-1, 3).round(6), axis=0)
        return every[np.linspace(0, len(every) - 1, min(CORNERS, len(every))).astype(int)]

    def depth(self, points: Floats, radius: float) -> Floats:
        """(N,) m that balls at points (N, 3) are inside."""
        found = np.zeros(len(points))
        if not len(self.triangles):
            return found
        low, high = self.box
        near = np.flatnonzero(np.all((points > low - radius) & (points < high + radius), axis=1))
        for at in near.tolist():
            away = self.triangles - points[at]
            distance = _distance(away)
            inside = _winding(away) > 0.5
            found[at] = max(radius + distance if inside else radius - distance, 0.0)
        return found


def _winding(triangles: Floats) -> float:
    """How often a closed surface (N, 3, 3) goes around the origin."""
    a, b, c = (triangles[:, at] for at in range(3))
    la, lb, lc = (np.linalg.norm(each, axis=1) for each in (a, b, c))
    over = np.einsum("ij,ij->i", a, np.cross(b, c))
    under = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
    return float(abs(np.arctan2(over, under).sum()) / (2 * np.pi))


def _distance(triangles: Floats) -> float:
    """From the origin to the nearest of triangles (N, 3, 3)."""
    edges = np.roll(triangles, -1, axis=1) - triangles
    square = np.maximum((edges**2).sum(axis=2), 1e-18)
    share = np.clip(-(triangles * edges).sum(axis=2) / square, 0.0, 1.0)
    on_edges = np.linalg.norm(triangles + share[..., None] * edges, axis=2).min()
    normal = np.cross(edges[:, 0], edges[:, 1])
    size = np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-18)
    normal = normal / size
    height = (normal * triangles[:, 0]).sum(axis=1)
    foot = height[:, None] * normal
    sides = np.einsum("nij,nj->ni", np.cross(edges, foot[:, None] - triangles), normal)
    over = np.all(sides >= 0, axis=1)
    return float(min(on_edges, np.abs(height[over]).min(initial=np.inf)))


def local(points: Floats, pose: Floats) -> Floats:
    """Points (N, 3) in the frame of a pose (4, 4) or of poses (N, 4, 4), which may be scaled."""
    back = np.linalg.inv(pose)
    found: Floats = np.einsum("...ij,...j->...i", back[..., :3, :3], points) + back[..., :3, 3]
    return found


class Reachable:
    """Random displacements of an element at an event that a body should be able to follow."""

    def __init__(self, sampled: Sampled, meshes: dict[str, Mesh]) -> None:
        self.sampled, self.meshes = sampled, meshes
        self._objects = {each.name: each.prop for each in sampled.activity.objects}

    def targets(self, element: str, event: int, count: int, rng: np.random.Generator) -> Floats:
        """(N, 3) m, displacements; N is smaller where too few are found."""
        found: list[Floats] = []
        nodes = self.sampled.moved_with(element, event)
        for _ in range(TRIES * count):
            if len(found) == count:
                break
            by = self._proposed(nodes, rng)
            if self._within(nodes, by) and self._clear(nodes, by) and self._off_arms(nodes, by):
                found.append(by)
        return np.array(found).reshape(-1, 3)

    def _hands(self, nodes: set[Node]) -> list[Node]:
        return sorted(node for node in nodes if node[0] in limbs(self.sampled))

    def _ball(self, hand: Node) -> tuple[Floats, float]:
        """Shoulder (3,) at an event, and how far from it a hand may be."""
        name, event = hand
        shoulder = self.sampled.joint(limbs(self.sampled)[name].root)[self.sampled.frames[event]]
        return shoulder, STRETCH * arm_length(self.sampled, name) + SHOULDER

    def _proposed(self, nodes: set[Node], rng: np.random.Generator) -> Floats:
        hands = self._hands(nodes)
        ball = rng.normal(size=3)
        ball *= rng.uniform() ** (1 / 3) / np.linalg.norm(ball)
        if any(name == "pelvis" for name, _ in nodes):
            return SHOULDER * ball
        if not hands:
            return FREE * ball
        shoulder, radius = self._ball(hands[0])
        start = self.sampled.elements[hands[0][0]][self.sampled.frames[hands[0][1]], :3, 3]
        by: Floats = shoulder + radius * ball - start
        return by

    def _within(self, nodes: set[Node], by: Floats) -> bool:
        pelvis = [event for name, event in nodes if name == "pelvis"]
        if pelvis:
            return all(self._legs_reach(self.sampled.frames[event], by) for event in pelvis)
        for hand in self._hands(nodes):
            shoulder, radius = self._ball(hand)
            goal = self.sampled.elements[hand[0]][self.sampled.frames[hand[1]], :3, 3] + by
            if np.linalg.norm(goal - shoulder) > radius or goal[1] < FLOOR:
                return False
        return True

    def _legs_reach(self, frame: int, by: Floats) -> bool:
        names = self.sampled.scene.characters[0].rig.names
        for side in ("Left", "Right"):
            upper = next(each for each in (f"{side}UpperLeg", f"{side}UpLeg") if each in names)
            lower = next(each for each in (f"{side}LowerLeg", f"{side}Leg") if each in names)
            hip, knee, foot = (
                self.sampled.joint(each)[frame] for each in (upper, lower, f"{side}Foot")
            )
            length = np.linalg.norm(knee - hip) + np.linalg.norm(foot - knee)
            if np.linalg.norm(foot - hip - by) > max(LEG * length, np.linalg.norm(foot - hip)):
                return False
        return True

    def _clear(self, nodes: set[Node], by: Floats) -> bool:
        """Whether hands and objects that move are in no prop that they have nothing to do with."""
        for name, event in nodes:
            pose = self.sampled.elements[name][self.sampled.frames[event]]
            own = self.meshes[self._objects[name]].corners if name in self._objects else None
            points = pose[None, :3, 3] if own is None else own @ pose[:3, :3].T + pose[:3, 3]
            if own is not None and (points + by)[:, 1].min() < min(points[:, 1].min(), 0) - SUNK:
                return False
            for prop, mesh in self.meshes.items():
                if prop in {self._objects.get(each) for each, _ in nodes} or self.tied(name, prop):
                    continue
                other = self.sampled.props[prop][self.sampled.frames[event]]
                before, after = (
                    mesh.depth(local(each, other), 0.0) for each in (points, points + by)
                )
                if np.any(after > before + SUNK):
                    return False
        return True

    def _off_arms(self, nodes: set[Node], by: Floats) -> bool:
        """Whether objects that stand elsewhere, held by nothing, are not where arms go."""
        if self._hands(nodes):
            return True
        joints = [
            self.sampled.joint(each)[::EVERY]
            for limb in limbs(self.sampled).values()
            for each in (limb.middle, limb.end)
        ]
        for name in {name for name, _ in nodes if name in self._objects}:
            pose = self.sampled.elements[name][::EVERY]
            mesh = self.meshes[self._objects[name]]
            for places in joints:
                before, after = (
                    mesh.depth(local(each, pose), ARM) for each in (places, places - by)
                )
                if np.any(after > before + SUNK):
                    return False
        return True

    def tied(self, element: str, prop: str) -> bool:
        """Whether a pair of any event ties an element to a prop."""
        named = {name for name, each in self._objects.items() if each == prop}
        pairs = [
            {element_of(pair.constrained), element_of(pair.constraining)}
            for event in self.sampled.activity.events
            for pair in event.pairs
        ]
        return any({element, name} in pairs for name in named) or self._objects.get(element) == prop
