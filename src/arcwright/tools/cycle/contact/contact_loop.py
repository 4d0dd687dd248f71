"""The loop that a contact stroke works on: its curves in place, and its body on the ground."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.end_effectors import end_effectors
from arcwright.kinematics.feet import feet, planted_joints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import places
from arcwright.kinematics.rig_analysis import analyse, ancestors
from arcwright.kinematics.sample import quaternion_channels, values_at
from arcwright.objectives.edited_clip import EditedClip, find_clip
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.pose_sequence import PointPath, PoseSequence, SolvedPoses
from arcwright.scene.edit import Change, Edit
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.cycle.contact.contact_keys import LoopSamples, loop_curves
from arcwright.tools.cycle.contact.contact_plane import LoopCurves
from arcwright.tools.cycle.contact.existing_constraints import constraint_notes, planted_samples
from arcwright.tools.cycle.contact.ground_contact import LEAST_FRAMES, GroundContact, runs
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.tool import Note

SAMPLES = 96.0  # a second at least, so that slopes of keys are right and nothing slides in between
FINEST = 4  # parts of a frame, at most
LOW = 0.1  # of the size above the lowest: what may touch the ground where nothing tells
CLOSED = 0.02  # of the size: how far the end of a loop may be from its start
SHARE = 0.1  # of the tolerance for each channel: many move the same foot
PLANTED = 5e-6  # m, the same for channels that move something in contact
MET = 2e-5  # m: where orientations keep contacts farther off, they are left free
UNCHANGED = 1e-9  # m, rad or plain


@dataclass(frozen=True, eq=False)
class GroundedLoop:
    """A loop whose contacts stand on the ground."""

    values: Floats  # (M, C)
    rise: Floats  # (C,) from one loop to the next
    in_contact: Bools  # (M, C) channels that move something in contact
    short: tuple[tuple[str, float], ...]  # joints and m, how far from the ground at most


class ContactLoop:
    """A looping take at parts of frames (M of them), seen from a root that does not travel."""

    def __init__(self, scene: Scene, edited: EditedClip, chosen: Point | None) -> None:
        self.scene, self.edited = scene, edited
        self.duration, rig = edited.clip.duration, edited.take.rig
        self.frames = max(round(self.duration * edited.clip.rate), LEAST_FRAMES)
        self.fine = int(np.clip(np.ceil(SAMPLES / edited.clip.rate), 1, FINEST))
        count = self.fine * self.frames
        self.times = np.arange(count) / count * self.duration
        self._analysis = analyse(edited.actor, edited.take)
        self.size, self.chosen = self._analysis.size, chosen is not None
        self.closed = CLOSED * self.size
        Freedom(edited.actor, edited.take).prepare()
        both = values_at(edited.take, np.append(self.times, self.duration))
        self.values, self._rise = both[:-1], both[-1] - both[0]
        self.points = [chosen] if chosen else _candidates(scene, edited, self.values)
        root = Point(rig.names[self._analysis.root])
        there = point_jacobian(rig, both, places(rig, [*self.points, root]), [])
        self.stride = there.position[-1, -1] - there.position[0, -1]  # (3,) m, as it is
        path = there.position[:, :-1] - self._phase(len(both))[:, None, None] * self.stride
        self.curves = LoopCurves(path[:-1], there.position[:-1, :-1])
        self.planted = planted_samples(scene, edited, self.points, self.times)  # (M, P)
        self.gap = float(np.linalg.norm(path[-1] - path[0], axis=-1).max(initial=0.0))

    def _phase(self, count: int) -> Floats:
        return np.arange(count) / len(self.times)

    @property
    def names(self) -> str:
        """The joints that may touch the ground."""
        return ", ".join(point.joint for point in self.points)

    @property
    def can_travel(self) -> bool:
        """Whether the root has channels of translation."""
        return len(self._translations(self._analysis.root)) == 3

    @property
    def _travelling(self) -> list[int]:
        """The root, and what hangs beside it, as feet and targets of limbs of exports do."""
        rig, root = self.edited.take.rig, self._analysis.root
        above = ancestors(rig, root)
        beside = [
            joint
            for joint, parent in enumerate(rig.parents.tolist())
            if joint != root and not above[joint] and (parent < 0 or above[parent])
        ]
        return [root, *(joint for joint in beside if len(self._translations(joint)) == 3)]

    def _translations(self, joint: int) -> Ints:
        table = self.edited.take.rig.channels
        return np.flatnonzero((table.joint == joint) & (table.kind <= Kind.TRANSLATE_Z))

    def describe(self, items: Ints, touches: Bools) -> Iterator[str]:
        """When each of the items touches the ground, in frames."""
        rate = self.edited.clip.rate * self.duration / self.frames
        for column, item in enumerate(items.tolist()):
            joint, own = self.points[item].joint, touches[:, column]
            if own.all():
                yield f"{joint} touches the ground all the time."
                continue
            said = []
            for run in runs(own):
                first, last = -(-int(run[0]) // self.fine), int(run[-1]) // self.fine
                said.append(f"{first % self.frames * rate:.4g} to {last * rate:.4g}")
            yield f"{joint} touches the ground in frames {' and '.join(said)}."

    def grounded(
        self, items: Ints, touches: Bools, found: GroundContact, options: CycleOptions
    ) -> GroundedLoop:
        """The body with its items where the ground has them, and the root's travel."""
        points = [self.points[item] for item in items.tolist()]
        rotated = self._feet(points)
        sequence = PoseSequence(
            *(self.scene, self.edited, self.times, [*points, *rotated]),
            body_follows=options.body_follows,
            chain_length=options.chain_length,
            plant_feet=options.plant_feet,
        )
        travelled = self._phase(len(self.times))[:, None] * self.stride
        aims = found.positions + travelled[:, None]
        solved = self._solved(sequence, points, aims, rotated)
        values, rise = solved.values.copy(), self._rise.copy()
        if self.can_travel:
            root = np.concatenate([np.zeros((1, 3)), np.cumsum(found.travel, axis=0)])
            shift = (root if options.travels else 0.0) - self._phase(len(root))[
                :, None
            ] * self.stride
            for joint in self._travelling:
                own = self._translations(joint)
                moved = self._shift(joint, own, values, shift)
                values[:, own] += moved[:-1]
                rise[own] += moved[-1] - moved[0]
        away = np.where(touches, solved.remaining[:, : len(points)], 0.0).max(axis=0)
        short = zip((point.joint for point in points), away.tolist(), strict=True)
        return GroundedLoop(values, rise, self._in_contact(points, touches), tuple(short))

    def _feet(self, points: list[Point]) -> list[Point]:
        """The joints of feet that keep their orientation: those that carry the points.

        A point in the origin of its joint is carried by the joint above. Only joints that rotate
        about three axes can keep it.
        """
        rig = self.edited.take.rig
        is_foot, kinds = planted_joints(rig), rig.channels.kind
        turns = (kinds >= Kind.ROTATE_X) & (kinds <= Kind.QUATERNION_Z)
        found = []
        for point in points:
            joint = rig.joint(point.joint)
            joint = joint if point.offset.any() else int(rig.parents[joint])
            own = turns & (rig.channels.joint == joint)
            if joint >= 0 and is_foot[joint] and own.sum() >= 3:
                found.append(Point(rig.names[joint], character=point.character))
        return found

    def _solved(
        self, sequence: PoseSequence, points: list[Point], aims: Floats, rotated: list[Point]
    ) -> SolvedPoses:
        paths = [PointPath(point, aims[:, item]) for item, point in enumerate(points)]
        rig = self.edited.take.rig
        joints = [rig.joint(point.joint) for point in rotated]
        turned = orientation(rig, self.values, joints)
        kept = [PointPath(point, orientation=turned[:, i]) for i, point in enumerate(rotated)]
        solved = sequence.solve(_merged([*paths, *kept]))
        away = np.linalg.norm(solved.position[:, : len(points)] - aims, axis=-1)
        return solved if away.max() <= MET or not kept else sequence.solve(paths)

    def _shift(self, joint: int, own: Ints, values: Floats, shift: Floats) -> Floats:
        """(M + 1, 3) changes of a joint's channels that move it by `shift` (M + 1, 3) m."""
        around = np.concatenate([values, values[:1]])
        found = point_jacobian(self.edited.take.rig, around, [joint], own.tolist())
        return np.asarray(np.linalg.solve(found.linear[:, 0], shift[..., None])[..., 0])

    def _in_contact(self, points: list[Point], touches: Bools) -> Bools:
        found = np.zeros(self.values.shape, bool)
        for item, point in enumerate(points):
            moving = channels_moving(self.edited.take.rig, [point])
            found[:, moving] |= touches[:, item, None]
        return found

    def edit(self, loop: GroundedLoop, options: CycleOptions, label: str) -> Edit:
        """Curves of all channels that changed; the clip loops."""
        samples = LoopSamples.of(self.duration, loop.values, loop.rise, self.fine)
        moved = np.abs(loop.values - self.values).max(axis=0) > UNCHANGED
        moved |= np.abs(loop.rise - self._rise) > UNCHANGED
        changes: list[Change] = []
        for group in self._groups(moved):
            planted = loop.in_contact[:: self.fine, group].any(axis=1)
            close = SHARE * options.tolerance
            near = np.where(planted, min(PLANTED, close), close) / self._metres(group)
            made = loop_curves(samples, group, near)
            for channel, curve in zip(group.tolist(), made, strict=True):
                before = self.edited.clip.curves[channel]
                changes.append(Change((*self.edited.curves, channel), before, curve))
        if changes and not self.edited.clip.loops:
            changes.append(Change((*self.edited.curves[:-1], "loops"), False, True))
        return Edit(label, tuple(changes))

    def constraint_notes(self, edit: Edit) -> tuple[Note, ...]:
        """What of the pins and contacts an edit of the loop does not keep, or moves."""
        where = Target(self.edited.actor.name, self.edited.take.name)
        after = find_clip(edit.apply(self.scene), where).take
        return constraint_notes(self.scene, self.edited, after)

    def _groups(self, moved: Bools) -> list[Ints]:
        """Channels that share their keys: single ones, and the parts of quaternions."""
        fours = [four for four in quaternion_channels(self.edited.take.rig) if moved[four].any()]
        left = moved.copy()
        for four in fours:
            left[four] = False
        return [*np.flatnonzero(left)[:, None], *fours]

    def _metres(self, group: Ints) -> float:
        """How far a unit of these channels moves a joint, about."""
        table = self.edited.take.rig.channels
        if table.kind[group[0]] <= Kind.TRANSLATE_Z:
            return max(float(self._analysis.metres[table.joint[group[0]]]), 1e-9)
        return 0.5 * self.size


def _merged(paths: list[PointPath]) -> list[PointPath]:
    """One path for each point, with its position and its orientation."""
    found: dict[tuple[str, bytes], PointPath] = {}
    for path in paths:
        key = path.point.joint, path.point.offset.tobytes()
        known = found.get(key)
        position = path.position if known is None or known.position is None else known.position
        found[key] = PointPath(path.point, position, path.orientation)
    return list(found.values())


def _candidates(scene: Scene, edited: EditedClip, values: Floats) -> list[Point]:
    """What may touch the ground: feet, else points with contacts, else the lowest ends of limbs.

    Contacts of any take of the actor tell where it touches.
    """
    rig, name = edited.take.rig, edited.actor.name
    try:
        return [Point(point.joint, point.offset, name) for point in feet(rig)]
    except BadValue:
        pass
    found: dict[tuple[str, bytes], Point] = {}
    for contact in scene.contacts:
        if scene.actor(contact.point.character).name == name:
            point = contact.point
            found.setdefault((point.joint, point.offset.tobytes()), point)
    if found:
        return list(found.values())
    about = analyse(edited.actor, edited.take)
    ends = [each.joint for each in end_effectors(rig, about.deforms)]
    joints = [*ends, *([about.root] if about.root not in ends else [])]
    low = forward(rig, values, joints)[..., 1, 3].min(axis=0)
    lowest = low < low.min() + LOW * about.size
    return [Point(rig.names[joints[i]], character=name) for i in np.flatnonzero(lowest)]
