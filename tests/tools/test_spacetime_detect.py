"""Footplants, handholds and pairs that are found: on built-ins, and on real walks."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from arcwright import read
from arcwright.arrays import same
from arcwright.cli import main
from arcwright.edits.detected_contacts import detect_contacts
from arcwright.kinematics.detection import detect
from arcwright.kinematics.feet import heels
from arcwright.kinematics.hands import hands, pairs
from arcwright.scene.history import History
from data import DATA, needs_data

WALKS = (
    "02_01_walk", "07_12_brisk_walk", "143_32_walk", "105_29_normal_walk_long", "138_01_march",
    "120_08_sneaky_walk",
)  # fmt: skip


def real(name):
    return read(DATA / "bvh" / "cmu" / f"{name}.bvh")


def test_both_hands_hold_the_box_for_as_long_as_it_is_carried():
    holds = detect(read("biped:carry")).handholds
    assert {hold.joint for hold in holds} == {"LeftHand", "RightHand"}
    for hold in holds:
        assert hold.prop == "Box"
        assert hold.first == pytest.approx(10, abs=1)
        assert hold.last == 54
        assert hold.slide < 0.02


def test_the_hand_on_the_neck_holds_the_guitar_and_the_strumming_one_does_not():
    (hold,) = detect(read("biped:guitar")).handholds
    assert (hold.joint, hold.prop) == ("LeftHand", "Guitar")
    assert (hold.first, hold.last) == (0, 24)


@pytest.mark.parametrize("clip", ["sit", "dive", "walk", "jump"])
def test_hands_that_hold_nothing_are_not_detected(clip):
    assert detect(read(f"biped:{clip}")).handholds == ()


def test_heels_and_toes_of_the_standing_biped_are_planted_all_the_time():
    footplants = detect(read("biped:stand")).footplants
    assert {(footplant.joint, footplant.part) for footplant in footplants} == {
        (f"{side}{joint}", part)
        for side in ("Left", "Right")
        for joint, part in (("Foot", "heel"), ("Toes", "toe"))
    }
    assert {(footplant.first, footplant.last) for footplant in footplants} == {(0.0, 24.0)}
    assert max(footplant.slide for footplant in footplants) < 1e-6


def test_no_foot_is_planted_while_the_biped_is_in_the_air():
    flight = 16 / 24, 24 / 24
    for footplant in detect(read("biped:jump")).footplants:
        assert footplant.last / 24 <= flight[0] or footplant.first / 24 >= flight[1]


def test_a_character_without_feet_or_hands_has_nothing():
    seen = detect(read("lamp"))
    assert (seen.footplants, seen.handholds, seen.pairs) == ((), (), ())


def test_pairs_give_the_distance_of_left_and_right():
    pair = next(each for each in detect(read("biped:carry")).pairs if each.left == "LeftHand")
    assert pair.right == "RightHand"
    assert 0.3 < pair.shortest < pair.longest < 0.9


def test_the_command_line_prints_detections_with_stable_keys(capsys):
    assert main(["detect", "biped:carry", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert set(printed) == {
        *("file", "stances", "footplants", "handholds", "pairs", "in_place", "rate"),
    }
    assert set(printed["stances"][0]) == {"joint", "first", "last"}
    assert set(printed["footplants"][0]) == {"joint", "part", "first", "last", "place", "slide"}
    assert set(printed["handholds"][0]) == {
        *("joint", "offset", "prop", "first", "last", "place", "slide"),
    }
    assert set(printed["pairs"][0]) == {"left", "right", "shortest", "longest"}
    assert main(["detect", "biped:carry"]) == 0
    assert "LeftHand on Box: frames" in capsys.readouterr().out


def test_detected_contacts_are_added_once_and_can_be_undone():
    scene = read("biped:carry")
    bare = replace(scene, constraints=())
    history = History(bare).do(detect_contacts(bare, heels=True))
    held = [each for each in history.scene.contacts if each.relative_to is not None]
    assert {each.relative_to.character for each in held} == {"Box"}
    assert {each.point.joint for each in history.scene.contacts} == {
        f"{side}{joint}" for side in ("Left", "Right") for joint in ("Foot", "Toes", "Hand")
    }
    assert detect_contacts(history.scene, heels=True).empty
    assert same(history.undo().scene, bare)


def test_feet_and_hands_are_detected_without_fingers_and_end_joints():
    rig = read("biped").characters[0].rig
    assert [point.joint for point in heels(rig)] == ["LeftFoot", "RightFoot"]
    assert [hand[0].joint for hand in hands(rig)] == ["LeftHand", "RightHand"]
    assert ("LeftHand", "RightHand") in pairs(rig)
    assert all(left != right for left, right in pairs(rig))


@needs_data
@pytest.mark.parametrize("name", WALKS)
def test_toes_of_a_real_walk_are_planted_in_turn(name):
    toes = [footplant for footplant in detect(real(name)).footplants if footplant.part == "toe"]
    sides = [footplant.joint[0] for footplant in toes]
    turns = np.mean([a != b for a, b in pairwise(sides)])
    assert turns > 0.85
    lengths = np.array([(footplant.last - footplant.first) / 120 for footplant in toes])
    assert 0.15 < np.median(lengths) < 1.5
    assert lengths.min() >= 0.04


@needs_data
def test_real_jumpers_are_not_planted_in_the_air():
    seen = detect(real("16_05_forward_jump"))
    assert seen.footplants
    for footplant in seen.footplants:
        assert footplant.last / 120 < 1.1 or footplant.first / 120 > 1.6


@needs_data
def test_a_heel_rises_before_its_toes():
    footplants = detect(real("02_01_walk")).footplants
    toes = [each for each in footplants if each.part == "toe" and each.first > 2]
    for toe in toes:  # without one whose heel rose before the take began
        heel = next(
            each
            for each in footplants
            if each.part == "heel" and each.joint[0] == toe.joint[0]
            and abs(each.first - toe.first) < 24
        )  # fmt: skip
        assert heel.last < toe.last
