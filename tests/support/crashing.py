"""Kill the studio at random moments while it is edited; what was acknowledged must come back."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

from arcwright import read
from arcwright.arrays import same
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Pin
from arcwright.scene.constraint_values import constraint_values
from arcwright.scene.history import History
from arcwright.scene.point import Point
from arcwright.server import messages as m
from arcwright.server.document import changes
from arcwright.server.document.subscriptions import Client
from arcwright.server.interactions.tool_interaction import ToolInteraction
from arcwright.server.messages.encoding import gesture_of
from arcwright.server.storage.journal import recover, unfinished
from power_cut import after_power_cut
from studio_process import GONE, Running, Talk

SCENE, WHO, TAKE = "biped:walk", "biped", "walk"


class Crashes:
    """The document as it must be, and how often it was found so."""

    def __init__(self, folder: Path, seed: int, synced: str = "all") -> None:
        self.home, self.files = folder / "home", folder / "files"
        self.image = folder / "image"  # what a power cut would leave
        power_cut = str(Path(__file__).parent / "power_cut.py")
        self.launcher = power_cut, str(self.image), synced
        self.files.mkdir(parents=True, exist_ok=True)
        self.rng = random.Random(seed)
        self.sure = History(read(SCENE))  # all that was acknowledged
        self.maybe = self.sure  # with the one step that was under way
        self.acknowledged = self.one_more = 0

    def round(self) -> None:
        """Start, recover what is left, edit until the kill, and see what came of it.

        Some are killed while they start or recover, most while they are at a step.
        """
        early = self.rng.random() < 0.2
        with Running(self.home, self.files, SCENE, launcher=self.launcher) as studio:
            timer = threading.Timer(self.rng.uniform(0, 0.5), studio.kill)
            if early:
                timer.start()
            try:
                with studio.talk() as talk:
                    self._recover(talk)
                    self._edit(talk, studio.kill)
            except GONE:
                if early:
                    timer.join()
            assert studio.killed, f"it went away by itself: {studio.log.read_text()[-3000:]}"
        self._check()

    def _recover(self, talk: Talk) -> None:
        recent = talk.wait_for(m.Welcome).recent
        talk.wait_for(m.Document)
        left = [each for each in recent if each.recover]
        assert bool(left) == bool(self.sure.done or self.sure.undone), (
            "what was left is not offered"
        )
        if left:
            talk.send(m.Open("recover", left[0].name))
            self._see(talk.wait_for(m.Document), self.sure)

    def _edit(self, talk: Talk, kill: Callable[[], None]) -> None:
        """Steps one after the other; at the last the studio is killed, done or not."""
        last = self.rng.randrange(1, 8)
        for step in range(last + 1):
            messages, after = self._step()
            self.maybe = after
            for message in messages:
                talk.send(message)
            if step == last:
                time.sleep(self.rng.uniform(0, 0.05))
                kill()
            self._see(talk.wait_for(m.Document), after)
            self.sure = after
            self.acknowledged += 1

    def _see(self, message: m.Document, meant: History) -> None:
        assert message.done == [edit.label for edit in meant.done]
        assert message.undone == [edit.label for edit in meant.undone]

    def _step(self) -> tuple[list[m.ClientMessage], History]:
        """Messages to send, and the document after them."""
        history, kind = self.sure, self.rng.random()
        if history.done and kind < 0.2:
            return [m.Undo()], history.undo()
        if history.undone and kind < 0.35:
            return [m.Redo()], history.redo()
        if kind < 0.6:
            return self._drag(history)
        scene = history.scene
        pin = Pin(Point("LeftFoot"), 0.1, self.rng.uniform(0.2, 0.9))
        change: m.Change = m.AddConstraint(WHO, TAKE, constraint_values(pin))
        if kind < 0.9:
            curves = scene.actor(WHO).take(TAKE).base.curves  # type: ignore[union-attr]
            channel = self.rng.choice([n for n, curve in enumerate(curves) if curve is not None])
            value = self.rng.uniform(-0.05, 0.05)
            change = m.MoveKeys(WHO, TAKE, [(channel, 0)], value=value)
        return [m.ApplyChange(change)], history.do(changes.edit_of(scene, change))

    def _drag(self, history: History) -> tuple[list[m.ClientMessage], History]:
        scene, moment = history.scene, self.rng.uniform(0.1, 0.8)
        x, y, z = trail(scene.actor(WHO).take(TAKE), Point("Head"), [moment]).position[0].tolist()
        begin = m.BeginInteraction(1, "tangent", WHO, TAKE, {})
        place = (x + self.rng.uniform(-0.03, 0.03), y - 0.02, z + self.rng.uniform(-0.03, 0.03))
        update = m.UpdateInteraction(1, m.PointRef("Head"), moment, place)
        interaction = ToolInteraction(Client(0, lambda: None), scene, begin)
        interaction.update(gesture_of(update, WHO))
        edit = interaction.finish()
        if edit.empty:
            return [m.ApplyChange(m.CopyTake(WHO, TAKE, f"copy {self.rng.random()}"))], history
        return [begin, update, m.CommitInteraction(1)], history.do(edit)

    def _check(self) -> None:
        """What is on disk is what was acknowledged, bit for bit, or one step more."""
        cut = self.home.with_name("after the power cut")
        after_power_cut(self.image, cut)
        self._found(cut, "a power cut would have lost what was acknowledged")
        found = self._found(self.home, "what was acknowledged is lost")
        self.one_more += found is not self.sure
        self.sure = self.maybe = found

    def _found(self, home: Path, failure: str) -> History:
        left = unfinished(home)
        if not left:
            assert not self.sure.done, failure
            assert not self.sure.undone, failure
            return self.sure
        history, _, journal = recover(home, left[0].name)
        assert (journal.trouble, journal.lost) == (None, ""), failure
        journal.close()
        for meant in (self.sure, self.maybe):
            if same(history, meant):
                return meant
        raise AssertionError(f"{failure}: {_difference(history, self.sure)}")


def _difference(found: History, meant: History) -> str:
    pairs = zip(found.done, meant.done, strict=False)
    wrong = [step for step, (a, b) in enumerate(pairs) if not same(a, b)]
    labels = [edit.label for edit in meant.done]
    return f"found {len(found.done)} steps, meant {labels}; not the same: {wrong}"
