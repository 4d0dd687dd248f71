"""Clients and what each is subscribed to: motion curves, poses and keys of takes.

Messages that several clients need alike are encoded once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools
from arcwright.errors import ArcwrightError
from arcwright.kinematics.motion_curve import MotionCurve, motion_curve, refresh_curves
from arcwright.kinematics.take_difference import TakeDifference, last_frame
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.document import array_messages
from arcwright.server.document.array_messages import Layouts
from arcwright.server.messages.encoding import encode, point_of

log = logging.getLogger("arcwright.studio")

MAX_QUEUED = 64 << 20  # bytes; a client further behind is disconnected and connects again
MAX_POINTS = 64  # motion curves of one client
FRAMES_PER_MESSAGE = 960
MAX_FRAMES_REQUESTED = 9600  # by one message

TakeKey = tuple[str, str]  # character, take
CallSoon = Callable[[Callable[[], None]], object]  # has something called on an event loop


def call_now(action: Callable[[], None]) -> None:
    """Stands in for an event loop where there is none."""
    action()


class Client:
    """One connected client: what it has been sent, and the messages still to be sent.

    Messages may be queued from any thread. `wake` is called, through `call_soon`, when there are
    some to send, and not again before all of them were taken.
    """

    def __init__(
        self,
        number: int,
        wake: Callable[[], None],
        call_soon: CallSoon = call_now,
        role: m.Role = "edit",
    ) -> None:
        self.number = number
        self.role = role
        self.subscription = m.Subscribe("", "", [])
        self.points: list[tuple[TakeKey, m.PointRef]] = []  # subscribed points that exist
        self.known_keys: set[TakeKey] = set()
        self.known_poses: dict[TakeKey, Bools] = {}  # by frame
        self.too_slow = False
        self.last_served = 0  # counted by the message queue
        self.wake, self.call_soon = wake, call_soon
        self._queue: dict[Hashable, bytes] = {}
        self._queued_bytes = 0
        self._count = 0
        self._lock = Lock()

    def send(self, message: m.ServerMessage) -> None:
        """Send a message without arrays."""
        self.send_data(encode(message))

    def send_data(self, data: bytes, topic: Hashable | None = None) -> None:
        """Send an encoded message; it replaces a queued one of the same topic."""
        if self.enqueue(data, topic):
            wake([self])

    def enqueue(self, data: bytes, topic: Hashable | None = None) -> bool:
        """Queue an encoded message; whether the client has to be woken for it."""
        with self._lock:
            if self.too_slow:
                return False
            idle = not self._queue
            self._count += 1
            key = ("one", self._count) if topic is None else topic
            self._queued_bytes += len(data) - len(self._queue.pop(key, b""))
            self._queue[key] = data
            if self._queued_bytes > MAX_QUEUED:
                self.too_slow = True
                self._queue.clear()
            return idle or self.too_slow

    def next_message(self) -> bytes | None:
        """Take the next message to be sent."""
        with self._lock:
            if not self._queue:
                return None
            data = self._queue.pop(next(iter(self._queue)))
            self._queued_bytes -= len(data)
            return data

    def reset(self) -> None:
        """Another document was opened: the client knows nothing of it."""
        self.subscription = m.Subscribe("", "", [])
        self.points = []
        self.known_keys.clear()
        self.known_poses.clear()

    def add_known_poses(self, key: TakeKey, first: int, last: int) -> None:
        """Poses of these frames were sent, and are sent again when they change."""
        known = self.known_poses.get(key, np.zeros(0, bool))
        if len(known) <= last:
            known = np.append(known, np.zeros(last + 1 - len(known), bool))
        known[first : last + 1] = True
        self.known_poses[key] = known

    def shows(self, key: TakeKey) -> bool:
        """Whether a take is visible: the subscribed one, or one of another character."""
        return key[1] == self.subscription.take or key[0] != self.subscription.character


class Delivery(NamedTuple):
    """An encoded message for some clients; it replaces a queued one of the same topic."""

    clients: Sequence[Client]
    data: bytes
    topic: Hashable | None = None


def deliver(deliveries: Sequence[Delivery]) -> None:
    """Queue messages, then wake each idle client once."""
    idle: dict[Client, None] = {}
    for clients, data, topic in deliveries:
        idle |= {client: None for client in clients if client.enqueue(data, topic)}
    wake(idle)


def wake(clients: Iterable[Client]) -> None:
    """Have clients send what is queued.

    One call for all clients of an event loop: each call may cost the caller a switch of threads.
    """
    loops: dict[CallSoon, list[Client]] = {}
    for client in clients:
        loops.setdefault(client.call_soon, []).append(client)
    for call_soon, group in loops.items():
        with suppress(RuntimeError):  # the loop has ended, and no client is connected any more
            call_soon(partial(_wake_each, group))


def _wake_each(clients: Iterable[Client]) -> None:
    for client in clients:
        client.wake()


class ShownCurve(NamedTuple):
    """A motion curve and the clients that show it."""

    key: TakeKey
    point: m.PointRef
    curve: MotionCurve
    clients: list[Client]


class Subscriptions:
    """All clients of the document, and the motion curves they show."""

    def __init__(self) -> None:
        self.clients: list[Client] = []
        self.curves: dict[TakeKey, dict[m.PointRef, MotionCurve]] = {}

    def broadcast(self, message: m.ServerMessage, topic: Hashable | None = None) -> None:
        """Send a message to every client."""
        deliver([Delivery(self.clients, encode(message), topic)])

    def remove(self, client: Client) -> None:
        """A client has gone, and with it the curves that no other client shows."""
        if client in self.clients:
            self.clients.remove(client)
        client.reset()
        shown = {shown for each in self.clients for shown in each.points}
        for key in list(self.curves):
            group = {ref: each for ref, each in self.curves[key].items() if (key, ref) in shown}
            self.curves[key] = group
            if not group:
                del self.curves[key]

    def reset(self) -> None:
        """Another document was opened: no client knows anything of it."""
        self.curves = {}
        for client in self.clients:
            client.reset()

    def subscribe(self, client: Client, message: m.Subscribe, scene: Scene) -> None:
        """A client shows these motion curves and no others."""
        message.points = message.points[:MAX_POINTS]
        client.subscription = message
        self._update_curves(scene)
        for key, ref, drawn, _ in self.shown_curves([client]):
            data = array_messages.curve(drawn, None, ref, key[0])
            if data is not None:
                client.send_data(data)

    def shown_curves(self, clients: Iterable[Client]) -> list[ShownCurve]:
        """The curves that clients show, each once, with those of them that show it."""
        found: dict[tuple[TakeKey, m.PointRef], ShownCurve] = {}
        for client in clients:
            for key, ref in client.points:
                new = ShownCurve(key, ref, self.curves[key][ref], [])
                found.setdefault((key, ref), new).clients.append(client)
        return list(found.values())

    def send_frames(
        self, client: Client, request: m.RequestFrames, scene: Scene, layouts: Layouts
    ) -> None:
        """Answer a request for poses; frames beyond the end follow when the take grows."""
        actor = scene.actor(request.character)
        take = actor.take(request.take)
        if request.without_layers:
            take = replace(take, layers=())
        layout = layouts[actor.name]
        first, end = max(request.first, 0), last_frame(take)
        requested = min(request.last, first + MAX_FRAMES_REQUESTED - 1)
        last = min(requested, end)
        for start in range(first, last + 1, FRAMES_PER_MESSAGE):
            stop = min(last, start + FRAMES_PER_MESSAGE - 1)
            span, bare = (start, stop), request.without_layers
            client.send_data(
                array_messages.frames(layout, take, actor.name, *span, without_layers=bare)
            )
        if first <= last and not request.without_layers:
            client.add_known_poses((actor.name, take.name), first, requested)

    def send_keys(self, client: Client, request: m.RequestKeys, scene: Scene) -> None:
        """Answer a request for all keys of a take."""
        actor = scene.actor(request.character)
        take = actor.take(request.take)
        client.known_keys.add((actor.name, take.name))
        for data in array_messages.keys(take, actor.name):
            client.send_data(data)

    def send_changes(self, changed: list[TakeDifference], scene: Scene, layouts: Layouts) -> None:
        """The document changed: send each client again what it knows of these takes."""
        deliveries: list[Delivery] = []
        for each in changed:
            key = each.character, each.take.name
            watching = [client for client in self.clients if key in client.known_keys]
            if watching and each.channels:
                parts = array_messages.keys(each.take, each.character, each.channels)
                deliveries += [Delivery(watching, data) for data in parts]
            for (first, last), knowing in self._knowing_poses(key, each.frames).items():
                layout = layouts[each.character]
                data = array_messages.frames(layout, each.take, each.character, first, last)
                deliveries.append(Delivery(knowing, data))
        deliver(deliveries + self._changed_curves(scene))

    def _changed_curves(self, scene: Scene) -> list[Delivery]:
        """Update the curves; send what changed, or all of a curve to clients that have none."""
        before, deliveries = self.curves, list[Delivery]()
        known = {each: set(each.points) for each in self.clients}
        self._update_curves(scene)
        for key, ref, drawn, watching in self.shown_curves(self.clients):
            sent = before.get(key, {}).get(ref)
            for old, group in (
                (sent, [client for client in watching if (key, ref) in known[client]]),
                (None, [client for client in watching if (key, ref) not in known[client]]),
            ):
                if group and old is not drawn:
                    data = array_messages.curve(drawn, old, ref, key[0])
                    if data is not None:
                        deliveries.append(Delivery(group, data))
        return deliveries

    def _knowing_poses(self, key: TakeKey, frames: range) -> dict[tuple[int, int], list[Client]]:
        """First and last of each run of these frames, with the clients that know its poses."""
        found: dict[tuple[int, int], list[Client]] = {}
        for client in self.clients:
            for run in _runs(client.known_poses.get(key), frames):
                found.setdefault(run, []).append(client)
        return found

    def _update_curves(self, scene: Scene) -> None:
        """Compute the curves that clients show, reusing those that are there.

        Points of one take are computed together, so that they share the work.
        """
        wanted: dict[TakeKey, dict[m.PointRef, Point]] = {}
        shown: dict[Client, list[tuple[TakeKey, m.PointRef]]] = {}
        for client in self.clients:
            found = [(ref, _on_take(client, ref, scene)) for ref in client.subscription.points]
            shown[client] = [(at[0], ref) for ref, at in found if at is not None]
            for ref, at in found:
                if at is not None:
                    wanted.setdefault(at[0], {})[ref] = at[1]
        computed: dict[TakeKey, dict[m.PointRef, MotionCurve]] = {}
        for key, named in wanted.items():
            known = self.curves.get(key, {})
            if known.keys() >= named.keys():
                curves = refresh_curves([known[ref] for ref in named], scene)
            else:
                sampling = array_messages.sampling(scene.actor(key[0]).take(key[1]))
                curves = motion_curve(scene, list(named.values()), key[1], sampling)
            computed[key] = dict(zip(named, curves, strict=True))
        self.curves = computed
        for client, points in shown.items():
            client.points = points


def _runs(known: Bools | None, frames: range) -> list[tuple[int, int]]:
    """First and last of each run of these frames that is known."""
    if known is None or not frames:
        return []
    padded = np.zeros(frames.stop - frames.start + 2, bool)
    own = known[frames.start : frames.stop]
    padded[1 : 1 + len(own)] = own
    edges = np.flatnonzero(padded[1:] != padded[:-1]) + frames.start
    return [
        (start, min(int(stop) - 1, start + FRAMES_PER_MESSAGE - 1))
        for first, stop in zip(edges[::2], edges[1::2], strict=True)
        for start in range(int(first), int(stop), FRAMES_PER_MESSAGE)
    ]


def _on_take(client: Client, ref: m.PointRef, scene: Scene) -> tuple[TakeKey, Point] | None:
    """The take on which a client shows a point; None where the point does not exist."""
    subscription = client.subscription
    try:
        actor = scene.actor(ref.character or subscription.character)
        actor.rig.joint(ref.joint)
        point = point_of(ref, actor.name)
    except ArcwrightError as error:
        log.info("client %d subscribed to a point that does not exist: %s", client.number, error)
        return None
    if not actor.takes:
        return None
    named = [take for take in actor.takes if take.name == subscription.take]
    return (actor.name, (named or actor.takes)[0].name), point
