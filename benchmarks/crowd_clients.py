"""Clients of a crowded studio: what they open, how they drag, and those who only watch."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection

import numpy as np

import arcwright
from arcwright.edits.actors import add_scene
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from light_client import LightClient, Seen

SCENES = ("biped:walk", "dinosaur:punch", "spider:walk", "biped:walk")
SHOWN = ("Hips", "Head", "LeftHand", "RightHand", "LeftFoot", "RightFoot", "Spine", "LeftForeArm")
DRAGGED = (("Hips", 0.4), ("Head", 0.25), ("Body", 0.4), ("Hips", 0.4))  # and at which share
RADIUS, ROUND, RISE = 0.02, 2.0, 0.003  # m, s, m/s: a spiral that never comes by the same place

_hands = count(1)


@dataclass(frozen=True)
class Drag:
    """Where a client drags which point."""

    tool: str
    character: str
    take: str
    joint: str
    time: float  # s
    start: np.ndarray  # (3,) m

    def target(self, seconds: float) -> np.ndarray:
        """Where the pointer is after a while."""
        angle = 2 * np.pi * seconds / ROUND
        across, along = RADIUS * np.sin(angle), RADIUS * (1 - np.cos(angle))
        return self.start + np.array([across, RISE * seconds, along])


def crowd_scene() -> Scene:
    """Four characters in one scene."""
    scene = arcwright.read(SCENES[0])
    for name in SCENES[1:]:
        scene = add_scene(scene, arcwright.read(name)).apply(scene)
    return scene


def drag_of(scene: Scene, tool: str, index: int = 0) -> Drag:
    """A drag of a point of a character that can follow it."""
    who = index % len(DRAGGED)
    actor, (joint, share) = scene.characters[who], DRAGGED[who]
    take = actor.takes[0]
    when = round(share * take.duration * take.rate) / take.rate
    point = arcwright.Point(joint, character=actor.name)
    start = arcwright.trail(take, point, [when]).position[0]
    return Drag(tool, actor.name, take.name, joint, when, start)


def opening(scene: Scene, number: int) -> list[m.ClientMessage]:
    """What a page asks for at first: its curves, the keys of its take, everyone's poses."""
    actor, take = scene.characters[0], scene.characters[0].takes[0]
    joints = [name for name in SHOWN if name in actor.rig.names]
    points = [
        m.PointRef(joints[(number + i) % len(joints)], character=actor.name) for i in range(3)
    ]
    asked = [
        m.RequestFrames(each.name, own.name, 0, int(own.duration * own.rate + 1e-3))
        for each in scene.actors
        for own in each.takes[:1]
    ]
    keys = m.RequestKeys(actor.name, take.name)
    return [m.Subscribe(actor.name, take.name, points), keys, *asked]


async def drag(client: LightClient, move: Drag, seconds: float, rate: float) -> tuple[int, list]:
    """One drag at a steady rate that is given up at the end; when each move was sent, and where."""
    interaction = next(_hands)
    client.last.pop("failure", None)
    client.send(m.BeginInteraction(interaction, move.tool, move.character, move.take, {}))
    sent: list[tuple[float, np.ndarray]] = []
    began = time.perf_counter()
    for step in range(int(seconds * rate)):
        await asyncio.sleep(max(0.0, began + step / rate - time.perf_counter()))
        target = move.target(step / rate)
        x, y, z = target.tolist()
        sent.append((time.perf_counter(), target))
        point = m.PointRef(move.joint, character=move.character)
        client.send(m.UpdateInteraction(interaction, point, move.time, (x, y, z)))
    ended = client.received["InteractionEnded"]
    client.send(m.CancelInteraction(interaction))
    await client.until(lambda: client.received["InteractionEnded"] > ended)
    if "failure" in client.last:
        raise SystemExit(f"{move.tool} of {move.joint}: {client.last['failure']}")
    return interaction, sent


def matched(seen: Iterable[Seen], interaction: int, sent: list) -> tuple[list[float], list[float]]:
    """Latencies of the moves of an interaction, s; and how far off each preview is, m.

    A preview belongs to the move since the last one answered whose target it reached; moves
    between them were superseded, and it is their answer, too.
    """
    times = np.array([when for when, _ in sent])
    places = np.array([where for _, where in sent])
    latencies, off, answered = [], [], -1
    for each in seen:
        known = int(np.searchsorted(times, each.when))
        if each.interaction != interaction or known <= answered + 1:
            continue
        away = np.linalg.norm(places[answered + 1 : known] - each.reached, axis=1)
        first, answered = answered + 1, answered + 1 + int(away.argmin())
        latencies += (each.when - times[first : answered + 1]).tolist()
        off.append(float(away.min()))
    return latencies, off


class Onlookers:
    """Clients that only watch, in a process of their own."""

    def __init__(self, address: str, scene: Scene, number: int, reads: bool) -> None:
        context = multiprocessing.get_context("spawn")
        self._line, other = context.Pipe()
        asked = [opening(scene, 1 + i) for i in range(number)]
        self._process = context.Process(
            target=_watch, args=(other, address, asked, reads), daemon=True
        )
        self._process.start()
        self._line.recv()

    async def begin(self) -> None:
        """Forget what was seen so far."""
        self._line.send("begin")
        await asyncio.to_thread(self._line.recv)

    async def end(self) -> tuple[list[list[Seen]], float, int]:
        """What each has seen since, CPU seconds, and bytes."""
        self._line.send("end")
        return await asyncio.to_thread(self._line.recv)

    def close(self) -> None:
        """Leave."""
        self._line.send("close")
        self._process.join()


def _watch(line: Connection, address: str, asked: list[list[m.ClientMessage]], reads: bool) -> None:
    asyncio.run(_watching(line, address, asked, reads))


async def _watching(
    line: Connection, address: str, asked: list[list[m.ClientMessage]], reads: bool
) -> None:
    clients = [await LightClient(address, each, reads=reads).connect() for each in asked]
    line.send("ready")
    spent = 0.0
    while (message := await asyncio.to_thread(line.recv)) != "close":
        if message == "begin":
            for client in clients:
                client.seen, client.size = [], 0
            spent = time.process_time()
            line.send("begun")
        else:
            size = sum(client.size for client in clients)
            line.send(([client.seen for client in clients], time.process_time() - spent, size))
    for client in clients:
        client.close()
