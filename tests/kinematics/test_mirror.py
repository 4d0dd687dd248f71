"""Mirrored poses: counterparts by name and by place, and where joints are in the mirror."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.mirror import mirror_of, other_side
from arcwright.kinematics.sample import values_at
from data import DATA, needs_data


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("LeftUpLeg", "RightUpLeg"),
        ("thigh_l", "thigh_r"),
        ("hand.R", "hand.L"),
        ("R_Hand", "L_Hand"),
        ("mixamorig:LeftArm", "mixamorig:RightArm"),
        ("FootL", "FootR"),
        ("Head", "Head"),
        ("Collar", "Collar"),
        ("ball", "ball"),
    ],
)
def test_names_have_another_side(name: str, other: str) -> None:
    assert other_side(name) == other
    assert other_side(other) == name


def test_counterparts_are_found_without_names() -> None:
    rig = arcwright.read("biped:walk").characters[0].rig
    named = mirror_of(rig)
    plain = mirror_of(replace(rig, names=tuple(f"joint_{j}" for j in range(len(rig.names)))))
    assert len(named.pairs) >= 8
    assert (named.counterpart == plain.counterpart).all()
    assert (named.counterpart[named.counterpart] == np.arange(len(rig.names))).all()


@pytest.mark.parametrize("name", ["biped:walk", "spider:walk"])
def test_joints_of_a_mirrored_pose_are_mirror_images(name: str) -> None:
    take = arcwright.read(name).characters[0].takes[0]
    mirror = mirror_of(take.rig)
    values = values_at(take, np.linspace(0, take.duration, 7))
    root = int(np.flatnonzero(take.rig.parents < 0)[0])
    there = forward(take.rig, mirror.mirrored(values, root))[..., :3, 3]
    here = forward(take.rig, values)[..., :3, 3][:, mirror.counterpart]
    image = here - 2 * ((here - mirror.origin) @ mirror.normal)[..., None] * mirror.normal
    assert abs(there - image).max() < 1e-6
    again = mirror.mirrored(mirror.mirrored(values, root), root)
    assert abs(forward(take.rig, again) - forward(take.rig, values)).max() < 1e-6


@needs_data
def test_a_capture_is_mirrored_about_its_own_heading() -> None:
    character = arcwright.read(DATA / "bvh" / "cmu" / "02_01_walk.bvh").characters[0]
    take = character.takes[0]
    values = values_at(take, np.linspace(0, 2, 5))
    mirror = mirror_of(take.rig)
    heading, centre = 0.7, np.array([1.0, 0.0, 2.0])
    there = forward(take.rig, mirror.mirrored(values, 0, heading, centre))[..., :3, 3]
    normal = np.array([np.cos(heading), 0.0, -np.sin(heading)])
    here = forward(take.rig, values)[..., :3, 3][:, mirror.counterpart]
    image = here - 2 * ((here - centre) @ normal)[..., None] * normal
    assert abs(there - image).max() < 0.04  # its bones are not quite symmetric
    assert mirror.asymmetry < 0.03


@needs_data
def test_a_rest_pose_whose_sides_differ_is_not_mirrored() -> None:
    path = DATA / "bvh" / "other-skeletons" / "rokoko_jesse_dance.bvh"
    character = arcwright.read(path).characters[0]
    assert mirror_of(character.rig).asymmetry > 0.05
    with pytest.raises(BadValue, match="two sides are alike"):
        arcwright.cycle(character.takes[0], actor=character, mirror=True)
