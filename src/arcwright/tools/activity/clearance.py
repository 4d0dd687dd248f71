"""Clearance: limbs and carried objects go around props and the trunk that are in their way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.objectives.pose_sequence import PointPath
from arcwright.scene.activity import Activity, Effector, element_of
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.activity.element_paths import ElementPath
from arcwright.tools.activity.look_at import find_gaze
from arcwright.tools.activity.obstacles import (
    SMOOTH,
    Balls,
    Box,
    Capsule,
    Obstacle,
    box_of,
    way_around,
)
from arcwright.tools.activity.reach import PERSON, limb_of
from arcwright.tools.activity.tracks import Track, handle_joint, take_beside

HAND = 0.035  # m, radius of a hand, for a person
ARM = 0.045  # m, of an elbow and the middle of a forearm
TRUNK = 0.13  # m, of the trunk
HEAD, HEAD_LENGTH = 0.1, 0.1  # m, of the head, and from its joint to the middle of the skull
YIELDING = 0.01  # of the weight of targets, of ways around things for elbows and forearms
NEAR_EVENT = 0.15  # s around an event, in which its elements go where they are led


@dataclass(frozen=True, eq=False)
class LimbPart:
    """A point of a limb that should stay out of things."""

    effector: str  # at whose limb it is
    point: Point
    radius: float


class Clearance:
    """The obstacles of a scene, and the parts of the body that stay out of them."""

    def __init__(
        self,
        scene: Scene,
        activity: Activity,
        take: Take,
        times: Floats,
        effectors: Mapping[str, Effector],
        tracks: Mapping[str, Track],
        size: float,
    ) -> None:
        self._take, self._times = take, times
        self._rig, self._trunk = take.rig, trunk_of(take.rig)
        self._tracks = tracks
        self._limbs = [n for n, each in effectors.items() if limb_of(take.rig, each.point)]
        self._events = {
            name: [
                round(event.time * take.rate) for event in activity.events if name in event.involved
            ]
            for name in tracks
        }
        self._scale = size / PERSON
        self._width = max(round(SMOOTH * take.rate), 1)
        self._near = max(round(NEAR_EVENT * take.rate), 1)
        self._objects = {each.prop: each.name for each in activity.objects}
        self._boxes: dict[str, Box] = {}
        for prop in scene.props:
            found = box_of(prop, np.ones(3))
            if found is not None:
                played = take_beside(prop, take)
                point = Point(prop.rig.names[handle_joint(prop)])
                at = trail(played, point, np.clip(times, 0.0, played.duration))
                name = self._objects.get(prop.name, prop.name)
                self._boxes[name] = Box(name, *found, at.position, at.orientation)
        self.parts = list(_parts(take.rig, effectors, self._scale))
        partners = [
            {element_of(pair.constrained), element_of(pair.constraining)}
            for event in activity.events
            for pair in event.pairs
        ]
        self._paired = {frozenset(each) for each in partners}
        self._moved: dict[str, tuple[ElementPath, Box]] = {}  # the latest box of each object

    def _kept_apart(self, element: str) -> list[str]:
        """The boxes that an element has nothing to do with."""
        return [
            name
            for name in self._boxes
            if name != element and frozenset({name, element}) not in self._paired
        ]

    def _moved_boxes(self, paths: Mapping[str, ElementPath]) -> dict[str, Box]:
        return {
            name: self._moved_box(box, paths[name]) if name in paths else box
            for name, box in self._boxes.items()
        }

    def _moved_box(self, box: Box, path: ElementPath) -> Box:
        if path.unchanged and np.all(path.track.scale == 1.0):
            return box
        latest, moved = self._moved.get(box.name, (None, box))
        if latest is not path:
            scale = path.track.scale
            pose = path.position, path.orientation
            moved = Box(box.name, box.centre * scale, box.half * scale, *pose)
            self._moved[box.name] = path, moved
        return moved

    @cached_property
    def _corners(self) -> dict[str, Balls]:
        """Of the boxes of objects, in the original."""
        own = [name for name in self._boxes if name in self._tracks]
        return {name: Balls(self._boxes[name].corners, 0.0) for name in own}

    @cached_property
    def _ends(self) -> dict[str, Balls]:
        """Hands and feet, in the original."""
        radius = HAND * self._scale
        return {name: Balls(self._tracks[name].position[None], radius) for name in self._limbs}

    @cached_property
    def _original(self) -> tuple[list[Balls], list[Capsule]]:
        """Parts of the limbs, and the trunk."""
        values = values_at(self._take, self._times)
        places = zip(self.parts, self._part_places(values), strict=True)
        return [Balls(at[None], part.radius) for part, at in places], self._capsules(values)

    def objects(self, paths: Mapping[str, ElementPath]) -> Mapping[str, ElementPath]:
        """The paths of objects around others."""
        moved = self._moved_boxes(paths)
        found = {}
        for name, path in paths.items():
            if name not in self._boxes or path.unchanged:
                continue
            apart = self._kept_apart(name)
            free = self._free(len(path.move), self._events[name]) * _moving(path)
            push = way_around(
                *(self._corners[name], moved[name].corners),
                *([self._boxes[each] for each in apart], [moved[each] for each in apart]),
                *(free, self._width),
            )
            found[name] = replace(path, move=path.move + push)
        return found

    def limbs(self, paths: Mapping[str, ElementPath]) -> Mapping[str, ElementPath]:
        """The paths of hands and feet around everything that they do not hold."""
        moved = self._moved_boxes(paths)
        still = all(paths[each].unchanged for each in paths if each in self._boxes)
        found = {}
        for name in self._limbs:
            path = paths[name]
            if path.unchanged and still:
                continue
            apart = self._kept_apart(name)
            push = way_around(
                *(self._ends[name], path.position[None]),
                *([self._boxes[each] for each in apart], [moved[each] for each in apart]),
                *(self._free(len(path.move), self._events[name]) * ~path.held, self._width),
            )
            found[name] = replace(path, move=path.move + push)
        return found

    def _free(self, count: int, events: Iterable[int]) -> Floats:
        """(T,) 0 at events, 1 away from them."""
        away = np.full(count, np.inf)
        frames = np.arange(count)
        for event in events:
            away = np.minimum(away, np.abs(frames - event))
        share = np.clip(away / self._near, 0.0, 1.0)
        eased: Floats = share**2 * (3 - 2 * share)
        return eased

    def arm_paths(self, values: Floats, paths: Mapping[str, ElementPath]) -> list[PointPath]:
        """Where elbows and forearms should go instead, in poses (T, C); none if all are clear."""
        moved, found, needed = self._moved_boxes(paths), [], False
        parts_before, trunk_before = self._original
        free, trunk, places = (
            np.ones(len(values)),
            self._capsules(values),
            self._part_places(values),
        )
        for part, balls, place in zip(self.parts, parts_before, places, strict=True):
            apart = self._kept_apart(part.effector)
            was: list[Obstacle] = [*trunk_before, *(self._boxes[each] for each in apart)]
            now: list[Obstacle] = [*trunk, *(moved[each] for each in apart)]
            push = way_around(balls, place[None], was, now, free, self._width)
            needed |= bool(push.any())
            found.append(PointPath(part.point, place + push, weight=YIELDING * free))
        return found if needed else []

    def _part_places(self, values: Floats) -> list[Floats]:
        """(T, 3) m of each part of the limbs, in poses (T, C)."""
        joints = [self._rig.joint(each.point.joint) for each in self.parts]
        world = dict(zip(joints, forward(self._rig, values, joints).swapaxes(0, 1), strict=True))
        return [
            world[joint][:, :3, :3] @ part.point.offset + world[joint][:, :3, 3]
            for joint, part in zip(joints, self.parts, strict=True)
        ]

    def _capsules(self, values: Floats) -> list[Capsule]:
        """The trunk and the head of the body, in poses (T, C)."""
        if self._trunk is None:
            return []
        low, high = forward(self._rig, values, self._trunk)[..., :3, 3].swapaxes(0, 1)
        trunk = Capsule("trunk", low, high, TRUNK * self._scale)
        gaze = find_gaze(self._rig)
        if gaze is None or (neck := int(self._rig.parents[gaze.head])) < 0:
            return [trunk]
        below, head = forward(self._rig, values, [neck, gaze.head])[..., :3, 3].swapaxes(0, 1)
        along = (head - below) / np.maximum(np.linalg.norm(head - below, axis=1), 1e-9)[:, None]
        top = head + HEAD_LENGTH * self._scale * along
        return [trunk, Capsule("head", head, top, HEAD * self._scale)]


def trunk_of(rig: Rig) -> tuple[int, int] | None:
    """The joints at both ends of the trunk: where legs and where arms begin; None without them."""
    gaze = find_gaze(rig)
    if gaze is None:
        return None
    line = [gaze.joints[0]]
    while (parent := int(rig.parents[line[-1]])) >= 0:
        line.append(parent)
    moving = [joint for joint in line if np.linalg.norm(rig.offset[joint]) > 0 or joint in line[:2]]
    return (moving[-1], line[0]) if moving[-1] != line[0] else None


def _moving(path: ElementPath) -> Bools:
    """(T,) whether an object is on its way, not where it rests."""
    steps = np.linalg.norm(
        np.diff(path.track.position, axis=0, prepend=path.track.position[:1]), axis=1
    )
    return np.asarray(steps > 1e-4)


def _parts(rig: Rig, effectors: Mapping[str, Effector], scale: float) -> Iterable[LimbPart]:
    """Elbow and middle of the forearm of each limb."""
    for name, effector in effectors.items():
        limb = limb_of(rig, effector.point)
        if len(limb) < 3:
            continue
        lower = limb[-2]
        end = rig.offset[limb[-1]]
        joint = rig.names[lower]
        for share in (0.0, 0.5):
            yield LimbPart(name, Point(joint, share * end), ARM * scale)


def guarded_points(rig: Rig, effectors: Sequence[Effector]) -> list[Point]:
    """The points of all limbs that stay out of things."""
    named = {each.name: each for each in effectors}
    return [part.point for part in _parts(rig, named, 1.0)]


def point_places(rig: Rig, point: Point, values: Floats) -> Floats:
    """(T, 3) m."""
    world = forward(rig, values, [rig.joint(point.joint)])[:, 0]
    place: Floats = (world[:, :3, :3] @ point.offset) + world[:, :3, 3]
    return place
