"""A desk with seats: windows without a socket, for tests."""

import threading
import time
from contextlib import contextmanager
from unittest.mock import patch

from arcwright import read
from arcwright.errors import ArcwrightError
from arcwright.scene.history import History
from arcwright.server import messages as m
from arcwright.server.document.document import Story
from arcwright.server.interactions import interactions as holding
from arcwright.server.messages import encoding as wire
from arcwright.server.worker import Desk

LONG = 60.0  # s; nothing here takes that long unless it is broken


class Seat:
    """A window that keeps what it was told."""

    def __init__(self, desk):
        self.desk = desk
        self.heard = []  # (message, arrays)
        self.window = desk.join(lambda: None)
        self.wait(m.Document)

    def say(self, *words):
        for word in words:
            self.desk.hear(self.window, word)

    def wait(self, kind, when=lambda message: True):
        """All that was heard up to and with the next message of a kind."""
        until = time.monotonic() + LONG
        start = len(self.heard)
        while time.monotonic() < until:
            data = self.window.next()
            if data is None:
                time.sleep(0.002)
                continue
            self.heard.append(wire.decode(data))
            if isinstance(self.heard[-1][0], kind) and when(self.heard[-1][0]):
                return self.heard[start:]
        raise AssertionError(
            f"no {kind.__name__}; heard {[type(x[0]).__name__ for x in self.heard]}"
        )

    def ask(self, word, kind):
        """Say something and return the answer, a message with its arrays."""
        self.say(word)
        return self.wait(kind)[-1]

    def quiet(self):
        """All that is told until the desk has done what was said; not what it thinks of later."""
        told, over = [], threading.Event()

        def listen():
            while (data := self.window.next()) is not None:
                told.append(wire.decode(data))
            over.set()

        self.desk.soon(listen)
        assert over.wait(LONG)
        self.heard += told
        return told


def kinds(heard):
    return [type(message).__name__ for message, _ in heard]


@contextmanager
def desk_with(scene="biped:walk", diary=None, *, rests=True):
    """A desk at work; without `rests` no hand counts as resting, however slow the machine is."""
    scene = read(scene) if isinstance(scene, str) else scene
    desk = Desk(Story(History(scene), None, diary))
    with patch.object(holding, "REST", holding.REST if rests else 10 * LONG):
        desk.start()
        try:
            yield desk
        finally:
            desk.stop()


class Book:
    """A diary that can be out of paper."""

    def __init__(self):
        self.lines = []
        self.full = False

    def _write(self, line):
        if self.full:
            raise ArcwrightError("the disk is full; the step is kept in memory: make room")
        self.lines.append(line)

    def did(self, edit):
        self._write(edit.label)

    def undid(self):
        self._write("undid")

    def redid(self):
        self._write("redid")

    def too_heavy(self):
        return 0

    def close(self):
        self._write("closed")


HIPS = m.PointRef("Hips")
GRAB = m.BeginInteraction(1, "tangent", "biped", "walk", {})
SHOW = m.Subscribe("biped", "walk", [HIPS, m.PointRef("LeftHand")])
FRAMES = m.RequestFrames("biped", "walk", 0, 239)
KEYS = m.RequestKeys("biped", "walk")
PIN = m.AddPointConstraint("biped", "walk", "pin", m.PointRef("Head"), 0.0, 0.5)


def lift(seat, by, hand=1, time=0.4, spot=HIPS):
    """A move of the hips up from where they are at first."""
    from arcwright import Point, trail

    take = seat.desk.story.scene.actor("biped").takes[0]
    x, y, z = trail(take, Point(spot.joint), [time]).position[0].tolist()
    return m.UpdateInteraction(hand, spot, time, (x, y + by, z))


def drag(seat, by=0.03, hand=1):
    """One whole drag; all that was told from the end of it."""
    seat.say(m.BeginInteraction(hand, "tangent", "biped", "walk", {}), lift(seat, by, hand))
    seat.quiet()
    seat.say(m.CommitInteraction(hand))
    return seat.wait(m.InteractionEnded)


def step(seat, hand=1, by=0.03):
    """One whole drag that leaves a step."""
    seat.say(
        m.BeginInteraction(hand, "tangent", "biped", "walk", {}),
        lift(seat, by, hand),
        m.CommitInteraction(hand),
    )
    assert seat.wait(m.InteractionEnded)[-1][0].committed
