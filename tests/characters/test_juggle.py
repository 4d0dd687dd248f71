import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.characters import built_in
from arcwright.characters.biped_juggle import BALLS, RADIUS, palm
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.kinematics.trail import trail
from cast import check_limits, check_mesh, dense

NOW = np.zeros(1)


def scene():
    return built_in("biped:juggle")


def place(name):
    return trail(scene().actor(name).takes[0], name, NOW).position[0]


def test_there_are_three_sound_balls_each_with_a_take_that_can_be_performed():
    assert [prop.name for prop in scene().props] == list(BALLS)
    for prop in scene().props:
        check_mesh(prop)
        (take,) = prop.takes
        check_limits(take)
        assert take.name == "juggle"
        assert {f"{prop.name}.translate.{axis}" for axis in "xyz"} <= set(take.rig.channel_names)
        assert sum(len(part.triangles) for part in prop.shapes[0].parts) < 3000


def test_everything_is_still_and_loops_together():
    actors = [scene().characters[0], *scene().props]
    for actor in actors:
        (take,) = actor.takes
        assert take.base.loops
        assert take.duration == 1.0
        assert all(curve is not None for curve in take.base.curves)
        assert np.ptp(dense(take), axis=0).max() < 1e-12


@pytest.mark.parametrize("side", ["Left", "Right"])
def test_a_ball_lies_on_each_palm_which_faces_up(side):
    biped = scene().characters[0]
    held = trail(biped.takes[0], palm(side), NOW).position[0]
    assert held == pytest.approx(place(f"{side}Ball"), abs=1e-4)
    world = forward(biped.rig, values_at(biped.takes[0], NOW))[0, biped.rig.joint(f"{side}Hand")]
    assert world[1, 1] < -0.9  # Y leaves the back of the hand


def test_balls_lie_on_the_hands_and_not_in_them():
    biped = scene().characters[0]
    values = values_at(biped.takes[0], NOW)
    skin = np.concatenate(
        [part.positions for part in deform(biped, values[0], forward(biped.rig, values)[0])]
    )
    for name in BALLS:
        gap = np.linalg.norm(skin - place(name), axis=1).min() - RADIUS
        assert gap > -0.008
        assert gap < 0.02 or name == "MiddleBall"


def test_the_project_file_keeps_the_balls(tmp_path):
    arcwright.write(scene(), tmp_path / "juggle.arc.glb")
    again = arcwright.read(tmp_path / "juggle.arc.glb")
    for name in BALLS:
        assert same(again.actor(name).takes, scene().actor(name).takes)
