"""Files opened and brought, and slow changes, while the document stays usable."""

import threading

import pytest

from arcwright import read, write
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document.document import Document
from arcwright.server.jobs import file_commands, jobs
from builders import arm_scene
from coroutines import run
from local_clients import BEGIN, LONG, LocalClient, kinds, lift, step


async def chunks(*parts):
    for part in parts:
        yield part


def upload(client, name, data):
    return run(client.worker.files.uploads.receive(name, chunks(data[:100], data[100:])))


def test_a_built_in_opens_for_all_clients(studio):
    client = studio()
    other = LocalClient(client.worker)
    step(client)
    client.send(m.Open("builtin", "lamp:hop"))
    received = client.wait(m.Document)
    assert kinds(received) == ["SceneInfo", "Document"]
    assert received[-1][0].name == "lamp:hop"
    assert received[-1][0].done == []
    assert other.wait(m.Document, lambda message: message.name == "lamp:hop")


def test_opening_cancels_interactions_and_resets_subscriptions(studio):
    client = studio()
    client.send(m.Subscribe("biped", "walk", [m.PointRef("Hips")]), BEGIN, lift(client, 0.02))
    client.wait(m.Preview)
    client.send(m.Open("builtin", "biped:sit"))
    received = client.wait(m.Recent)
    assert "InteractionEnded" in kinds(received)
    client.send(m.Undo())
    assert client.sync() == []


def test_the_first_document_is_a_biped_that_walks(studio):
    client = studio(None)
    document = client.received[-1][0]
    takes = [take.name for take in document.takes["biped"]]
    assert takes[0] == "walk"
    assert len(takes) > 1
    assert set(document.takes) == {"biped"}
    assert {constraint.take for constraint in document.constraints} <= set(takes)


def test_an_uploaded_file_opens_as_a_document_of_its_own(studio, tmp_path):
    write(read("lamp:hop"), tmp_path / "lamp.glb")
    client = studio()
    message = upload(client, "lamp.glb", (tmp_path / "lamp.glb").read_bytes())
    client.send(m.ImportUpload(message, add=False))
    document = client.wait(m.Document)[-1][0]
    assert document.path is None
    assert len(client.document.scene.characters) == 1


def test_an_uploaded_file_joins_the_scene_as_one_step(studio, tmp_path):
    write(read("lamp:hop"), tmp_path / "lamp.glb")
    client = studio()
    client.send(m.RequestKeys("biped", "walk"), m.RequestFrames("biped", "walk", 0, 24))
    client.sync()
    message = upload(client, "lamp.glb", (tmp_path / "lamp.glb").read_bytes())
    client.send(m.ImportUpload(message, add=True))
    received = client.wait(m.Document)
    assert kinds(received) == ["SceneInfo", "Document"]
    assert len(received[0][0].rigs) == 2
    assert len(received[-1][0].done) == 1
    client.send(m.Undo())
    received = client.wait(m.Document)
    assert len(received[0][0].rigs) == 1


def test_a_broken_upload_is_reported_without_its_path(studio):
    client = studio()
    before = client.document.scene
    message = upload(client, "broken.bvh", b"HIERARCHY nonsense")
    client.send(m.ImportUpload(message, add=False))
    text = client.wait(m.Failure)[-1][0].text
    assert text.startswith("broken.bvh:")
    assert "/" not in text.split(":")[0]
    assert client.document.scene is before
    client.send(m.ImportUpload(message, add=False))
    assert "drop the file again" in client.wait(m.Failure)[-1][0].text


def test_samples_are_fitted_as_a_job(studio, tmp_path):
    client = studio()
    with_samples = arm_scene()
    client.worker.post(lambda: client.worker.opened.replace(Document(History(with_samples))))
    client.wait(m.Document)
    client.send(m.ApplyChange(m.FitTake("arm", "recorded", 0.01)))
    document = client.wait(m.Document)[-1][0]
    assert [take.keyed for take in document.takes["arm"]] == [True, True]


def test_contacts_are_found_and_only_once(studio):
    client = studio("biped:stand")
    for each in client.received[-1][0].constraints:
        del each
        client.send(m.ApplyChange(m.RemoveConstraint("biped", "stand", 0)))
    client.sync()
    client.send(m.ApplyChange(m.DetectContacts("biped", "stand")))
    assert client.wait(m.Document)[-1][0].constraints
    client.send(m.ApplyChange(m.DetectContacts("biped", "stand")))
    report = client.wait(m.Report)[-1][0]
    assert "Nothing was changed" in report.text
    assert report.severity == "info"
    assert "Failure" not in kinds(client.received)


@pytest.fixture
def slow_built_in(monkeypatch):
    """Built-ins open only when this event is set."""
    monkeypatch.setattr(jobs, "SHOWN_AFTER", 0.01)
    go_on, quick = threading.Event(), file_commands._built_in

    def waiting(name):
        go_on.wait(LONG)
        return quick(name)

    monkeypatch.setattr(file_commands, "_built_in", waiting)
    return go_on


def test_a_slow_job_shows_progress_while_the_worker_continues_and_can_be_cancelled(
    studio, slow_built_in
):
    client = studio()
    client.send(m.Open("builtin", "lamp:hop"))
    job = client.wait(m.Job)[-1][0]
    assert job.label == "Open lamp:hop"
    assert job.share < 1
    step(client)
    client.send(m.CancelJob(job.job))
    assert client.wait(m.Job)[-1][0].share == 1
    slow_built_in.set()
    client.sync()
    assert client.document.scene.name == "biped:walk"


def test_the_bar_goes_when_the_work_is_done(studio, slow_built_in):
    client = studio()
    client.send(m.Open("builtin", "lamp:hop"))
    client.wait(m.Job)
    slow_built_in.set()
    received = client.wait(m.Job, lambda job: job.share == 1)
    assert "Document" in kinds(received)


def test_invalid_file_commands_are_answered(studio):
    client = studio()
    for message in (
        m.Open("builtin", "unicorn"),
        m.Open("builtin", "biped:dance"),
        m.Open("recover", "../../etc"),
        m.Open("file", "nothing.bvh"),
        m.ImportUpload("no such message", add=True),
        m.Export("bvh", "nobody", "walk"),
        m.ApplyChange(m.FitTake("biped", "walk", -1.0)),
        m.ApplyChange(m.DetectContacts("nobody", "walk")),
    ):
        client.send(message)
        text = client.wait(m.Failure)[-1][0].text
        assert "did not work" not in text, message
    step(client)
