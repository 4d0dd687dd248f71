"""Slow clients against a shared studio: what its owner notices, what is logged, what is used up.

Each attack runs against a studio of its own that may have 256 descriptors, as macOS allows.
Meanwhile the owner asks over an open window and over new connections, on the loopback address.

python benchmarks/attacks_server.py [--connections 400] [--seconds 15] [--only "half"]
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

# isort: split
import numpy as np

from arcwright.server import messages as m
from hostile_clients import planted
from slow import ATTACKS, Slow
from studio_process import GONE, Running, Talk

DESCRIPTORS = 256
PATIENCE = 5.0  # s; an owner who waits that long is locked out


@dataclass
class Owner:
    """What the owner of a studio feels while it is attacked."""

    studio: Running
    answers: list[float] = field(default_factory=list)  # s, over an open connection
    entries: list[float] = field(default_factory=list)  # s, over a new connection
    locked_out: int = 0
    descriptors: int = 0
    memory: int = 0  # bytes
    began: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)

    def work(self) -> None:
        """Ask over and over until message to end;."""
        with suppress(*GONE), self.studio.talk() as talk:
            talk.wait_for(m.Document)
            self.began.set()
            while not self.ended.wait(0.05):
                self.request(talk)
                self.enter()
                self.look()

    def request(self, talk: Talk) -> None:
        """One request over the open connection."""
        start = time.perf_counter()
        talk.send(m.ListFolder("sub"))
        try:
            talk.wait_for(m.Folder, patience=PATIENCE)
            self.answers.append(time.perf_counter() - start)
        except TimeoutError:
            self.locked_out += 1

    def enter(self) -> None:
        """One request over a new connection."""
        start = time.perf_counter()
        line = http.client.HTTPConnection("127.0.0.1", self.studio.port, timeout=PATIENCE)
        try:
            line.request("GET", f"/assets/none?{self.studio.query}")
            line.getresponse().read()
            self.entries.append(time.perf_counter() - start)
        except (OSError, http.client.HTTPException):
            self.locked_out += 1
        finally:
            line.close()

    def look(self) -> None:
        """What the process uses."""
        own = Path(f"/proc/{self.studio.process.pid}")
        if own.exists():
            self.descriptors = max(self.descriptors, sum(1 for _ in (own / "fd").iterdir()))
            self.memory = max(self.memory, self.studio.memory())


def attacked(kind: str, connections: int, seconds: float) -> str:
    """One row of the table."""
    with tempfile.TemporaryDirectory() as name:
        home, opened = planted(Path(name))
        options = {"options": ["--share"], "descriptors": DESCRIPTORS}
        with Running(home, opened, **options) as studio:
            owner, slow = Owner(studio), Slow(studio.shared[0], connections)
            working = Thread(target=owner.work, daemon=True)
            working.start()
            owner.began.wait(60)
            asyncio.run(slow.attack(kind, seconds))
            owner.ended.set()
            working.join(60)
        lines = studio.log.read_text().splitlines()
    tracebacks = sum("Traceback" in line for line in lines)
    return (
        f"| {kind} | {_p95(owner.answers)} | {_p95(owner.entries)} | {owner.locked_out} "
        f"| {slow.refused} of {connections} | {len(lines)} | {tracebacks} | {owner.descriptors} "
        f"| {owner.memory >> 20} |"
    )


def _p95(times: list[float]) -> str:
    return f"{1000 * np.percentile(times, 95):.0f}" if times else "none"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--connections", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print(
        "| attack | answer p95 ms | new connection p95 ms | locked out | ended by the studio "
        "| log lines | tracebacks | descriptors | MB |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for kind in ATTACKS:
        if options.only in kind:
            try:
                print(attacked(kind, options.connections, options.seconds), flush=True)
            except GONE as error:
                print(f"| {kind} | the studio gave up: {error} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
