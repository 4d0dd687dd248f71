"""Measures of an edited activity against the original, all taken from samples of both scenes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from activity_geometry import Limb, Mesh, Reachable, legs, limbs, local
from activity_sampled import Node, Sampled
from arcwright.arrays import Bools, Floats
from arcwright.kinematics.mass import body_mass
from arcwright.kinematics.rotation import matrix_from_vector
from arcwright.scene.activity import Pair, element_of
from arcwright.scene.rig import Kind
from arcwright.tools.activity.trajectory import rotation_between

FLEXED = np.radians(15.0)
CHORDS = 0.5, 2.0  # change of a piece's chord for which speed profiles are compared
PIECE = 0.03  # m, length and chord of pieces that are compared
RADII = {"hand": 0.03, "wrist": 0.03, "forearm": 0.035, "elbow": 0.04}  # m
LIMIT = 1e-6  # rad or m
AXES = {"X": Kind.ROTATE_X, "Y": Kind.ROTATE_Y, "Z": Kind.ROTATE_Z}


@dataclass(frozen=True)
class Measured:
    """One edit; lengths in m."""

    hit: float  # largest error of what was moved
    drift: float  # of unedited events
    pairs: float  # largest error over all frames of contact
    limits: int  # channels at frames that are further beyond a limit than in the original
    penetration: float  # beyond that of the original
    correlation: float  # of speed profiles, nan without a piece to compare
    elbows: tuple[float, float]  # rad/s^3, rms jerk of their swivel before and after, or nan
    knees: tuple[float, float]
    mass: float  # m/s^2, rms change of the acceleration of the centre of mass


class Original:
    """What is measured once for each scene."""

    def __init__(self, sampled: Sampled) -> None:
        self.sampled = sampled
        self.meshes = {each.name: Mesh(each) for each in sampled.scene.props}
        self.reachable = Reachable(sampled, self.meshes)
        actor = sampled.scene.characters[0]
        mass = body_mass(actor.rig, actor.shapes)
        self._mass = mass.joints, mass.centre, mass.share
        self.acceleration = self._acceleration(sampled)
        self._depths: dict[tuple[str, str], Floats] = {}

    def _acceleration(self, sampled: Sampled) -> Floats:
        joints, centre, share = self._mass
        world = sampled.world[:, joints]
        place = np.einsum("tpij,pj->tpi", world[..., :3, :3], centre) + world[..., :3, 3]
        found: Floats = np.diff(np.einsum("p,tpi->ti", share, place), 2, axis=0) * sampled.rate**2
        return found

    def measure(self, after: Sampled, nodes: set[Node], by: Floats) -> Measured:
        """What became of a displacement of `nodes`."""
        return Measured(
            self._hit(after, nodes, by),
            self._drift(after, nodes),
            self._pairs(after, nodes),
            self._limits(after),
            self._penetration(after),
            _profile_correlation(self.sampled, after, {name for name, _ in nodes}),
            _swivel_jerks(self.sampled, after, limbs(self.sampled).values()),
            _swivel_jerks(self.sampled, after, legs(self.sampled)),
            float(np.sqrt(((self._acceleration(after) - self.acceleration) ** 2).sum(1).mean())),
        )

    def _hit(self, after: Sampled, nodes: set[Node], by: Floats) -> float:
        """Of all that must move alike; hands that hold an object are measured at it."""
        errors = []
        for name, event in nodes:
            frame = self.sampled.frames[event]
            goal = self.sampled.elements[name][frame, :3, 3] + by
            errors.append(np.linalg.norm(after.elements[name][frame, :3, 3] - goal))
        return float(max(errors))

    def _pairs(self, after: Sampled, nodes: set[Node]) -> float:
        """Of all pairs while they hold, but those that the edit parts."""
        before = self.sampled
        kept = [each for each in before.holds() if not _parted(before, nodes, *each)]
        return max((_pair_error(before, after, *each) for each in kept), default=0.0)

    def _drift(self, after: Sampled, nodes: set[Node]) -> float:
        """Of all elements at events in which they are not moved."""
        found = [0.0]
        for name in self.sampled.elements:
            for event in self.sampled.events_of(name):
                if (name, event) not in nodes:
                    frame = self.sampled.frames[event]
                    places = (each.elements[name][frame, :3, 3] for each in (self.sampled, after))
                    found.append(float(np.linalg.norm(next(places) - next(places))))
        return max(found)

    def _limits(self, after: Sampled) -> int:
        before, beyond = (_beyond_limits(each) for each in (self.sampled, after))
        return int((beyond > before + LIMIT).sum())

    def _penetration(self, after: Sampled) -> float:
        worst = 0.0
        for part, (places, radius) in _arm_points(after).items():
            hand = part.partition(",")[0]
            for prop in self.meshes:
                if not self.reachable.tied(hand, prop):
                    depth = self._depth(after, prop, places, radius)
                    worst = max(worst, float((depth - self._before(part, prop)).max()))
        return worst

    def _before(self, part: str, prop: str) -> Floats:
        if (part, prop) not in self._depths:
            places, radius = _arm_points(self.sampled)[part]
            self._depths[part, prop] = self._depth(self.sampled, prop, places, radius)
        return self._depths[part, prop]

    def _depth(self, sampled: Sampled, prop: str, places: Floats, radius: float) -> Floats:
        return self.meshes[prop].depth(local(places, sampled.props[prop]), radius)


def _beyond_limits(sampled: Sampled) -> Floats:
    """(T, C) how far channels are beyond their limits.

    Three angles have a second form, (a + pi, pi - b, c + pi), of the same rotation; of the two
    that counts which is nearer to its limits.
    """
    rig, table = sampled.scene.characters[0].rig, sampled.scene.characters[0].rig.channels

    def beyond(values: Floats) -> Floats:
        return np.maximum(np.maximum(values - table.high, table.low - values), 0.0)

    found, other = beyond(sampled.values), sampled.values.copy()
    for joint in range(len(rig.names)):
        own = [
            int(at[0])
            for axis in rig.modes[joint]
            if axis in "XYZ"
            and len(at := np.flatnonzero((table.joint == joint) & (table.kind == AXES[axis])))
        ]
        if len(own) == 3:
            first, middle, last = own
            other[:, middle] = np.pi - other[:, middle]
            other[:, [first, last]] += np.pi
            other[:, own] = (other[:, own] + np.pi) % (2 * np.pi) - np.pi
            both = np.stack([found[:, own], beyond(other)[:, own]])
            nearer = both.sum(axis=2).argmin(axis=0)
            found[:, own] = both[nearer, np.arange(len(found))]
    return found


def _arm_points(sampled: Sampled) -> dict[str, tuple[Floats, float]]:
    """(T, 3) and radius of parts of the arms whose hands are elements."""
    found = {}
    for name, limb in limbs(sampled).items():
        if name in sampled.elements:
            elbow, wrist = sampled.joint(limb.middle), sampled.joint(limb.end)
            places = {
                "hand": sampled.elements[name][:, :3, 3],
                "wrist": wrist,
                "forearm": (elbow + wrist) / 2,
                "elbow": elbow,
            }
            for part, place in places.items():
                found[f"{name},{part}"] = place, RADII[part]
    return found


def _pair_error(before: Sampled, after: Sampled, pair: Pair, frames: slice) -> float:
    """How far one point of a pair is from where it was in the frame of the other.

    The frame of a limb that leads is the world's: how a hand is turned is free.
    """
    objects = {each.name for each in before.activity.objects}
    if element_of(pair.constraining) in objects:
        old, new = (each.apart(pair)[frames] for each in (before, after))
    else:
        old, new = (
            (each.place(pair.constrained) - each.place(pair.constraining))[frames]
            for each in (before, after)
        )
    return float(np.linalg.norm(new - old, axis=1).max())


def _parted(before: Sampled, nodes: set[Node], pair: Pair, frames: slice) -> bool:
    """Whether an edit moves only the constrained element of a pair, so that it no longer holds."""
    events = [at for at, frame in enumerate(before.frames) if frames.start <= frame < frames.stop]
    own, leader = element_of(pair.constrained), element_of(pair.constraining)
    return any((own, at) in nodes and (leader, at) not in nodes for at in events)


def _profile_correlation(before: Sampled, after: Sampled, names: set[str]) -> float:
    """Of speed divided by piece length, over pieces of all that moves; the least of elements.

    Where an element follows another one rigidly it has no speed of its own.
    """
    found = []
    for name in names:
        knots = sorted(
            {0, len(before.times) - 1, *(before.frames[at] for at in before.events_of(name))}
        )
        old, new = (each.elements[name][:, :3, 3] for each in (before, after))
        profiles: list[tuple[Floats, Floats]] = []
        led = _led(before, name)
        for first, last in pairwise(knots):
            own = [each[first : last + 1] for each in (old, new)]
            chords = [np.linalg.norm(each[-1] - each[0]) for each in own]
            speeds = [np.linalg.norm(np.diff(each, axis=0), axis=1) for each in own]
            lengths = [each.sum() for each in speeds]
            moved = np.abs(own[1] - own[0]).max() > 1e-4 and last - first > 2
            moved = moved and not led[first : last + 1].all()
            if moved and min(*chords, *lengths) > PIECE and _similar(chords[1] / chords[0]):
                profiles.append((speeds[0] / lengths[0], speeds[1] / lengths[1]))
        if profiles:
            both = (np.concatenate(each) for each in zip(*profiles, strict=True))
            found.append(float(np.corrcoef(*both)[0, 1]))
    return min(found, default=np.nan)


def _led(sampled: Sampled, element: str) -> Bools:
    """(T,) when an element follows another one."""
    found = np.zeros(len(sampled.times), bool)
    for pair, frames in sampled.holds():
        if element_of(pair.constrained) == element:
            found[frames] = True
    return found


def _similar(ratio: float) -> bool:
    return CHORDS[0] <= ratio <= CHORDS[1]


def _swivel_jerks(before: Sampled, after: Sampled, chosen: Iterable[Limb]) -> tuple[float, float]:
    """RMS jerk of the swivel of limbs, rad/s^3, where they are flexed in both: old and new."""
    total, count = np.zeros(2), 0
    for limb in chosen:
        arms = [_arm(each, limb.root, limb.middle, limb.end) for each in (before, after)]
        steps = [_swivel_steps(*each[:2]) for each in arms]
        flexed = arms[0][2] & arms[1][2]
        four = np.lib.stride_tricks.sliding_window_view(flexed, 4).all(axis=1)
        total += [float((np.diff(each, 2)[four] ** 2).sum()) for each in steps]
        count += int(four.sum())
    old, new = np.sqrt(total / count) * before.rate**3 if count else (np.nan, np.nan)
    return float(old), float(new)


def _arm(sampled: Sampled, root: str, middle: str, end: str) -> tuple[Floats, Floats, Bools]:
    """(T, 3) from shoulder to wrist, (T, 3) to the elbow across it, and whether it is flexed."""
    shoulder, elbow, wrist = (sampled.joint(each) for each in (root, middle, end))
    line = (wrist - shoulder) / np.linalg.norm(wrist - shoulder, axis=1, keepdims=True)
    out = elbow - shoulder
    out = out - (out * line).sum(axis=1, keepdims=True) * line
    upper, lower = elbow - shoulder, wrist - elbow
    cosine = (upper * lower).sum(1) / np.linalg.norm(upper, axis=1) / np.linalg.norm(lower, axis=1)
    return line, out, np.arccos(np.clip(cosine, -1, 1)) > FLEXED


def _swivel_steps(line: Floats, out: Floats) -> Floats:
    """(T - 1,) rad by which the elbow turns about the arm's line, carried along with the line."""
    carried = np.einsum(
        "tij,tj->ti", matrix_from_vector(rotation_between(line[:-1], line[1:])), out[:-1]
    )
    sine = (np.cross(carried, out[1:]) * line[1:]).sum(axis=1)
    found: Floats = np.arctan2(sine, (carried * out[1:]).sum(axis=1))
    return found
