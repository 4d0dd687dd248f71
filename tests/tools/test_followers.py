"""Followers: beyond a smooth key the motion keeps the slope, but swings less the steeper it is."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arcwright import characters
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.keys import keyed
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Handle, Interpolation
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.followers import followers_of
from random_rigs import chain_rig

KEYS = np.array([0.0, 0.5, 1.0, 1.5])
TIP = Point("joint3")


def followers(high, across=0.3):
    """One that follows: the second handle of a segment of 0.5 s between keys at 0 and 0.2."""
    return followers_of(
        np.array([False, True]),
        np.array([-1, 1]),
        (np.array([[0.1, across], [0.07, 0.0]]), np.array([0.5]), np.array([[0.0, 0.2]])),
        (np.array([-high, -high]), np.array([high, high])),
        np.array([0.5, 0.5]),
        np.array([False, True]),
        120.0,
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
    start = np.array([[0.1, 0.3], [0.07, 0.0]])
    assert (followers(1.0).shortened(start, start) == start).all()


SIZES = st.floats(-3.0, 3.0)


@given(value=SIZES, across=SIZES, high=st.floats(0.05, 5.0))
@example(value=0.0, across=2.225e-313, high=1.0)
def test_a_follower_and_the_handle_across_keep_their_slopes_and_bounds(value, across, high):
    start, now = np.array([[0.1, across], [0.07, 0.0]]), np.array([[0.1, across], [0.07, value]])
    (dt_across, dv_across), (dt, dv) = followers(high, across).shortened(start, now)
    assert dv / dt == pytest.approx(value / 0.07)
    assert 0 < dt <= 0.07
    assert abs(dv) <= high + 1e-12
    assert dv_across / dt_across == pytest.approx(across / 0.1)
    assert 0.1 <= dt_across <= 0.75 * 0.5 + 1e-12
    assert abs(dv_across) <= max(high, abs(across)) + 1e-12


def test_the_handle_across_keeps_the_segment_closer_to_what_it_was():
    start, now = np.array([[0.1, 0.15], [0.07, 0.0]]), np.array([[0.1, 0.15], [0.07, 0.3]])
    found = followers(5.0, 0.15).shortened(start, now)
    unfitted = np.array([start[0], found[1]])
    assert found[0, 0] > start[0, 0]
    assert most_moved(start, found) < 0.95 * most_moved(start, unfitted)


def most_moved(before, after):
    """How far a segment of 0.5 s between values 0 and 0.2 moves with other handles."""
    curves = [
        keyed([0.0, 0.5], [0.0, 0.2]).with_handles(
            np.array([[[0.1, 0.0], out], [into, [0.1, 0.0]]]),
            np.full((2, 2), Handle.FREE),
            np.full(2, Interpolation.BEZIER),
        )
        for out, into in (before, after)
    ]
    first, second = (evaluate_curve(curve, np.linspace(0, 0.5, 101)) for curve in curves)
    return np.abs(first - second).max()


def test_smooth_keys_stay_smooth_and_the_point_swings_little_beyond_them():
    before, after = dragged(chain(), [0.0, 0.8, 0.0], 0.62)
    assert 0.01 < swing(before, after) < 0.35
    beside = 1e-7
    for key in (0.5, 1.0):
        place = trail(after, TIP, key + beside * np.array([-1, 0, 1])).position
        speed = np.diff(place, axis=0) / beside
        assert np.linalg.norm(speed[1] - speed[0]) < 1e-3 * np.linalg.norm(speed[0]) + 1e-4


def swing(before, after):
    """How far the tip moves outside the keys around 0.75 s, of how far it moves inside."""
    times = np.linspace(0, 1.5, 361)
    moved = np.linalg.norm(
        trail(after, TIP, times).position - trail(before, TIP, times).position, axis=1
    )
    inside = (times >= 0.5) & (times <= 1.0)
    return moved[~inside].max() / moved[inside].max()


def test_a_drag_beside_an_earlier_one_swings_little_too():
    scene = chain()
    _, between = dragged(scene, [0.0, 0.5, 0.0], 0.25)
    character = replace(scene.characters[0], takes=(between,))
    _, after = dragged(replace(scene, characters=(character,)), [0.0, 0.5, 0.0], 0.75)
    assert swing(between, after) < 0.35


def test_values_beyond_smooth_keys_stay_in_their_joint_limits():
    _, after = dragged(chain(low=0.0), [-0.3, 0.1, 0.0], 0.75)
    values = values_at(after, np.linspace(0, 1.5, 721))
    table = after.rig.channels
    assert (values >= table.low - 1e-9).all()
    assert (values <= table.high + 1e-9).all()
