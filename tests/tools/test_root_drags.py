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
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag

TIME = 0.31
FRONT = Point("Hips", (0.02, 0.05, 0.13))


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
