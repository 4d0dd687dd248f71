"""The studio as a process of its own, and talking to it as a page does."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidMessage
from websockets.sync.client import connect

from arcwright.server.messages import encoding

LONG = 60.0  # s; nothing here takes that long unless it is broken


def _limit(descriptors: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))


class Running:
    """A studio with a state folder and an opened folder of its own; stopped at the end."""

    def __init__(
        self,
        home: Path,
        folder: Path,
        scene: str = "biped:walk",
        *,
        launcher: Sequence[str] = ("-m", "arcwright"),
        options: Sequence[str] = (),
        descriptors: int | None = None,
    ) -> None:
        command = [sys.executable, *launcher, "studio", scene, "--no-browser", *options]
        self.log = home.parent / "studio.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--folder", str(folder)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | {"ARCWRIGHT_HOME": str(home)},
                preexec_fn=None if descriptors is None else partial(_limit, descriptors),
            )
        links = self._links()
        assert links, f"the studio ended at once: {self.log.read_text()[-2000:]}"
        self.address, self.shared = links[-1], links[:-1]
        self.killed = False
        parts = urlsplit(self.address)
        self.origin = f"http://{parts.netloc}"
        self.port = int(parts.port or 80)
        self.query = parts.query

    def _links(self) -> list[str]:
        """The links that it prints; the one for this machine comes last."""
        found: list[str] = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found += re.findall(r"https?://\S+", line)
            if "Arcwright studio:" in line:
                return found
        return []

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
        """End it without a message."""
        self.killed = True
        self.process.kill()
        self.process.wait()

    def memory(self) -> int:
        """Bytes that it uses now; 0 where that cannot be known."""
        try:
            pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        except OSError:
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def talk(self) -> Talk:
        """A client of its document."""
        ended = self.process.poll()
        if ended is not None:
            raise ConnectionError(f"it has ended ({ended}): {self.log.read_text()[-3000:]}")
        return Talk(f"ws://127.0.0.1:{self.port}/wire?{self.query}", self.origin)


class Talk:
    """A client without a page."""

    def __init__(self, address: str, origin: str) -> None:
        settings = {"max_size": None, "compression": None, "open_timeout": LONG}
        self._line = connect(address, origin=origin, **settings)

    def __enter__(self) -> Talk:
        self.socket = self._line.__enter__()
        return self

    def __exit__(self, *how: object) -> None:
        self._line.__exit__(*how)

    def send(self, message: object) -> None:
        """A message of ours, or anything at all as it is."""
        self.socket.send(
            message if isinstance(message, str | bytes) else encoding.encode_client(message)
        )  # type: ignore[arg-type]

    def wait_for(self, *kinds: type, when=lambda message: True, patience: float = LONG):
        """The next message of one of these kinds."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            data = self.socket.recv(timeout=patience)
            assert isinstance(data, bytes)
            message, _ = encoding.decode(data)
            if isinstance(message, kinds) and when(message):
                return message
        raise AssertionError(f"never received any of {kinds}")


GONE = (ConnectionClosed, InvalidMessage, ConnectionError)
