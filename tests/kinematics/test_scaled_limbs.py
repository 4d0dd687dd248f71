"""Scaled limbs: bones of the right length, feet on the ground, meshes that follow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arcwright
from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.joint_roles import body_of
from arcwright.kinematics.legs import rest_places
from arcwright.kinematics.scaled_limbs import scaled_limbs
from arcwright.kinematics.skinning import Deformed, deform
from arcwright.scene.scene import Actor
from data import DATA, needs_data
from random_cases import examples


def bones(actor: Actor) -> Floats:
    """(J,) m."""
    place = rest_places(actor.rig)
    return np.linalg.norm(place - place[np.maximum(actor.rig.parents, 0)], axis=1)


@examples(15, 100)
@given(st.floats(0.5, 2.0), st.floats(0.5, 2.0))
def test_bones_of_limbs_are_scaled_and_no_others(arms: float, legs: float) -> None:
    actor = arcwright.read("biped").characters[0]
    made = scaled_limbs(actor, arms=arms, legs=legs)
    factor = np.ones(len(actor.rig.names))
    for side in ("Left", "Right"):
        factor[[actor.rig.joint(f"{side}{part}") for part in ("LowerArm", "Hand")]] = arms
        factor[[actor.rig.joint(f"{side}{part}") for part in ("LowerLeg", "Foot")]] = legs
    assert np.allclose(bones(made), factor * bones(actor), atol=1e-9)
    assert rest_places(made.rig)[:, 1].min() == pytest.approx(rest_places(actor.rig)[:, 1].min())


def meshes(actor: Actor) -> list[Deformed]:
    values = actor.rig.channels.default
    return deform(actor, values, forward(actor.rig, values[None])[0])


def lengths_of_edges(mesh: Deformed) -> Floats:
    edges = mesh.positions[mesh.part.triangles[:, [0, 1]]]
    return np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)


@pytest.mark.parametrize("arms", [0.6, 1.0, 1.7])
def test_the_mesh_follows_and_is_not_torn(arms: float) -> None:
    actor = arcwright.read("biped").characters[0]
    before, after = meshes(actor), meshes(scaled_limbs(actor, arms=arms))
    for one, other in zip(before, after, strict=True):
        most = max(arms, 1.0) * 1.6 * lengths_of_edges(one) + 2e-3
        assert (lengths_of_edges(other) <= most).all()
    reach = [max(np.abs(each.positions[:, 0]).max() for each in mesh) for mesh in (before, after)]
    assert np.sign(round(reach[1] - reach[0], 3)) == np.sign(arms - 1.0)


def test_hands_keep_their_size() -> None:
    actor = arcwright.read("biped").characters[0]
    made = scaled_limbs(actor, arms=2.0)
    hand = actor.rig.joint("LeftHand")
    below = [joint for joint in range(len(actor.rig.names)) if actor.rig.is_below(joint, hand)]
    shift = [(rest_places(each.rig)[below] - rest_places(each.rig)[hand]) for each in (actor, made)]
    assert np.allclose(*shift, atol=1e-9)


@needs_data
def test_exported_characters_keep_what_they_hold_in_hand() -> None:
    actor = arcwright.read(DATA / "gltf/kaykit/Knight.glb").characters[0]
    made = scaled_limbs(actor, arms=1.5, legs=0.7)
    places = [rest_places(each.rig) for each in (actor, made)]
    grip = [
        place[actor.rig.joint("1H_Sword")] - place[actor.rig.joint("wrist.r")] for place in places
    ]
    assert np.allclose(*grip, atol=1e-6)
    assert body_of(made).root == body_of(actor).root


@needs_data
def test_legs_of_a_rig_with_detached_feet_are_refused() -> None:
    actor = arcwright.read(DATA / "gltf/RobotExpressive.glb").characters[0]
    with pytest.raises(BadValue, match="legs"):
        scaled_limbs(actor, legs=0.8)
    assert scaled_limbs(actor, arms=0.8).takes == ()


def test_lengths_without_sense_are_refused() -> None:
    with pytest.raises(BadValue, match="arms"):
        scaled_limbs(arcwright.read("biped").characters[0], arms=0.0)
