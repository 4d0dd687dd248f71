"""Snowmen: proportions of their balls, a spine that bends as a whole, and growing snowballs."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.characters.snowman import snowball, snowman, spine_points
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.scene.terrain import Terrain
from arcwright.tools.puppet.objects.movable import channel_values, movable_of
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession
from prop_scenes import led

RADII = (0.3, 0.22, 0.2, 0.15)


def test_the_spine_of_a_snowman_that_stands_is_straight():
    pelvis, chest = np.array([0.0, 0.3, 0.0]), np.array([0.0, 1.0, 0.0])
    shares = np.array([0.0, 0.25, 0.5, 1.0])
    found = spine_points(pelvis, chest, chest, shares)
    assert found == pytest.approx(pelvis + shares[:, None] * (chest - pelvis))


def test_a_bent_spine_is_the_curve_of_the_thesis():
    pelvis, up, chest = np.zeros(3), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.5, 0.8])
    middle = (pelvis + 0.7 * chest + 0.3 * up) / 2
    found = spine_points(pelvis, chest, up, np.array([0.5]))[0]
    assert found == pytest.approx(pelvis / 4 + middle / 2 + chest / 4)
    assert found[1] > chest[1] / 2, "it leaves the pelvis more upright than a straight line"


def test_proportions_are_those_of_the_balls():
    rig = snowman(RADII).rig
    height = {
        name: world[1, 3]
        for name, world in zip(rig.names, forward(rig, rig.channels.default[None])[0], strict=True)
    }
    assert height["Hips"] == pytest.approx(0.3)
    assert height["Spine1"] - height["Hips"] == pytest.approx(0.88 * 0.52)
    assert height["Spine2"] - height["Spine1"] == pytest.approx(0.88 * 0.42)
    assert height["Head"] - height["Spine2"] == pytest.approx(0.88 * 0.35)
    with pytest.raises(BadValue, match="three or more radii"):
        snowman((0.3, 0.2))


def test_balls_stay_on_the_spine_in_its_clips():
    made = snowman(RADII)
    take = made.take("crouch")
    world = forward(made.rig, values_at(take, np.zeros(1)))[0]
    rest = forward(made.rig, made.rig.channels.default[None])[0]
    place = {name: world[made.rig.joint(name), :3, 3] for name in made.rig.names}
    upright = {name: rest[made.rig.joint(name), :3, 3] for name in made.rig.names}
    span = upright["Chest"][1] - upright["Hips"][1]
    shares = np.array([upright[n][1] - upright["Hips"][1] for n in ("Spine1", "Spine2")]) / span
    curve = spine_points(place["Hips"], place["Chest"], upright["Chest"], shares)
    assert np.array([place["Spine1"], place["Spine2"]]) == pytest.approx(curve, abs=1e-6)


def test_a_snowman_rolls_a_ball_whose_volume_grows_with_its_way():
    scene = Scene("snow", (snowman((0.26, 0.2, 0.155)),), (snowball("Ball", 0.1, 0.0, 0.55),))
    scene = replace(scene, ground=Terrain(snow=0.02))
    session = PuppetSession(scene, Target(), PuppetOptions())
    legs = [(0, 0, 0, 0), (0.3, 0, 0, 0), (0.8, 0, 0, 0.2), (1.5, 0, -0.27, 0.2)]
    session.update(led([*legs, (2.0, 0, -0.27, 0.2), (4.0, 0, -0.27, 1.1), (4.8, 0, 0, 1.1)]))
    assert [event for _, event in session.events] == ["near Ball", "pushed Ball", "left Ball"]
    ball = movable_of(scene.props[0])
    size = [ball.half.min() * tick.objects[0].scale for tick in session.ticks]
    place = np.array([tick.objects[0].position for tick in session.ticks])
    way = np.linalg.norm(np.diff(place[:, [0, 2]], axis=0), axis=1).sum()
    assert way > 0.5
    gained = 4 / 3 * np.pi * (size[-1] ** 3 - size[0] ** 3)
    assert gained == pytest.approx(0.02 * way, rel=1e-6)
    values = channel_values(ball, session.ticks[-1].objects[0])
    assert values[ball.scaled] == pytest.approx(np.full(3, size[-1] / size[0]))
    assert place[-1, 1] == pytest.approx(size[-1]), "it lies on the ground"
