"""Side effects: notes of what an edit moves besides what it was made for.

Measured on positions of joints and footplants before and after, whatever the solver says of its
constraints. Meant to move are: what a drag holds and the trunk, within some time of the drag and of
the footplants that it moves, by no more than the drag itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import PERSON
from arcwright.scene.rig import Rig
from arcwright.tools.spacetime.diagnosis import CharacterSolution, constraint_residuals
from arcwright.tools.spacetime.motion_constraint import BALANCE, FLIGHT, is_footplant
from arcwright.tools.spacetime.prepared_edit import PreparedEdit
from arcwright.tools.spacetime.props import MovedProp
from arcwright.tools.spacetime.stiffness import TRUNK_SHARE, MassPoints
from arcwright.tools.tool import Note

NOTED_DISTANCE = 0.05 / PERSON  # of the size of the body, beyond what is meant
MAX_NOTES = 3
MAX_SAMPLES = 150


class JointMotion(NamedTuple):
    """World matrices of all joints at some samples, before and after an edit."""

    samples: Ints  # (T,) among those of the range
    before: Floats  # (T, J, 4, 4)
    after: Floats  # (T, J, 4, 4)

    @property
    def distance(self) -> Floats:
        """(T, J) m, by which joints moved."""
        away = self.after[..., :3, 3] - self.before[..., :3, 3]
        found: Floats = np.linalg.norm(away, axis=-1)
        return found


class _Found(NamedTuple):
    """The largest displacement of one kind."""

    distance: float  # m
    sample: int
    name: str
    kind: str  # what follows the name: ", planted,"
    after: str = ""  # what follows the frame

    def note(self, prepared: PreparedEdit) -> Note:
        """As people read it."""
        frame = prepared.range.times[self.sample] * prepared.take.rate
        size = f"{self.distance:.1f} m" if self.distance >= 1 else f"{100 * self.distance:.0f} cm"
        text = f"{self.name}{self.kind} moved {size} at frame {frame:.0f}{self.after}"
        return Note(text, "moved", self.distance, self.name)


def side_effect_notes(
    solution: CharacterSolution, moved: Sequence[MovedProp] = ()
) -> tuple[Note, ...]:
    """Notes of planted, far away and uninvolved points that moved by more than is meant."""
    prepared, mass = solution.prepared, solution.character.mass
    motion = _joint_motion(solution)
    most = NOTED_DISTANCE * mass.size
    reach = _meant_distance(solution, moved)
    found = [
        *_planted(solution, motion, most, reach),
        *_joints(solution, motion, most, reach, _meant_samples(solution, moved, motion.samples)),
    ]
    named: dict[str, _Found] = {}
    for each in sorted(found, key=lambda each: ("planted" not in each.kind, -each.distance)):
        named.setdefault(each.name, each)
    return tuple(each.note(prepared) for each in list(named.values())[:MAX_NOTES])


def _joint_motion(solution: CharacterSolution) -> JointMotion:
    model, state = solution.model, solution.state
    count = len(state.unknowns)
    samples = np.unique(np.linspace(0, count - 1, min(count, MAX_SAMPLES)).astype(np.int64))
    held = [solution.prepared.held_point(drag).sample for drag in solution.drags]
    samples = np.union1d(samples, np.array(held, np.int64))
    before = forward(model.rig, model.start[samples])
    after = forward(model.rig, model.values(state.unknowns, samples))
    return JointMotion(samples, before, after)


def _meant_distance(solution: CharacterSolution, moved: Sequence[MovedProp]) -> float:
    """How far drags, props and constraints that were asked for mean to move something, m."""
    prepared, model = solution.prepared, solution.model
    found = [prepared.drag_distance(drag) for drag in solution.drags]
    for each in moved:
        times = prepared.range.times[:: max(1, len(prepared.range.times) // 20)]
        path = np.zeros((len(times), 3))
        found.append(float(np.linalg.norm(each.displacement(0, times, path), axis=1).max()))
    asked = {
        index
        for index, each in enumerate(prepared.constraints)
        if each.source is not None and each.kind not in (BALANCE, FLIGHT)
    }
    if asked or not solution.drags:
        residuals = constraint_residuals(model, model.evaluate(*model.zero()))
        found += [
            size
            for (index, _), size in residuals.items()
            if (index in asked or not solution.drags)
            and prepared.constraints[index].kind not in (BALANCE, FLIGHT)
        ]
    return max(found, default=0.0)


def _meant_samples(solution: CharacterSolution, moved: Sequence[MovedProp], samples: Ints) -> Bools:
    """(T,) near drags, footplants that they move, and constraints that were asked for."""
    prepared = solution.prepared
    times, window = prepared.range.times[samples], prepared.influence
    if prepared.exact or prepared.schedule.settings.floating:
        return np.ones(len(times), bool)
    spans = [each.span for each in moved]
    for drag in solution.drags:
        spans.append((drag.time, drag.time))
        for index in prepared.held_point(drag).footplants:
            spans.append((prepared.constraints[index].start, prepared.constraints[index].end))
    spans += [(each.start, each.end) for each in prepared.constraints if each.source is not None]
    length = prepared.range.end - prepared.range.start
    turns = (-length, 0.0, length) if prepared.range.loops else (0.0,)
    near = np.zeros(len(times), bool)
    for start, end in spans:
        for turn in turns:
            near |= (times >= start + turn - window) & (times <= end + turn + window)
    return near


def _planted(
    solution: CharacterSolution, motion: JointMotion, most: float, reach: float
) -> list[_Found]:
    """Footplants that no drag moves."""
    prepared = solution.prepared
    if prepared.schedule.settings.floating:
        return []
    dragged = {index for drag in solution.drags for index in prepared.held_point(drag).footplants}
    limit = most + (0.0 if solution.drags else reach)
    times, found = prepared.range.times[motion.samples], []
    for index, each in enumerate(prepared.constraints):
        if index in dragged or not is_footplant(each):
            continue
        inside = np.flatnonzero((times >= each.start) & (times <= each.end))
        joint = prepared.take.rig.joint(each.point.joint)
        place = np.append(each.point.offset, 1.0)
        was, now = (at[inside, joint] @ place for at in (motion.before, motion.after))
        away = np.linalg.norm((now - was)[:, :3], axis=1)
        if len(away) and away.max() > limit:
            at = int(away.argmax())
            sample = int(motion.samples[inside[at]])
            found.append(_Found(float(away[at]), sample, each.point.joint, ", planted,"))
    return found


def _joints(
    solution: CharacterSolution, motion: JointMotion, most: float, reach: float, near: Bools
) -> list[_Found]:
    """Joints that moved more than is meant, far from the edit, or in limbs without a part in it."""
    rig, distance = solution.model.rig, motion.distance
    real = np.zeros(len(rig.names), bool)
    real[rig.channels.joint] = True
    alone = np.minimum(_moved_alone(solution, motion), distance)
    meant = np.full(len(rig.names), reach if solution.drags else 2 * reach)
    limbs = _limbs(rig, solution.character.mass)
    for drag in solution.drags:  # the limb of the held joint, and what hangs on it, swing with it
        joint = rig.joint(drag.point.joint)
        top = next((each for each in limbs if rig.is_below(joint, each)), joint)
        meant[[top, *np.flatnonzero(_below(rig, top))]] = 2 * reach
    limits = (
        (distance, near, most + meant, "", ", more than the edit asks for"),
        (distance, ~near, most, "", ", far from the edit"),
        (alone, near, most, ", not dragged,", ""),
    )
    found = []
    for moved, samples, limit, kind, after in limits:
        shown = np.where(samples[:, None] & real & (moved > limit), moved, 0.0)
        if shown.max(initial=0.0) > 0:
            at, worst = np.unravel_index(int(shown.argmax()), shown.shape)
            sample, name = int(motion.samples[at]), rig.names[worst]
            found.append(_Found(float(shown[at, worst]), sample, name, kind, after))
    return found


def _moved_alone(solution: CharacterSolution, motion: JointMotion) -> Floats:
    """(T, J) m, by which joints of uninvolved limbs moved against the trunk; 0 for the others."""
    rig, found = solution.model.rig, np.zeros(motion.distance.shape)
    prepared = solution.prepared
    used = {rig.joint(drag.point.joint) for drag in solution.drags}
    for each in prepared.constraints:
        points = (each.point, *each.group, *([each.other_point] if each.other_point else []))
        used |= {rig.joint(point.joint) for point in points}
    for top in _limbs(rig, solution.character.mass):
        limb = np.array([top, *np.flatnonzero(_below(rig, top))])
        if used & set(limb.tolist()):
            continue
        carrier = rig.parents[top]
        local = [np.linalg.inv(at[:, carrier])[:, None] @ at[:, limb] for at in motion[1:]]
        scale = np.linalg.norm(motion.before[:, carrier, :3, 0], axis=-1)[:, None]
        away = np.linalg.norm((local[1] - local[0])[..., :3, 3], axis=-1)
        found[:, limb] = away * scale
    return found


def _limbs(rig: Rig, mass: MassPoints) -> list[int]:
    """The joints at which limbs begin: below the trunk, with a small share of the mass."""
    share = np.bincount(mass.points.joints, mass.share, len(rig.names))
    for joint in reversed(range(len(rig.names))):
        if rig.parents[joint] >= 0:
            share[rig.parents[joint]] += share[joint]
    light = share <= TRUNK_SHARE * share.max()
    parents = rig.parents
    return [
        joint
        for joint in range(len(rig.names))
        if parents[joint] >= 0 and light[joint] and not light[parents[joint]]
    ]


def _below(rig: Rig, top: int) -> Bools:
    """(J,) the joints below one."""
    found = np.zeros(len(rig.names), bool)
    for joint in range(top + 1, len(rig.names)):
        parent = int(rig.parents[joint])
        found[joint] = parent == top or (parent >= 0 and found[parent])
    return found
