"""The studio as a process of its own, and talking to it as a page does."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidMessage
from websockets.sync.client import connect

from arcwright.server import wire

LONG = 60.0  # s; nothing here takes that long unless it is broken


class Running:
    """A studio with a state folder and an opened folder of its own; stopped at the end."""

    def __init__(
        self,
        home: Path,
        folder: Path,
        scene: str = "biped:walk",
        launcher: tuple[str, ...] = ("-m", "arcwright"),
    ) -> None:
        command = [sys.executable, *launcher, "studio", "--no-browser", scene]
        self.log = home.parent / "studio.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--folder", str(folder)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | {"ARCWRIGHT_HOME": str(home)},
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"https?://\S+", line)
        assert found, f"the studio ended at once: {self.log.read_text()[-2000:]}"
        self.address = found[0]
        self.killed = False
        parts = urlsplit(self.address)
        self.origin = f"http://{parts.netloc}"
        self.port = int(parts.port or 80)
        self.query = parts.query

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(LONG)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process.stdout.close()  # type: ignore[union-attr]

    def kill(self) -> None:
        """End it without a word."""
        self.killed = True
        self.process.kill()
        self.process.wait()

    def talk(self) -> Talk:
        """A window on its document."""
        ended = self.process.poll()
        if ended is not None:
            raise ConnectionError(f"it has ended ({ended}): {self.log.read_text()[-3000:]}")
        return Talk(f"ws://127.0.0.1:{self.port}/wire?{self.query}", self.origin)


class Talk:
    """A window without a page."""

    def __init__(self, address: str, origin: str) -> None:
        settings = {"max_size": None, "compression": None, "open_timeout": LONG}
        self._line = connect(address, origin=origin, **settings)

    def __enter__(self) -> Talk:
        self.socket = self._line.__enter__()
        return self

    def __exit__(self, *how: object) -> None:
        self._line.__exit__(*how)

    def say(self, word: object) -> None:
        """A message of ours, or anything at all as it is."""
        self.socket.send(word if isinstance(word, str | bytes) else wire.say(word))  # type: ignore[arg-type]

    def hear(self, *kinds: type, when=lambda message: True):
        """The next message of one of these kinds."""
        until = time.monotonic() + LONG
        while time.monotonic() < until:
            data = self.socket.recv(timeout=LONG)
            assert isinstance(data, bytes)
            message, _ = wire.decode(data)
            if isinstance(message, kinds) and when(message):
                return message
        raise AssertionError(f"never heard any of {kinds}")


GONE = (ConnectionClosed, InvalidMessage, ConnectionError)
