"""Damaged journals in the studio: what clients see of them."""

import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from arcwright.server import messages as m
from arcwright.server.jobs import file_commands
from builders import full_scene
from journal_damage import spoil, unit_of
from journalled import Document
from local_clients import PIN, LocalClient


def left_behind(state, scene=None):
    document = Document(state, scene)
    document.start = document.history.scene
    document.do("one")
    document.crash()
    return document


def test_a_damaged_journal_does_not_stop_a_welcome(studio, monkeypatch):
    left_behind(studio.state)
    monkeypatch.setattr(file_commands, "unfinished", lambda _: b"\xff".decode())
    client = studio()
    assert client.received[0][0].recent == []
    client.send(m.ApplyChange(PIN))
    assert client.wait(m.Document)[-1][0].done


def test_an_invalid_label_in_an_old_journal_does_not_stop_a_welcome(studio):
    (studio.state / "journals").mkdir()
    file = studio.state / "journals" / "20250101-000000-0.journal"
    shutil.copy(Path(__file__).parent / "version_1.journal", file)
    with closing(sqlite3.connect(file)) as writer, writer:
        writer.execute("UPDATE steps SET label = CAST(x'ff80' AS TEXT) WHERE number = 2")
    client = studio()
    (recent,) = client.received[0][0].recent
    assert recent.recover
    assert recent.damage == "The label of entry 2 could not be read"


def test_a_client_is_sent_whether_a_left_document_differs_from_its_file(studio):
    left_behind(studio.state)
    undone = Document(studio.state)
    undone.do("one")
    undone.undo()
    name = undone.crash()
    recent = studio().received[0][0].recent
    assert {each.name: each.differs for each in recent if each.recover}[name] is False
    assert sorted(each.differs for each in recent) == [False, True]


def test_a_client_is_sent_what_a_recovered_document_has_lost(studio):
    document = left_behind(studio.state, replace(full_scene(), name="all"))
    spoil(document.file, unit_of(document.file, document.start, document.start.characters[0].rig))
    client = studio()
    (recent,) = client.received[0][0].recent
    assert recent.damage == "Character 'arm' could not be read"
    client.send(m.Open("recover", recent.name))
    client.wait(m.Document, lambda message: message.name == document.start.name)
    reported = client.wait(m.Failure)[-1][0].text
    assert reported.startswith("Character 'arm' could not be read")
    client.send(
        m.Subscribe("arm", "wave", [m.PointRef("lost")]), m.RequestFrames("two", "odd", 0, 5)
    )
    client.sync()
    again = LocalClient(client.worker)
    assert os.sep + "journals" not in str(again.received)
