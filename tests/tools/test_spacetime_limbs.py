"""Limbs first: a dragged hand leaves the trunk alone where the arm can reach by itself."""

import numpy as np
import pytest

from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.tools.spacetime.displacement import edit_range, unknowns_of
from arcwright.tools.spacetime.stiffness import displacement_stiffness, mass_points
from arcwright.tools.spacetime.tool import SpacetimeOptions
from chains import take_of
from spacetime_edits import dragged, sampled, walking

HAND = Point("LeftHand")
HEIGHT = 1.7  # m


def displacements(scene, by, **options):
    """How far hand, head and hips go at half a second, m."""
    after, _ = dragged(scene, HAND, 0.5, by, **options)
    paths = [
        [trail(take_of(each), name, [0.5]).position[0] for name in ("LeftHand", "Head", "Hips")]
        for each in (scene, after)
    ]
    return np.linalg.norm(np.subtract(*paths), axis=1)


@pytest.mark.parametrize("form", [lambda scene: scene, sampled], ids=["keys", "samples"])
@pytest.mark.parametrize("by", [(0, 0.2, 0), (0, 0.1, 0.1), (0.1, 0.05, 0)])
def test_a_hand_within_reach_leaves_head_and_hips_alone(form, by):
    hand, head, hips = displacements(form(walking()), by)
    assert hand == pytest.approx(np.linalg.norm(by), abs=1e-3)
    assert head < 0.012 * HEIGHT
    assert hips < 0.006 * HEIGHT


def test_the_body_follows_the_more_the_higher_the_option():
    head = [displacements(walking(), (0, 0.2, 0), body_follows=each)[1] for each in (0, 0.5, 1)]
    assert head[0] < head[1] < head[2]
    assert head[2] > 3 * head[0]


def test_beyond_the_reach_of_the_arm_the_body_helps():
    hand, head, _ = displacements(sampled(walking()), (0, 0.3, 0.7))
    assert hand == pytest.approx(np.hypot(0.3, 0.7), abs=5e-3)
    assert head > 0.02 * HEIGHT


@pytest.mark.parametrize("form", [lambda scene: scene, sampled], ids=["keys", "samples"])
def test_a_hand_that_reaches_down_bends_the_knees_and_keeps_the_balance(form):
    scene, before = form(walking()), form(walking())
    after, _ = dragged(scene, HAND, 0.5, (0, -0.3, 0.4))
    head, hips = (
        np.subtract(*(trail(take_of(each), name, [0.5]).position[0] for each in (after, before)))
        for name in ("Head", "Hips")
    )
    assert hips[1] < -0.2
    assert head[2] < 0.28


def test_a_hand_moves_the_arm_much_more_than_all_other_joints():
    scene = sampled(walking())
    after, _ = dragged(scene, HAND, 0.5, (0, 0.2, 0))
    rig, at = take_of(scene).rig, np.array([0.5])
    world = [forward(rig, values_at(take_of(each), at))[0, :, :3, :3] for each in (scene, after)]
    child = rig.parents >= 0
    local = [turned[rig.parents[child]].swapaxes(1, 2) @ turned[child] for turned in world]
    cosine = (np.einsum("jab,jab->j", *local) - 1) / 2
    turned = np.arccos(np.clip(cosine, -1, 1))
    arm = ancestors(rig, rig.joint("LeftHand")) & ~ancestors(rig, rig.joint("LeftShoulder"))
    assert turned[arm[child]].sum() > 0.6 * turned.sum()


def test_unknowns_that_move_no_mass_are_stiff_too():
    """Such as those of a controller beside the body: without stiffness a step has no solution."""
    scene = walking()
    take = take_of(scene)
    span = edit_range(take, SpacetimeOptions(), [0.5])
    mass = mass_points(scene.characters[0], take)
    massless = mass._replace(share=np.zeros_like(mass.share))
    values, unknowns = values_at(take, span.times), unknowns_of(take.rig)
    given = (take.rig, massless, span, span.times, values, unknowns)
    assert displacement_stiffness(*given, smooth=7.0).diagonal.min() > 1e-4
