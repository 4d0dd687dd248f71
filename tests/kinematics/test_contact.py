import numpy as np
import pytest

from arcwright.errors import BadValue
from arcwright.kinematics.contact import ContactRule, find_contacts
from arcwright.kinematics.feet import feet, rig_size, without_side
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.take import Take
from data import DATA, needs_data

RATE = 100.0


def walker(names=("LeftFoot", "RightFoot"), size=1.7):
    """A head high above two feet that slide freely."""
    joints = [(1, axis) for axis in range(3)] + [(2, axis) for axis in range(3)]
    return Rig(
        names=("Head", *names),
        parents=[-1, -1, -1],
        offset=[[0, size, 0], [0.1, 0, 0], [-0.1, 0, 0]],
        rest=[[1.0, 0, 0, 0]] * 3,
        scale=np.ones((3, 3)),
        modes=("XYZ",) * 3,
        channels=ChannelTable.of([j for j, _ in joints], [Kind(axis) for _, axis in joints]),
    )


def stepping(spans, seconds=3.0, size=1.7, ground=0.0, slope=0.0, noise=0.0):
    """Height and forward path of a foot that stands in the spans and swings between them."""
    time = np.arange(int(seconds * RATE) + 1) / RATE
    swing = np.ones(len(time))
    for start, end in spans:
        swing[(time >= start - 1e-9) & (time <= end + 1e-9)] = 0.0
    forward_ = np.cumsum(swing) / RATE * 2.0 * size / 1.7
    lift = np.zeros(len(time))
    edges = [0.0, *[edge for span in spans for edge in span], seconds]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        inside = (time > start) & (time < end)
        lift[inside] = 0.25 * size / 1.7 * np.sin(np.pi * (time[inside] - start) / (end - start))
    wobble = noise * np.random.default_rng(1).normal(size=len(time))
    return forward_, ground + slope * forward_ + lift + wobble


def take_of(left, right, rig=None):
    values = np.zeros((len(left[0]), 6))
    values[:, 2], values[:, 1] = left
    values[:, 5], values[:, 4] = right
    return Take(rig or walker(), Motion("walk", np.arange(len(values)) / RATE, values, RATE))


LEFT = [(0.3, 0.9), (1.5, 2.1), (2.6, 2.9)]
RIGHT = [(0.1, 0.4), (0.9, 1.5), (2.0, 2.6)]


def spans_of(found, joint):
    return [(each.start, each.end) for each in found if each.point.joint == joint]


@pytest.mark.parametrize(
    "case",
    [{}, {"ground": -3.0}, {"slope": 0.03}, {"noise": 0.0005}, {"size": 0.3}, {"size": 12.0}],
    ids=str,
)
def test_known_plants_are_found_to_the_frame_or_two(case):
    rig = walker(size=case.get("size", 1.7))
    found = find_contacts(take_of(stepping(LEFT, **case), stepping(RIGHT, **case), rig))
    for joint, expected in (("LeftFoot", LEFT), ("RightFoot", RIGHT)):
        assert np.allclose(spans_of(found, joint), expected, atol=0.031)
    assert [each.start for each in found] == sorted(each.start for each in found)


def test_a_foot_held_still_in_the_air_is_not_a_plant():
    time = np.arange(301) / RATE
    held = (np.zeros(301), np.full(301, 0.4))
    found = find_contacts(take_of((np.zeros(301), 0 * time), held))
    assert spans_of(found, "RightFoot") == []
    assert np.allclose(spans_of(found, "LeftFoot"), [(0, 3)])


def test_a_jump_has_no_contact_in_flight():
    time = np.arange(301) / RATE
    flight = (time > 1.0) & (time < 1.6)
    height = np.where(flight, 9.81 / 2 * (time - 1.0) * (1.6 - time), 0.0)
    found = find_contacts(take_of((0 * time, height), (0 * time, height)))
    for start, end in spans_of(found, "LeftFoot"):
        assert end <= 1.03 or start >= 1.57
    assert len(found) == 4


def test_a_flicker_is_closed_and_a_touch_is_dropped():
    spans = [(0.3, 0.9), (0.93, 1.5), (2.0, 2.01)]
    found = find_contacts(take_of(stepping(spans), stepping(RIGHT)))
    assert np.allclose(spans_of(found, "LeftFoot"), [(0.3, 1.5)], atol=0.03)


def test_a_given_floor_is_believed():
    take = take_of(stepping(LEFT), stepping(RIGHT))
    assert find_contacts(take, floor=-1.0) == ()
    assert len(find_contacts(take, ["LeftFoot"], floor=0.0)) == 3


def test_a_take_without_a_slow_moment_has_no_contact():
    time = np.arange(101) / RATE
    assert find_contacts(take_of((5 * time, 0 * time), (5 * time, 0 * time))) == ()


def test_bad_rules_are_refused():
    with pytest.raises(BadValue, match=r"ContactRule.gap: expected 0 or more, got -1"):
        ContactRule(gap=-1)
    with pytest.raises(BadValue, match="slack 1 or more"):
        ContactRule(slack=0.5)


def rig_named(parents, names):
    count = len(names)
    return Rig(
        names=names,
        parents=parents,
        offset=np.ones((count, 3)),
        rest=[[1.0, 0, 0, 0]] * count,
        scale=np.ones((count, 3)),
        modes=("XYZ",) * count,
        channels=ChannelTable.of([], []),
    )


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Hips", "LeftFoot", "LeftToeBase", "LeftToeBase_End"), ["LeftToeBase"]),
        (("pelvis", "foot_l", "ball_l", "eyeball_l"), ["ball_l"]),
        (("hip", "lShin", "lFoot", "lFoot_End"), ["lFoot"]),
        (("root", "shin.L", "ankle.L", "tip"), ["ankle.L"]),
    ],
)
def test_feet_are_known_by_many_names(names, expected):
    assert [point.joint for point in feet(rig_named([-1, 0, 1, 2], names))] == expected


def test_one_of_several_toes_stands_for_the_foot():
    rig = rig_named([-1, 0, 0], ("LeftFoot", "LeftToe1", "LeftToe2"))
    assert [point.joint for point in feet(rig)] == ["LeftToe1"]


def test_a_rig_without_feet_asks_for_points():
    with pytest.raises(BadValue, match="no joint is called toe, foot or ankle"):
        feet(rig_named([-1, 0], ("base", "arm")))


@pytest.mark.parametrize(
    ("left", "right"),
    [("LeftFoot", "RightFoot"), ("foot.L", "foot.R"), ("lFoot", "rFoot"), ("ball_l", "ball_r")],
)
def test_left_and_right_are_alike(left, right):
    assert without_side(Point(left, [0.1, 0, 0])) == without_side(Point(right, [-0.1, 0, 0]))
    assert without_side(Point(left)) != without_side(Point("Hand"))


def test_size_is_the_longest_side_of_the_rest_pose():
    assert rig_size(walker(size=3.0)) == pytest.approx(3.0)


@needs_data
@pytest.mark.parametrize(
    ("clip", "left", "right"),
    [("02_01_walk", 3, 3), ("105_29_normal_walk_long", 12, 11), ("138_01_march", 6, 5)],
)
def test_captured_walks_have_their_strides(clip, left, right):
    take = captured(clip)
    found = find_contacts(take)
    assert len(spans_of(found, "LeftToeBase")) == left
    assert len(spans_of(found, "RightToeBase")) == right


@needs_data
def test_the_flight_of_a_captured_jump_has_no_contact():
    found = find_contacts(captured("16_05_forward_jump"))
    assert len(found) == 4
    for each in found:
        assert each.end < 1.15 or each.start > 1.5


def captured(name):
    from arcwright.files import bvh

    return bvh.read(DATA / "bvh" / "cmu" / f"{name}.bvh").characters[0].takes[0]
