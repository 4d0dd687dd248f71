"""Swivel: limbs turn about the line from root to end, and that line alone."""

import numpy as np

import arcwright
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.swivel import bent_limbs, swivel, swivelled

BIPED = arcwright.read("biped:point_right").characters[0]
TAKE = BIPED.takes[0]
VALUES = values_at(TAKE, TAKE.frame_times())


def test_arms_and_legs_of_a_biped_are_its_bent_limbs() -> None:
    names = {tuple(TAKE.rig.names[joint] for joint in limb) for limb in bent_limbs(BIPED, TAKE)}
    arms = {(f"{side}UpperArm", f"{side}LowerArm", f"{side}Hand") for side in ("Left", "Right")}
    legs = {(f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot") for side in ("Left", "Right")}
    assert names == arms | legs


def test_a_limb_is_swivelled_by_the_angles_that_are_asked_for() -> None:
    angle = 0.2 * np.sin(np.linspace(0, 5, len(VALUES)))
    for limb in bent_limbs(BIPED, TAKE):
        turned = swivelled(TAKE.rig, VALUES, limb, angle)
        before, after = (swivel(TAKE.rig, each, limb) for each in (VALUES, turned))
        assert np.allclose(after.steps - before.steps, np.diff(angle), atol=1e-9)
        assert np.allclose(after.flexion, before.flexion, atol=1e-6)


def test_the_end_of_a_swivelled_limb_keeps_its_place_and_orientation() -> None:
    angle = np.full(len(VALUES), 0.3)
    for limb in bent_limbs(BIPED, TAKE):
        turned = swivelled(TAKE.rig, VALUES, limb, angle)
        ends = [forward(TAKE.rig, each, [limb.end])[:, 0] for each in (VALUES, turned)]
        assert np.allclose(*ends, atol=1e-9)


def test_a_straight_limb_has_no_flexion() -> None:
    limb = next(each for each in bent_limbs(BIPED, TAKE) if "Arm" in TAKE.rig.names[each.root])
    values = VALUES[:4].copy()
    own = TAKE.rig.channels.joint == limb.middle
    values[:, own] = 0.0
    assert swivel(TAKE.rig, values, limb).flexion.max() < np.radians(3.0)
