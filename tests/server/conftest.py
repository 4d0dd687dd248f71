"""Workers with a client, without and with a folder; a disk that fails."""

import pytest

from arcwright.server.jobs import jobs
from arcwright.server.storage.folder import Folder
from arcwright.server.transport.start import open_document
from journalled import Disk
from local_clients import LocalClient, worker_with


@pytest.fixture
def worker():
    """A worker on a walk for which no interaction is ever idle."""
    with worker_with(idle=False) as made:
        yield made


@pytest.fixture
def disk(monkeypatch):
    """A disk that can be made to fail."""
    return Disk(monkeypatch)


@pytest.fixture
def client(worker):
    return LocalClient(worker)


@pytest.fixture
def studio(tmp_path, monkeypatch):
    """Opens files of a folder; no progress bars, however slow the machine is."""
    monkeypatch.setattr(jobs, "SHOWN_AFTER", 60.0)
    folder, state = tmp_path / "folder", tmp_path / "state"
    folder.mkdir()
    state.mkdir()
    workers = []

    def begin(file="biped:walk"):
        worker = open_document(file, Folder(folder), state)
        worker.start()
        workers.append(worker)
        return LocalClient(worker)

    begin.folder, begin.state = folder, state
    yield begin
    for worker in workers:
        worker.stop()
