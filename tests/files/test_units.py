from dataclasses import replace

import numpy as np
import pytest

from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.files.units import (
    check,
    guess,
    guess_rate,
    guess_unit,
    guess_up,
    rescale,
    rotate_from_y_up,
    rotate_to_y_up,
)
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from arcwright.kinematics.skinning import deform
from arcwright.scene.layer import Layer
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Character
from arcwright.scene.shape import Part, Shape, Skin
from arcwright.scene.take import Take
from builders import ROTATE, TRANSLATE, arm_clip, arm_rig, rig_of


def full_character():
    """A character with limits, a clip, a motion, a layer and a skinned mesh that morphs."""
    rig = arm_rig()
    table = replace(rig.channels, low=np.full(7, -2.0), high=np.full(7, 3.0))
    rig = replace(rig, channels=table)
    rng = np.random.default_rng(4)
    layer = Layer("push", 0, 1, [1], rng.normal(size=(5, 1, 3)), [0, 2], rng.normal(size=(5, 2)))
    motion = Motion("walk", np.arange(4) / 24, rng.normal(size=(4, 7)))
    place = rng.normal(size=(6, 3)).astype(np.float32)
    attributes = {
        "POSITION": place,
        "JOINTS_0": np.tile(np.array([0, 1, 0, 0], np.uint8), (6, 1)),
        "WEIGHTS_0": np.tile(np.array([0.5, 0.5, 0, 0], np.float32), (6, 1)),
    }
    part = Part(attributes, None, morphs=({"POSITION": place * np.float32(0.1)},))
    bind = np.tile(np.eye(4), (2, 1, 1))
    bind[1, 1, 3] = -1
    shape = Shape("skin", 0, (part,), Skin([0, 1], bind), ("smile",), (0.5,))
    takes = (Take(rig, arm_clip(), (layer,)), Take(rig, motion))
    return Character("arm", rig, takes, (shape,))


@pytest.mark.parametrize("index", [0, 1])
def test_rescaling_scales_every_position_and_rotates_nothing(index):
    before, after = full_character(), rescale(full_character(), 2.5)
    times = np.linspace(0, 1, 7)
    a, b = (sample(each.takes[index], times).values for each in (before, after))
    worlds = forward(before.rig, a), forward(after.rig, b)
    assert worlds[1][..., :3, 3] == pytest.approx(2.5 * worlds[0][..., :3, 3])
    assert worlds[1][..., :3, :3] == pytest.approx(worlds[0][..., :3, :3])
    meshes = [
        deform(each, values[3], world[3])
        for each, values, world in zip((before, after), (a, b), worlds, strict=True)
    ]
    assert np.asarray(meshes[1][0][2]) == pytest.approx(2.5 * np.asarray(meshes[0][0][2]), rel=1e-5)


def test_rescaling_scales_limits_of_lengths_only():
    table = rescale(full_character(), 10).rig.channels
    assert table.high.tolist() == [30, 30, 30, 3, 3, 3, 3]


def test_rescaling_keeps_number_types():
    part = rescale(full_character(), 10).shapes[0].parts[0]
    assert part.attributes["POSITION"].dtype == np.float32
    assert part.morphs[0]["POSITION"].dtype == np.float32
    assert part.attributes["JOINTS_0"].dtype == np.uint8


def test_rescaling_whole_numbers_makes_them_floats():
    part = Part({"POSITION": np.array([[1, 2, 3]], np.int16)}, None)
    actor = Character("box", arm_rig(), shapes=(Shape("box", 0, (part,)),))
    place = rescale(actor, 0.5).shapes[0].parts[0].attributes["POSITION"]
    assert place.tolist() == [[0.5, 1, 1.5]]


def test_rescaling_by_one_changes_nothing():
    character = full_character()
    assert rescale(character, 1.0) is character


@pytest.mark.parametrize(("up", "turned"), [("Y", [1, 2, 3]), ("Z", [1, 3, -2]), ("X", [-2, 1, 3])])
def test_the_up_axis_becomes_y_and_handedness_stays(up, turned):
    rig = rig_of([-1], [(0, TRANSLATE)])
    character = rotate_to_y_up(Character("a", rig), up)
    world = forward(character.rig, np.array([[1.0, 2.0, 3.0]]))
    assert world[0, 0, :3, 3] == pytest.approx(turned)
    assert np.linalg.det(world[0, 0, :3, :3]) == pytest.approx(1)


@pytest.mark.parametrize("up", ["X", "Y", "Z"])
def test_turning_back_undoes_turning_up(up):
    character = full_character()
    rig = rotate_from_y_up(rotate_to_y_up(character, up), up).rig
    assert rig.rest == pytest.approx(character.rig.rest)
    assert rig.offset == pytest.approx(character.rig.offset)


def test_turning_changes_no_value():
    character = full_character()
    for before, after in zip(character.takes, rotate_to_y_up(character, "Z").takes, strict=True):
        assert same(before.base, after.base)


@pytest.mark.parametrize(
    ("size", "unit"),
    [(1.7, 1.0), (26.5, 0.0564444), (160, 0.01), (1650, 0.001), (40, 1.7 / 40), (0, 1.0)],
)
def test_the_unit_is_guessed_from_the_size(size, unit):
    found, note = guess_unit(size)
    assert found == pytest.approx(unit, rel=1e-5)
    assert "unit" in note


@pytest.mark.parametrize("size", [np.inf, np.nan, 1e-9, 1e300])
def test_a_size_that_says_nothing_leaves_metres(size):
    assert guess_unit(size)[0] == 1.0


def person(turn):
    """A rig whose head is up along one axis."""
    rig = rig_of([-1, 0, 0, 0], [(0, ROTATE)])
    rig = replace(rig, names=("Hips", "Head", "LeftFoot", "RightFoot"))
    return rig, np.array([[[0, 0, 0], [0, 0.1, 0.8], [0.1, 0, -0.9], [-0.1, 0, -0.9]]])[..., turn]


@pytest.mark.parametrize(("turn", "up"), [([0, 1, 2], "Z"), ([0, 2, 1], "Y"), ([2, 1, 0], "X")])
def test_the_up_axis_leads_from_feet_to_head(turn, up):
    assert guess_up(*person(turn))[0] == up


def test_without_head_and_feet_y_is_up():
    rig = rig_of([-1, 0], [(0, ROTATE)])
    assert guess_up(rig, np.zeros((1, 2, 3)))[0] == "Y"


def test_what_is_given_is_not_guessed():
    rig = rig_of([-1, 0], [(0, ROTATE)])
    found = guess(rig, np.zeros((1, 3)), 0.5, "Z")
    assert (found.unit, found.up, found.notes) == (0.5, "Z", ())


@pytest.mark.parametrize(
    ("times", "rate"),
    [
        (np.arange(20) / 24, 24),
        (np.arange(20) / 30, 30),
        (np.arange(20) / 60, 60),
        ([0, 0.04, 0.4], 25),
        ([0, 0.0083333, 0.0166667, 0.025], 120),
        ([0, 0.123456], 24),
        ([], 24),
    ],
)
def test_the_frame_rate_is_the_lowest_on_which_keys_fall(times, rate):
    assert guess_rate(times) == rate


@pytest.mark.parametrize("wrong", [(0, None), (-1, None), (np.inf, None), (None, "y"), (None, "")])
def test_what_cannot_be_a_unit_or_axis_is_refused(wrong):
    with pytest.raises(BadValue):
        check(*wrong)
