"""Keys moved and scaled."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.handles import with_auto_handles
from arcwright.curves.keys import keyed
from arcwright.curves.pack import quaternion_channels
from arcwright.edits.keys import add_keys, copy_keys, delete_keys, move_keys
from arcwright.errors import BadValue
from arcwright.open import read
from arcwright.scene.curve import Handle
from key_scenes import BOUNCE, curve_of, scene_with, turning
from random_cases import examples
from random_scenes import assert_exact, random_keys_of, random_scene, seeds

some = examples(10, 25)


def moved(scene, keys, **how):
    return curve_of(move_keys(scene, "", "", keys, **how).apply(scene))


@some
@given(
    seeds,
    st.sampled_from([0.0, 1 / 24, -0.25, 0.333]),
    st.sampled_from([1.0, 0.5, -1.0, 0.0, 3.0]),
    st.sampled_from([0.0, 0.5]),
)
def test_moving_is_undone_exactly_and_keeps_times_increasing(seed, time, scale, value):
    scene = random_scene(seed)
    keys = random_keys_of(scene, np.random.default_rng(seed))
    edit = move_keys(scene, "one", "walk", keys, time=time, value=value, scale_time=scale)
    after = assert_exact(scene, edit)
    touched = {change.address[-1] for change in edit.changes}
    for channel, old in enumerate(scene.characters[0].takes[0].base.curves):
        new = curve_of(after, channel)
        assert (channel in touched) == (new is not old)
        assert new is None or len(new) <= len(old)


@some
@given(seeds, st.floats(-1, 1), st.floats(-1, 1), st.floats(0.2, 2), st.floats(0.2, 2))
def test_keys_land_where_scale_and_move_say(seed, time, value, scale_time, scale_value):
    scene = random_scene(seed)
    keys = random_keys_of(scene, np.random.default_rng(seed))
    how = {"time": time, "value": value, "scale_time": scale_time, "scale_value": scale_value}
    edit = move_keys(scene, "", "", keys, **how, pivot_time=0.5, pivot_value=0.25)
    after = edit.apply(scene)
    for channel, key in keys:
        old, new = curve_of(scene, channel), curve_of(after, channel)
        there = 0.5 + scale_time * (old.time[key] - 0.5) + time
        near = np.argmin(abs(new.time - there))
        assert abs(new.time[near] - there) < 1e-9
        assert abs(new.value[near] - (0.25 + scale_value * (old.value[key] - 0.25) + value)) < 1e-9


@some
@given(seeds, st.floats(-1, 1), st.floats(0.2, 3), st.floats(-2, 2))
def test_a_whole_curve_scaled_is_the_same_curve_slower_and_higher(seed, time, scale, height):
    scene = random_scene(seed)
    for channel, curve in enumerate(scene.characters[0].takes[0].base.curves):
        if curve is None:
            continue
        free = replace(curve, handles=np.full((len(curve), 2), Handle.FREE))
        own = scene_with(free)
        keys = [(0, key) for key in range(len(curve))]
        new = moved(own, keys, time=time, scale_time=scale, scale_value=height)
        moments = np.linspace(-0.5, 2.5, 61) + 1e-5  # beside the steps
        expected = height * evaluate_curve(free, moments)
        found = evaluate_curve(new, scale * moments + time)
        assert abs(found - expected).max() < 1e-6 * (1 + abs(expected).max()), channel


def test_a_curve_with_negative_time_scale_runs_backwards():
    curve = replace(keyed([0, 0.5, 1, 1.5], [0, 1, 0, 2], Handle.FREE), interpolation=[0, 1, 0, 0])
    tangent = np.array(curve.tangent)
    tangent[1:3] = [[0.1, 0.3], [0.2, -0.4]]
    curve = replace(curve, tangent=tangent)
    back = moved(scene_with(curve), [(0, k) for k in range(4)], scale_time=-1, pivot_time=0.75)
    times = np.linspace(0, 1.5, 40)
    assert np.allclose(evaluate_curve(back, 1.5 - times), evaluate_curve(curve, times))


def test_a_key_moved_onto_another_replaces_it():
    new = moved(scene_with(BOUNCE), [(0, 1)], time=0.5, value=0.25)
    assert new.time.tolist() == [0, 1, 1.5]
    assert new.value.tolist() == [0, 1.25, 2]


def test_a_key_moved_almost_onto_another_replaces_it():
    new = moved(scene_with(BOUNCE), [(0, 1)], time=0.5 - 1e-9)
    assert len(new) == 3


def test_keys_pass_others_and_their_handles_stay_with_them():
    free = replace(BOUNCE, handles=np.zeros((4, 2), int), interpolation=[0, 1, 2, 0])
    new = moved(scene_with(free), [(0, 1)], time=0.75)
    assert new.time.tolist() == [0, 1, 1.25, 1.5]
    assert new.value.tolist() == [0, 0, 1, 2]
    assert same(new.tangent[2], free.tangent[1])
    assert new.interpolation.tolist() == [0, 2, 1, 0]


def test_keys_may_come_to_lie_before_the_beginning():
    assert moved(scene_with(BOUNCE), [(0, 0)], time=-1).time[0] == -1


def test_keys_scaled_to_one_moment_become_one():
    new = moved(scene_with(BOUNCE), [(0, k) for k in range(4)], scale_time=0, pivot_time=0.5)
    assert new.time.tolist() == [0.5]
    assert new.value.tolist() == [2]


def test_keys_that_are_very_near_to_each_other_stay_two_when_only_their_value_moves():
    close = keyed([0, 0.5, 0.5 + 1e-5, 1], [0, 1, 0, 2])
    assert len(moved(scene_with(close), [(0, 1)], value=1)) == 4
    assert len(moved(scene_with(close), [(0, 1), (0, 2)], time=0.1)) == 4


def test_automatic_handles_equal_those_of_a_new_curve():
    new = moved(scene_with(BOUNCE), [(0, 2)], value=0.5, time=0.1)
    assert same(new.tangent, keyed([0, 0.5, 1.1, 1.5], [0, 1, 0.5, 2]).tangent)


def test_custom_handles_far_from_the_change_stay():
    times, values = np.arange(8) / 4, [0, 1, 0, 2, 0, 1, 0, 1]
    plain = keyed(times, values)
    tangent = np.array(plain.tangent)
    tangent[[2, 6], :, 1] = 0.2
    odd = replace(plain, tangent=tangent)
    new = moved(scene_with(odd), [(0, 1)], value=1)
    assert same(new.tangent[6], odd.tangent[6])
    assert same(new.tangent[2], with_auto_handles(new).tangent[2])


@some
@given(seeds)
def test_a_move_by_nothing_changes_nothing(seed):
    scene = random_scene(seed)
    keys = random_keys_of(scene, np.random.default_rng(seed), 0.5)
    assert move_keys(scene, "", "", keys, pivot_time=0.3, pivot_value=0.7).empty
    assert copy_keys(scene, "", "", keys, 0).empty
    assert move_keys(scene, "", "", [], time=1).empty
    assert delete_keys(scene, "", "", []).empty


def test_the_ends_of_the_walk_stay_when_its_middle_moves():
    scene = read("biped:walk")
    channel = scene.characters[0].rig.channel("Hips.translate.z")
    old = curve_of(scene, channel)
    new = curve_of(move_keys(scene, "", "", [(channel, 2)], value=0.1).apply(scene), channel)
    assert abs(with_auto_handles(old).tangent[0] - old.tangent[0]).max() > 0.01
    assert same(new.tangent[[0, -1]], old.tangent[[0, -1]])
    assert abs(new.tangent[1:4] - old.tangent[1:4]).max(axis=(1, 2)).min() > 0


@some
@given(seeds, st.sampled_from([0.25, 1 / 24, -0.4]), st.booleans())
def test_quaternion_keys_stay_aligned(seed, time, scaled):
    scene = random_scene(seed)
    rig = scene.characters[0].rig
    keys = random_keys_of(scene, np.random.default_rng(seed), 0.15)
    scale = 0.5 if scaled else 1.0
    for edit in (
        move_keys(scene, "", "", keys, time=time, scale_time=scale, value=0.1),
        copy_keys(scene, "", "", keys, time),
        delete_keys(scene, "", "", keys),
    ):
        after = edit.apply(scene)
        for four in quaternion_channels(rig):
            old = [curve_of(scene, channel) for channel in four]
            new = [curve_of(after, channel) for channel in four]
            if all(c is not None and same(c.time, old[0].time) for c in old):
                assert all(same(c.time, new[0].time) for c in new)


@pytest.mark.parametrize("scaled", [{"scale_time": 2.0}, {"scale_value": 0.5}])
def test_scaling_keys_is_named_as_such(scaled):
    scene = turning()
    assert move_keys(scene, "", "", [(1, 1), (1, 2)], **scaled).label.startswith("Scale 8 keys")


def test_only_the_named_component_of_a_quaternion_changes_its_value():
    scene = turning()
    edit = move_keys(scene, "", "", [(1, 2)], time=0.25, value=0.1)
    after = edit.apply(scene)
    assert edit.label.startswith("Move 4 keys")
    for channel in range(4):
        old, new = curve_of(scene, channel), curve_of(after, channel)
        assert new.time.tolist() == [0, 0.5, 1.25, 1.5]
        assert new.value[2] == old.value[2] + (0.1 if channel == 1 else 0)


wild = st.sampled_from([0.0, 1.0, -1.0, 1e-12, 1e-300, -1e-5, 3.3, 1e9, 1e300, -1.7e308])


@examples(20, 50)
@given(seeds, st.lists(wild, min_size=6, max_size=6))
def test_extreme_numbers_are_refused_or_applied(seed, numbers):
    scene = random_scene(seed % 20)
    keys = random_keys_of(scene, np.random.default_rng(seed))
    names = ("time", "value", "scale_time", "scale_value", "pivot_time", "pivot_value")
    for make in (
        lambda: move_keys(scene, "", "", keys, **dict(zip(names, numbers, strict=True))),
        lambda: copy_keys(scene, "", "", keys, numbers[0]),
        lambda: add_keys(scene, "", "", [], numbers[0]),
    ):
        with np.errstate(all="ignore"):
            try:
                edit = make()
            except BadValue:
                continue
            assert_exact(scene, edit)
