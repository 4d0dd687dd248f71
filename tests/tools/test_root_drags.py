"""Drags of the root: the body translates, it does not tip over."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import characters
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    matrix_from_vector,
    quaternion_from_matrix,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag

TIME = 0.31
FRONT = Point("Hips", (0.02, 0.05, 0.13))
TOES = ("LeftToes", "RightToes")
KEYLESS = 11 / 24  # s, of biped:point


def walk(*, contacts=False):
    scene = characters.built_in("biped:walk")
    return scene if contacts else replace(scene, constraints=(), props=())


def dragged(scene, name, drags, **options):
    """The hips before and after, as matrices (4, 4), and how far each drag ends from its target."""
    chosen = tool(name)
    session = chosen.begin(scene, Target(), chosen.Options(**options))
    for drag in drags:
        session.update(drag)
    before = scene.characters[0].takes[0]
    after = session.finish().apply(scene).characters[0].takes[0]
    hips = [before.rig.joint("Hips")]
    was, now = (forward(t.rig, values_at(t, np.array([TIME])), hips)[0, 0] for t in (before, after))
    left = [np.linalg.norm(trail(after, d.point, [TIME]).position[0] - d.position) for d in drags]
    return was, now, max(left)


def angle(was, now):
    """Degrees."""
    turned = was[:3, :3].T @ now[:3, :3]
    return np.degrees(np.arccos(np.clip((np.trace(turned) - 1) / 2, -1, 1)))


def place(scene, point):
    return trail(scene.characters[0].takes[0], point, [TIME]).position[0]


@pytest.mark.parametrize("name", ["pose", "tangent"])
@pytest.mark.parametrize("by", [(0.08, 0, 0), (0, -0.06, 0), (0, 0, 0.07)])
def test_a_dragged_point_of_the_hips_translates_the_body(name, by):
    scene = walk()
    drag = Drag(FRONT, TIME, position=place(scene, FRONT) + by)
    was, now, left = dragged(scene, name, [drag])
    assert left < 1e-3
    assert angle(was, now) < 1.0
    assert now[:3, 3] - was[:3, 3] == pytest.approx(by, abs=0.003)


def test_hips_with_planted_feet_go_down_upright():
    scene = walk(contacts=True)
    drag = Drag(FRONT, TIME, position=place(scene, FRONT) + [0, -0.06, 0])
    was, now, left = dragged(scene, "pose", [drag])
    assert left < 1e-3
    assert angle(was, now) < 2.0


def standing_on_toes():
    """The biped points, with contacts of its toes alone."""
    scene = characters.built_in("biped:point")
    end = scene.characters[0].takes[0].duration
    toes = tuple(Contact(Point(joint), 0.0, end) for joint in TOES)
    return replace(scene, constraints=toes)


def edited_hips(scene, by):
    """The take before and after the hips are dragged along motion curves, between two keys."""
    before, hips = scene.characters[0].takes[0], Point("Hips")
    target = trail(before, hips, [KEYLESS]).position[0] + by
    session = tool("tangent").begin(scene, Target(), tool("tangent").Options())
    session.update(Drag(hips, KEYLESS, position=target))
    after = session.finish().apply(scene).characters[0].takes[0]
    assert trail(after, hips, [KEYLESS]).position[0] == pytest.approx(target, abs=1e-3)
    return before, after


@pytest.mark.parametrize("heel", ["LeftFoot", "RightFoot"])
def test_heels_stay_on_the_ground_where_hips_go_down_over_planted_toes(heel):
    takes = edited_hips(standing_on_toes(), [0, -0.08, 0])
    times = np.arange(0, 36.1, 0.25) / 24
    was, now = (trail(take, Point(heel), times).position[:, 1] for take in takes)
    assert now.min() > was.min() - 2e-3


def test_heels_rise_where_hips_are_pulled_up_over_planted_toes():
    takes = edited_hips(standing_on_toes(), [0, 0.06, 0])
    was, now = (trail(take, Point("LeftFoot"), [KEYLESS]).position[0, 1] for take in takes)
    assert now > was + 0.01


@pytest.mark.parametrize("up", [-0.08, 0.03])
def test_the_joint_of_the_hips_moves_and_hardly_tips_the_body(up):
    before, after = edited_hips(standing_on_toes(), [0, up, 0])
    hips = [before.rig.joint("Hips")]
    times = np.array([KEYLESS])
    was, now = (forward(t.rig, values_at(t, times), hips)[0, 0] for t in (before, after))
    assert angle(was, now) < 1.0


@pytest.mark.parametrize("name", ["pose", "tangent"])
def test_hips_rotate_where_the_drag_says_so(name):
    scene = walk()
    start = trail(scene.characters[0].takes[0], FRONT, [TIME])
    turned = matrix_from_vector([[0, 0.3, 0]])[0] @ matrix_from_quaternion(start.orientation[0])
    drag = Drag(
        FRONT,
        TIME,
        position=start.position[0] + [0.03, 0, 0],
        orientation=quaternion_from_matrix(turned),
    )
    was, now, left = dragged(scene, name, [drag])
    assert left < 1e-3
    assert angle(was, now) == pytest.approx(np.degrees(0.3), abs=0.5)


@pytest.mark.parametrize("name", ["pose", "tangent"])
def test_two_points_of_the_hips_rotate_them(name):
    scene, back = walk(), Point("Hips", (0.02, 0.05, -0.13))
    drags = [
        Drag(FRONT, TIME, position=place(scene, FRONT) + [0.03, 0, 0]),
        Drag(back, TIME, position=place(scene, back) - [0.03, 0, 0]),
    ]
    was, now, _ = dragged(scene, name, drags)
    assert angle(was, now) > 5.0


def test_the_hips_tip_with_body_follows_at_1():
    scene = walk()
    drag = Drag(FRONT, TIME, position=place(scene, FRONT) + [0.08, 0, 0])
    was, now, _ = dragged(scene, "pose", [drag], body_follows=1.0)
    assert angle(was, now) > 2.0
