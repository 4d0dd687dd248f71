"""Photo pose: the pose of a character whose joints were placed over a photo.

The camera is far away and sees the character from the front, so a photo shows x and y at one
scale. A bone that is shorter in the photo than it is points towards the camera or away from it;
arms and knees come forward, shanks and feet go back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.objectives.edited_clip import find_clip
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.point_tasks import DRAG_WEIGHT, PointTask
from arcwright.objectives.pose_model import PoseModel, prepare_pose
from arcwright.objectives.solve_pose import RELEASE_CRITERIA, solve_from, solve_from_start
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor, Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target

NAME = "photo pose"
FEWEST = 3  # joints that give a scale
BACKWARDS = ("foot", "toe", "ankle")  # words in names of joints that rather go back
IN_PICTURE = np.eye(3)[:2]  # directions that a photo shows
ROUGH = 1e-2  # of the weight of a joint's place: that of a guessed depth


def photo_pose(
    actor: Actor, marks: Mapping[str, Sequence[float]], flipped: Collection[str] = ()
) -> Floats:
    """(C,) channel values; `marks` are x to the right and y down of joints, in pixels.

    `flipped` joints lie on the other side, in depth, of the joint above them than is guessed.
    """
    rig = actor.rig
    place = _checked(rig, marks)
    sides = {j: _side(rig.names[j]) * (-1 if rig.names[j] in flipped else 1) for j in place}
    resting = forward(rig, rig.channels.default[None])[0, :, :3, 3]
    above = _marked_above(rig, list(place))
    targets = _in_space(place, resting, above, sides)
    return _solved(actor, targets)


def _checked(rig: Rig, marks: Mapping[str, Sequence[float]]) -> dict[int, Floats]:
    """Places of joints by number, y up."""
    found: dict[int, Floats] = {}
    for name, place in marks.items():
        at = np.asarray(place, float)
        if at.shape != (2,) or not np.isfinite(at).all():
            raise BadValue(f"mark of {name!r}", "x and y in pixels", place)
        found[rig.joint(name)] = at * [1.0, -1.0]
    if len(found) < FEWEST:
        raise BadValue("marks on the photo", f"at least {FEWEST} joints", len(found))
    return found


def _marked_above(rig: Rig, joints: Sequence[int]) -> dict[int, int]:
    """The next joint above each one that has a mark as well; the first mark of a branch has -1."""
    found = {}
    for joint in joints:
        up = int(rig.parents[joint])
        while up >= 0 and up not in joints:
            up = int(rig.parents[up])
        found[joint] = up
    return found


def _in_space(
    place: Mapping[int, Floats],
    resting: Floats,
    above: Mapping[int, int],
    sides: Mapping[int, float],
) -> dict[int, Floats]:
    """(3,) m of every marked joint: depth from how much shorter a bone looks than it is."""
    lengths = {
        joint: float(np.linalg.norm(resting[joint] - resting[up]))
        for joint, up in above.items()
        if up >= 0
    }
    ratios = [
        float(np.linalg.norm(place[joint] - place[above[joint]])) / length
        for joint, length in lengths.items()
        if length > 1e-6
    ]
    if not ratios or max(ratios) <= 0:
        raise BadValue("marks on the photo", "joints of one limb apart from each other", "none")
    scale = max(ratios)  # pixels for a metre: no bone looks longer than it is
    first = min(place)
    across = place[first][0] - scale * float(resting[first, 0])
    lowest = min(at[1] for at in place.values())
    ground = lowest - scale * float(resting[list(place), 1].min())  # the lowest mark stands there
    origin = np.array([across, ground])
    found: dict[int, Floats] = {}
    for joint in sorted(place):  # parents come first
        flat, up = (place[joint] - origin) / scale, above[joint]
        depth = float(resting[joint, 2])
        if up >= 0:
            seen = float(np.linalg.norm(flat - found[up][:2]))
            away = max(lengths[joint] ** 2 - seen**2, 0.0) ** 0.5
            depth = float(found[up][2]) + sides[joint] * away
        found[joint] = np.append(flat, depth)
    return found


def _side(name: str) -> float:
    return -1.0 if any(word in name.lower() for word in BACKWARDS) else 1.0


def _solved(actor: Actor, targets: Mapping[int, Floats]) -> Floats:
    """(C,) values: first with guessed depths, then with what the photo shows alone."""
    rig = actor.rig
    still = Clip(NAME, (None,) * len(rig.channels), 0.0)
    scene = Scene("photo", (Character(actor.name, rig, (Take(rig, still),), actor.shapes),))
    edited = find_clip(scene, Target())
    points = [Point(rig.names[joint]) for joint in targets]
    free = Freedom(edited.actor, edited.take)
    held = prepare_pose(scene, edited, points, 0.0, free)
    shown = [
        PointTask(point.joint, index, np.array([0]), at[None], None, DRAG_WEIGHT, axes=IN_PICTURE)
        for index, (point, at) in enumerate(zip(points, targets.values(), strict=True))
    ]
    deep = [replace(task, axes=np.eye(3)[2:], weight=ROUGH * task.weight) for task in shown]
    rough = PoseModel(rig, held, [*shown, *deep])
    start = solve_from_start(rough)
    model = PoseModel(rig, held, shown)
    return np.asarray(model.values(solve_from(model, start.x, RELEASE_CRITERIA).x))
