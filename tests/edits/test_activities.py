"""Edits of activities: labels, exact undo, and what is refused."""

from dataclasses import replace

import pytest
from hypothesis import given

from arcwright.arrays import same
from arcwright.edits import activities as edits
from arcwright.errors import BadValue, UnknownName
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from random_cases import examples
from random_scenes import assert_exact, random_scene, seeds
from tea import CUP, HAND, LIFT, POT, POUR, REST, tea, tea_scene


def after(scene, edit):
    """The only activity after an edit that is undone exactly."""
    (found,) = assert_exact(scene, edit).activities
    return found


@examples(12, 30)
@given(seeds)
def test_adding_changing_and_removing_are_undone_exactly(seed):
    scene = random_scene(seed)
    new = Activity("new", "two", objects=(ActivityObject("box"),), events=(ActivityEvent(0.5),))
    added = assert_exact(scene, edits.add_activity(scene, new))
    assert added.activities[-1].take == "walk"
    assert added.characters is scene.characters
    changed = assert_exact(added, edits.change_activity(added, "new", replace(new, events=())))
    assert changed.activities[-1].events == ()
    gone = assert_exact(changed, edits.remove_activity(changed, "new"))
    assert same(gone, scene)


def test_an_activity_is_added_with_full_names():
    plain = Activity("tea", "", "", (CUP,), (Effector("Hand", Point("joint2")),))
    edit = edits.add_activity(tea_scene(tea(name="other")), plain)
    assert edit.label == "Add activity tea of wave"
    added = edit.apply(tea_scene(tea(name="other"))).activity("tea")
    assert (added.character, added.take) == ("arm", "wave")
    assert added.effectors[0].point.character == "arm"


def test_what_changes_nothing_is_an_empty_edit():
    scene = tea_scene()
    assert edits.change_activity(scene, "tea", replace(tea(), character="", take="")).empty
    assert edits.change_event(scene, "tea", "pour", POUR).empty
    assert edits.change_object(scene, "", "cup", CUP).empty


def changed_pour(scene, **changes):
    return edits.change_event(scene, "", 1, replace(POUR, **changes))


def test_labels_say_what_happens():
    scene = tea_scene()
    lid = replace(POT, anchor_names=("spout", "lid", "handle"), anchor_offsets=[[1, 2, 3]] * 3)
    for edit, label in (
        (edits.remove_activity(scene, ""), "Remove activity tea"),
        (edits.change_activity(scene, "tea", replace(tea(), name="chai")), "Change activity chai"),
        (edits.add_object(scene, "tea", ActivityObject("table")), "Add table to tea"),
        (edits.change_object(scene, "tea", "pot", lid), "Change pot of tea"),
        (edits.remove_object(scene, "tea", "cup"), "Remove cup from tea"),
        (edits.add_effector(scene, "tea", Effector("Elbow", Point("joint1"))), "Add Elbow to tea"),
        (edits.change_effector(scene, "tea", "Hand", replace(HAND, point=Point("joint1"))), None),
        (edits.remove_effector(scene, "tea", "Hand"), "Remove Hand from tea"),
        (edits.add_event(scene, "", ActivityEvent(0.75, "sip")), "Add event sip to tea, frame 18"),
        (edits.add_event(scene, "", ActivityEvent(0.75)), "Add event to tea, frame 18"),
        (edits.move_event(scene, "tea", "pour", 2 / 3), "Move event pour to frame 16"),
        (changed_pour(scene, look_at=""), "Look at nothing at 'pour'"),
        (changed_pour(scene, name="serve"), "Rename event pour to serve"),
        (changed_pour(scene, pairs=POUR.pairs[1:]), "Unpair Hand with pot handle at 'pour'"),
        (changed_pour(scene, movable=("cup",)), "pot may not be moved at 'pour'"),
        (changed_pour(scene, scalable=("cup", "pot")), "pot may be scaled at 'pour'"),
        (changed_pour(scene, movable=(), look_at=""), "Change event pour of tea"),
        (edits.remove_event(scene, "tea", "lift"), "Remove event lift from tea"),
        (edits.remove_event(scene, "tea", 2), "Remove event from tea"),
    ):
        assert edit.label == (label or "Change Hand of tea")
        after_it = assert_exact(scene, edit)
        assert not same(after_it, scene)
        assert same(after_it.characters, scene.characters)


def test_a_removed_element_leaves_no_trace_in_events():
    without_pot = after(tea_scene(), edits.remove_object(tea_scene(), "tea", "pot"))
    lift, pour, _ = without_pot.events
    assert (lift.elements, lift.movable, lift.pairs) == (("Hand",), ("Hand",), ())
    assert lift.look_at == ""
    assert (pour.movable, pour.replaceable, pour.pairs) == (("cup",), ("cup",), ())
    assert pour.look_at == "cup"
    without_hand = after(tea_scene(), edits.remove_effector(tea_scene(), "tea", "Hand"))
    assert without_hand.events[1].pairs == (Pair("pot.spout", "cup"),)


def test_events_follow_a_new_name_of_an_element():
    scene = tea_scene()
    jug = after(
        scene, edits.change_object(scene, "tea", "pot", replace(POT, name="jug", actor="pot"))
    )
    assert [each.name for each in jug.objects] == ["jug", "cup"]
    assert jug.events[0].pairs == (Pair("Hand", "jug.handle"),)
    assert (jug.events[0].look_at, jug.events[1].movable) == ("jug", ("jug", "cup"))
    palm = after(scene, edits.change_effector(scene, "tea", "Hand", replace(HAND, name="Palm")))
    assert palm.events[0].pairs == (Pair("Palm", "pot.handle"),)
    assert palm.events[2].elements == ("Pelvis", "Palm")


def test_a_moved_event_takes_its_place_in_time():
    scene = tea_scene()
    moved = after(scene, edits.move_event(scene, "tea", "lift", 0.75))
    assert [each.name for each in moved.events] == ["pour", "lift", ""]
    assert same(moved.events[1], replace(LIFT, time=0.75))


@pytest.mark.parametrize(
    ("activity", "error", "said"),
    [
        (replace(tea(), character="leg"), UnknownName, "no character named 'leg'"),
        (replace(tea(), take="kick"), UnknownName, "no take named 'kick'; there is wave, still"),
        (
            replace(tea(), character="cup"),
            BadValue,
            "character 'cup': expected a take .*, got none",
        ),
        (Activity("new", objects=(ActivityObject("jug"),)), UnknownName, "no prop named 'jug'"),
        (
            Activity("new", objects=(ActivityObject("arm"),)),
            UnknownName,
            "there is pot, cup, table",
        ),
        (
            Activity("new", objects=(CUP, ActivityObject("mug", "cup"))),
            BadValue,
            "object 'mug': expected another prop than 'cup' has, got cup",
        ),
        (
            Activity("new", effectors=(Effector("Hand", Point("joint9")),)),
            UnknownName,
            "no joint named 'joint9'",
        ),
        (
            Activity("new", effectors=(Effector("Hand", Point("joint0", character="cup")),)),
            BadValue,
            "effector 'Hand': expected a point of arm, got cup",
        ),
        (
            Activity("new", events=(ActivityEvent(1.1, "late"),)),
            BadValue,
            "event late of 'new': expected within take 'wave', 0 to 1 s, got 1.1",
        ),
        (Activity(" "), BadValue, "name of an activity: expected a new name, as tea are taken"),
        (Activity("tea"), BadValue, "name of an activity: .*, got 'tea'"),
    ],
)
def test_what_the_scene_lacks_is_refused(activity, error, said):
    with pytest.raises(error, match=said):
        edits.add_activity(tea_scene(), activity)


def test_changes_are_checked_as_additions_are():
    scene = tea_scene(tea(), tea(name="again"))
    for change, error, said in (
        (lambda: edits.add_object(scene, "tea", ActivityObject("jug")), UnknownName, "no prop"),
        (lambda: edits.add_object(scene, "tea", CUP), BadValue, "'cup' twice"),
        (lambda: edits.change_object(scene, "tea", "jug", CUP), UnknownName, "no object"),
        (
            lambda: edits.change_object(scene, "tea", "pot", ActivityObject("pot")),
            UnknownName,
            "no anchor of pot named 'handle'",
        ),
        (lambda: edits.remove_object(scene, "tea", "Hand"), UnknownName, "no object"),
        (lambda: edits.remove_effector(scene, "tea", "pot"), UnknownName, "no effector"),
        (lambda: edits.add_event(scene, "tea", ActivityEvent(0.5)), BadValue, "0.5 twice"),
        (lambda: edits.add_event(scene, "tea", ActivityEvent(2.0)), BadValue, "0 to 1 s, got 2.0"),
        (lambda: edits.move_event(scene, "tea", "pour", 0.25), BadValue, "0.25 twice"),
        (lambda: edits.move_event(scene, "tea", "pour", -1), BadValue, "from the take's start"),
        (lambda: edits.move_event(scene, "tea", "drink", 0.3), UnknownName, "no event"),
        (lambda: edits.remove_event(scene, "tea", 3), BadValue, "expected 0 to 2, got 3"),
        (lambda: edits.remove_activity(scene, "coffee"), UnknownName, "no activity"),
        (lambda: edits.remove_activity(Scene(), ""), UnknownName, "there is none"),
        (lambda: edits.change_activity(scene, "tea", tea(name="again")), BadValue, "new name"),
    ):
        with pytest.raises(error, match=said):
            change()


def test_events_of_a_take_that_became_shorter_can_be_repaired_one_by_one():
    late = replace(tea(), events=(LIFT, replace(POUR, time=1.5), replace(REST, time=2.0)))
    scene = tea_scene(late)
    without = assert_exact(scene, edits.remove_event(scene, "tea", "pour"))
    assert [each.time for each in without.activities[0].events] == [0.25, 2.0]
    moved = assert_exact(scene, edits.move_event(scene, "tea", "pour", 0.5))
    assert [each.time for each in moved.activities[0].events] == [0.25, 0.5, 2.0]
    with pytest.raises(BadValue, match="event pour of 'tea': expected within take 'wave'"):
        edits.move_event(scene, "tea", "pour", 1.25)
