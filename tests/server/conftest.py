"""Desks with a seat, without and with errands."""

import pytest

from arcwright.server.jobs import jobs
from arcwright.server.storage.folder import Folder
from arcwright.server.transport.start import document
from seats import Seat, desk_with


@pytest.fixture
def desk():
    """A desk on a walk at which no hand counts as resting."""
    with desk_with(rests=False) as made:
        yield made


@pytest.fixture
def seat(desk):
    return Seat(desk)


@pytest.fixture
def office(tmp_path, monkeypatch):
    """A desk with errands on a folder of its own; no bars, however slow the machine is."""
    monkeypatch.setattr(jobs, "PATIENCE", 60.0)
    folder, state = tmp_path / "folder", tmp_path / "state"
    folder.mkdir()
    state.mkdir()
    made = []

    def begin(file="biped:walk"):
        desk, errands = document(file, Folder(folder), state)
        desk.start()
        made.append((desk, errands))
        return Seat(desk)

    begin.folder, begin.state = folder, state
    yield begin
    for desk, errands in made:
        desk.stop()
        errands.close()
