import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.characters.posing import mirrored
from arcwright.characters.spider import HALF, LEGS, RATE, STANDING, STEP
from arcwright.characters.spider_body import TIP
from arcwright.scene.curve import Extrapolation
from arcwright.scene.point import Point
from cast import (
    character,
    check_asset,
    check_limits,
    check_mesh,
    check_stiffness,
    clip_of,
    key_times,
    path,
)

CLIPS = ("walk", "stride", "blocking")
TIMES = np.linspace(0, HALF / RATE, 49)


def take(name):
    return character("spider").take(name)


def foot(leg):
    return Point(f"{leg}Tarsus", np.array(TIP))


def pose_at(played, time):
    curves = zip(played.rig.channel_names, clip_of(played).curves, strict=True)
    return {n: float(c.value[list(c.time).index(time)]) for n, c in curves if c is not None}


def test_it_has_eight_legs_of_hinges_with_limits():
    rig = character("spider").rig
    assert len(LEGS) == 8
    for leg in LEGS:
        for part, axis in (("Coxa", "y"), ("Femur", "x"), ("Tibia", "x"), ("Tarsus", "x")):
            own = [name for name in rig.channel_names if name.startswith(f"{leg}{part}.")]
            assert own == [f"{leg}{part}.rotate.{axis}"]
            at = rig.channel(own[0])
            assert -np.pi < rig.channels.low[at] < 0 < rig.channels.high[at] < np.pi


def test_mesh_stiffness_and_asset_are_sound():
    check_mesh(character("spider"))
    check_stiffness(character("spider"))
    check_asset("spider")


@pytest.mark.parametrize("name", CLIPS)
def test_no_clip_leaves_the_limits(name):
    check_limits(take(name))


@pytest.mark.parametrize("name", ["walk", "blocking"])
def test_the_walk_has_exactly_two_key_poses(name):
    assert key_times(take(name)) == [0.0, HALF / RATE]
    assert {len(curve) for curve in clip_of(take(name)).curves if curve is not None} == {2}


def test_the_second_pose_is_the_first_in_a_mirror_half_a_stride_on():
    first, second = pose_at(take("walk"), 0.0), pose_at(take("walk"), HALF / RATE)
    wanted = mirrored(first) | {"Body.translate.z": STEP}
    assert first["Body.translate.z"] == 0
    assert second.keys() == wanted.keys()
    assert np.allclose([second[name] for name in wanted], list(wanted.values()), atol=1e-9)


@pytest.mark.parametrize("name", CLIPS)
def test_all_feet_stand_on_the_floor_at_the_keys(name):
    times = np.array(key_times(take(name)))
    for leg in LEGS:
        assert np.abs(path(take(name), foot(leg), times)[:, 1]).max() < 0.001


def test_standing_feet_stay_put_and_swinging_feet_lift_in_the_walk():
    for leg in LEGS:
        way = path(take("walk"), foot(leg), TIMES)
        if leg in STANDING:
            assert np.linalg.norm(way - way[0], axis=1).max() < 0.001
        else:
            assert way[:, 1].max() > 0.05
            assert way[:, 1].min() > -0.001
            assert way[-1, 2] - way[0, 2] == pytest.approx(2 * STEP, abs=0.001)


def test_with_plain_handles_the_same_poses_drag_and_slide():
    ways = {leg: path(take("blocking"), foot(leg), TIMES) for leg in LEGS}
    assert max(way[:, 1].max() for way in ways.values()) < 0.01
    slide = [np.linalg.norm(ways[leg] - ways[leg][0], axis=1).max() for leg in STANDING]
    assert max(slide) > 0.005


def test_the_stride_repeats_two_poses_and_goes_on_from_where_it_ends():
    stride = take("stride")
    assert clip_of(stride).loops
    assert key_times(stride) == [0.0, HALF / RATE, 2 * HALF / RATE]
    first, third = pose_at(stride, 0.0), pose_at(stride, 2 * HALF / RATE)
    assert third == first | {"Body.translate.z": 2 * STEP}
    ahead = clip_of(stride).curves[stride.rig.channel("Body.translate.z")]
    assert ahead is not None
    assert ahead.after is Extrapolation.CYCLE_OFFSET
    body = Point("Body")
    later = path(stride, body, TIMES + 1.0) - path(stride, body, TIMES)
    assert np.allclose(later, [0, 0, 2 * STEP], atol=1e-6)


@pytest.mark.parametrize(("name", "count"), [("walk", 4), ("stride", 8)])
def test_contacts_name_the_planted_feet(name, count):
    scene = built_in(f"spider:{name}")
    assert len(scene.contacts) == count
    for contact in scene.contacts:
        times = np.linspace(contact.start, contact.end, 25)
        way = path(take(name), contact.point, times)
        assert np.linalg.norm(way - way[0], axis=1).max() < 0.001
