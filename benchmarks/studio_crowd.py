"""How long a move takes when many clients watch, and what exports do to it.

    python benchmarks/studio_crowd.py [--clients 20] [--seconds 5] [--rate 60] [--repeats 3]

The studio is a process of its own; those who drag are in this one, onlookers in a third. Every
client asks for what a page asks for. The latency of a move is from sending it to having its
preview, or that of a later move by which it was superseded.
`--profile` prints where the threads of the studio spend their time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import arcwright
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from crowd_clients import Drag, Onlookers, crowd_scene, drag, drag_of, matched, opening
from light_client import LightClient, Seen

HERE = Path(__file__).resolve().parent
CLOSE = 1e-3  # m; answers further from all targets cannot be matched with a move


@dataclass
class Latency:
    """Of the moves of one drag: as the dragging client and observers see it."""

    dragging: np.ndarray  # s
    looking: np.ndarray  # s
    answers: float  # per second
    off: float  # m, median distance of answers from the targets they are matched with, at most


@dataclass
class Phase:
    """What was measured while some drags went on."""

    latency: Latency
    server: float  # CPU seconds per second
    clients: float  # CPU seconds per second, of both processes
    answers: float  # per second, to all who drag
    received: float  # MB/s, by all clients


@dataclass
class Studio:
    """A studio that runs, and those who drag in it."""

    process: subprocess.Popen[str]
    address: str
    scene: Scene
    given: argparse.Namespace

    def cpu(self) -> float:
        """CPU seconds the studio and its children have spent, where the system says so."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return float("nan")
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    async def phase(
        self,
        clients: Sequence[LightClient],
        drags: Sequence[Drag],
        onlookers: Onlookers | None,
        seconds: float | None = None,
    ) -> Phase:
        """Let some clients drag, all at once."""
        seconds = seconds or self.given.seconds
        if onlookers is not None:
            await onlookers.begin()
        for client in clients:
            client.seen, client.size = [], 0
        began, own, server = time.perf_counter(), time.process_time(), self.cpu()
        pairs = zip(clients, drags, strict=True)
        done = await asyncio.gather(*(drag(*pair, seconds, self.given.rate) for pair in pairs))
        spent = time.perf_counter() - began
        own, server = time.process_time() - own, self.cpu() - server
        size = sum(client.size for client in clients)
        lookers: list[list[Seen]] = []
        if onlookers is not None:
            await asyncio.sleep(0.3)  # the last of it arrives
            lookers, other, more = await onlookers.end()
            own, size = own + other, size + more
        dragging = [matched(c.seen, *each) for c, each in zip(clients, done, strict=True)]
        looking = [matched(seen, *each)[0] for seen in lookers for each in done]
        ages = np.concatenate([np.array(each[0]) for each in dragging])
        off = max(float(np.median(each[1])) for each in dragging)
        if off > CLOSE:
            raise SystemExit(f"previews are {1e3 * off:.1f} mm from every target: choose others")
        seen_ages = np.concatenate([np.zeros(0), *map(np.array, looking)])
        answers = sum(len(each[1]) for each in dragging) / seconds / len(clients)
        latency = Latency(ages, seen_ages, answers, off)
        total = answers * len(clients) * seconds / spent
        return Phase(latency, server / spent, own / spent, total, size / spent / 1e6)


@contextmanager
def running(scene: Scene, given: argparse.Namespace) -> Iterator[Studio]:
    """A studio with the scene, until the end."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "crowd.arc.glb"
        arcwright.write(scene, file)
        start = [str(HERE / "profiled_studio.py")] if given.profile else ["-m", "arcwright"]
        process = subprocess.Popen(
            [sys.executable, *start, "studio", "--no-browser", str(file)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "ARCWRIGHT_HOME": folder},
        )
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            found = re.search(r"http://\S+", line)
            if found is None:
                raise SystemExit(f"the studio did not start: {line}")
            yield Studio(process, found[0], scene, given)
        finally:
            process.send_signal(signal.SIGINT)  # not terminated: the profile is printed at the end
            rest = process.stdout.read()
            process.wait()
            if given.profile:
                print(rest)


def ms(seconds: np.ndarray) -> tuple[float, float]:
    """p50 and p95, ms."""
    if not len(seconds):
        return float("nan"), float("nan")
    low, high = np.quantile(seconds, [0.5, 0.95]) * 1000
    return float(low), float(high)


def line_of(name: str, phase: Phase) -> str:
    """A phase in a line."""
    own, others = ms(phase.latency.dragging), ms(phase.latency.looking)
    text = f"  {name:34} p50 {own[0]:7.1f}  p95 {own[1]:7.1f} ms"
    text += f"  {phase.latency.answers:3.0f}/s" + (
        f"  onlookers {others[0]:7.1f} {others[1]:7.1f} ms" if others[0] == others[0] else " " * 29
    )
    cpu = f"  CPU server {phase.server:4.2f} clients {phase.clients:4.2f}"
    cpu += f", {1e3 * phase.server / phase.answers:4.1f} ms an answer"
    return text + cpu + f"  {phase.received:5.1f} MB/s  (off {phase.latency.off * 1e3:.2f} mm)"


def ratio(few: Phase, many: Phase) -> tuple[float, float]:
    """How many times longer, p50 and p95."""
    a, b = ms(few.latency.dragging), ms(many.latency.dragging)
    return b[0] / a[0], b[1] / a[1]


async def export(client: LightClient, format: str, scene: Scene) -> float:
    """Seconds from asking for a file to hearing that it is there."""
    actor = scene.characters[0]
    began, known = time.perf_counter(), client.received["Download"]
    client.send(m.Export(format, actor.name, actor.takes[0].name))
    await client.until(lambda: client.received["Download"] > known, seconds=300.0)
    return time.perf_counter() - began


async def measured(studio: Studio, given: argparse.Namespace) -> dict[str, tuple[float, ...]]:
    """One repeat: alone, then in a crowd; ratios by name."""
    scene, found = studio.scene, {}
    people = range(given.together)
    clients = [await LightClient(studio.address, opening(scene, 0)).connect()]
    alone = {}
    for tool in given.tools:
        alone[tool] = await studio.phase(clients, [drag_of(scene, tool)], None)
        print(line_of(f"{tool}, 1 client", alone[tool]))
    exported = {format: await export(clients[0], format, scene) for format in given.exports}
    clients += [
        await LightClient(studio.address, opening(scene, i)).connect()
        for i in range(1, len(people))
    ]
    several = [drag_of(scene, "tangent", each) for each in people]
    few = await studio.phase(clients, several, None) if len(people) > 1 else None
    if few is not None:
        print(line_of(f"tangent, {len(people)} drag, {len(people)} clients", few))
    number = max(0, given.clients - len(clients))
    onlookers = Onlookers(studio.address, scene, number, given.reads)
    for tool in given.tools:
        phase = await studio.phase(clients[:1], [drag_of(scene, tool)], onlookers)
        print(line_of(f"{tool}, {given.clients} clients", phase))
        found[f"{tool}, {given.clients} clients to 1"] = ratio(alone[tool], phase)
    if few is not None:
        phase = await studio.phase(clients, several, onlookers)
        print(line_of(f"tangent, {len(people)} drag, {given.clients} clients", phase))
        found[f"tangent, {len(people)} drag, {given.clients} clients to {len(people)}"] = ratio(
            few, phase
        )
    if given.exports:
        found |= await exporting(studio, clients, onlookers, exported, given)
    onlookers.close()
    for client in clients:
        client.close()
    return found


async def exporting(
    studio: Studio,
    clients: Sequence[LightClient],
    onlookers: Onlookers,
    exported: dict[str, float],
    given: argparse.Namespace,
) -> dict[str, tuple[float, ...]]:
    """Exports while somebody drags: how much longer they and the drag take."""
    found = {}
    move = drag_of(studio.scene, "tangent")
    for format, alone in exported.items():
        dragging = asyncio.create_task(
            studio.phase(clients[:1], [move], onlookers, seconds=max(given.seconds, 3 * alone))
        )
        await asyncio.sleep(0.5)
        took = await export(clients[1], format, studio.scene)
        still = not dragging.done()
        phase = await dragging
        print(line_of(f"tangent, {given.clients} clients, {format} export", phase))
        lasted = "" if still else " (longer than the drag)"
        print(f"    {format}: alone {alone:.2f} s, under load {took:.2f} s{lasted}")
        found[f"{format} export, under load to alone"] = (took / alone,)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rate", type=float, default=60.0, help="moves a second")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--together",
        type=int,
        default=4,
        help="how many drag at once at the end; more than four share characters",
    )
    parser.add_argument("--tools", nargs="*", default=["tangent", "pose", "spacetime"])
    parser.add_argument("--exports", nargs="*", default=[], help="png glb bvh arc")
    parser.add_argument("--reads", action="store_true", help="onlookers decode all they are sent")
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    scene = crowd_scene()
    every: dict[str, list[tuple[float, ...]]] = {}
    for turn in range(given.repeats):
        print(f"run {turn + 1} of {given.repeats}")
        with running(scene, given) as studio:
            for name, value in asyncio.run(measured(studio, given)).items():
                every.setdefault(name, []).append(value)
    print("medians over the runs")
    for name, values in every.items():
        middle = [statistics.median(each) for each in zip(*values, strict=True)]
        text = (
            f"p50 {middle[0]:.1f}x, p95 {middle[1]:.1f}x"
            if len(middle) > 1
            else f"{middle[0]:.1f}x"
        )
        print(f"  {name}: {text}")


if __name__ == "__main__":
    main()
