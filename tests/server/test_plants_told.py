"""Footplants that are found, as windows see, keep and drag them."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from arcwright import Point, read, same, trail
from arcwright.kinematics.contact import footplants
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document import footplants as plants
from arcwright.server.document.document import Story
from arcwright.server.document.footplants import found_plants, kept_plants
from arcwright.server.jobs.file_commands import Errands
from arcwright.server.storage.folder import Folder
from arcwright.server.worker import Desk
from seats import LONG, Seat, kinds

AT = "biped", "walk"


@pytest.fixture
def seat(tmp_path):
    """A window on a walk whose contacts were forgotten."""
    scene = replace(read("biped:walk"), contacts=())
    desk = Desk(Story(History(scene)))
    errands = Errands(desk, Folder(tmp_path), tmp_path)
    desk.errand = errands
    desk.start()
    yield Seat(desk)
    desk.stop()
    errands.close()


def found(seat, **options):
    message, _ = seat.ask(m.RequestFootplants(*AT, **options), m.Footplants)
    assert (message.character, message.take) == AT
    return message.footplants


def contacts(seat):
    seat.quiet()
    return seat.desk.story.scene.contacts


def push(seat, plant, hand=1, **options):
    """A drag of a plant over the ground, kept."""
    when = (plant.start + plant.end) / 2
    take = seat.desk.story.scene.actor("biped").takes[0]
    x, y, z = trail(take, Point(plant.point.joint), [when]).position[0].tolist()
    seat.say(m.BeginInteraction(hand, "spacetime", *AT, {}, **options))
    seat.say(
        m.UpdateInteraction(hand, plant.point, when, (x + 0.1, y, z)), m.CommitInteraction(hand)
    )
    assert seat.wait(m.InteractionEnded)[-1][0].committed


def test_the_plants_that_a_drag_would_find_are_told_and_nothing_is_changed(seat):
    take = seat.desk.story.scene.actor("biped").takes[0]
    told = [(each.point.joint, each.start, each.end) for each in found(seat)]
    assert told == [(each.point.joint, each.start, each.end) for each in footplants(take)]
    assert contacts(seat) == ()


def test_what_was_found_in_a_motion_that_has_changed_since_is_not_told(seat, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def slow(*_, **__):
        begun.set()
        assert go_on.wait(LONG)
        return []

    with monkeypatch.context() as patched:
        patched.setattr(plants, "found_plants", slow)
        seat.say(m.RequestFootplants(*AT))
        assert begun.wait(LONG)
        seat.say(m.ApplyChange(m.AddKeys(*AT, [1], 0.1)))
        seat.wait(m.Document)
        go_on.set()
        seat.desk.errand._plants._pool.submit(int).result(LONG)  # the look is over
    assert "Plants" not in kinds(seat.quiet())
    assert len(found(seat)) == 2


def test_a_take_with_contacts_has_none_to_be_found(seat):
    seat.say(m.ApplyChange(m.AcceptFootplants(*AT)))
    assert len(contacts(seat)) == 2
    assert found(seat) == []


def test_kept_plants_are_one_step_that_undo_takes_back(seat):
    before = seat.desk.story.scene
    seat.say(m.ApplyChange(m.AcceptFootplants(*AT)))
    kept = contacts(seat)
    assert [each.clip for each in kept] == ["walk", "walk"]
    assert [edit.label for edit in seat.desk.story.history.done] == ["Keep 2 footplants"]
    seat.say(m.Undo())
    seat.quiet()
    assert same(seat.desk.story.scene, before)


def test_a_plant_is_changed_or_left_out_while_the_others_are_kept(seat):
    first, second = found(seat)
    change = m.AcceptFootplants(*AT, point=first.point, was=first.start, start=0.0, end=0.3)
    seat.say(m.PreviewChange(7, change), m.CommitInteraction(7))
    seat.wait(m.InteractionEnded)
    assert [(each.start, each.end) for each in contacts(seat)] == [
        (0.0, 0.3),
        (second.start, second.end),
    ]
    assert [edit.label for edit in seat.desk.story.history.done] == [
        f"Change a footplant of {first.point.joint}"
    ]
    seat.say(
        m.Undo(),
        m.ApplyChange(m.AcceptFootplants(*AT, point=first.point, was=first.start, without=True)),
    )
    (only,) = contacts(seat)
    assert only.point.joint == second.point.joint


def test_a_plant_that_is_dragged_becomes_real_with_the_others_in_the_same_step(seat):
    before = seat.desk.story.scene
    first, _ = found(seat)
    push(seat, first, accept_footplants=True)
    assert len(contacts(seat)) == 2
    scene = seat.desk.story.scene
    assert [len(seat.desk.story.history.done), len(scene.actor("biped").takes[0].layers)] == [1, 1]
    seat.say(m.Undo())
    seat.quiet()
    assert same(seat.desk.story.scene, before)
    seat.say(m.Redo())
    seat.quiet()
    assert same(seat.desk.story.scene, scene)


def test_a_drag_that_moves_nothing_keeps_no_plants(seat):
    first, _ = found(seat)
    when = first.start
    take = seat.desk.story.scene.actor("biped").takes[0]
    place = tuple(trail(take, Point(first.point.joint), [when]).position[0].tolist())
    seat.say(m.BeginInteraction(1, "spacetime", *AT, {}, accept_footplants=True))
    seat.say(m.UpdateInteraction(1, first.point, when, place), m.CommitInteraction(1))
    assert not seat.wait(m.InteractionEnded)[-1][0].committed
    assert contacts(seat) == ()


def test_a_drag_gives_the_same_motion_whether_its_plants_are_kept_or_only_found(seat):
    first, _ = found(seat)
    takes = []
    for options in ({}, {"accept_footplants": True}):
        push(seat, first, **options)
        seat.quiet()
        takes.append(seat.desk.story.scene.actor("biped").takes[0])
        seat.say(m.Undo())
        seat.quiet()
    times = np.linspace(0, 1, 9)
    ends = [trail(take, Point("Hips"), times).position for take in takes]
    assert np.array_equal(*ends)


def test_a_plant_that_is_not_there_and_the_only_one_are_refused_in_words(seat):
    wrong = m.AcceptFootplants(*AT, point=m.PointRef("Hips"), was=0.1, without=True)
    assert "Hips" in seat.ask(m.ApplyChange(wrong), m.Failure)[0].text
    assert "nobody" in seat.ask(m.RequestFootplants("nobody", "walk"), m.Failure)[0].text


def test_heels_are_found_with_toes_and_beside_toes_that_are_noted():
    bare = replace(read("biped:jump"), contacts=())
    toes = kept_plants(bare, "biped", "jump", heels=False).apply(bare)
    assert len(toes.contacts) == 4
    for scene, count in ((bare, 8), (toes, 4)):
        assert len(found_plants(scene, "biped", "jump", heels=True)) == count
