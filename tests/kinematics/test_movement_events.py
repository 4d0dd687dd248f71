"""Events of paths whose stays and turns are known."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.kinematics.event_confidence import BIASES, Measures, confidence
from arcwright.kinematics.movement_events import ElementPath, movement_events
from arcwright.kinematics.prop_contacts import CarryRule, PropPath, events_with_props
from arcwright.kinematics.stays import MovementRule

RULE = MovementRule()
FRAME = 1 / 30
AHEAD = np.array([0.3, 0.2, 0.9]) / np.linalg.norm([0.3, 0.2, 0.9])


def smooth_step(time, start, end):
    share = np.clip((time - start) / (end - start), 0, 1)
    return share**3 * (10 - 15 * share + 6 * share**2)


def there_and_back(rate, way, seconds, stay=1.0, seed=None, jitter=0.0):
    """A path that rests, goes a way, stays, and comes back; with the times of its events."""
    begin, come = 1.0, 1.0 + seconds
    leave = come + stay
    back = leave + seconds
    time = np.arange(round((back + 1.0) * rate) + 1) / rate
    along = way * (smooth_step(time, begin, come) - smooth_step(time, leave, back))
    noise = np.zeros((len(time), 3))
    if seed is not None:
        noise = np.random.default_rng(seed).normal(0, jitter, noise.shape)
    return time, along[:, None] * AHEAD + noise, (begin, come, leave, back)


def sure(time, position, rule=RULE, **more):
    found = movement_events(time, ElementPath("hand", position, **more), rule)
    assert all(np.isfinite([each.time, each.confidence]).all() for each in found)
    assert all(0 <= each.confidence <= 1 for each in found)
    return [each for each in found if each.confidence >= 0.5]


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from([30.0, 60.0, 120.0]),
    st.floats(0.2, 0.8),
    st.floats(0.3, 0.7),
    st.integers(0, 1000),
)
def test_a_hand_that_goes_and_comes_back_leaves_and_arrives_twice(rate, way, seconds, seed):
    time, position, known = there_and_back(rate, way, seconds, seed=seed, jitter=0.0005)
    found = sure(time, position)
    assert [each.kind for each in found] == ["rest end", "rest start", "rest end", "rest start"]
    # A smooth step creeps for a tenth of its duration at each end.
    slack = 3 * FRAME + 0.1 * seconds
    assert np.abs(np.subtract([each.time for each in found], known)).max() <= slack


@pytest.mark.parametrize("rate", [30.0, 60.0, 120.0])
def test_a_hand_that_turns_back_at_once_has_one_event_there(rate):
    time, position, known = there_and_back(rate, 0.5, 0.5, stay=0.0)
    found = sure(time, position)
    assert [each.kind for each in found] == ["rest end", "turn", "rest start"]
    assert abs(found[1].time - known[1]) <= 3 * FRAME


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.floats(0.0, 0.002))
def test_a_standstill_with_jitter_has_no_events(seed, jitter):
    time = np.arange(181) / 60
    position = np.random.default_rng(seed).normal(0, jitter + 1e-12, (181, 3))
    assert not sure(time, position)


@pytest.mark.parametrize("way", [0.02, 0.05, 0.08])
def test_movement_of_less_than_ten_centimetres_has_no_event(way):
    time, position, _ = there_and_back(60.0, way, 0.4)
    assert not sure(time, position)


def test_a_constant_path_and_a_short_one_have_no_events():
    assert not movement_events(np.arange(9) / 60, ElementPath("hand", np.ones((9, 3))), RULE)
    assert not movement_events(np.arange(2) / 60, ElementPath("hand", np.ones((2, 3))), RULE)


def test_events_are_the_same_in_a_mirror():
    time, position, _ = there_and_back(60.0, 0.5, 0.5, seed=1, jitter=0.0005)
    mirrored = movement_events(time, ElementPath("hand", position * [-1, 1, 1]), RULE)
    for a, b in zip(
        movement_events(time, ElementPath("hand", position), RULE), mirrored, strict=True
    ):
        assert a == b


@pytest.mark.parametrize("scale", [0.25, 4.0])
def test_events_scale_with_size_and_its_root(scale):
    time, position, _ = there_and_back(60.0, 0.5, 0.5, seed=2, jitter=0.0005)
    plain = movement_events(time, ElementPath("hand", position), RULE)
    slower = scale**0.5
    path = ElementPath("hand", position * scale)
    found = movement_events(time * slower, path, RULE.sized(1.7 * scale))
    assert [each.kind for each in found] == [each.kind for each in plain]
    times = [[each.time for each in events] for events in (plain, found)]
    np.testing.assert_allclose(np.multiply(times[0], slower), times[1], atol=1e-9)
    confident = [[each.confidence for each in events] for events in (plain, found)]
    np.testing.assert_allclose(*confident, atol=1e-6)


def walking(swing):
    """A walk of 1.2 m/s, and a hand below its shoulder that swings with it."""
    time = np.arange(301) / 60
    pelvis = np.stack([0 * time, np.ones_like(time), 1.2 * time], axis=1)
    shoulder = pelvis + [0.2, 0.45, 0.0]
    angle = swing * np.sin(2 * np.pi * time)
    arm = np.stack([0 * time, -np.cos(angle), np.sin(angle)], axis=1) * 0.55
    hand = ElementPath("hand", shoulder + arm, pelvis, shoulder, shoulder + [0.0, 0.25, 0.0], 0.55)
    return time, hand


@pytest.mark.parametrize("swing", [0.0, 0.1, 0.2, 0.25])
def test_an_arm_that_swings_with_a_walk_has_no_events(swing):
    time, hand = walking(swing)
    found = movement_events(time, hand, RULE)
    assert not [each for each in found if each.confidence >= 0.5]


def test_a_hand_that_stops_on_a_body_that_walks_has_no_rest():
    time, hand = walking(0.0)
    raised = 0.3 * (smooth_step(time, 1.0, 1.6) - smooth_step(time, 3.4, 4.0))
    lifted = hand.position + np.stack([0 * time, raised, raised], axis=1)
    found = movement_events(time, replace(hand, position=lifted), RULE)
    assert not [each for each in found if each.confidence >= 0.5]


def turning(turn):
    """A body that turns on the spot, with the hand before it; it swings back if there is none."""
    time = np.arange(241) / 60
    angle = turn * (smooth_step(time, 1.0, 1.7) - smooth_step(time, 2.1, 2.8))
    along = np.stack([np.cos(angle), 0 * time, -np.sin(angle)], axis=1)
    ahead = np.stack([np.sin(angle), 0 * time, np.cos(angle)], axis=1)
    pelvis = np.tile([0.0, 1.0, 0.0], (len(time), 1))
    shoulder = pelvis + 0.2 * along + [0.0, 0.45, 0.0]
    position = shoulder + 0.4 * ahead - [0.0, 0.2, 0.0]
    return time, ElementPath("hand", position, pelvis, shoulder, None, 0.55, across=along)


def test_a_hand_that_a_turning_trunk_carries_is_less_sure_than_one_that_moves():
    time, carried = turning(1.2)
    still = replace(carried, across=np.tile([1.0, 0.0, 0.0], (len(time), 1)))
    own, moved = (movement_events(time, path, RULE) for path in (carried, still))
    assert [each.kind for each in own] == [each.kind for each in moved]
    for less, more in zip(own, moved, strict=True):
        assert less.confidence < more.confidence
        assert more.confidence >= 0.5


@pytest.mark.parametrize("creep", [0.0, 0.05, 0.1])
def test_a_hand_that_creeps_on_has_arrived_where_it_slows_down(creep):
    time = np.arange(241) / 60
    along = 0.5 * smooth_step(time, 1.0, 1.6) + creep * np.maximum(time - 1.6, 0.0)
    found = sure(time, along[:, None] * AHEAD)
    assert found[1].kind == "rest start"
    assert abs(found[1].time - 1.6) <= 3 * FRAME


@given(st.tuples(*[st.floats(0.1, 10.0)] * 4), st.integers(0, 3), st.sampled_from([*BIASES]))
def test_more_of_a_measure_never_makes_an_event_less_likely(values, at, group):
    more = [value * (1.5 if row == at else 1.0) for row, value in enumerate(values)]
    low, high = (confidence(Measures(*each, group)) for each in (values, more))
    assert 0.0 <= low <= high <= 0.99


def test_a_pelvis_that_sits_down_meets_a_seat_and_leaves_it():
    time = np.arange(301) / 60
    down = smooth_step(time, 1.0, 1.8) - smooth_step(time, 3.2, 4.0)
    position = np.stack([0 * time, 1.0 - 0.45 * down, -0.3 * down], axis=1)
    found = sure(time, position, pelvis=position, seat=0.8)
    assert [each.kind for each in found][1:3] == ["contact start", "contact end"]
    assert abs(found[1].time - 1.8) <= 0.25
    assert abs(found[2].time - 3.2) <= 0.25


def carried():
    """A hand comes to a prop, carries it aside and leaves it; with the times of both."""
    time = np.arange(361) / 60
    come, aside = smooth_step(time, 0.5, 1.2), smooth_step(time, 1.7, 2.6)
    away = smooth_step(time, 3.1, 3.9)
    hand = np.stack([0.5 * come + 0.4 * aside, 0.3 * away, 0.5 * away], axis=1)
    prop = np.stack([0.5 + 0.4 * aside, 0 * time, 0 * time], axis=1)
    frames = np.tile(np.eye(4), (len(time), 1, 1))
    frames[:, :3, 3] = prop
    return time, hand, PropPath("cup", frames, np.full(3, -0.03), np.full(3, 0.03))


def test_a_hand_grabs_what_it_then_carries_and_releases_it():
    time, hand, cup = carried()
    path = ElementPath("hand", hand, arm=0.6)
    own = movement_events(time, path, RULE)
    found = events_with_props(time, path, own, [cup], CarryRule())
    by_kind = {each.kind: each for each in found if each.prop}
    assert by_kind["grab"].prop == by_kind["release"].prop == "cup"
    assert abs(by_kind["grab"].time - 1.2) <= 4 * FRAME
    assert abs(by_kind["release"].time - 3.1) <= 4 * FRAME
    assert np.linalg.norm(by_kind["grab"].place) < 0.01


def test_a_prop_that_moves_elsewhere_is_not_grabbed():
    time, hand, cup = carried()
    path = ElementPath("hand", hand + [0.0, 1.0, 0.0], arm=0.6)
    own = movement_events(time, path, RULE)
    assert not [
        each for each in events_with_props(time, path, own, [cup], CarryRule()) if each.prop
    ]
