"""Puppets without the clips they need: cycles of captures, standing poses, made walks."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.open import read
from arcwright.tools.puppet.puppet_character import puppet_character
from data import DATA, needs_data
from walked import walked


def gaits(character):
    return {clip.name: clip for clip in character.gaits.space.clips if clip.moves}


def hands_over_root(character, values):
    """(T, 2) m, hands above the root in poses (T, C), and (T, 2) m, ahead of it."""
    arms = character.arms
    palms = point_jacobian(arms.rig, values, arms.palms, []).position
    roots = np.array([character.gaits.writer.read(each)[:3] for each in values])[:, None]
    return (palms - roots)[..., 1], (palms - roots)[..., 2]


def test_a_walk_of_many_cycles_gives_one_of_them():
    walk = gaits(puppet_character(walked(4).characters[0]))["walk"]
    biped = built_in("biped").characters[0]
    own = gaits(puppet_character(replace(biped, takes=(biped.take("walk"),))))["walk"]
    assert walk.period == pytest.approx(own.period, rel=0.06)
    assert walk.speed == pytest.approx(own.speed, rel=0.05)
    assert walk.once


@needs_data
@pytest.mark.parametrize("name", ["cmu/02_01_walk", "cmu/07_12_brisk_walk"])
def test_captured_walks_are_walks(name):
    (walk,) = [
        clip
        for clip in gaits(
            puppet_character(read(DATA / "bvh" / f"{name}.bvh").characters[0])
        ).values()
        if "run" not in clip.name
    ]
    assert 0.8 < walk.period < 1.3
    assert 1.0 < walk.speed < 2.2


@needs_data
@pytest.mark.parametrize("name", ["pirouette", "rokoko_jesse_dance"])
def test_a_dance_is_no_walk(name):
    scene = read(DATA / "bvh" / "other-skeletons" / f"{name}.bvh")
    assert "walk" not in puppet_character(scene.characters[0]).roles


def test_a_character_without_takes_stands_with_hanging_arms_and_swings_them():
    biped = built_in("biped").characters[0]
    character = puppet_character(replace(biped, takes=()))
    high, _ = hands_over_root(character, character.stand[None])
    assert (high < 0.1 * character.size).all()
    (walk,) = [clip for clip in gaits(character).values() if clip.name.startswith("walk")]
    write = character.gaits.writer.written
    poses = np.array([write(*each) for each in zip(walk.values, walk.root, strict=True)])
    _, ahead = hands_over_root(character, poses)
    feet = point_jacobian(character.rig, poses, character.gaits.legs.toes, []).position[..., 2]
    assert np.ptp(ahead, axis=0).min() > 0.15 * character.size
    apart = ahead[:, 0] - ahead[:, 1], feet[:, 0] - feet[:, 1]
    assert np.corrcoef(*apart)[0, 1] < -0.9, "each arm with the leg of the other side"
