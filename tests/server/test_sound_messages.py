"""The sound of a document: uploaded, served, changed, and recovered from the journal."""

import httpx
from websockets.sync.client import connect

from arcwright.arrays import same
from arcwright.server import messages as m
from arcwright.server.messages import encoding
from arcwright.server.storage.journal import recover
from coroutines import run
from wav import wav

AT = "biped", "walk"


async def chunks(data):
    yield data


def add(client, name="steps.wav", data=None):
    stored = client.worker.files.uploads.receive(name, chunks(wav() if data is None else data))
    client.send(m.ImportUpload(run(stored), add=True))


def test_a_sound_is_added_changed_and_undone_and_comes_back_from_the_journal(studio):
    client = studio()
    before = client.document.scene
    add(client)
    client.send(
        m.ApplyChange(m.ChangeSound(*AT, start=0.25)),
        m.ApplyChange(m.ChangeSound(*AT, muted=True)),
    )
    client.sync()
    sent = client.document.message(1)
    assert sent.sound == m.SoundInfo(sent.sound.address, "steps.wav", 0.25, True)
    assert sent.done == ["Add sound steps.wav", "Move sound to 0.25 s", "Mute sound"]
    client.worker.stop()
    history, _, journal = recover(studio.state, client.document.log.name)
    journal.close()
    assert same(history.scene.sound, client.document.scene.sound)
    assert same(history.undo().undo().undo().scene, before)


def test_a_journal_begins_with_the_sound_of_its_scene(studio):
    client = studio()
    add(client)
    client.send(m.Save("walk.arc.glb"))
    client.wait(m.Saved)
    client.send(m.Open("file", "walk.arc.glb"))
    client.wait(m.Document, lambda message: not message.done)
    scene = client.document.scene
    client.send(m.ApplyChange(m.RemoveSound(*AT)))
    client.sync()
    client.worker.stop()
    history, _, journal = recover(studio.state, client.document.log.name)
    journal.close()
    assert history.scene.sound is None
    assert same(history.undo().scene, scene)
    assert scene.sound.file.data == wav()


def test_what_is_no_sound_is_refused_and_its_upload_deleted(studio):
    client = studio()
    add(client, data=b"not a sound")
    (*_, (failure, _)) = client.wait(m.Failure)
    assert "WAV, OGG, MP3" in failure.text
    assert client.document.scene.sound is None
    assert not client.worker.files.uploads._files


def test_the_sound_is_served_by_its_digest(address):
    upload = httpx.post(f"http://{address}/upload", params={"name": "a.wav"}, content=wav())
    with connect(f"ws://{address}/wire", max_size=None) as line:
        line.send(
            encoding.encode_client(m.ImportUpload(upload.json()["upload"], add=True)).decode()
        )
        while True:
            message, _ = encoding.decode(line.recv())
            if isinstance(message, m.Document) and message.sound:
                break
    answer = httpx.get(f"http://{address}/{message.sound.address}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "audio/wav")
    assert answer.content == wav()
    assert httpx.get(f"http://{address}/sound/other").status_code == 404
