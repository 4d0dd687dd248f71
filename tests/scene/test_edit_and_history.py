from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwright.arrays import same
from arcwright.errors import BadValue, StaleEdit, UnknownName
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change, Edit, value_at
from arcwright.scene.history import History
from arcwright.scene.point import Point
from arcwright.scene.scene import Character, Scene, Source
from builders import arm_scene, change_at

CURVE = ("characters", 0, "takes", 0, "base", "curves", 3)


def curve_edit(scene, value=1.0):
    curve = value_at(scene, CURVE)
    after = replace(curve, value=curve.value + value)
    return Edit("raise", (change_at(scene, CURVE, after),))


def test_an_edit_changes_one_curve_and_shares_the_rest():
    scene = arm_scene()
    changed = curve_edit(scene).apply(scene)
    assert value_at(changed, CURVE).value[0] == 1
    assert changed.characters[0].takes[1] is scene.characters[0].takes[1]
    assert value_at(changed, (*CURVE[:-1], 4)) is value_at(scene, (*CURVE[:-1], 4))


def test_the_inverse_gives_back_the_scene_bit_for_bit():
    scene = arm_scene()
    edit = curve_edit(scene, 0.1)
    assert same(edit.inverse().apply(edit.apply(scene)), scene)


def test_an_edit_made_for_another_scene_is_refused():
    scene = arm_scene()
    edit = curve_edit(scene)
    with pytest.raises(StaleEdit, match="'raise' was made for another state of characters/0/takes"):
        edit.apply(edit.apply(scene))


@pytest.mark.parametrize(
    "address",
    [("nobody",), ("characters", 7), ("characters", "x"), ("characters", 0, "rig", "joint")],
)
def test_an_address_that_leads_nowhere_is_refused(address):
    with pytest.raises(BadValue, match=r"Change.address: expected a path in"):
        value_at(arm_scene(), address)
    with pytest.raises(BadValue, match=r"Change.address"):
        Edit("x", (Change(address, None, None),)).apply(arm_scene())


def test_changes_of_one_address_follow_each_other_and_are_undone():
    scene = arm_scene()
    whole = replace(scene, name="whole")
    edit = Edit(
        "rename",
        (
            Change((), scene, whole),
            Change(("name",), "whole", "first"),
            Change(("constraints",), scene.constraints, ()),
            Change(("name",), "first", "second"),
        ),
    )
    changed = edit.apply(scene)
    assert (changed.name, changed.constraints) == ("second", ())
    assert same(edit.inverse().apply(changed), scene)
    with pytest.raises(StaleEdit):
        Edit("late", (Change(("name",), "test", "a"), Change(("name",), "test", "b"))).apply(scene)


def test_changing_the_rig_takes_the_takes_along():
    scene = arm_scene()
    rig = scene.characters[0].rig
    stiffer = replace(rig, channels=replace(rig.channels, stiffness=np.full(7, 2.0)))
    changed = Edit("stiffen", (change_at(scene, ("characters", 0, "rig"), stiffer),)).apply(scene)
    assert all(take.rig is stiffer for take in changed.characters[0].takes)


def test_an_empty_edit_leaves_no_step():
    history = History(arm_scene())
    assert history.do(Edit("nothing")) is history


def test_undo_and_redo_at_the_ends_do_nothing():
    history = History(arm_scene())
    assert history.undo() is history
    assert history.redo() is history


def test_a_new_edit_discards_undone_ones():
    history = History(arm_scene())
    history = history.do(curve_edit(history.scene)).undo()
    assert history.undone
    assert not history.do(curve_edit(history.scene, 2.0)).undone


@settings(max_examples=50)
@given(st.lists(st.one_of(st.floats(-1e6, 1e6), st.sampled_from(["undo", "redo"])), max_size=30))
def test_any_sequence_of_edits_can_be_undone_to_the_start(steps):
    start = arm_scene()
    history = History(start)
    seen = [start]
    for step in steps:
        if isinstance(step, str):
            history = getattr(history, step)()
        else:
            history = history.do(curve_edit(history.scene, step))
            seen = [*seen[: len(history.done)], history.scene]
        assert same(history.scene, seen[len(history.done)])
    while history.done:
        history = history.undo()
    assert same(history.scene, start)


def test_names_are_looked_up_with_advice():
    scene = arm_scene()
    assert scene.actor().name == "arm"
    assert scene.actor("arm").take("wave").name == "wave"
    with pytest.raises(UnknownName, match="no character named 'leg'; there is arm"):
        scene.actor("leg")
    with pytest.raises(UnknownName, match="no take named 'walk'"):
        scene.actor().take("walk")
    with pytest.raises(UnknownName, match="there is none"):
        Scene().actor("x")


def test_a_take_is_found_by_the_part_after_the_bar():
    character = arm_scene().characters[0]
    take = character.takes[0]
    long = replace(take, base=replace(take.base, name="Armature|Walk"))
    assert character.with_take(long).take("Walk") is not None
    twice = character.with_take(long).with_take(
        replace(take, base=replace(take.base, name="Other|Walk"))
    )
    with pytest.raises(UnknownName, match="no take named 'Walk'"):
        twice.take("Walk")


def test_names_must_differ():
    character = arm_scene().characters[0]
    with pytest.raises(BadValue, match="each name once, got 'arm' twice"):
        Scene(characters=(character, character))
    with pytest.raises(BadValue, match="takes of 'arm'"):
        Character("arm", character.rig, (character.takes[0],) * 2)


def test_a_take_can_be_put_in_place_of_the_one_of_its_name():
    character = arm_scene().characters[0]
    take = character.takes[0]
    shorter = replace(take, base=replace(take.base, duration=0.5))
    assert character.with_take(shorter).takes[0].duration == 0.5
    other = replace(take, base=replace(take.base, name="other"))
    assert [each.name for each in character.with_take(other).takes] == ["wave", "recorded", "other"]


def test_pins_and_contacts_need_a_range_and_a_degree_of_freedom():
    with pytest.raises(BadValue, match="Pin.end: expected at or after start"):
        Pin(Point("a"), 1, 0)
    with pytest.raises(BadValue, match="Contact.position: expected position, orientation or both"):
        Contact(Point("a"), 0, 1, position=False)


def test_a_source_needs_a_unit_and_an_up_axis():
    with pytest.raises(BadValue, match=r"Source.unit"):
        Source("bvh", unit=0)
    with pytest.raises(BadValue, match=r"Source.up: expected X, Y or Z"):
        Source("bvh", up="W")


def test_a_curve_edit_keeps_curves_frozen():
    scene = arm_scene()
    curve = value_at(curve_edit(scene).apply(scene), CURVE)
    assert isinstance(curve, Curve)
    with pytest.raises(ValueError, match="read-only"):
        curve.value[0] = 3
