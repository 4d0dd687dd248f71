"""Elements and events added to activities together."""

from dataclasses import replace

import pytest

import arcwright
from arcwright.arrays import same
from arcwright.edits.activity_additions import add_to_activity, begin_activity
from arcwright.errors import UnknownName
from arcwright.scene.activity import ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.point import Point
from random_scenes import assert_exact
from tea import POUR, tea, tea_scene

ELBOW = Effector("Elbow", Point("joint1", character="arm"))


def test_an_activity_begins_with_what_the_rig_and_the_scene_show():
    scene = replace(arcwright.read("biped:tea"), activities=())
    edit = begin_activity(scene)
    (made,) = assert_exact(scene, edit).activities
    assert edit.label == "Add activity tea of tea"
    assert [each.name for each in made.effectors] == [
        *("pelvis", "left hand", "right hand", "left foot", "right foot")
    ]
    assert {each.prop for each in made.objects} == {each.name for each in scene.props}
    assert made.events == ()


def test_a_second_activity_of_a_take_gets_a_name_of_its_own():
    scene = arcwright.read("biped:tea")
    after = begin_activity(scene).apply(scene)
    assert [each.name for each in after.activities] == ["tea", "tea 2"]


def test_events_and_their_elements_are_one_step():
    scene = tea_scene()
    event = ActivityEvent(0.75, "sip", movable=("Elbow",), pairs=(Pair("Elbow", "table"),))
    new = {"objects": (ActivityObject("table"),), "effectors": (ELBOW,)}
    edit = add_to_activity(scene, "tea", events=(event,), **new)
    assert edit.label == "Add event sip to tea, frame 18"
    (after,) = assert_exact(scene, edit).activities
    assert after.events[2].pairs == event.pairs
    assert after.effector("Elbow").point.joint == "joint1"


def test_what_an_activity_has_is_not_added_again():
    scene = tea_scene()
    new = {"objects": (ActivityObject("pot", "table"),), "effectors": (ELBOW,)}
    edit = add_to_activity(scene, "tea", **new)
    assert edit.label == "Add Elbow to tea"
    after = edit.apply(scene).activity("tea")
    assert after.object("pot").prop == "pot"
    assert "Elbow" in after.element_names


def test_an_event_at_the_frame_of_another_one_is_merged_into_it():
    scene = tea_scene()
    late = POUR.time + 0.01
    new = ActivityEvent(late, "other", movable=("Elbow",))
    edit = add_to_activity(scene, "tea", events=(new,), effectors=(ELBOW,))
    after = edit.apply(scene).activity("tea")
    assert [each.name for each in after.events] == ["lift", "pour", ""]
    pour = after.events[1]
    assert pour.time == POUR.time
    assert set(pour.movable) == {"pot", "cup", "Elbow"}
    assert pour.pairs == POUR.pairs


def test_pairs_that_contradict_those_of_a_merged_event_are_left_out():
    scene = tea_scene()
    new = ActivityEvent(POUR.time, pairs=(Pair("Hand", "cup"), Pair("cup", "pot")))
    after = add_to_activity(scene, "tea", events=(new,)).apply(scene).activity("tea")
    assert after.events[1].pairs == POUR.pairs


def test_events_of_taken_names_are_numbered():
    scene = tea_scene()
    new = ActivityEvent(0.7, "pour"), ActivityEvent(0.8, "pour")
    edit = add_to_activity(scene, "tea", events=new)
    assert edit.label == "Add 2 events to tea"
    names = [each.name for each in edit.apply(scene).activity("tea").events]
    assert names == ["lift", "pour", "pour 2", "pour 3", ""]


def test_without_a_name_an_activity_of_the_take_is_made():
    scene = replace(tea_scene(), activities=())
    edit = add_to_activity(
        scene, "", events=(ActivityEvent(0.5, "bend"),), effectors=(ELBOW,), take="wave"
    )
    (made,) = assert_exact(scene, edit).activities
    assert (made.name, made.character, made.take) == ("wave", "arm", "wave")
    assert edit.label == "Add activity wave"


@pytest.mark.parametrize(
    "new",
    [
        {"events": (ActivityEvent(0.7, movable=("spoon",)),)},
        {"objects": (ActivityObject("spoon"),)},
    ],
)
def test_what_is_not_there_is_refused(new):
    scene = tea_scene()
    with pytest.raises(UnknownName, match="spoon"):
        add_to_activity(scene, "tea", **new)
    assert same(scene.activities, (tea(),))
