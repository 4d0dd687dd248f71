"""Activities detected in whole scenes."""

from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.activity_detection import detect_report, detected_activity, detected_events
from arcwright.edits.activities import add_activity
from arcwright.kinematics.sample import values_at
from arcwright.scene.motion import Motion
from arcwright.scene.take import Take

FRAMES = {"grab": 38, "pour": 86, "pour end": 132, "put down": 172, "release": 178}


@pytest.fixture(scope="module")
def tea():
    return arcwright.read("biped:tea")


def take_of(scene):
    return scene.characters[0].takes[0]


def test_the_events_of_pouring_tea_are_found_within_three_frames(tea):
    sure = [each for each in detected_events(tea, "", take_of(tea)) if each.confidence >= 0.5]
    for name, frame in FRAMES.items():
        own = [each for each in sure if each.element in ("RightHand", "Pot")]
        nearest = min(own, key=lambda each: abs(each.time * 30 - frame))
        assert abs(nearest.time * 30 - frame) <= 3, name
        if name in ("grab", "release"):
            assert (nearest.kind, nearest.prop) == (name, "Pot")


def test_the_detected_activity_can_be_added_and_pairs_the_hand_with_the_pot(tea):
    found = detected_activity(tea, "", take_of(tea))
    after = add_activity(tea, found).apply(tea).activity("detected")
    assert [each.name for each in after.objects] == ["pot"]
    names = [each.name for each in after.events]
    assert len(set(names)) == len(names)
    first, last = names.index("grab pot"), names.index("release pot")
    for event in after.events[first : last + 1]:
        if "pot" in event.involved:
            assert [pair.constraining for pair in event.pairs] == ["pot"]
            assert "pot" in event.movable
    assert not any(event.pairs for event in (*after.events[:first], *after.events[last + 1 :]))


def test_the_report_is_plain_and_in_order(tea):
    events = detect_report(tea, "", take_of(tea))["events"]
    assert [each["time"] for each in events] == sorted(each["time"] for each in events)
    grab = next(each for each in events if each["kind"] == "grab")
    assert grab["prop"] == "Pot"
    assert grab["frame"] == pytest.approx(grab["time"] * 30, abs=0.1)
    assert len(grab["place"]) == 3


def sampled(take, rate, first=None):
    """A take as samples; with another pose in front of it."""
    time = np.arange(int(take.duration * rate) + 1) / rate
    values = values_at(take, time)
    if first is not None:
        values = np.concatenate([first[None], values])
        time = np.arange(len(values)) / rate
    return Take(take.rig, Motion(take.name, time, values, rate))


def firm(scene, take):
    """Times and kinds of hands that are well above the limit."""
    found = detected_events(scene, "", take)
    return [each for each in found if each.confidence > 0.65 and each.element.endswith("Hand")]


@pytest.mark.parametrize("rate", [30.0, 60.0, 120.0])
def test_events_do_not_depend_on_the_frame_rate(tea, rate):
    expected = firm(tea, take_of(tea))
    found = detected_events(tea, "", sampled(take_of(tea), rate))
    for event in expected:
        alike = [e for e in found if (e.element, e.kind) == (event.element, event.kind)]
        assert min(abs(each.time - event.time) for each in alike) <= 1.5 / 30


def test_a_t_pose_in_front_makes_no_event(tea):
    take = take_of(tea)
    other = take.rig.channels.default.copy()
    other[take.rig.channel("Hips.translate.z")] += 1.0
    bare = replace(tea, props=())
    with_pose = detected_events(bare, "", sampled(take, 30.0, other))
    without = detected_events(bare, "", sampled(take, 30.0))
    assert [each.kind for each in with_pose] == [each.kind for each in without]
    shifts = [a.time - b.time for a, b in zip(with_pose, without, strict=True)]
    np.testing.assert_allclose(shifts, 1 / 30, atol=1e-6)


def test_a_take_that_stands_still_has_no_events(tea):
    take = take_of(tea)
    values = np.repeat(values_at(take, np.zeros(1)), 90, axis=0)
    still = Take(take.rig, Motion("still", np.arange(90) / 30.0, values, 30.0))
    bare = replace(tea, props=())
    assert not detected_events(bare, "", still)
    character = replace(tea.characters[0], takes=(still,))
    scene = replace(bare, characters=(character,), activities=(), constraints=())
    assert not detected_activity(scene, "", still).events


def test_names_of_events_say_how_high_a_hand_is(tea):
    bare = replace(tea, props=(), activities=())
    names = [each.name for each in detected_activity(bare, "", take_of(tea)).events]
    hands = [name for name in names if " hand " in name]
    assert hands
    heights = "low", "waist high", "chest high", "head high", "overhead"
    for name in hands:
        assert "mouth" in name or any(height in name for height in heights)
