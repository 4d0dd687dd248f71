"""Starts the studio: finds a port, says where it is, opens a browser, ends on Ctrl-C."""

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
from arcwright.server.document.document import Story
from arcwright.server.jobs.file_commands import Errands
from arcwright.server.storage.folder import Folder
from arcwright.server.storage.home import delete_token, home
from arcwright.server.storage.journal.rescue import rescue
from arcwright.server.transport.access import Pass, Role
from arcwright.server.transport.app import app
from arcwright.server.transport.authentication import Door
from arcwright.server.transport.limits import loopback_limits
from arcwright.server.transport.logs import rate_limited_logs
from arcwright.server.transport.serving import Server
from arcwright.server.transport.share import picture, shared
from arcwright.server.worker import Desk
from arcwright.solve.threads import on_one_thread

PORT = 8765
TRIES = 50  # ports tried when nobody asked for one
LOOPBACK = "127.0.0.1"


class PortTaken(ArcwrightError):
    """The port that was asked for is in use."""

    def __init__(self, port: int, why: str) -> None:
        self.port = port
        super().__init__(f"port {port} cannot be used: {why} (choose another with --port)")


def first_scene() -> Scene:
    """What the studio shows when nothing was asked for: the biped, walking."""
    biped = characters.built_in("biped")
    names = ["walk", *(take.name for take in biped.characters[0].takes if take.name != "walk")]
    alone = [name for name in names if not characters.built_in(f"biped:{name}").props]
    body = biped.characters[0]
    walker = replace(body, takes=tuple(body.take(name) for name in alone))
    contacts = tuple(each for each in biped.contacts if each.clip in alone)
    pins = tuple(each for each in biped.pins if each.clip in alone)
    return replace(biped, characters=(walker,), props=(), pins=pins, contacts=contacts)


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
        desk, errands = document(file, Folder(_root(file, folder)), state)
        ends.callback(errands.close)
        ends.callback(desk.stop)
        sys.setswitchinterval(0.0005)  # the desk's thread must not keep the wire waiting
        desk.start()
        inside, own = app(desk, errands), Pass()
        if share is not None:
            others = ends.enter_context(listen("0.0.0.0", None))
            link = ends.enter_context(shared(inside, state, share, others))
            can = "edit" if share == "edit" else "look"
            say(f"{picture(link)}\nFor others on this network, who may {can}: {link}")
            say("  (its certificate is your own: browsers ask once whether to trust it)")
        address = f"http://{LOOPBACK}:{listening.getsockname()[1]}/?token={own.token}"
        say(f"Arcwright studio: {address}  (Ctrl-C ends it)")
        if browser:
            threading.Timer(0.3, webbrowser.open, (address,)).start()
        code = serve(Door(inside, [own]), listening)
    return rescue(desk.story.diary, desk.story.scene, errands.folder.root, say) or code


def document(file: str | None, folder: Folder, state: Path) -> tuple[Desk, Errands]:
    """A desk with a file, a built-in, or what is shown first."""
    path = Path(file).resolve() if file is not None and Path(file).exists() else None
    scene = first_scene() if file is None else read(file)
    if path is not None:
        folder.saw(path)
    name = None if path is None else folder.name_of(path)
    desk = Desk(Story(History(scene), None if path is None else str(path), name=name))
    errands = Errands(desk, folder, state)
    errands.begin(desk.story)
    desk.errand, desk.recent = errands, errands.recent
    return desk, errands


def _root(file: str | None, folder: str | None) -> Path:
    """The folder windows may look into: the one named, that of the file, or the current one."""
    if folder is not None:
        if not Path(folder).is_dir():
            raise BadFile(folder, "is no folder")
        return Path(folder)
    opened = file is not None and Path(file).is_file()
    return Path(file).resolve().parent if opened and file is not None else Path.cwd()


def serve(served: ASGIApp, listening: socket.socket) -> int:
    """Run the server on a socket that listens already; the exit code."""
    server = Server(served, loopback_limits())
    server.run([listening])
    return 0 if server.ended_by is None else 128 + server.ended_by


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on the port asked for, or on the first free one."""
    for wanted in range(PORT, PORT + TRIES) if port is None else (port,):
        # said to be TCP in so many words, or asyncio leaves small messages waiting for each other
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


def say(line: str) -> None:
    """One line for the person who started it, at once even into a pipe."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
