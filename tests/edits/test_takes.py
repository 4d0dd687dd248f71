from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.edits.takes import (
    copy_take,
    fit_take,
    remove_take,
    rename_take,
    scale_clip,
    set_timing,
)
from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.open import read
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Pin
from arcwright.scene.curve import Extrapolation
from arcwright.scene.point import Point
from builders import arm_scene
from random_cases import examples
from random_scenes import assert_exact, random_scene, seeds
from tea import tea, tea_scene

some = examples(16, 40)


@some
@given(seeds, st.sampled_from(["one", "two"]), st.sampled_from([12, 24, 29.97, 60]))
def test_a_new_rate_keeps_frame_numbers_or_seconds(seed, character, rate):
    scene = random_scene(seed)
    old = scene.actor(character).takes[0]
    frames = assert_exact(scene, set_timing(scene, character, "", rate=rate, keep="frames"))
    new = frames.actor(character).takes[0]
    assert np.isclose(new.duration * new.rate, old.duration * old.rate)
    times = np.linspace(-1, 3, 60) + 1e-5
    now = values_at(new, times * old.rate / rate)
    assert np.allclose(now, values_at(old, times), atol=1e-6)
    seconds = assert_exact(scene, set_timing(scene, character, "", rate=rate))
    kept = seconds.actor(character).takes[0]
    assert kept.rate == rate
    assert kept.base.curves is old.base.curves


def test_only_what_changes_is_in_the_edit():
    scene = arm_scene()
    edit = set_timing(scene, "", "wave", duration=2, loops=True)
    assert [change.address[-1] for change in edit.changes] == ["duration", "loops"]
    assert edit.label == "Timing of wave: 24 fps, 48 frames"
    assert set_timing(scene, "", "wave", duration=1 / 24).label.endswith("24 fps, 1 frame")
    assert set_timing(scene, "", "wave").empty
    assert set_timing(scene, "", "wave", rate=24, duration=1, loops=False, keep="frames").empty


def test_a_new_rate_that_keeps_frames_scales_the_length_that_is_given():
    scene = arm_scene()
    edit = set_timing(scene, "", "wave", rate=48, duration=2, keep="frames")
    clip = edit.apply(scene).characters[0].takes[0].base
    assert clip.duration == 1
    assert clip.curves[0].time.tolist() == [0, 0.25, 0.5]
    assert edit.label == "Timing of wave: 48 fps, 48 frames"


def test_pins_of_the_take_keep_their_frames():
    scene = arm_scene()
    own = Pin(Point("joint1"), 0.5, 1, take="wave")
    scene = replace(scene, constraints=(*scene.constraints, own))
    after = set_timing(scene, "", "wave", rate=48, keep="frames").apply(scene)
    assert (after.pins[1].start, after.pins[1].end) == (0.25, 0.5)
    assert after.pins[0] is scene.pins[0]  # it is about the other clip too
    alone = remove_take(scene, "", "recorded").apply(scene)
    after = set_timing(alone, "", "wave", rate=48, keep="frames").apply(alone)
    assert after.pins[0].end == 0.5


def test_samples_keep_their_frames_but_not_another_length():
    scene = arm_scene()
    after = assert_exact(scene, set_timing(scene, "", "recorded", rate=48, keep="frames"))
    assert after.characters[0].takes[1].duration == 4 / 48
    with pytest.raises(BadValue, match="convert them to keyframes with fit"):
        set_timing(scene, "", "recorded", duration=2)
    with pytest.raises(BadValue, match="convert them to keyframes with fit"):
        set_timing(scene, "", "recorded", loops=True)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"rate": 0}, "rate: expected frames per second above 0, got 0"),
        ({"rate": float("nan")}, "rate: expected a finite number"),
        ({"duration": -1}, "seconds, 0 or more"),
        ({"keep": "time"}, "keep: expected seconds or frames, got 'time'"),
    ],
)
def test_invalid_timing_is_refused(how, words):
    with pytest.raises(BadValue, match=words):
        set_timing(arm_scene(), "", "", **how)


@some
@given(seeds, st.sampled_from(["walk", "run", "recorded"]))
def test_copying_renaming_and_removing_are_undone_exactly(seed, take):
    scene = random_scene(seed)
    constraint_count = sum(pin.take == take for pin in scene.pins)
    copied = assert_exact(scene, copy_take(scene, "one", take, "second"))
    assert [each.name for each in copied.characters[0].takes][-1] == "second"
    assert same(copied.characters[0].takes[-1].layers, scene.characters[0].take(take).layers)
    assert sum(pin.take == "second" for pin in copied.pins) == constraint_count
    named = assert_exact(scene, rename_take(scene, "one", take, "second"))
    assert sum(pin.take == "second" for pin in named.pins) == constraint_count
    assert not any(pin.take == take for pin in named.pins)
    gone = assert_exact(copied, remove_take(copied, "one", "second"))
    assert same(gone, scene)


def test_labels_name_the_takes():
    scene = arm_scene()
    assert copy_take(scene, "", "wave", "wave 2").label == "Copy wave to wave 2"
    assert rename_take(scene, "", "", "hello").label == "Rename wave to hello"
    assert remove_take(scene, "", "recorded").label == "Remove recorded"


def test_a_take_of_the_same_name_of_another_character_keeps_its_pins():
    scene = random_scene(1)
    mine = Pin(Point("joint1", character="two"), 0, 1, take="walk")
    scene = replace(scene, constraints=(*scene.constraints, mine))
    after = rename_take(scene, "one", "walk", "stroll").apply(scene)
    assert [pin.take for pin in after.pins] == ["stroll", "", "walk"]


def test_names_that_are_taken_or_empty_are_refused():
    scene = arm_scene()
    for name in ("recorded", "", " "):
        with pytest.raises(BadValue, match="a new name, as wave, recorded are taken"):
            rename_take(scene, "", "wave", name)
        with pytest.raises(BadValue, match="name of a take"):
            copy_take(scene, "", "wave", name)
    assert rename_take(scene, "", "wave", "wave").empty
    with pytest.raises(UnknownName, match="no take named 'swim'"):
        remove_take(scene, "", "swim")


def test_fitted_keys_stay_within_the_tolerance():
    scene = arm_scene()
    edit = fit_take(scene, "arm", "recorded", 0.01)
    after = assert_exact(scene, edit).characters[0].takes[1]
    old = scene.characters[0].takes[1]
    assert isinstance(after.base, Clip)
    assert edit.label.startswith("Fit recorded: 2 key poses, at most ")
    assert (after.name, after.duration, after.rate) == ("recorded", old.duration, old.rate)
    places = [
        forward(take.rig, values_at(take, old.base.time))[..., :3, 3] for take in (old, after)
    ]
    assert np.linalg.norm(places[0] - places[1], axis=-1).max() <= 0.01


def test_fitting_merges_layers_and_keeps_the_loop():
    scene = random_scene(3)
    assert scene.characters[0].takes[0].layers
    after = assert_exact(scene, fit_take(scene, "one", "walk", 0.05))
    assert after.characters[0].takes[0].layers == ()
    walk = read("biped:walk")
    take = fit_take(walk, "", "", 0.005).apply(walk).characters[0].takes[0]
    assert take.base.loops
    ways = {(curve.before, curve.after) for curve in take.base.curves if curve and len(curve) > 1}
    assert ways <= {(way, way) for way in (Extrapolation.CYCLE, Extrapolation.CYCLE_OFFSET)}
    with pytest.raises(BadValue, match="tolerance: expected metres above 0"):
        fit_take(walk, "", "", 0)


def test_activities_are_copied_renamed_and_removed_with_their_take():
    first, other = tea(), tea("still", "tea 2")
    scene = tea_scene(first, other, replace(tea(name="by order"), take=""))
    copied = assert_exact(scene, copy_take(scene, "arm", "wave", "again"))
    assert [(each.name, each.take) for each in copied.activities] == [
        *(("tea", "wave"), ("tea 3", "again"), ("tea 2", "still")),
        *(("by order", ""), ("by order 2", "again")),
    ]
    assert same(copied.activities[1].events, first.events)
    called = assert_exact(scene, rename_take(scene, "arm", "wave", "pour"))
    assert [each.take for each in called.activities] == ["pour", "still", ""]
    assert called.subject(called.activities[2]) == ("arm", "pour")
    removed = assert_exact(scene, remove_take(scene, "arm", "wave"))
    assert [each.name for each in removed.activities] == ["tea 2"]


def test_events_keep_their_frames_with_their_take():
    scene = tea_scene(tea(), tea("still", "other"))
    for edit in (
        set_timing(scene, "arm", "wave", rate=48.0, keep="frames"),
        scale_clip(scene, "arm", "wave", 0.5),
    ):
        moved, other = assert_exact(scene, edit).activities
        assert [each.time for each in moved.events] == [0.125, 0.25, 0.5]
        assert other is scene.activities[1]
    kept = set_timing(scene, "arm", "wave", rate=48.0).apply(scene)
    assert kept.activities[0] is scene.activities[0]


@some
@given(seeds)
def test_activities_follow_every_edit_of_their_take_and_back(seed):
    scene = random_scene(seed)
    for edit in (
        copy_take(scene, "one", "walk", "again"),
        rename_take(scene, "one", "walk", "stroll"),
        remove_take(scene, "one", "walk"),
        set_timing(scene, "one", "walk", rate=30.0, keep="frames"),
        scale_clip(scene, "one", "walk", 3.0),
    ):
        after = assert_exact(scene, edit)
        for each in after.activities:
            character, take = after.subject(each)
            assert take in [known.name for known in after.actor(character).takes]
