"""Activities as clients see them, what their tool draws at rest, and changes of their events."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from arcwright import read, same, write
from arcwright.characters.tableware import Teapot
from arcwright.kinematics.scaled_limbs import scaled_limbs
from arcwright.scene.rig import ChannelTable
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from coroutines import run
from local_clients import LocalClient, worker_with
from tea import tea, tea_scene

ARM = "arm", "wave"


@pytest.fixture
def client():
    with worker_with(tea_scene(), idle=False) as worker:
        yield LocalClient(worker)


def activity(client):
    client.sync()
    *_, document = [each for each, _ in client.received if isinstance(each, m.Document)]
    (found,) = document.activities
    return found


def test_the_document_names_who_takes_part_and_what_happens_when(client):
    found = activity(client)
    assert (found.name, found.character, found.take) == ("tea", *ARM)
    assert [(each.name, each.prop) for each in found.objects] == [("pot", "pot"), ("cup", "cup")]
    assert found.objects[0].anchors == ["spout", "handle"]
    assert [(each.name, each.point.joint) for each in found.effectors] == [
        ("Pelvis", "joint0"),
        ("Hand", "joint2"),
    ]
    lift, pour, rest = found.events
    assert (lift.name, lift.time, lift.movable, lift.look_at) == (
        "lift",
        0.25,
        ["Hand", "pot"],
        "pot",
    )
    assert pour.pairs == [("Hand", "pot.handle"), ("pot.spout", "cup")]
    assert pour.elements == ["Hand", "pot", "cup"]
    assert rest.name == ""


def test_an_event_is_renamed_and_removed_as_one_undo_step_each(client):
    before = client.document.scene
    client.send(m.ApplyChange(m.RenameEvent(*ARM, "tea", 2, "rest")))
    assert [each.name for each in activity(client).events] == ["lift", "pour", "rest"]
    client.send(m.ApplyChange(m.RemoveEvent(*ARM, "tea", 0)))
    assert [each.name for each in activity(client).events] == ["pour", "rest"]
    labels = [edit.label for edit in client.document.history.done]
    assert labels == ["Change event rest of tea", "Remove event lift from tea"]
    client.send(m.Undo(), m.Undo())
    client.sync()
    assert same(client.document.scene, before)


def sip(**changes):
    """An event as a client sends it."""
    plain = {"time": 0.75, "name": "sip", "elements": [], "movable": [], "scalable": []}
    return m.ActivityEventInfo(**{**plain, "replaceable": [], "pairs": [], "look_at": ""} | changes)


def adding(name="tea", objects=(), effectors=(), events=()):
    return m.AddToActivity(*ARM, name, [*objects], [*effectors], [*events])


def test_an_event_with_a_new_object_is_added_changed_and_undone(client):
    before = client.document.scene
    table = m.ActivityObjectInfo("table", "table", [])
    new = sip(elements=["table"])
    client.send(m.ApplyChange(adding(objects=[table], events=[new])))
    found = activity(client)
    assert [each.name for each in found.events] == ["lift", "pour", "sip", ""]
    assert found.objects[-1].prop == "table"
    changed = sip(
        elements=["Hand", "table"],
        movable=["table"],
        scalable=["table"],
        replaceable=["table"],
        pairs=[("Hand", "table")],
        look_at="pot.spout",
    )
    client.send(m.ApplyChange(m.ChangeEvent(*ARM, "tea", 2, changed)))
    assert activity(client).events[2] == changed
    client.send(
        m.ApplyChange(m.ChangeEvent(*ARM, "tea", 2, msgspec.structs.replace(changed, time=0.8)))
    )
    client.send(m.ApplyChange(m.RemoveElement(*ARM, "tea", "table")))
    assert activity(client).events[2].elements == ["Hand"]
    labels = [edit.label for edit in client.document.history.done]
    assert labels == [
        "Add event sip to tea, frame 18",
        "Change event sip of tea",
        "Move event sip to frame 19.2",
        "Remove table from tea",
    ]
    client.send(*[m.Undo()] * 4)
    client.sync()
    assert same(client.document.scene, before)


def test_an_activity_is_begun_removed_and_undone(client):
    before = client.document.scene
    client.send(m.ApplyChange(m.RemoveActivity(*ARM, "tea")))
    client.send(m.ApplyChange(m.BeginActivity(*ARM)))
    found = activity(client)
    assert (found.name, found.take, found.events) == ("wave", "wave", [])
    assert [each.prop for each in found.objects] == ["pot", "cup", "table"]
    client.send(m.Undo(), m.Undo())
    client.sync()
    assert same(client.document.scene, before)


def proposals(client):
    found, _ = client.request(m.RequestProposedEvents("biped", "tea"), m.ProposedEvents)
    return found


def test_detected_events_are_proposed_and_accepted_where_there_is_no_activity():
    scene = replace(read("biped:tea"), activities=())
    with worker_with(scene, idle=False) as worker:
        client = LocalClient(worker)
        found = proposals(client)
        sure = [each.event for each in found.events if each.confidence >= 0.5]
        assert 0 < len(sure) < len(found.events)
        assert all(0 <= each.confidence <= 1 for each in found.events)
        assert same(client.document.scene, scene)
        client.send(
            m.ApplyChange(m.AddToActivity("biped", "tea", "", found.objects, found.effectors, sure))
        )
        made = activity(client)
        assert [each.name for each in made.events] == [each.name for each in sure]
        left = proposals(client).events
        assert [each.event.name for each in left] == [
            each.event.name for each in found.events if each.confidence < 0.5
        ]
        client.send(m.Undo())
        assert len(proposals(client).events) == len(found.events)


def test_proposals_beside_an_activity_use_its_names_and_leave_out_what_it_has():
    with worker_with("biped:tea", idle=False) as worker:
        client = LocalClient(worker)
        found = proposals(client)
        names = {each.name for each in worker.opened.scene.activities[0].objects}
        names |= {each.name for each in worker.opened.scene.activities[0].effectors}
        assert found.events
        for each in found.events:
            assert set(each.event.elements) <= names
            for event in worker.opened.scene.activities[0].events:
                shared = event.involved & set(each.event.elements)
                assert not (shared and abs(event.time - each.event.time) < 2 / 30)


def test_a_take_in_which_no_events_can_be_detected_says_why(client):
    found, _ = client.request(m.RequestProposedEvents(*ARM), m.ProposedEvents)
    assert found.events == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (adding(events=[sip(elements=["spoon"])]), "spoon"),
        (adding("coffee", events=[sip()]), "coffee"),
        (adding(events=[sip(time=9.0)]), "within take"),
        (adding(events=[sip(time=-1.0)]), "seconds"),
        (
            adding(objects=[m.ActivityObjectInfo("a", "table", ["lid"])]),
            "lid",
        ),
        (m.ChangeEvent(*ARM, "tea", 1, sip(name="lift")), "each once"),
        (m.ChangeEvent(*ARM, "tea", 1, sip(time=0.25)), "each once"),
        (m.ChangeEvent(*ARM, "tea", 1, sip(scalable=["Hand"])), "Hand"),
        (m.ChangeEvent(*ARM, "tea", 1, sip(pairs=[("pot", "pot.spout")])), "other than"),
        (m.ChangeEvent(*ARM, "tea", 7, sip()), "0 to 2"),
        (m.RemoveElement(*ARM, "tea", "spoon"), "spoon"),
        (m.RemoveActivity(*ARM, "coffee"), "coffee"),
        (m.RenameEvent(*ARM, "tea", 2, "pour"), "each once"),
        (m.RemoveEvent(*ARM, "tea", 3), "0 to 2"),
        (m.RemoveEvent(*ARM, "coffee", 0), "coffee"),
    ],
)
def test_a_change_of_an_event_that_cannot_be_is_refused(client, change, problem):
    answer, _ = client.request(m.ApplyChange(change), m.Failure)
    assert problem in answer.text
    assert client.document.history.done == ()


def test_paths_and_handles_are_drawn_before_anything_is_dragged():
    scene = read("biped:tea")
    with worker_with(scene, idle=False) as worker:
        client = LocalClient(worker)
        at = "biped", "tea"
        answer, _ = client.request(m.RequestRestOverlays("activity", *at), m.RestOverlays)
        assert (answer.tool, answer.character, answer.take, answer.problem) == ("activity", *at, "")
        handles = {each.name: each for each in answer.overlays if hasattr(each, "symbol")}
        movable = [len(each.movable) for each in scene.activities[0].events]
        assert len(handles) == sum(movable)
        cup = handles["cup at frame 86"]
        assert (cup.label, cup.grounded) == ("cup at 'pour'", True)
        assert cup.time == pytest.approx(scene.activities[0].events[4].time)
        assert not handles["pot at frame 86"].grounded  # it is in the air
        assert client.document.scene is scene


def test_why_nothing_is_drawn_at_rest_is_said():
    twice = tea().events[1], tea().events[1]
    crowded = tea_scene(
        replace(tea(), events=(twice[0], replace(twice[1], time=0.501, name="again")))
    )
    with worker_with(crowded, idle=False) as worker:
        answer, _ = LocalClient(worker).request(
            m.RequestRestOverlays("activity", *ARM), m.RestOverlays
        )
        assert answer.overlays == []
        assert "two at frame" in answer.problem


def test_a_tool_without_handles_draws_nothing_at_rest(client):
    answer, _ = client.request(m.RequestRestOverlays("pose", *ARM), m.RestOverlays)
    assert (answer.overlays, answer.problem) == ([], "")


def test_a_prop_without_a_take_is_previewed_where_it_is_dragged_to():
    with worker_with("biped:tea", idle=False) as worker:
        client = LocalClient(worker)
        at = "biped", "tea"
        client.send(m.BeginInteraction(1, "activity", *at, {}))
        client.send(m.UpdateInteraction(1, None, 0.0, (0.24, 0.82, 0.5), handle="cup at frame 86"))
        message, arrays = client.wait(m.Preview)[-1]
        poses = {each.character: index for index, each in enumerate(message.poses)}
        assert message.poses[poses["Cup"]].take == ""
        np.testing.assert_allclose(
            arrays[f"pose{poses['Cup']}"][[3, 7, 11]], (0.24, 0.82, 0.5), atol=1e-5
        )
        assert message.poses[poses["Pot"]].take == "tea"


def test_the_result_is_previewed_where_a_prop_has_no_take_yet():
    with worker_with("biped:tea") as worker:
        client = LocalClient(worker)
        client.send(m.BeginInteraction(1, "activity", "biped", "tea", {}))
        client.send(m.UpdateInteraction(1, None, 0.0, (0.2, 0.82, 0.5), handle="cup at frame 86"))
        received = client.wait(m.Notes)  # the pointer rests
        client.sync()
        assert not [
            each for each, _ in (*received, *client.received) if isinstance(each, m.Failure)
        ]
        assert [each.character for each in latest_preview(client).poses] == ["biped", "Pot", "Cup"]


def test_a_prop_of_a_file_without_animation_is_dragged_and_its_result_previewed():
    scene = read("biped:tea")
    cup = scene.actor("Cup")
    still = replace(cup, rig=replace(cup.rig, channels=ChannelTable.of([], [])))
    props = tuple(still if each is cup else each for each in scene.props)
    with worker_with(replace(scene, props=props)) as worker:
        client = LocalClient(worker)
        client.send(m.BeginInteraction(1, "activity", "biped", "tea", {}))
        client.send(m.UpdateInteraction(1, None, 0.0, (0.24, 0.82, 0.5), handle="cup at frame 86"))
        message, arrays = client.wait(m.Preview)[-1]
        index = [each.character for each in message.poses].index("Cup")
        np.testing.assert_allclose(arrays[f"pose{index}"][:3], (0.24, 0.82, 0.5), atol=1e-5)
        client.wait(m.Notes)  # the pointer rests
        client.send(m.CommitInteraction(1))
        client.sync()
        assert [edit.label for edit in client.document.history.done] == ["Move cup at 'pour'"]
        client.send(m.Undo())
        client.sync()
        failed = [each for each, _ in client.received if isinstance(each, m.Failure)]
        assert failed == []


def test_an_event_that_comes_less_far_than_it_is_dragged_says_so():
    with worker_with("biped:tea") as worker:
        client = LocalClient(worker)
        client.send(m.BeginInteraction(1, "activity", "biped", "tea", {}))
        client.send(m.UpdateInteraction(1, None, 2.8, to_time=2.2, handle="pot at frame 86"))
        notes, _ = client.wait(m.Notes)[-1]  # the pointer rests
        assert any("leave no more room" in each.text for each in notes.notes)


def latest_preview(client):
    return [each for each, _ in client.received if isinstance(each, m.Preview)][-1]


def pot_file(folder):
    """A pot with another spout, as a file."""
    path = folder / "pot.glb"
    write(Scene("pot", (), (Teapot(spout_length=0.08).prop(),)), path)
    return path


@pytest.fixture
def pouring():
    with worker_with("biped:tea", idle=False) as worker:
        yield LocalClient(worker)


def replacing(client, path, element, options=None):
    async def parts():
        yield path.read_bytes()

    name = run(client.worker.files.uploads.receive(path.name, parts()))
    return m.ReplaceObject(name, "activity", "biped", "tea", element, options or {})


def test_an_object_is_replaced_by_an_uploaded_prop_in_one_step(pouring, tmp_path):
    before = pouring.document.scene
    pouring.send(replacing(pouring, pot_file(tmp_path), "pot"))
    report = pouring.wait(m.Report)[-1][0]
    assert report.text == "Swap pot."
    assert "spout" in report.notes[0].text  # the file has no joints that mark it
    pouring.sync()
    after = pouring.document.scene
    assert pouring.document.history.done[-1].label == "Swap pot"
    old, new = (each.actor("Pot").shapes[0].parts[0] for each in (before, after))
    assert not same(old, new)
    assert after.actor("Pot").takes[0].duration == before.actor("Pot").takes[0].duration
    pouring.send(m.Undo())
    pouring.sync()
    assert same(pouring.document.scene, before)


def test_an_object_that_was_replaced_twice_is_brought_back_step_by_step(pouring, tmp_path):
    before = pouring.document.scene
    other = tmp_path / "other.arc.glb"  # keeps its channels, which the other file does not
    write(Scene("other", (), (Teapot(spout_length=0.2).prop(),)), other)
    for path in (other, pot_file(tmp_path), other):
        pouring.send(replacing(pouring, path, "pot"))
        pouring.wait(m.Report)
    pouring.send(m.Undo(), m.Undo(), m.Undo())
    pouring.sync()
    assert not [each for each, _ in pouring.received if isinstance(each, m.Failure)]
    assert same(pouring.document.scene, before)


def test_a_capture_without_a_mesh_replaces_nothing(pouring, tmp_path):
    path = tmp_path / "walk.bvh"
    write(read("biped:walk"), path)
    answer, _ = pouring.request(replacing(pouring, path, "pot"), m.Failure)
    assert "a prop that has a mesh" in answer.text
    assert pouring.document.history.done == ()


def test_an_activity_is_retargeted_to_an_uploaded_character_in_one_step(pouring, tmp_path):
    before = pouring.document.scene
    short = scaled_limbs(before.characters[0], arms=0.85, legs=0.75)
    path = tmp_path / "short.arc.glb"
    write(Scene("short", (replace(short, name="short"),)), path)
    upload = replacing(pouring, path, "pot").upload
    pouring.send(m.Retarget(upload, "activity", "biped", "tea"))
    assert pouring.wait(m.Report)[-1][0].text == "Retarget tea."
    pouring.sync()
    after = pouring.document.scene
    assert [each.name for each in after.characters] == ["short"]
    assert after.activities[0].character == "short"
    pouring.send(m.Undo())
    pouring.sync()
    assert same(pouring.document.scene, before)


def test_a_file_without_a_character_retargets_nothing(pouring, tmp_path):
    before = pouring.document.scene
    upload = replacing(pouring, pot_file(tmp_path), "pot").upload
    answer, _ = pouring.request(m.Retarget(upload, "activity", "biped", "tea"), m.Failure)
    assert "character" in answer.text
    assert pouring.document.scene is before


@pytest.mark.parametrize("element", ["table", "spoon", "right hand"])
def test_what_may_not_be_replaced_stays(pouring, tmp_path, element):
    before = pouring.document.scene
    answer, _ = pouring.request(replacing(pouring, pot_file(tmp_path), element), m.Failure)
    assert "unchanged" in answer.text
    assert pouring.document.scene is before


def test_a_file_without_a_prop_replaces_nothing(pouring, tmp_path):
    bad = tmp_path / "pot.glb"
    bad.write_bytes(b"no model")
    before = pouring.document.scene
    answer, _ = pouring.request(replacing(pouring, bad, "pot"), m.Failure)
    assert "pot.glb" in answer.text
    assert pouring.document.scene is before
