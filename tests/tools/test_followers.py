"""Followers: beyond a smooth key the motion keeps the slope, but swings less the steeper it is."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright import characters
from arcwright.curves.keys import keyed
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.handles import Followers
from random_rigs import chain_rig

KEYS = np.array([0.0, 0.5, 1.0, 1.5])
TIP = Point("joint3")


def followers(high):
    return Followers(
        np.array([1]), np.array([-high]), np.array([high]), np.array([0.2]), np.array([0.1])
    )


def chain(low=None):
    """A chain that stands still in four smooth key poses, its last joint a little bent."""
    rig = chain_rig(4)
    table = rig.channels
    values = np.where(table.kind == Kind.ROTATE_Z, 0.1, np.array(table.default))
    if low is not None:
        turns = table.kind == Kind.ROTATE_Z
        rig = replace(rig, channels=replace(table, low=np.where(turns, low, table.low)))
    curves = tuple(keyed(KEYS, np.full(4, value)) for value in values.tolist())
    character = Character("chain", rig, (Take(rig, Clip("still", curves, 24.0)),))
    return replace(characters.built_in("lamp"), characters=(character,), constraints=(), props=())


def dragged(scene, by, time, **options):
    """The takes before and after a drag of the tip."""
    take, used = scene.characters[0].takes[0], tool("tangent")
    session = used.begin(scene, Target(), used.Options(**options))
    start = trail(take, TIP, [time]).position[0]
    session.update(Drag(TIP, time, position=start + by))
    after = session.finish().apply(scene).characters[0].takes[0]
    assert trail(after, TIP, [time]).position[0] == pytest.approx(start + by, abs=1e-3)
    return take, after


def test_a_follower_that_does_not_move_keeps_its_length_to_the_bit():
    start = np.array([[0.1, 0.3], [0.07, 0.21]])
    assert (followers(1.0).shortened(start, start) == start).all()


@pytest.mark.parametrize("value", [-3.0, -0.5, 0.4, 2.0])
def test_a_follower_keeps_its_slope_and_its_bounds(value):
    start, now = np.array([[0.1, 0.3], [0.07, 0.0]]), np.array([[0.1, 0.3], [0.07, value]])
    shorter = followers(0.3).shortened(start, now)
    assert (shorter[0] == now[0]).all()
    assert shorter[1, 1] / shorter[1, 0] == pytest.approx(value / 0.07)
    assert abs(shorter[1, 1]) <= 0.3 + 1e-12


def test_smooth_keys_stay_smooth_and_the_point_swings_little_beyond_them():
    before, after = dragged(chain(), [0.0, 0.8, 0.0], 0.62)
    times = np.linspace(0, 1.5, 361)
    moved = np.linalg.norm(
        trail(after, TIP, times).position - trail(before, TIP, times).position, axis=1
    )
    inside = (times >= 0.5) & (times <= 1.0)
    assert 0.01 < moved[~inside].max() < 0.6 * moved[inside].max()
    beside = 1e-7
    for key in (0.5, 1.0):
        place = trail(after, TIP, key + beside * np.array([-1, 0, 1])).position
        speed = np.diff(place, axis=0) / beside
        assert np.linalg.norm(speed[1] - speed[0]) < 1e-3 * np.linalg.norm(speed[0]) + 1e-4


def test_values_beyond_smooth_keys_stay_in_their_joint_limits():
    _, after = dragged(chain(low=0.0), [-0.3, 0.1, 0.0], 0.75)
    values = values_at(after, np.linspace(0, 1.5, 721))
    table = after.rig.channels
    assert (values >= table.low - 1e-9).all()
    assert (values <= table.high + 1e-9).all()
