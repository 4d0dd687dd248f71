"""Activities: what constructors refuse, the order of events and elements, and lookups."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.errors import BadValue, UnknownName
from arcwright.scene.activity import (
    Activity,
    ActivityEvent,
    ActivityObject,
    Effector,
    Pair,
    anchor_of,
    element_of,
)
from arcwright.scene.point import Point
from arcwright.summary import format_summary, summary
from tea import CUP, HAND, LIFT, PELVIS, POT, POUR, REST, tea, tea_scene


def test_events_are_in_order_of_time_and_elements_in_their_own_order():
    mixed = replace(LIFT, elements=["pot.spout", "pot", "Hand", "Hand"], movable=["pot", "Hand"])
    made = Activity("tea", objects=[POT, CUP], effectors=[PELVIS, HAND], events=[REST, POUR, mixed])
    assert [each.time for each in made.events] == [0.25, 0.5, 1.0]
    assert made.events[0].elements == ("Hand", "pot", "pot.spout")
    assert made.events[0].movable == ("Hand", "pot")
    assert made.events[1] is POUR
    assert made.element_names == ("Pelvis", "Hand", "pot", "cup")


def test_what_takes_part_is_named_in_any_of_the_lists_or_pairs():
    assert LIFT.involved == {"Hand", "pot"}
    assert POUR.involved == {"Hand", "pot", "cup"}
    assert [each.name for each in tea().events_of("Hand")] == ["lift", "pour", ""]
    assert [each.name for each in tea().events_of("cup")] == ["pour"]


def test_objects_effectors_anchors_and_events_are_found_by_name():
    activity = tea()
    assert activity.object("pot") is POT
    assert activity.effector("Hand") is HAND
    assert POT.anchor("spout").tolist() == [0.2, 0.1, 0]
    assert POT.anchor("").tolist() == [0, 0, 0]
    assert (POT.prop, ActivityObject("pot", "Teapot.001").prop) == ("pot", "Teapot.001")
    assert [activity.event_index(each) for each in ("lift", "pour", 2, 0)] == [0, 1, 2, 0]
    assert (element_of("pot.spout"), anchor_of("pot.spout")) == ("pot", "spout")
    assert (element_of("cup"), anchor_of("cup")) == ("cup", "")


def test_unknown_names_are_refused_with_similar_ones():
    activity = tea()
    for call, said in (
        (lambda: activity.object("pott"), "no object of the activity named 'pott'; there is pot"),
        (lambda: activity.object("Hand"), "no object of the activity named 'Hand'"),
        (lambda: activity.effector("pot"), "no effector of the activity named 'pot'"),
        (lambda: activity.event_index("drink"), "no event of the activity named 'drink'"),
        (lambda: activity.event_index(""), "there is lift, pour"),
        (lambda: POT.anchor("lid"), "no anchor of pot named 'lid'; there is spout, handle"),
    ):
        with pytest.raises(UnknownName, match=said):
            call()
    for index in (-1, 3):
        with pytest.raises(BadValue, match=f"event of 'tea': expected 0 to 2, got {index}"):
            activity.event_index(index)
    with pytest.raises(BadValue, match="none; the activity has no events"):
        Activity("tea").event_index(0)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"elements": ["foot"]}, "no element of the activity named 'foot'"),
        ({"movable": ["pot.lid"]}, "no anchor of pot named 'lid'"),
        ({"movable": ["Hand.palm"]}, "no object of the activity named 'Hand'"),
        ({"scalable": ["Hand"]}, "no object of the activity named 'Hand'"),
        ({"replaceable": ["jug"]}, "no object of the activity named 'jug'"),
        ({"pairs": [Pair("Hand", "jug")]}, "no element of the activity named 'jug'"),
        ({"pairs": [Pair("jug.spout", "cup")]}, "no element of the activity named 'jug'"),
        ({"look_at": "moon"}, "no element of the activity named 'moon'"),
    ],
)
def test_events_refer_to_elements_of_the_activity(changes, said):
    with pytest.raises(UnknownName, match=said):
        replace(tea(), events=(replace(POUR, **changes),))


def test_two_events_are_never_at_one_time_or_of_one_name():
    with pytest.raises(
        BadValue, match=r"times \(s\) of events of the activity 'tea': .* 0.5 twice"
    ):
        replace(tea(), events=(POUR, replace(LIFT, time=0.5)))
    with pytest.raises(BadValue, match="names of events of the activity 'tea': .* 'pour' twice"):
        replace(tea(), events=(POUR, replace(LIFT, name="pour")))
    nameless = replace(tea(), events=(REST, replace(REST, time=0.5)))
    assert [each.name for each in nameless.events] == ["", ""]


@pytest.mark.parametrize("time", [-0.1, np.nan, np.inf, -np.inf])
def test_times_are_seconds_from_the_start(time):
    with pytest.raises(
        BadValue, match=r"ActivityEvent.time: expected seconds from the take's start"
    ):
        ActivityEvent(time)


def test_no_element_is_constrained_twice_by_itself_or_in_a_ring():
    with pytest.raises(BadValue, match="an element other than the constrained one, got pot.handle"):
        Pair("pot.spout", "pot.handle")
    with pytest.raises(BadValue, match="constrained elements of event 'pour': .* 'pot' twice"):
        replace(POUR, pairs=(Pair("pot", "Hand"), Pair("pot.spout", "cup")))
    ring = Pair("Hand", "pot"), Pair("pot.spout", "cup"), Pair("cup", "Hand")
    for pairs in (ring, ring[1:] + ring[:1], (*ring, Pair("Pelvis", "Hand"))):
        with pytest.raises(
            BadValue, match="Hand by pot by cup|pot by cup by Hand|cup by Hand by pot"
        ):
            replace(POUR, pairs=pairs)
    assert len(replace(POUR, pairs=(Pair("Hand", "pot"), Pair("cup", "pot"))).pairs) == 2


def test_names_are_given_without_dots_and_once():
    for make in (
        lambda: ActivityObject(""),
        lambda: ActivityObject("Cup.001"),
        lambda: ActivityObject("pot", "", ("spout.tip",), [[0, 0, 0]]),
        lambda: Effector("hand.L", Point("joint2")),
    ):
        with pytest.raises(BadValue, match="a name without dots"):
            make()
    with pytest.raises(BadValue, match="anchors of 'pot': expected each once, got 'spout' twice"):
        ActivityObject("pot", "", ("spout", "spout"), np.zeros((2, 3)))
    with pytest.raises(BadValue, match="elements of the activity 'tea': .* 'pot' twice"):
        replace(tea(), objects=(POT, CUP, POT))
    with pytest.raises(BadValue, match="elements of the activity 'tea': .* 'cup' twice"):
        replace(tea(), effectors=(PELVIS, HAND, Effector("cup", Point("joint0"))))


def test_anchors_have_finite_places():
    with pytest.raises(BadValue, match="finite numbers"):
        ActivityObject("pot", "", ("spout",), [[0, np.nan, 0]])
    with pytest.raises(BadValue, match="anchor_offsets"):
        ActivityObject("pot", "", ("spout",), np.zeros((2, 3)))


def test_a_scene_knows_which_take_an_activity_is_about():
    scene = tea_scene(tea(), replace(tea(), name="again", take="still"))
    assert scene.activity().name == "tea"
    assert scene.activity("again").take == "still"
    with pytest.raises(UnknownName, match="no activity named 'coffee'; there is"):
        scene.activity("coffee")
    with pytest.raises(BadValue, match="activities: expected each name once, got 'tea' twice"):
        tea_scene(tea(), tea())
    assert scene.subject(Activity("any")) == ("arm", "wave")
    assert scene.subject(Activity("any", "arm", "still")) == ("arm", "still")
    assert scene.subject(Activity("any", "leg", "kick")) == ("leg", "kick")
    assert scene.subject(Activity("any", "arm", "kick")) == ("arm", "kick")
    assert scene.subject(Activity("any", "cup")) == ("cup", "")


def test_the_end_of_an_exported_takes_name_is_enough():
    scene = tea_scene()
    arm = scene.characters[0]
    bars = [replace(each, base=replace(each.base, name=f"Rig|{each.name}")) for each in arm.takes]
    exported = replace(scene, characters=(replace(arm, takes=bars),))
    assert exported.subject(Activity("any", "arm", "still")) == ("arm", "Rig|still")


def test_a_summary_names_activities_with_their_events():
    scene = tea_scene()
    (found,) = summary(scene)["activities"]
    assert (found["name"], found["character"], found["take"]) == ("tea", "arm", "wave")
    assert found["events"] == [[0.25, "lift"], [0.5, "pour"], [1.0, ""]]
    line = (
        "activity tea: arm, take wave; Pelvis, Hand, pot, cup; events lift 0.25 s, pour 0.5 s, 1 s"
    )
    assert line in format_summary(scene).splitlines()
    bare = tea_scene(Activity("bare"))
    assert "activity bare: arm, take wave" in format_summary(bare).splitlines()
    many = [ActivityEvent(at / 24, f"e{at}") for at in range(10)]
    assert format_summary(tea_scene(replace(tea(), events=many))).endswith("and 2 more")
