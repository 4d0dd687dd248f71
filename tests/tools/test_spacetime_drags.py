"""Several drags at once, and drags of planted feet."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from chains import TIP, chain_scene, place, take_of
from spacetime_edits import walking

ANKLE, TOE = Point("RightFoot"), Point("RightToes")
small = st.floats(-0.08, 0.08)
ways = st.tuples(small, small, small).map(np.array)


def begun(scene, **options):
    return SpacetimeTool().begin(scene, Target(), SpacetimeOptions(**options))


def drag(scene, point, time, by):
    return Drag(point, time, position=place(scene, point, time)[0] + by)


@settings(max_examples=8)
@given(ways, ways)
def test_two_drags_at_two_times_are_both_reached(first, second):
    scene = chain_scene()
    session = begun(scene)
    drags = drag(scene, TIP, 0.4, first), drag(scene, Point("joint2"), 1.6, second)
    for each in drags:
        session.update(each)
    after = session.finish().apply(scene)
    for each in drags:
        assert place(after, each.point, each.time)[0] == pytest.approx(each.position, abs=1e-3)


def test_the_order_of_two_drags_does_not_matter():
    scene = chain_scene()
    drags = [drag(scene, TIP, 0.4, [0.1, 0, 0]), drag(scene, TIP, 1.6, [0, 0.1, 0])]
    times = np.linspace(0, 2, 41)
    paths = []
    for order in (drags, drags[::-1]):
        session = begun(scene)
        for each in order:
            session.update(each)
        paths.append(place(session.finish().apply(scene), TIP, times))
    assert paths[0] == pytest.approx(paths[1], abs=2e-3)


def test_a_drag_that_moves_on_leaves_the_other_where_it_is():
    scene = chain_scene()
    session = begun(scene)
    kept = drag(scene, TIP, 0.4, [0.1, 0, 0])
    session.update(kept)
    for share in (0.3, 0.6, 1.0):
        session.update(drag(scene, TIP, 1.6, [0, 0.1 * share, 0]))
    after = session.finish().apply(scene)
    assert place(after, TIP, 0.4)[0] == pytest.approx(kept.position, abs=1e-3)
    assert len(take_of(after).layers) == 1


def test_two_drags_that_do_not_move_give_an_empty_edit():
    scene = chain_scene()
    session = begun(scene)
    session.update(drag(scene, TIP, 0.4, np.zeros(3)))
    session.update(drag(scene, TIP, 1.6, np.zeros(3)))
    assert session.finish().empty


def test_a_drag_that_is_refused_changes_nothing():
    scene = chain_scene()
    session, alone = begun(scene), begun(scene)
    for each in (session, alone):
        each.update(drag(scene, TIP, 0.4, [0.1, 0, 0]))
    with pytest.raises(BadValue, match="within the range"):
        session.update(Drag(TIP, 9.0, position=np.zeros(3)))
    assert same(session.finish(), alone.finish())


def planted():
    return replace(walking(), constraints=(Contact(TOE, 0.64, 0.96),))


@pytest.mark.parametrize("drag_moves_footplant", [True, False])
def test_a_drag_of_the_ankle_moves_the_footplant_of_the_toes_unless_that_is_off(
    drag_moves_footplant,
):
    scene = planted()
    session = begun(scene, knot_spacing=0.08, drag_moves_footplant=drag_moves_footplant)
    session.update(drag(scene, ANKLE, 0.8, [0.05, 0, 0]))
    after = session.finish().apply(scene)
    times = np.linspace(0.7, 0.9, 5)
    moved = (place(after, TOE, times) - place(scene, TOE, times))[:, 0]
    assert moved == pytest.approx(np.full(5, 0.05 if drag_moves_footplant else 0.0), abs=4e-3)
    left = np.linalg.norm(place(after, ANKLE, 0.8)[0] - place(scene, ANKLE, 0.8)[0] - [0.05, 0, 0])
    assert left < (1e-3 if drag_moves_footplant else 0.02)
    assert any(note.blocker for note in session.notes()) == (left > 1e-3)


def test_a_drag_of_the_knee_leaves_the_footplant_of_the_ankle():
    scene = replace(walking(), constraints=(Contact(ANKLE, 0.64, 0.8),))
    session = begun(scene)
    session.update(drag(scene, Point("RightLowerLeg"), 0.72, [0.03, 0, 0]))
    after = session.finish().apply(scene)
    moved = place(after, ANKLE, 0.72) - place(scene, ANKLE, 0.72)
    assert np.linalg.norm(moved) < 0.01


def test_a_step_that_rotates_a_joint_says_so():
    scene = chain_scene()
    take = take_of(scene)
    there = trail(take, TIP, [0.5]).orientation[0]
    turned = quaternion_multiply(quaternion_from_vector(np.array([0.0, 0.0, 0.3])), there)
    frame = 0.5 * take.rate
    for gesture, verb in (
        (Drag(TIP, 0.5, orientation=turned), "Rotate"),
        (drag(scene, TIP, 0.5, np.array([0.05, 0.0, 0.0])), "Move"),
    ):
        session = begun(scene)
        session.update(gesture)
        named = f"{verb} {TIP.joint} at frame {frame:g} and the motion around it"
        assert session.finish().label == named


def rotated(scene, point, time, by):
    """The scene after a joint was rotated, and the orientation that was asked for."""
    there = trail(take_of(scene), point, [time]).orientation[0]
    turned = quaternion_multiply(quaternion_from_vector(np.array(by)), there)
    session = begun(scene)
    session.update(Drag(point, time, orientation=turned))
    return session.finish().apply(scene), turned


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("joint", ["LeftHand", "Head"])
def test_a_rotated_joint_stays_in_place(joint, axis):
    scene, point = walking(), Point(joint)
    after, turned = rotated(scene, point, 0.5, 0.6 * np.eye(3)[axis])
    now = trail(take_of(after), point, [0.5])
    assert abs(now.orientation[0] @ turned) == pytest.approx(1, abs=1e-4)
    assert np.linalg.norm(now.position[0] - place(scene, point, 0.5)[0]) < 0.005


def test_a_rotated_ankle_may_move_over_planted_toes():
    scene = walking()
    time = 0.5
    scene = replace(scene, constraints=(Contact(TOE, time - 0.1, time + 0.1),))
    after, turned = rotated(scene, ANKLE, time, [0.5, 0.0, 0.0])
    assert abs(trail(take_of(after), ANKLE, [time]).orientation[0] @ turned) > 1 - 1e-4
    for joint, limit in (("RightToes", 0.005), ("Hips", 0.01), ("Head", 0.01)):
        moved = place(after, Point(joint), time)[0] - place(scene, Point(joint), time)[0]
        assert np.linalg.norm(moved) < limit, joint
