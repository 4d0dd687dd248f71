"""Workers with a client, without and with a folder; a disk that fails; a studio over sockets."""

import socket
import threading

import pytest

from arcwright.server.jobs import jobs
from arcwright.server.storage.folder import Folder
from arcwright.server.transport.app import app
from arcwright.server.transport.limits import loopback_limits
from arcwright.server.transport.serving import Server
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


@pytest.fixture
def address(tmp_path, monkeypatch):
    """A studio on a port of its own; its address without a scheme."""
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "index.html").write_text("<title>the page</title>")
    monkeypatch.setenv("ARCWRIGHT_PAGES", str(pages))
    worker = open_document("biped:walk", Folder(tmp_path), tmp_path)
    listening = socket.create_server(("127.0.0.1", 0))
    inside = app(worker)

    async def with_role(scope, receive, send):
        """As authentication would set it; a guest asks with ?view."""
        role = "view" if scope["query_string"].startswith(b"view") else "edit"
        await inside({**scope, "role": role}, receive, send)

    server = Server(with_role, loopback_limits())
    thread = threading.Thread(target=server.run, args=([listening],))
    worker.start()
    thread.start()
    yield f"127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    worker.stop()
