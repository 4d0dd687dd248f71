"""How old the studio's answers are: round trips of moves, and 125 moves a second for a while.

    python benchmarks/studio_server.py [--seconds 20] [--rate 125]

The reference drag (hips over planted feet) on the biped's walk and, where ../shared/data is there,
on a real rig whose clip is first fitted with few keys. The server is a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from arcwright.scene.constraint import Pin
from arcwright.scene.constraint_values import constraint_values
from arcwright.scene.point import Point
from arcwright.server import messages as m
from arcwright.server.messages import encoding

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "gltf"


@dataclass(frozen=True)
class Case:
    """A drag: of which point, when, and what is held meanwhile besides the scene's own contacts."""

    scene: str
    take: str
    joint: str
    time: float  # s
    pins: tuple[str, ...] = ()
    fit: float | None = None  # m; the clip is baked and is first turned into few keys


CASES = (
    Case("biped:walk", "walk", "Hips", 0.4),
    Case(str(DATA / "RobotExpressive.glb"), "Walking", "Hips", 0.0625, ("Foot.L", "Foot.R"), 0.005),
)
RADIUS = 0.02  # m, of the circle that a drag follows
ROUND = 2.0  # s, once around


@dataclass
class Seen:
    """A line to the server, with what it has message."""

    line: ClientConnection
    sizes: list[int] = field(default_factory=list)

    async def send(self, *messages: m.ClientMessage) -> None:
        """Send."""
        for message in messages:
            await self.line.send(encoding.encode_client(message).decode())

    async def wait(
        self, kind: type[m.ServerMessage]
    ) -> tuple[m.ServerMessage, dict[str, encoding.Single]]:
        """The next message of a kind."""
        while True:
            data = await self.line.recv()
            assert isinstance(data, bytes)
            self.sizes.append(len(data))
            message, arrays = encoding.decode(data)
            if isinstance(message, m.Failure):
                raise SystemExit(message.text)
            if isinstance(message, kind):
                return message, arrays


class Hand:
    """A drag of a point in a circle around its position."""

    def __init__(self, joint: str, time_: float, start: np.ndarray) -> None:
        self.joint, self.time, self.start = joint, time_, start

    def target(self, seconds: float) -> np.ndarray:
        """Where it is after a while."""
        angle = 2 * np.pi * seconds / ROUND
        return self.start + RADIUS * np.array([np.sin(angle), 0.0, 1 - np.cos(angle)])

    def move(self, seconds: float) -> m.UpdateInteraction:
        """The message of that."""
        x, y, z = self.target(seconds).tolist()
        return m.UpdateInteraction(1, m.PointRef(self.joint), self.time, (x, y, z))


async def ready(seen: Seen, case: Case) -> tuple[str, Hand]:
    """Subscribe to everything that a page shows."""
    document, _ = await seen.wait(m.Document)
    who = next(iter(document.takes))
    duration = next(take.duration for take in document.takes[who] if take.name == case.take)
    pins = [
        m.AddConstraint(who, case.take, constraint_values(Pin(Point(pin), 0.0, duration)))
        for pin in case.pins
    ]
    fit = [] if case.fit is None else [m.FitTake(who, case.take, case.fit)]
    for change in (*fit, *pins):
        await seen.send(m.ApplyChange(change))
        await seen.wait(m.Document)
    await seen.send(m.RequestFrames(who, case.take, 0, 239), m.RequestKeys(who, case.take))
    await seen.wait(m.Keys)
    await seen.send(m.Subscribe(who, case.take, [m.PointRef(case.joint)]))
    _, arrays = await seen.wait(m.Curve)
    at = int(np.abs(arrays["times"] - case.time).argmin())
    return who, Hand(case.joint, float(arrays["times"][at]), arrays["positions"][at].astype(float))


async def round_trips(seen: Seen, interaction: Hand, count: int) -> np.ndarray:
    """Seconds from a move to its preview, one after the other."""
    spent = []
    for step in range(count):
        began = time.perf_counter()
        await seen.send(interaction.move(step / 125.0))
        await seen.wait(m.Preview)
        spent.append(time.perf_counter() - began)
    return np.array(spent)


async def steady(
    seen: Seen, interaction: Hand, seconds: float, rate: float
) -> tuple[np.ndarray, np.ndarray]:
    """Ages of answers, s, while moves come without waiting for them; and how far off each is, m.

    An answer belongs to the move since the last one answered whose target it reached.
    """
    sent: list[float] = []
    ages, off = [], []
    began, answered = time.perf_counter(), -1

    async def moving() -> None:
        for step in range(int(seconds * rate)):
            await asyncio.sleep(max(0.0, began + step / rate - time.perf_counter()))
            sent.append(time.perf_counter())
            await seen.send(interaction.move(step / rate))

    moves = asyncio.create_task(moving())
    while not moves.done() or answered < len(sent) - 1:
        try:
            preview, _ = await asyncio.wait_for(seen.wait(m.Preview), 3)
        except TimeoutError:
            break
        now = time.perf_counter()
        since = range(answered + 1, len(sent))
        away = [np.linalg.norm(interaction.target(i / rate) - preview.drag.position) for i in since]
        if away:
            answered = since[int(np.argmin(away))]
            ages.append(now - sent[answered])
            off.append(min(away))
    await moves
    return np.array(ages), np.array(off)


async def after_rests(seen: Seen, interaction: Hand, rate: float) -> np.ndarray:
    """Ages of the answers to moves that come while the worker thinks about what was in the way."""
    ages = []
    for turn in range(10):
        x, y, z = interaction.start.tolist()
        far = x, y + 0.6 + turn / 1000, z
        await seen.send(
            m.UpdateInteraction(1, m.PointRef(interaction.joint), interaction.time, far)
        )
        await seen.wait(m.Preview)
        await asyncio.sleep(0.18)  # by now the interaction rests and its notes are being made
        some, _ = await steady(seen, interaction, 0.25, rate)
        ages.append(some)
    return np.concatenate(ages)


def memory(process: int) -> str:
    """What a process holds, where the system says so."""
    try:
        message = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return "unknown"
    found = re.search(r"VmRSS:\s+(\d+) kB", message)
    return f"{int(found[1]) / 1024:.0f} MB" if found else "unknown"


def summary(name: str, spent: np.ndarray) -> str:
    p50, p95, worst = np.quantile(spent, [0.5, 0.95, 1.0]) * 1000
    return f"{name}: p50 {p50:.1f}, p95 {p95:.1f}, worst {worst:.1f} ms"


async def measure(address: str, case: Case, given: argparse.Namespace, process: int) -> None:
    wire_address = address.replace("http", "ws").replace("/?", "/wire?")
    async with connect(wire_address, compression=None, max_size=None) as line:
        seen = Seen(line)
        who, interaction = await ready(seen, case)
        await seen.send(m.BeginInteraction(1, "tangent", who, case.take, {}))
        await round_trips(seen, interaction, 10)
        seen.sizes.clear()
        trips = await round_trips(seen, interaction, given.trips)
        answer = sum(seen.sizes) / given.trips / 1000
        print(
            f"{who} {case.take}, {case.joint} at {interaction.time:.3f} s, "
            f"answers of {answer:.1f} KB"
        )
        print("  " + summary(f"round trip of {given.trips} moves", trips))
        before = memory(process)
        ages, off = await steady(seen, interaction, given.seconds, given.rate)
        print("  " + summary(f"age of answers at {given.rate:g} moves/s", ages), end="")
        third = max(1, len(ages) // 3)
        first, last = np.median(ages[:third]) * 1000, np.median(ages[-third:]) * 1000
        print(f"; {len(ages) / given.seconds:.0f} answers/s")
        apart = 2e3 * np.pi * RADIUS / ROUND / given.rate
        print(f"  first third {first:.1f}, last third {last:.1f} ms")
        print(f"  (known by their place: {np.median(off) * 1e3:.3f} mm off, {apart:.2f} mm apart)")
        print(f"  memory of the server {before} before, {memory(process)} after")
        rests = await after_rests(seen, interaction, given.rate)
        print("  " + summary("age of answers right after a rest out of reach", rests))
        await seen.send(m.CancelInteraction(1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rate", type=float, default=125.0)
    parser.add_argument("--trips", type=int, default=400)
    given = parser.parse_args()
    for case in CASES:
        if not (":" in case.scene or Path(case.scene).exists()):
            print(f"{Path(case.scene).name}: not there, left out")
            continue
        with tempfile.TemporaryDirectory() as state:
            server = subprocess.Popen(
                [sys.executable, "-m", "arcwright", "studio", "--no-browser", case.scene],
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "ARCWRIGHT_HOME": state},
            )
            try:
                assert server.stdout is not None
                line = server.stdout.readline()
                found = re.search(r"http://\S+", line)
                if found is None:
                    raise SystemExit(f"the studio did not start: {line}")
                asyncio.run(measure(found[0], case, given, server.pid))
            finally:
                server.terminate()
                server.wait()


if __name__ == "__main__":
    main()
