"""Stiffness S: what a displacement of the motion costs by itself.

Each unknown costs as much as the mass that it moves, and those that move the trunk cost more where
the trunk is to stay: so a dragged limb moves before the trunk. Second differences keep the
displacement smooth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.spline import band
from arcwright.kinematics.feet import foot_joints
from arcwright.kinematics.hinges import Hinge, local_rotations
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.rig_analysis import PERSON, analyse, ancestors
from arcwright.objectives.freedom import mass_particles
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.solve.blocks import Moments
from arcwright.tools.spacetime.displacement import EditRange, Unknowns, second_differences
from arcwright.tools.spacetime.jacobians import PointKinematics

MIN_ROTATION_STIFFNESS = 0.15**2  # m^2 per rad^2: of rotations of a person that move no mass
MIN_TRANSLATION_STIFFNESS = 0.01  # m^2 per m^2: of translations that move no mass
USUAL_STIFFNESS = 0.02  # m^2 per rad^2 or m^2: of a joint of a person's leg
TRUNK_WEIGHT = 40.0  # times its mass: what moving the trunk costs while a limb is dragged
CARRYING_WEIGHT = 10.0  # the same while what hands hold is dragged within their reach,
FAR_CARRYING_WEIGHT = 3.0  # and beyond it
TRUNK_SHARE = 0.2  # of the mass, from which on what an unknown moves is the trunk
TRUNK_UP = 0.25  # of that weight: up and down, while a hand or the head is dragged
BALANCE = 5.0  # times that weight, then: moving the centre of mass along the floor by the trunk
STIFFNESS_INTERVAL = 0.05  # s between samples of the stiffness, at least
SMOOTHNESS_SPACING = 0.1  # s, knot spacing for which the weight of smoothness is stated
SMOOTHNESS_DOUBLINGS = 15  # of that weight, from smoothness 0 to 1
USUAL_SMOOTHNESS = 7.0  # the weight for which changes stay within a second
SMOOTHNESS_EXPONENT = 0.7  # how much smoother unknowns are that move the body more
FOLLOW_FACTOR = 0.3**2  # of its stiffness, with which the body follows its feet along the floor
SAMPLES_AT_ONCE = 32
HINGE_STIFFNESS = 2.0  # m^2 per rad^2: of bending a knee or an elbow sideways
UPRIGHT_STIFFNESS = 500.0  # m^2 per rad^2: of rotating the body while it is dragged as a whole
BODY_SHARE = 0.6  # of the mass, which a translation moves that moves the body


class Stiffness(NamedTuple):
    """The quadratic cost of a displacement itself."""

    blocks: Floats  # (N, D, 4, D) S
    diagonal: Floats  # (D,) of one control value in the mean, without smoothness


def blended(one: Stiffness, other: Stiffness, share: float) -> Stiffness:
    """A stiffness between two: the other at a share of 1."""
    blocks = (1 - share) * one.blocks + share * other.blocks
    return Stiffness(blocks, (1 - share) * one.diagonal + share * other.diagonal)


class MassPoints(NamedTuple):
    """Points that stand for the mass of a body, and its measures."""

    points: Places  # P of them
    share: Floats  # (P,) of the mass
    size: float  # m, of the body
    metres: Floats  # (J,) world metres for a unit of a joint's translation


def mass_points(actor: Actor, take: Take) -> MassPoints:
    """The mass of a character."""
    analysis = analyse(actor, take)
    points, share = mass_particles(actor, analysis)
    return MassPoints(points, share, analysis.size, analysis.metres)


def joints_as_mass(mass: MassPoints, rig: Rig) -> MassPoints:
    """The same body with its mass spread evenly over all joints."""
    count = len(rig.names)
    return mass._replace(points=places(rig, list(range(count))), share=np.full(count, 1 / count))


def smoothness_weight(smoothness: float) -> float:
    """The weight of second differences, on a logarithmic scale: 0 at 0, 7 at 0.2, 32767 at 1."""
    return float(2 ** (SMOOTHNESS_DOUBLINGS * smoothness) - 1)


def influence_time(smoothness: float) -> float:
    """Seconds before and after a drag in which it changes the motion: 1 at 0.2, 8 at 1."""
    return float(max(smoothness_weight(smoothness) / USUAL_SMOOTHNESS, 1.0) ** 0.25)


def displacement_stiffness(
    rig: Rig,
    mass: MassPoints,
    span: EditRange,
    frames: Floats,
    values: Floats,
    unknowns: Unknowns,
    *,
    smooth: float,
    trunk_weight: float = 1.0,
    dragged: Sequence[int] = (),
    feet_lead: bool = False,
    hinges: Sequence[Hinge] = (),
    upright: Bools | None = None,
) -> Stiffness:
    """S at frames (T,) with values (T, C).

    Moving the trunk above `dragged` joints costs `trunk_weight` times its mass. Where `feet_lead`,
    the body moves along the floor more easily, and as smoothly as ever. Hinges hardly bend aside,
    and joints that are `upright` (J,) hardly rotate.
    """
    most = int((span.end - span.start) / STIFFNESS_INTERVAL) + 1
    every = max(1, len(frames) // min(2 * span.count, most))
    picked = np.arange(0, len(frames), every)
    body = _moved_mass(rig, mass, values[picked], unknowns, dragged)
    moved, squares = body.moved, (trunk_weight - 1) * body.trunk
    unit, least = _units(rig, mass, unknowns)
    joint_stiffness = np.sqrt(_squared_stiffness(rig, unknowns))
    np.einsum("tdd->td", squares)[:] += moved + least
    squares = squares * np.outer(joint_stiffness, joint_stiffness)
    plain = np.einsum("tdd->td", squares).sum(axis=0)
    scale = (mass.size / PERSON) ** 2
    _stiffen_hinges(squares, rig, values[picked], unknowns, hinges, scale)
    if upright is not None:
        rotates = upright[_owners(rig, unknowns)] & ~_slides(rig, unknowns)
        np.einsum("tdd->td", squares)[:] += UPRIGHT_STIFFNESS * scale * rotates
    plain /= np.einsum("tdd->td", squares).sum(axis=0)
    nearest = np.minimum(np.arange(len(frames)) // every, len(picked) - 1)
    ease = np.ones(unknowns.count)
    if feet_lead:
        ease = _follow_factors(rig, body.mean_square, mass, unknowns)
    eased = squares * np.sqrt(np.outer(ease, ease))
    spline = band(span.start, span.end, span.count, frames)
    blocks = Moments(spline.first, spline.weight, span.count).squares(eased[nearest])
    diagonal = np.einsum("ndd->d", blocks[:, :, 0]) / span.count
    weight = smooth * (SMOOTHNESS_SPACING / span.spacing) ** 2 * diagonal * plain / ease
    weight *= 4**span.halvings  # the same displacement costs as much with closer knots
    mean = (moved.mean(axis=0) + least) * joint_stiffness**2 / unit
    weight = weight * (mean / USUAL_STIFFNESS) ** SMOOTHNESS_EXPONENT
    return Stiffness(blocks + second_differences(span.count, weight), diagonal)


class MovedMass(NamedTuple):
    """How the mass of a body moves with the unknowns, at T samples."""

    moved: Floats  # (T, D) m^2 in the mean, per unit of each unknown
    trunk: Floats  # (T, D, D) m^2, what two unknowns that move the trunk cost; 0 for others
    mean_square: Floats  # (P, 3, D) m^2, of each point, in the mean over time


def _moved_mass(
    rig: Rig, mass: MassPoints, values: Floats, unknowns: Unknowns, dragged: Sequence[int]
) -> MovedMass:
    """At values (T, C); some samples at a time, because all derivatives at once are many."""
    body, size = PointKinematics(rig, mass.points, unknowns), unknowns.count
    moved, trunk = np.empty((len(values), size)), np.zeros((len(values), size, size))
    total, moves = np.zeros((len(mass.share), 3, size)), np.zeros(0, np.int64)
    reaching = not any(_carries_foot(rig, joint) for joint in dragged)
    for first in range(0, len(values), SAMPLES_AT_ONCE):
        at = slice(first, first + SAMPLES_AT_ONCE)
        linear = body.evaluate(values[at], np.zeros((len(values[at]), size))).linear
        if first == 0:
            moves = np.flatnonzero(_moves_trunk(rig, mass, unknowns, linear, dragged))
        flat = (np.sqrt(mass.share)[:, None, None] * linear).reshape(len(linear), -1, size)
        moved[at] = (flat * flat).sum(axis=1)
        trunk[at, moves[:, None], moves] = _trunk_squares(
            mass, np.ascontiguousarray(linear[..., moves]), reaching=reaching
        )
        total += (linear * linear).sum(axis=0)
    return MovedMass(moved, trunk, total / len(values))


def _trunk_squares(mass: MassPoints, linear: Floats, *, reaching: bool) -> Floats:
    """(T, M, M) m^2, what moving the mass by M unknowns of the trunk costs, from (T, P, 3, M).

    Where a hand or the head is `reaching`, hips go down easily, and back to keep the balance.
    """
    samples, points, _, size = linear.shape
    axes = np.sqrt((1.0, TRUNK_UP if reaching else 1.0, 1.0))
    own = np.sqrt(mass.share)[:, None, None] * axes[:, None] * linear
    own = own.reshape(samples, 3 * points, size)
    if reaching:
        centre = np.tensordot(mass.share, linear[:, :, ::2], (0, 1))
        own = np.concatenate([own, np.sqrt(BALANCE) * centre], axis=1)
    squares: Floats = own.swapaxes(1, 2) @ own
    return squares


def _carries_foot(rig: Rig, joint: int) -> bool:
    """Whether a joint is of a foot, or above one."""
    own = np.flatnonzero(foot_joints(rig)).tolist()
    return any(each == joint or ancestors(rig, each)[joint] for each in own)


def _stiffen_hinges(
    squares: Floats,
    rig: Rig,
    values: Floats,
    unknowns: Unknowns,
    hinges: Sequence[Hinge],
    scale: float,
) -> None:
    """Add what it costs to bend hinges out of their planes, to squares (T, D, D)."""
    row = {joint: at for at, joint in enumerate(unknowns.joints.tolist())}
    own = [each for each in hinges if each.joint in row]
    if not own:
        return
    local = local_rotations(rig, values, [each.joint for each in own])
    for at, each in enumerate(own):
        aside = np.cross(each.axis @ local[:, at], each.lower)  # (T, 3) in the joint's axes
        aside /= np.maximum(np.linalg.norm(aside, axis=1, keepdims=True), 1e-9)
        columns = slice(3 * row[each.joint], 3 * row[each.joint] + 3)
        squares[:, columns, columns] += HINGE_STIFFNESS * scale * aside[:, :, None] * aside[:, None]


def _owners(rig: Rig, unknowns: Unknowns) -> Ints:
    """(D,) the joint of each unknown."""
    return np.append(np.repeat(unknowns.joints, 3), rig.channels.joint[unknowns.channels])


def _slides(rig: Rig, unknowns: Unknowns) -> Bools:
    """(D,) which unknowns are translations."""
    slides = rig.channels.kind[unknowns.channels] < Kind.ROTATE_X
    return np.append(np.zeros(unknowns.rotation_count, bool), slides)


def _moves_trunk(
    rig: Rig, mass: MassPoints, unknowns: Unknowns, linear: Floats, dragged: Sequence[int]
) -> Bools:
    """(D,) whether an unknown moves a dragged joint and much of the mass (T, P, 3, D) with it."""
    above = np.zeros(len(rig.names), bool)
    for joint in dragged:
        above |= ancestors(rig, joint)
    moved_share = mass.share @ (linear != 0).any(axis=(0, 2))
    chosen: Bools = above[_owners(rig, unknowns)] & (moved_share > TRUNK_SHARE)
    return chosen


def _units(rig: Rig, mass: MassPoints, unknowns: Unknowns) -> tuple[Floats, Floats]:
    """(D,) square of what a radian or a metre is to each unknown, and its least stiffness.

    A radian moves a small body less than a person, and a large one more.
    """
    table, scale = rig.channels, (mass.size / PERSON) ** 2
    slides = table.kind[unknowns.channels] < Kind.ROTATE_X
    metres = mass.metres[table.joint[unknowns.channels]] ** 2
    rotations = np.full(unknowns.rotation_count, scale)
    unit = np.append(rotations, np.where(slides, metres, scale))
    least = np.where(slides, MIN_TRANSLATION_STIFFNESS, MIN_ROTATION_STIFFNESS)
    least = np.append(np.full(unknowns.rotation_count, MIN_ROTATION_STIFFNESS), least)
    return unit, unit * least


def _follow_factors(rig: Rig, squares: Floats, mass: MassPoints, unknowns: Unknowns) -> Floats:
    """(D,) factors of the stiffness that ease translations of the body along the floor.

    `squares` (P, 3, D) are those of how far mass points move.
    """
    each = squares.sum(axis=1)
    along = each > 0.5 * each.max(axis=0, initial=1e-30)  # points that move all the way
    level = 1 - squares[:, 1].sum(axis=0) / np.maximum(each.sum(axis=0), 1e-30)
    moves_body = _slides(rig, unknowns) & (mass.share @ along > BODY_SHARE)
    factors: Floats = np.where(moves_body, 1 - (1 - FOLLOW_FACTOR) * level, 1.0)
    return factors


def _squared_stiffness(rig: Rig, unknowns: Unknowns) -> Floats:
    """(D,) square of the rig's own stiffness of each unknown."""
    table = rig.channels
    rotates = (table.kind >= 3) & (table.kind <= 9)
    total = np.bincount(table.joint[rotates], table.stiffness[rotates], len(rig.names))
    mean = total / np.maximum(np.bincount(table.joint[rotates], minlength=len(rig.names)), 1)
    by_rotation = np.repeat(mean[unknowns.joints], 3)
    return np.concatenate([by_rotation, table.stiffness[unknowns.channels]]) ** 2
