"""Keys copied, deleted and added, and words that name none."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.curves.keys import keyed
from arcwright.edits.keys import add_keys, copy_keys, delete_keys, move_keys
from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.sample import values_at
from arcwright.scene.curve import Extrapolation
from builders import arm_scene
from key_scenes import BOUNCE, curve_of, scene_with, turning
from random_cases import examples
from random_scenes import assert_exact, random_keys_of, random_scene, seeds

some = examples(10, 25)


def test_copies_come_later_and_replace_what_they_land_on():
    scene = scene_with(BOUNCE)
    edit = copy_keys(scene, "arm", "wave", [(0, 1), (0, 2)], 1.0)
    new = curve_of(assert_exact(scene, edit))
    assert edit.label == "Copy 2 keys at frames 36-48"
    assert new.time.tolist() == [0, 0.5, 1, 1.5, 2]
    assert new.value.tolist() == [0, 1, 0, 1, 0]


@some
@given(seeds)
def test_deleting_leaves_the_other_keys_and_at_least_one(seed):
    scene = random_scene(seed)
    rng = np.random.default_rng(seed)
    keys = random_keys_of(scene, rng, rng.choice([0.3, 1.0]))
    after = assert_exact(scene, delete_keys(scene, "", "", keys))
    for channel, old in enumerate(scene.characters[0].takes[0].base.curves):
        new = curve_of(after, channel)
        if old is not None:
            gone = {key for c, key in keys if c == channel}
            assert 1 <= len(new) <= max(len(old) - len(gone), 1)
            assert np.isin(new.time, old.time).all()


def test_a_curve_that_loses_all_keys_keeps_its_first():
    scene = scene_with(BOUNCE, keyed([0.5], [3]))
    edit = delete_keys(scene, "", "", [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)])
    assert edit.label.startswith("Delete 3 keys")
    assert curve_of(edit.apply(scene)).value.tolist() == [0]
    assert curve_of(edit.apply(scene), 1) is curve_of(scene, 1)


@some
@given(seeds, st.floats(-1, 3))
def test_added_keys_leave_the_motion_as_it_is(seed, time):
    scene = random_scene(seed)
    edit = add_keys(scene, "", "", [], time)
    after = assert_exact(scene, edit)
    times = np.linspace(-1, 4, 301) + 1e-5
    before = values_at(scene.characters[0].takes[0], times)
    now = values_at(after.characters[0].takes[0], times)
    # a hair before or after, as steep places need
    hairs = [values_at(scene.characters[0].takes[0], times + h) for h in (-1e-9, 1e-9)]
    low = np.minimum(before, np.minimum(*hairs)) - 1e-6
    high = np.maximum(before, np.maximum(*hairs)) + 1e-6
    assert ((now >= low) & (now <= high)).all()


def test_a_key_inserted_in_a_slerp_keeps_the_rotation():
    scene = turning()
    edit = add_keys(scene, "", "", [2], 0.7)
    after = edit.apply(scene)
    times = np.linspace(0, 1.5, 50)
    before = values_at(scene.characters[0].takes[0], times)
    assert edit.label.startswith("Add 4 keys")
    assert abs(values_at(after.characters[0].takes[0], times) - before).max() < 1e-9


def test_a_channel_without_a_curve_gets_a_key_at_its_default():
    scene = arm_scene()
    edit = add_keys(scene, "", "", [2], 0.3)
    curve = curve_of(edit.apply(scene), 2)
    assert (curve.time.tolist(), curve.value.tolist()) == ([0.3], [0])
    assert edit.label.startswith("Add 1 key")


def test_no_channels_means_the_keyed_ones_and_where_none_is_all():
    scene = arm_scene()
    assert {c.address[-1] for c in add_keys(scene, "", "", [], 0.3).changes} == {0, 1, 3, 4, 5, 6}
    empty = scene_with()
    assert len(add_keys(empty, "", "", [], 0.3).changes) == 7


def test_where_there_is_a_key_none_is_added():
    edit = add_keys(scene_with(BOUNCE), "", "", [0], 0.5 + 1e-9)
    assert edit.empty
    assert edit.label.startswith("Add 0 keys")


@pytest.mark.parametrize(
    ("way", "inside"), [(Extrapolation.CYCLE, 0.25), (Extrapolation.MIRROR, 1.25)]
)
def test_a_key_beyond_a_cyclic_curve_is_inserted_in_its_keyed_cycle(way, inside):
    scene = scene_with(replace(BOUNCE, after=way))
    assert curve_of(add_keys(scene, "", "", [0], 1.75).apply(scene)).time.tolist() == sorted(
        [0, 0.5, 1, 1.5, inside]
    )
    assert add_keys(scene, "", "", [0], -1).empty


def test_unknown_names_are_refused_with_the_known_ones():
    scene = arm_scene()
    with pytest.raises(UnknownName, match="no character named 'leg'; there is arm"):
        move_keys(scene, "leg", "", [])
    with pytest.raises(UnknownName, match="no take named 'swim'; there is wave, recorded"):
        move_keys(scene, "", "swim", [])
    with pytest.raises(BadValue, match="keyframes; convert samples with fit, got samples"):
        move_keys(scene, "", "recorded", [(0, 0)])
    with pytest.raises(BadValue, match="channel of 'arm': expected 0 to 6, got 7"):
        delete_keys(scene, "", "", [(7, 0)])
    with pytest.raises(BadValue, match=r"joint0.translate.z: expected a curve with keys, got none"):
        delete_keys(scene, "", "", [(2, 0)])
    with pytest.raises(BadValue, match=r"key of joint0.translate.x: expected 0 to 2, got -1"):
        copy_keys(scene, "", "", [(0, -1)], 1)
    with pytest.raises(BadValue, match="scale time: expected a finite number, got nan"):
        move_keys(scene, "", "", [(0, 0)], scale_time=float("nan"))
    with pytest.raises(BadValue, match=r"time: expected at most 1e\+06 s from 0, got inf"):
        add_keys(scene, "", "", [], float("inf"))
    with pytest.raises(BadValue, match=r"key time: expected at most 1e\+06 s from 0"):
        copy_keys(scene, "", "", [(0, 0)], 1e300)
