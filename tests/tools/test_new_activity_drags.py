"""Points that take part in no event are dragged, too: they get an event, and their usual name."""

from dataclasses import replace

import pytest

import arcwright
from arcwright.edits.activity_additions import begin_activity
from arcwright.kinematics.trail import trail
from arcwright.scene.activity import Effector
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.gesture import Drag


@pytest.fixture(scope="module")
def walk():
    return replace(arcwright.read("biped:walk"), activities=())


def label_of_drag(scene, joint, by=(0.0, 0.03, 0.0)):
    person = scene.characters[0]
    point = Point(joint, character=person.name)
    place = trail(person.takes[0], point, [0.2]).position[0] + by
    session = ActivityTool().begin(scene, Target(), ActivityOptions())
    session.update(Drag(point, 0.2, place))
    return session.finish().label


def test_a_hand_without_an_event_is_called_as_detection_calls_it(walk):
    assert label_of_drag(walk, "LeftHand").startswith("Move left hand at ")
    assert label_of_drag(walk, "Head").startswith("Move Head at ")


def test_a_hand_without_an_event_keeps_the_name_that_its_activity_gives_it(walk):
    begun = begin_activity(walk).apply(walk)
    assert label_of_drag(begun, "RightHand").startswith("Move right hand at ")
    own = begun.activities[0]
    palm = replace(own, effectors=(Effector("palm", Point("LeftHand", character=own.character)),))
    named = replace(begun, activities=(palm,))
    assert label_of_drag(named, "LeftHand").startswith("Move palm at ")
