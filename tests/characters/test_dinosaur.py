import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.characters.dinosaur import FRAMES, RATE
from arcwright.kinematics.forward import forward
from arcwright.kinematics.skinning import deform
from arcwright.scene.point import Point
from cast import (
    character,
    check_asset,
    check_limits,
    check_mesh,
    check_stiffness,
    clip_of,
    dense,
    key_times,
    path,
)

CLIPS = ("punch", "blocking")


def take(name="punch"):
    return character("dinosaur").take(name)


def lowest(values):
    """Height of the lowest point of the skin in each pose, m."""
    actor = character("dinosaur")
    world = forward(actor.rig, values)
    skins = [deform(actor, row, place) for row, place in zip(values, world, strict=True)]
    return np.array([min(part.positions[:, 1].min() for part in skin) for skin in skins])


def test_it_has_the_usual_names_and_a_long_tail():
    names = character("dinosaur").rig.names
    middle = ["Hips", "Spine", "Chest", "Neck", "Head", "Jaw", *(f"Tail{n}" for n in range(1, 10))]
    sides = ["UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toes"]
    assert {*middle, *(f"{s}{part}" for s in ("Left", "Right") for part in sides)} <= set(names)


def test_it_is_about_two_metres_long_and_stands_on_the_floor():
    parts = [part for shape in character("dinosaur").shapes for part in shape.parts]
    places = np.concatenate([part.attributes["POSITION"] for part in parts])
    assert 2.0 < np.ptp(places[:, 2]) < 2.4
    assert places[:, 1].min() == pytest.approx(0, abs=0.005)


def test_mesh_stiffness_and_asset_are_sound():
    check_mesh(character("dinosaur"))
    check_stiffness(character("dinosaur"))
    check_asset("dinosaur")


@pytest.mark.parametrize("name", CLIPS)
def test_no_clip_leaves_the_limits(name):
    check_limits(take(name))


@pytest.mark.parametrize("name", CLIPS)
def test_it_is_made_of_six_keys(name):
    assert key_times(take(name)) == pytest.approx(np.array(FRAMES) / RATE)


@pytest.mark.parametrize("name", CLIPS)
def test_planted_feet_and_lying_tail_are_on_the_floor_at_the_keys(name):
    for contact in built_in(f"dinosaur:{name}").contacts:
        times = [
            t for t in key_times(take(name)) if contact.start - 1e-9 <= t <= contact.end + 1e-9
        ]
        assert len(times) >= 2
        way = path(take(name), contact.point, np.array(times))
        thick = 0.027 if contact.point.joint == "Tail9" else 0.0
        assert np.abs(way[:, 1] - thick).max() < 0.005
        assert np.linalg.norm(way - way[0], axis=1).max() < 0.005


def translation_limits(name):
    scene = built_in(f"dinosaur:{name}")
    found = []
    for contact in scene.contacts:
        way = path(take(name), contact.point, np.linspace(contact.start, contact.end, 160))
        found.append(float(np.linalg.norm(way - way[0], axis=1).max()))
    return np.array(found)


def test_the_punch_holds_its_contacts_between_the_keys_and_blocking_does_not():
    assert translation_limits("punch").max() < 0.005
    assert (translation_limits("blocking") > 5 * translation_limits("punch")).all()


def test_the_skin_stays_out_of_the_floor():
    assert lowest(dense(take())[::8]).min() > -0.01


def test_the_fist_shoots_forward_and_the_tail_leaves_the_floor_and_swings():
    times = np.array(FRAMES) / RATE
    fist, tip = path(take(), Point("RightHand"), times), path(take(), Point("Tail9"), times)
    assert fist[2, 2] - fist[1, 2] > 0.6
    assert tip[1, 1] < 0.06 < 0.5 < tip[2, 1]
    assert tip[1, 0] - tip[3, 0] > 0.2


def test_it_ends_as_it_began():
    for curve in clip_of(take()).curves:
        if curve is not None:
            assert curve.value[0] == curve.value[-1]


def test_standing_it_is_still_and_loops_with_both_feet_on_the_floor():
    clip = clip_of(take("stand"))
    assert (clip.duration, clip.loops) == (1.0, True)
    assert all(curve is not None for curve in clip.curves)
    assert np.ptp(dense(take("stand")), axis=0).max() < 1e-12
    check_limits(take("stand"))
    assert lowest(dense(take("stand"))[:1]) == pytest.approx(0, abs=0.005)
    contacts = built_in("dinosaur:stand").contacts
    assert {contact.point.joint for contact in contacts} == {"LeftToes", "RightToes"}
