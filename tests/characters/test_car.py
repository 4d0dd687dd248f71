import numpy as np
import pytest

from arcwright.characters import recipe
from arcwright.characters.car import RADIUS, WHEELS
from arcwright.kinematics.sample import sample
from arcwright.scene.point import Point
from cast import character, check_asset, check_limits, check_mesh, check_stiffness, path


def test_it_is_a_toy_of_one_and_a_half_metres_that_stands_on_its_wheels():
    parts = character("car").shapes[0].parts
    places = np.concatenate([part.attributes["POSITION"] for part in parts])
    assert places[:, 1].min() == pytest.approx(0, abs=1e-3)
    assert 1.4 < np.ptp(places[:, 2]) < 1.6


def test_mesh_stiffness_and_asset_are_sound():
    check_mesh(character("car"))
    check_stiffness(character("car"))
    check_asset("car")


def test_its_wheels_roll_by_its_way():
    take = character("car").take("drive")
    check_limits(take)
    times = np.linspace(0, take.duration, 100)
    way = path(take, Point("Body"), times)[:, 2]
    assert way[-1] == pytest.approx(2.0)
    for name in WHEELS:
        rolled = sample(take, times).values[:, take.rig.channel(f"{name}.rotate.x")]
        assert np.abs(RADIUS * rolled - way).max() < 1e-9


def test_the_stored_clip_is_what_the_script_makes():
    take = character("car").takes[0]
    times = np.linspace(0, take.duration, 60)
    made = recipe("car").clips(take.rig)[0]
    fresh = sample(type(take)(take.rig, made), times).values
    assert np.allclose(fresh, sample(take, times).values, atol=1e-9)
