"""Performances over a take that does not loop: along with the body, blended at both ends."""

import numpy as np
import pytest

import arcwright
from acting import circles, performed
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.cycle.recording.carrier import Carrier, limb_parent
from arcwright.tools.cycle.recording.performed_layer import end_weights
from arcwright.tools.cycle.recording.take_loop import take_loop

NAME, HAND = "dinosaur:punch", "LeftHand"


@pytest.fixture(scope="module")
def scene():
    return arcwright.read(NAME)


def changes(scene, **options):
    """(T, J) m, how far joints are moved at the frames of the take, and its rig."""
    acted = circles(0.5, cycles=8, radius=0.06)
    hand = Target("dinosaur", "", Point(HAND))
    after, interaction = performed(scene, hand, acted, ratio="free", **options)
    old, new = (each.characters[0].takes[0] for each in (scene, after))
    at = old.frame_times()
    places = [forward(old.rig, values_at(each, at))[..., :3, 3] for each in (old, new)]
    return np.linalg.norm(places[1] - places[0], axis=-1), old.rig, interaction


def test_the_layer_blends_in_and_out_and_leaves_the_ends_as_they_are(scene):
    moved, rig, interaction = changes(scene)
    hand = moved[:, rig.joint(HAND)]
    assert moved[[0, -1]].max() <= 0.005  # the tolerance of keys
    assert hand[len(hand) // 4 : -len(hand) // 4].max() > 0.05
    assert "does not loop" in interaction.notes()[0].text


def test_the_body_is_not_pulled_out_of_its_own_movement(scene):
    along, rig, _ = changes(scene)
    world, _, _ = changes(scene, space="world")
    trunk = [rig.joint(name) for name in ("Hips", "Chest", "Head")]
    assert along[:, trunk].max() < 0.25 * world[:, trunk].max()


def test_loops_are_performed_in_the_world_unless_chosen_otherwise():
    scene = arcwright.read("biped:walk")
    target, acted = Target("biped", "", Point("RightHand")), circles(1.0, radius=0.05)
    found = [performed(scene, target, acted, **each)[0] for each in ({}, {"space": "world"})]
    takes = [each.characters[0].takes[0] for each in found]
    at = takes[0].frame_times()
    assert np.array_equal(values_at(takes[0], at), values_at(takes[1], at))
    body = performed(scene, target, acted, space="body")[0].characters[0].takes[0]
    assert np.abs(values_at(body, at) - values_at(takes[0], at)).max() > 1e-3


@pytest.mark.parametrize(("period", "whole"), [(0.5, 1.5), (0.7, 1.4)])
def test_whole_cycles_are_kept_where_the_take_leaves_time_to_blend(period, whole):
    times = np.linspace(0, 1.8, 181)
    weight = end_weights(times, period)
    assert weight[[0, -1]] == pytest.approx(0.0)
    assert weight == pytest.approx(weight[::-1])
    assert (weight > 0.999).sum() * 0.01 == pytest.approx(min(whole, 1.8 - 0.4 * period), abs=0.05)
    assert np.abs(np.diff(weight)).max() < 0.2


@pytest.mark.parametrize(("joint", "parent"), [(HAND, "Chest"), ("Hips", None)])
def test_a_carrier_is_the_joint_from_which_a_limb_branches_off(scene, joint, parent):
    actor = scene.characters[0]
    loop = take_loop(scene, actor, actor.takes[0])
    found = limb_parent(actor, loop, actor.rig.joint(joint))
    assert (None if found is None else actor.rig.names[found]) == parent


def test_a_carrier_moves_places_as_its_joint_does_and_back(scene):
    actor = scene.characters[0]
    loop, times = take_loop(scene, actor, actor.takes[0]), np.linspace(0, 0.9, 7)
    carrier = Carrier(loop, actor.rig.joint("Head"))
    jaw = trail(actor.takes[0], "Head", np.zeros(1))
    place = np.repeat(jaw.position + [0.0, 0.1, 0.2], 7, axis=0)
    out = carrier.carried(place, times)
    there = trail(actor.takes[0], "Head", times).position
    assert np.linalg.norm(out - there, axis=1) == pytest.approx(np.hypot(0.1, 0.2))
    assert np.ptp(out, axis=0).max() > 0.01
    assert carrier.at_start(out, times) == pytest.approx(place)
    turned = quaternion_from_vector(np.linspace([0, 0, 0], [1, 0.5, 0], 7))
    assert carrier.turned_back(carrier.turned(turned, times), times) == pytest.approx(turned)
