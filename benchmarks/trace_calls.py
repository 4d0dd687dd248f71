"""Which files of the package one drag move and one picture of a BVH file pass through.

    python benchmarks/trace_calls.py [--list]

A move is one `UpdateInteraction` of the tangent tool, from the socket of a running server to its
last answer (preview, motion curve, poses, keys); a picture is `read` of a BVH file and `strobe`.
Files count when one of their functions is called; limits are for the compiled library, without
which NumPy takes a few more. Comprehensions and imports do not count, nor
do coroutines that wait for the socket and go on, and what counts bytes and time on it.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from pathlib import Path
from types import FrameType
from typing import Any

from websockets.sync.client import ClientConnection, connect

import arcwright
from arcwright import Point, characters, files, trail
from arcwright.picture.strobe import strobe
from arcwright.server import messages as m
from arcwright.server.interactions import interactions
from arcwright.server.messages import encoding
from arcwright.server.storage.folder import Folder
from arcwright.server.transport.app import app
from arcwright.server.transport.authentication import Authentication, Pass
from arcwright.server.transport.limits import loopback_limits
from arcwright.server.transport.serving import Server
from arcwright.server.transport.start import listen, open_document

INSIDE = f"{Path(arcwright.__file__).parent}{os.sep}"
# Sockets that count bytes, timers, and the rate limit under which the next message is awaited.
SOCKET = tuple(
    f"server/transport/{name}.py" for name in ("limits", "serving", "authentication", "rate_limit")
)
LIMITS = {"move": {"server": 6, "tools": 8, "all": 40}, "picture": {"all": 32}}


class Trace:
    """Records the files of the package whose functions are called while it is active."""

    def __init__(self) -> None:
        self.active = False
        self.files: dict[str, str] = {}  # file to the first function called in it

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """A profile function."""
        if not self.active or event != "call":
            return
        name, function = frame.f_code.co_filename, frame.f_code.co_name
        if not name.startswith(INSIDE) or function.startswith("<") or _goes_on(frame):
            return
        file = name.removeprefix(INSIDE).replace(os.sep, "/")
        if file not in SOCKET:
            self.files.setdefault(file, function)

    def during(self, act: Callable[[], None]) -> dict[str, str]:
        """The files that a call enters, in order."""
        self.files, self.active = {}, True
        try:
            act()
        finally:
            self.active = False
        return self.files


def _goes_on(frame: FrameType) -> bool:
    """Whether a call continues a coroutine or generator that was entered before."""
    code = frame.f_code
    suspends = code.co_flags & (CO_COROUTINE | CO_GENERATOR | CO_ASYNC_GENERATOR)
    return bool(suspends) and code.co_code[frame.f_lasti + 1] != 0  # the argument of RESUME


def trace_move(trace: Trace, home: Path) -> dict[str, str]:
    """One move of a drag through a server on threads of this process."""
    threading.setprofile(trace)
    scene = characters.built_in("biped:walk")
    worker = open_document("biped:walk", Folder(home), home)
    worker.start()
    own = Pass()
    listening = listen("127.0.0.1", 0)
    server = Server(Authentication(app(worker), [own]), loopback_limits())
    serving = threading.Thread(target=server.run, args=([listening],), daemon=True)
    serving.start()
    threading.setprofile(None)  # threads that run already keep it
    try:
        return _traced_move(trace, scene, listening, own.token)
    finally:
        server.should_exit = True
        serving.join()
        worker.stop()


def _traced_move(
    trace: Trace, scene: arcwright.Scene, listening: socket.socket, token: str
) -> dict[str, str]:
    port = listening.getsockname()[1]
    hips = m.PointRef("Hips")
    x, y, z = trail(scene.characters[0].takes[0], Point("Hips"), [0.4]).position[0].tolist()
    with connect(
        f"ws://127.0.0.1:{port}/wire?token={token}",
        origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]
        max_size=None,
    ) as line:

        def send(*messages: m.ClientMessage) -> None:
            for each in messages:
                line.send(encoding.encode_client(each))

        def move(by: float) -> None:
            send(m.UpdateInteraction(1, hips, 0.4, (x, y + by, z)))
            _wait(line, m.Preview, m.Curve, m.Frames, m.Keys)

        send(
            m.Subscribe("biped", "walk", [hips]),
            m.RequestFrames("biped", "walk", 0, 200),
            m.RequestKeys("biped", "walk"),
        )
        _wait(line, m.Curve, m.Frames, m.Keys)
        interactions.IDLE_AFTER = 600.0  # a move alone is traced, not the idle solve after it
        send(m.BeginInteraction(1, "tangent", "biped", "walk", {}))
        move(0.01)
        return dict(trace.during(lambda: move(0.02)))


def _wait(line: ClientConnection, *kinds: type) -> None:
    """Read messages until one of each kind has arrived."""
    missing = set(kinds)
    while missing:
        data = line.recv(timeout=60)
        assert isinstance(data, bytes)
        missing.discard(type(encoding.decode(data)[0]))


def trace_picture(trace: Trace, folder: Path) -> dict[str, str]:
    """One BVH file from disk to a picture."""
    file = folder / "walk.bvh"
    files.write(characters.built_in("biped:walk"), file)

    def draw() -> None:
        strobe(files.read(file), folder / "walk.png", every=20, size=(320, 180))

    sys.setprofile(trace)
    try:
        return dict(trace.during(draw))
    finally:
        sys.setprofile(None)


def report(name: str, entered: dict[str, str], *, listed: bool) -> bool:
    """Print the counts of one trace; whether all are within their limits."""
    within = True
    for part, limit in LIMITS[name].items():
        count = sum(part == "all" or file.startswith(f"{part}/") for file in entered)
        within &= count <= limit
        print(f"{name:8} {part:7} {count:3} files, at most {limit}")
    if listed:
        for file, function in entered.items():
            print(f"    {file}: {function}")
    return within


def main() -> int:
    """Count, print, and fail above a limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the files, in order of entry")
    listed = parser.parse_args().list
    trace = Trace()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        moved = report("move", trace_move(trace, home), listed=listed)
        drawn = report("picture", trace_picture(trace, home), listed=listed)
    return 0 if moved and drawn else 1


if __name__ == "__main__":
    raise SystemExit(main())
