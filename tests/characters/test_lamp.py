import numpy as np
import pytest

from arcwright.characters import built_in, recipe
from arcwright.kinematics.sample import sample
from arcwright.scene.point import Point
from cast import (
    character,
    check_asset,
    check_limits,
    check_mesh,
    check_stiffness,
    clip_of,
    path,
)


def test_it_is_a_desk_lamp_of_half_a_metre():
    parts = character("lamp").shapes[0].parts
    places = np.concatenate([part.attributes["POSITION"] for part in parts])
    assert places[:, 1].min() == pytest.approx(0, abs=1e-3)
    assert 0.42 < places[:, 1].max() < 0.55


def test_mesh_stiffness_and_asset_are_sound():
    check_mesh(character("lamp"))
    check_stiffness(character("lamp"))
    check_asset("lamp")


@pytest.mark.parametrize("name", ["hop", "look"])
def test_limits_hold_and_keys_are_few(name):
    take = character("lamp").take(name)
    check_limits(take)
    counts = [len(curve) for curve in clip_of(take).curves if curve is not None]
    print(f"{name}: {len(counts)} channels, {sum(counts)} keys")
    assert max(counts) <= 8


def test_the_base_stands_still_where_it_is_in_contact():
    scene = built_in("lamp:hop")
    take = scene.characters[0].takes[0]
    for contact in scene.contacts:
        places = path(take, contact.point, np.linspace(contact.start, contact.end, 80))
        assert np.ptp(places, axis=0).max() < 1e-9


def test_the_hop_goes_forward_and_up_and_never_through_the_floor():
    take = character("lamp").take("hop")
    places = path(take, Point("Base"), np.linspace(0, take.duration, 150))
    assert places[-1, 2] == pytest.approx(0.38)
    assert places[:, 1].max() > 0.15
    assert places[:, 1].min() > -1e-9


def test_the_stored_clips_are_what_the_script_makes():
    made = {clip.name: clip for clip in recipe("lamp").clips(character("lamp").rig)}
    for take in character("lamp").takes:
        times = np.linspace(0, take.duration, 60)
        fresh = sample(type(take)(take.rig, made[take.name]), times).values
        assert np.allclose(fresh, sample(take, times).values, atol=1e-9)
