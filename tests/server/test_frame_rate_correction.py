"""A recorded take whose falls do not fit its frame rate: clients see it, and can correct it."""

from dataclasses import replace

import pytest

from arcwright import files
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document.document import Document
from arcwright.server.storage.folder import Folder
from arcwright.server.worker import DocumentWorker
from data import DATA, needs_data
from local_clients import LocalClient

CLIP = "16_05_forward_jump"


@pytest.fixture
def client(tmp_path):
    """A client on a jump at 120 fps that is labelled with 240."""
    scene = files.read(DATA / "bvh" / "cmu" / f"{CLIP}.bvh")
    actor = scene.characters[0]
    take = actor.takes[0]
    base = replace(take.base, time=take.base.time / 2, rate=240.0)
    actor = replace(actor, takes=(replace(take, base=base),))
    scene = replace(scene, characters=(actor,))
    worker = DocumentWorker(Document(History(scene)), Folder(tmp_path), tmp_path)
    worker.start()
    yield LocalClient(worker)
    worker.stop()


def info(client):
    client.sync()
    (takes,) = client.document.message(0).takes.values()
    return takes[0]


@needs_data
def test_a_wrong_frame_rate_is_shown_corrected_in_one_step_and_undone(client):
    before = info(client)
    assert before.rate_check.rate == 120
    assert "falls at 3.9 g in 1 flight" in before.rate_check.text
    name = client.document.scene.characters[0].name
    change = m.SetTiming(name, CLIP, 120.0, before.duration, loops=False, keep="frames")
    client.send(m.ApplyChange(change))
    after = info(client)
    assert (after.rate, after.rate_check) == (120.0, None)
    assert after.duration == pytest.approx(2 * before.duration)
    client.send(m.Undo())
    assert info(client).rate_check.rate == 120
