"""Pins, stiffness and dragged points in a pose."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.tool import PoseOptions, PoseTool
from builders import random_rig
from chains import TIP, chain_scene, place, scene_of, take_of
from pose_edits import posed


def test_a_pinned_turn_stays_while_its_point_moves():
    scene = chain_scene(constraints=(Pin(Point("joint2"), 0, 2, position=False, orientation=True),))
    after, _, target = posed(scene, [0.3, 0.1, 0.0], 1.0)
    was, now = (trail(take_of(each), "joint2", [1.0]) for each in (scene, after))
    assert abs(was.orientation[0] @ now.orientation[0]) == pytest.approx(1, abs=1e-8)
    assert np.abs(was.position - now.position).max() > 0.01
    assert place(after, TIP, 1.0)[0] == pytest.approx(target, abs=1e-4)


def test_a_pin_that_holds_at_other_times_does_not_bind():
    scene = chain_scene(constraints=(Pin(Point("joint2"), 0, 0.5, orientation=True),))
    after, _, target = posed(scene, [0.3, 0.1, 0.0], 1.0)
    assert place(after, TIP, 1.0)[0] == pytest.approx(target, abs=1e-5)
    assert np.abs(place(after, "joint2", 1.0) - place(scene, "joint2", 1.0)).max() > 0.01


@pytest.mark.parametrize("seed", range(6))
def test_any_point_of_any_rig_is_posed(seed):
    scene = scene_of(random_rig(seed, 9), seed)
    point = Point(f"joint{8 - seed % 3}", [0.2, -0.1, 0.3])
    after, _, target = posed(scene, [0.05, -0.03, 0.04], 1.0, point)
    assert place(after, point, 1.0)[0] == pytest.approx(target, abs=1e-3)


def test_several_points_are_posed_at_once():
    scene = chain_scene()
    session = PoseTool().begin(scene, Target(), PoseOptions())
    goals = {}
    for point, by in ((TIP, [0.1, 0, 0]), (Point("joint2", [0.1, 0, 0]), [0, 0, 0.1])):
        goals[point] = place(scene, point, 1.0)[0] + by
        session.update(Drag(point, 1.0, position=goals[point]))
    after = session.finish().apply(scene)
    for point, goal in goals.items():
        assert place(after, point, 1.0)[0] == pytest.approx(goal, abs=1e-4)


def test_a_stiff_channel_moves_less():
    scene = chain_scene()
    rig = scene.characters[0].rig
    spins = [rig.channel(f"joint1.rotate.{axis}") for axis in "xyz"]
    gone = []
    for stiffness in (0.3, 1.0, 5.0):
        stiff = np.array(rig.channels.stiffness)
        stiff[spins] = stiffness
        changed = replace(rig, channels=replace(rig.channels, stiffness=stiff))
        stiffened = replace(scene, characters=(replace(scene.characters[0], rig=changed),))
        after, _, target = posed(stiffened, [0.2, 0.1, 0.0], 1.0)
        assert place(after, TIP, 1.0)[0] == pytest.approx(target, abs=1e-3)
        was, now = (values_at(take_of(each), np.array([1.0]))[0] for each in (stiffened, after))
        gone.append(np.abs(now - was)[spins].max())
    assert gone[0] > 1.2 * gone[1] > 1.5 * gone[2]


def test_a_contact_is_kept_where_it_is_in_the_posed_frame():
    scene = chain_scene(constraints=(Contact(Point("joint3"), 0.5, 1.5, orientation=True),))
    after, _, target = posed(scene, [0.05, 0.05, 0.0], 1.0, Point("joint1"))
    was, now = (trail(take_of(each), "joint3", [1.0]) for each in (scene, after))
    assert now.position == pytest.approx(was.position, abs=1e-4)
    assert abs(was.orientation[0] @ now.orientation[0]) == pytest.approx(1, abs=1e-7)
    assert place(after, "joint1", 1.0)[0] == pytest.approx(target, abs=1e-3)
