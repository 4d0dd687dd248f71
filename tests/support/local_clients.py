"""A document worker with clients that need no socket, for tests."""

import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from arcwright import Point, read, trail
from arcwright.errors import ArcwrightError
from arcwright.scene.constraint import Pin
from arcwright.scene.constraint_values import constraint_values
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document.document import Document
from arcwright.server.interactions import interactions
from arcwright.server.messages import encoding
from arcwright.server.storage.folder import Folder
from arcwright.server.worker import DocumentWorker

LONG = 60.0  # s; nothing here takes that long unless it is broken


class LocalClient:
    """A client that keeps what it received."""

    def __init__(self, worker, role="edit"):
        self.worker = worker
        self.received = []  # (message, arrays)
        self.client = worker.join(lambda: None, role=role)
        self.wait(m.Document)

    @property
    def document(self):
        """The open document."""
        return self.worker.opened.document

    def send(self, *messages):
        for message in messages:
            self.worker.receive(self.client, message)

    def wait(self, kind, when=lambda message: True):
        """All that was received up to and with the next message of a kind."""
        until = time.monotonic() + LONG
        start = len(self.received)
        while time.monotonic() < until:
            data = self.client.next_message()
            if data is None:
                time.sleep(0.002)
                continue
            self.received.append(encoding.decode(data))
            if isinstance(self.received[-1][0], kind) and when(self.received[-1][0]):
                return self.received[start:]
        raise AssertionError(f"no {kind.__name__}; received {kinds(self.received)}")

    def request(self, message, kind):
        """Send a message and return the answer with its arrays."""
        self.send(message)
        return self.wait(kind)[-1]

    def sync(self):
        """All that is received until the worker has handled what was sent; no idle solves."""
        received, over = [], threading.Event()

        def take_all():
            while (data := self.client.next_message()) is not None:
                received.append(encoding.decode(data))
            over.set()

        self.worker.post(take_all)
        assert over.wait(LONG)
        self.received += received
        return received


def kinds(received):
    return [type(message).__name__ for message, _ in received]


@contextmanager
def worker_with(scene="biped:walk", log=None, *, idle=True):
    """A running worker; without `idle` no interaction is idle, however slow the machine is."""
    scene = read(scene) if isinstance(scene, str) else scene
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        worker = DocumentWorker(Document(History(scene), None, log), Folder(folder), folder)
        after = interactions.IDLE_AFTER if idle else 10 * LONG
        with patch.object(interactions, "IDLE_AFTER", after):
            worker.start()
            try:
                yield worker
            finally:
                worker.stop()


class MemoryLog:
    """A step log in memory whose disk can be full."""

    trouble = None

    def __init__(self):
        self.lines = []
        self.full = False

    def _write(self, line):
        if self.full:
            raise ArcwrightError("the disk is full; the step is kept in memory: make room")
        self.lines.append(line)

    def record_edit(self, edit):
        self._write(edit.label)

    def record_undo(self):
        self._write("undo")

    def record_redo(self):
        self._write("redo")

    def excess_steps(self):
        return 0

    def close(self):
        self._write("closed")


HIPS = m.PointRef("Hips")
BEGIN = m.BeginInteraction(1, "tangent", "biped", "walk", {})
SUBSCRIBE = m.Subscribe("biped", "walk", [HIPS, m.PointRef("LeftHand")])
REQUEST_FRAMES = m.RequestFrames("biped", "walk", 0, 239)
REQUEST_KEYS = m.RequestKeys("biped", "walk")
PIN = m.AddConstraint("biped", "walk", constraint_values(Pin(Point("Head"), 0.0, 0.5)))


def lift(client, by, interaction=1, time=0.4, point=HIPS):
    """An update that drags a point up from where it is in the document."""
    take = client.document.scene.actor("biped").takes[0]
    x, y, z = trail(take, Point(point.joint), [time]).position[0].tolist()
    return m.UpdateInteraction(interaction, point, time, (x, y + by, z))


def drag(client, by=0.03, interaction=1):
    """One whole drag; all that was received after its commit."""
    begin = m.BeginInteraction(interaction, "tangent", "biped", "walk", {})
    client.send(begin, lift(client, by, interaction))
    client.sync()
    client.send(m.CommitInteraction(interaction))
    return client.wait(m.InteractionEnded)


def step(client, interaction=1, by=0.03):
    """One whole drag that leaves a step."""
    client.send(
        m.BeginInteraction(interaction, "tangent", "biped", "walk", {}),
        lift(client, by, interaction),
        m.CommitInteraction(interaction),
    )
    assert client.wait(m.InteractionEnded)[-1][0].committed
