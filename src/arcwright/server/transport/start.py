"""Starts the studio: finds a port, prints its address, opens a browser, ends on Ctrl-C."""

from __future__ import annotations

import socket
import sys
import threading
import webbrowser
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from starlette.types import ASGIApp

from arcwright import characters
from arcwright.errors import ArcwrightError, BadFile
from arcwright.open import read
from arcwright.scene.history import History
from arcwright.scene.scene import Scene
from arcwright.server.document.document import Document
from arcwright.server.messages import Role
from arcwright.server.storage.folder import Folder
from arcwright.server.storage.home import delete_token, home
from arcwright.server.storage.journal.rescue import rescue
from arcwright.server.transport.app import app
from arcwright.server.transport.authentication import Authentication, Pass
from arcwright.server.transport.limits import loopback_limits
from arcwright.server.transport.logs import rate_limited_logs
from arcwright.server.transport.serving import Server
from arcwright.server.transport.share import phone_link, qr_code, shared
from arcwright.server.worker import DocumentWorker
from arcwright.solve.threads import on_one_thread

PORT = 8765
TRIES = 50  # ports tried when none was given
LOOPBACK = "127.0.0.1"


class PortTaken(ArcwrightError):
    """The requested port is in use."""

    def __init__(self, port: int, why: str) -> None:
        self.port = port
        super().__init__(f"port {port} cannot be used: {why} (choose another with --port)")


def first_scene() -> Scene:
    """The scene of a studio started without a file: the biped, walking."""
    biped = characters.built_in("biped")
    names = ["walk", *(take.name for take in biped.characters[0].takes if take.name != "walk")]
    alone = [name for name in names if not characters.built_in(f"biped:{name}").props]
    body = biped.characters[0]
    walker = replace(body, takes=tuple(body.take(name) for name in alone))
    constraints = tuple(each for each in biped.constraints if each.take in alone)
    return replace(biped, characters=(walker,), props=(), constraints=constraints)


@on_one_thread
def studio(
    file: str | None,
    *,
    port: int | None = None,
    browser: bool = True,
    share: Role | None = None,
    folder: str | None = None,
) -> int:
    """Serve until Ctrl-C; the exit code."""
    with ExitStack() as ends:
        ends.enter_context(rate_limited_logs())
        state = home()
        delete_token(state)
        listening = ends.enter_context(listen(LOOPBACK, port))
        worker = open_document(file, Folder(_root(file, folder)), state)
        ends.callback(worker.stop)
        sys.setswitchinterval(0.0005)  # the worker's thread must not delay the sockets
        worker.start()
        application, own = app(worker), Pass()
        if share is not None:
            others = ends.enter_context(listen("0.0.0.0", None))
            link = ends.enter_context(shared(application, state, share, others))
            if share == "edit":
                worker.phone = phone_link(link)
            print_line(f"{qr_code(link)}\nLink for others on this network, who may {share}: {link}")
            print_line("  (the certificate is self-signed: browsers ask once whether to trust it)")
        address = f"http://{LOOPBACK}:{listening.getsockname()[1]}/?token={own.token}"
        root = worker.files.folder.root
        print_line(f"Arcwright studio: {address}  (saves to {root}; Ctrl-C ends it)")
        if browser:
            threading.Timer(0.3, webbrowser.open, (address,)).start()
        code = serve(Authentication(application, [own]), listening)
    document = worker.opened.document
    return rescue(document.log, document.scene, worker.files.folder.root, print_line) or code


def open_document(file: str | None, folder: Folder, state: Path) -> DocumentWorker:
    """A worker with a file, a built-in, or the first scene."""
    path = Path(file).resolve() if file is not None and Path(file).exists() else None
    scene = first_scene() if file is None else read(file)
    if path is not None:
        folder.mark_seen(path)
    name = None if path is None else folder.name_of(path)
    document = Document(History(scene), None if path is None else str(path), name=name)
    worker = DocumentWorker(document, folder, state)
    worker.files.start_journal(document)
    return worker


def _root(file: str | None, folder: str | None) -> Path:
    """The folder that clients may read: the one named, that of the file, or the current one."""
    if folder is not None:
        if not Path(folder).is_dir():
            raise BadFile(folder, "is not a folder")
        return Path(folder)
    opened = file is not None and Path(file).is_file()
    return Path(file).resolve().parent if opened and file is not None else Path.cwd()


def serve(served: ASGIApp, listening: socket.socket) -> int:
    """Run the server on a socket that listens already; the exit code."""
    server = Server(served, loopback_limits())
    server.run([listening])
    return 0 if server.ended_by is None else 128 + server.ended_by


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on the given port, or on the first free one."""
    for wanted in range(PORT, PORT + TRIES) if port is None else (port,):
        # with the protocol stated, or asyncio does not set TCP_NODELAY
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, wanted))
            made.listen(128)
        except (OSError, OverflowError) as error:
            made.close()
            if port is not None:
                why = error.strerror if isinstance(error, OSError) else str(error)
                raise PortTaken(port, (why or str(error)).lower()) from error
        else:
            return made
    raise PortTaken(PORT, f"and the {TRIES - 1} after it are in use too")


def print_line(line: str) -> None:
    """Print one line at once, even into a pipe."""
    coding = sys.stdout.encoding or "ascii"
    sys.stdout.write(line.encode(coding, "replace").decode(coding) + "\n")  # paths hold anything
    sys.stdout.flush()
