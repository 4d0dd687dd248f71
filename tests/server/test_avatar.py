"""A client makes an avatar of a character from a photo."""

import arcwright
from arcwright.arrays import same
from arcwright.server import messages as m
from arcwright.server.document.changes import edit_of
from journalled import Document, found
from local_clients import LocalClient, worker_with

AT = ("biped", "stand")
MARKS = {"Hips": (100.0, 200.0), "Head": (100.0, 120.0), "LeftHand": (150.0, 150.0)}
CHANGE = m.MakeAvatar(*AT, MARKS, {"top": [(0.9, 0.1, 0.1)] * 20}, [])


def test_an_avatar_gets_a_take_and_a_look_in_one_undo_step():
    scene = arcwright.read("biped:stand")
    with worker_with(scene) as worker:
        client = LocalClient(worker)
        client.send(m.ApplyChange(CHANGE))
        client.sync()
        after = client.document.scene.characters[0]
        assert after.takes[-1].name == "photo pose"
        assert after.look.text != scene.characters[0].look.text
        models = {each.model for each, _ in client.received if isinstance(each, m.SceneInfo)}
        assert len(models) == 2  # clients draw it anew
        client.send(m.Undo())
        client.sync()
        assert same(client.document.scene, scene)


def test_an_avatar_comes_back_from_the_journal(tmp_path):
    scene = arcwright.read("biped:stand")
    document = Document(tmp_path, scene)
    document.edit(edit_of(scene, CHANGE))
    history, _, _ = found(tmp_path, document.crash())
    assert same(history, document.history)


def test_marks_of_unknown_joints_are_refused():
    with worker_with(arcwright.read("biped:stand")) as worker:
        client = LocalClient(worker)
        wrong = m.MakeAvatar(*AT, {**MARKS, "Tail": (0.0, 0.0)}, {}, [])
        assert "Tail" in client.request(m.ApplyChange(wrong), m.Failure)[0].text
