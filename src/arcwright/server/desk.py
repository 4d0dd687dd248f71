"""The desk: one document, one thread that works on it, and the windows that watch."""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import count
from threading import Thread
from time import monotonic
from typing import Any

from arcwright.errors import ArcwrightError, BadValue
from arcwright.scene.edit import Edit
from arcwright.server import changes, told
from arcwright.server import messages as m
from arcwright.server.audience import Audience
from arcwright.server.differences import differences
from arcwright.server.hands import Hand, SlideHand, ToolHand
from arcwright.server.live import tell_live, tell_preview
from arcwright.server.mull import Mull
from arcwright.server.story import Story
from arcwright.server.waiting import Said, Waiting
from arcwright.server.window import Window
from arcwright.server.wire import encode
from arcwright.tools.tool import Preview
from arcwright.version import __version__

log = logging.getLogger("arcwright.studio")

REST = 0.15  # s without a move, after which a hand is told what is in its way


class Desk:
    """All words of all windows go through one line to one thread, `start`ed and `stop`ped."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.audience = Audience()
        self.errand: Callable[[Window, m.Up], None] = _no_errands  # what is not about edits
        self.recent: Callable[[], list[m.RecentTold]] = list
        self._hands: dict[int, Hand] = {}
        self._waiting = Waiting()
        self._mull = Mull(self._thought)
        self._numbers = count(1)
        self._revision = 1
        self._document = 1
        self._ended = False
        self._thread = Thread(target=self._run, name="desk", daemon=True)

    # Called from any thread.

    def start(self) -> None:
        """Begin to work."""
        self._mull.start()
        self._thread.start()

    def stop(self) -> None:
        """Do what waits, then end."""
        self.soon(self._end)
        self._thread.join()
        self._mull.stop()

    def soon(self, word: Callable[[], None]) -> None:
        """Have something done by the desk's own thread."""
        self._waiting.put(Said(word))

    def join(self, wake: Callable[[], None]) -> Window:
        """A new window; it is told everything first."""
        window = Window(next(self._numbers), wake)
        self.soon(lambda: self._welcome(window))
        return window

    def leave(self, window: Window) -> None:
        """A window is gone; what its hands tried is forgotten."""
        self.soon(lambda: self._bid_farewell(window))

    def hear(self, window: Window, word: m.Up) -> None:
        """A window has said something."""
        if not self._waiting.put(Said(word, window)):
            window.say(m.Failure(text="Too much at once; the last request was left out."))

    # All that follows runs on the desk's own thread.

    def _run(self) -> None:
        while not self._ended:
            said = self._waiting.take(self._patience())
            if said is None:
                self._rest()
                continue
            try:
                self._do(said)
            except ArcwrightError as error:
                self._fail(said, str(error))
            except Exception:
                log.exception("desk")
                self._fail(said, "That did not work; the document is as it was before.")

    def _do(self, said: Said) -> None:
        word, window = said.word, said.window
        if window is None or callable(word):
            assert callable(word)
            word()
            return
        if isinstance(word, m.Move | m.Tune | m.Slide | m.LetGo | m.Forget | m.TakeOffer):
            self._hand_does(window, word)
            return
        match word:
            case m.Show():
                self.audience.show(window, word, self.story.scene)
            case m.AskFrames():
                self.audience.frames(window, word, self.story.scene, self.story.model)
            case m.AskKeys():
                self.audience.keys(window, word, self.story.scene)
            case m.Grab():
                self._grab(window, word)
            case m.Do(change) if not isinstance(change, changes.SLOW):
                self.do(changes.edit_of(self.story.scene, change))
            case m.Undo():
                self._back(window, self.story.undo)
            case m.Redo():
                self._back(window, self.story.redo)
            case m.Travel(step):
                self._back(window, lambda: self.story.travel(step))
            case _:
                self.errand(window, word)

    def do(self, edit: Edit) -> None:
        """One step of the document."""
        self._step(lambda: self.story.do(edit))

    def open(self, story: Story) -> None:
        """Another document takes the place of this one."""
        self._forget_hands(None)
        if self.story.diary is not None:
            self.story.diary.close()
        self.story = story
        self._document += 1
        self._revision += 1
        self.audience.forget()
        self.audience.send(self._cast())
        self.tell_document()

    def tell_document(self) -> None:
        """Everyone hears how the document stands."""
        self.audience.tell(self.story.told(self._revision), topic="document")

    def _welcome(self, window: Window) -> None:
        window.say(
            m.Welcome(
                version=__version__,
                window=window.number,
                tools=told.tools(),
                built_ins=told.built_ins(),
                recent=self.recent(),
            )
        )
        window.tell(self._cast())
        window.say(self.story.told(self._revision))
        self.audience.windows.append(window)

    def _bid_farewell(self, window: Window) -> None:
        self._forget_hands(window)
        if window in self.audience.windows:
            self.audience.windows.remove(window)

    def _end(self) -> None:
        self._ended = True
        if self.story.diary is not None:
            self.story.diary.close()

    def _fail(self, said: Said, text: str) -> None:
        log.info("refused: %s", text)
        tell = self.audience.tell if said.window is None else said.window.say
        tell(m.Failure(text=text))

    def _cast(self) -> bytes:
        cast = told.cast(self.story.scene, self.story.model)
        cast.model = f"model/{self._document}/{self.story.model.name}"
        return encode(cast)

    def _step(self, act: Callable[[], None]) -> None:
        """Change the document and tell everyone what is different, even if `act` complains."""
        before, drawn = self.story.scene, self.story.model
        rigs = [actor.rig for actor in before.characters]
        try:
            act()
        finally:
            scene = self.story.scene
            if scene is not before:
                self._revision += 1
                if drawn is not self.story.model:
                    self.audience.forget()
                    self.audience.send(self._cast())
                elif rigs != [actor.rig for actor in scene.characters]:
                    self.audience.send(self._cast())
                self.audience.changed(differences(before, scene), scene, self.story.model)
                self.tell_document()
                self._follow()

    def _back(self, window: Window, act: Callable[[], None]) -> None:
        self._forget_hands(window)
        self._step(act)

    # Hands.

    def _grab(self, window: Window, grab: m.Grab) -> None:
        if grab.hand in self._hands:
            raise BadValue("hand", "a number that no other hand has", grab.hand)
        try:
            self._hands[grab.hand] = ToolHand(window, self.story.scene, grab)
        except ArcwrightError:
            window.say(m.HandEnded(hand=grab.hand, kept=False, label=""))
            raise

    def _hand_does(self, window: Window, word: Any) -> None:
        """Words of a hand; those of a hand that is gone were on their way and mean nothing."""
        hand = self._hands.get(word.hand)
        if isinstance(word, m.Slide) and hand is None:
            hand = self._hands[word.hand] = SlideHand(window, self.story.scene, word)
        if hand is None or hand.window is not window:
            log.info("no hand %d of window %d", word.hand, window.number)
            return
        try:
            self._answer(hand, word)
        except Exception:
            if hand.number in self._hands:
                self._end_hand(hand, kept=False)
            raise

    def _answer(self, hand: Hand, word: Any) -> None:
        match word:
            case m.Move() if isinstance(hand, ToolHand):
                self._preview(hand, hand.move(word))
            case m.Tune(_, options) if isinstance(hand, ToolHand):
                hand.tune(options)
                if hand.preview is not None:
                    self._preview(hand, hand.preview)
            case m.Slide(_, change) if isinstance(hand, SlideHand):
                hand.change = change
                after = hand.finish().apply(hand.scene)
                tell_live(self.audience, hand, after, self.story.model)
            case m.LetGo():
                self._keep(hand, hand.finish())
            case m.TakeOffer() if isinstance(hand, ToolHand):
                offer = hand.offer or hand.thoughts()[1]
                self._keep(hand, hand.finish() if offer is None else offer.edit)
            case m.Forget():
                self._end_hand(hand, kept=False)

    def _preview(self, hand: ToolHand, preview: Preview) -> None:
        spent = tell_preview(self.audience, hand, preview, self.story.model)
        after = preview.edit.apply(hand.scene)
        tell_live(self.audience, hand, after, self.story.model, spent)

    def _keep(self, hand: Hand, edit: Edit) -> None:
        """The hand is done: one step, then its end."""
        self._hands.pop(hand.number)
        before = self.story.history
        try:
            self.do(edit)
        finally:
            kept = self.story.history is not before
            self._end_hand(hand, kept=kept, label=edit.label if kept else "")

    def _end_hand(self, hand: Hand, *, kept: bool, label: str = "") -> None:
        self._hands.pop(hand.number, None)
        self.audience.tell(m.HandEnded(hand=hand.number, kept=kept, label=label))

    def _forget_hands(self, window: Window | None) -> None:
        for hand in list(self._hands.values()):
            if window is None or hand.window is window:
                self._end_hand(hand, kept=False)

    def _follow(self) -> None:
        """The document changed under hands that hold it: they take hold of it anew."""
        for hand in list(self._hands.values()):
            if isinstance(hand, ToolHand):
                try:
                    hand.begin(self.story.scene)
                except ArcwrightError as error:
                    hand.window.say(m.Failure(text=str(error)))
                    self._end_hand(hand, kept=False)

    # Hands that rest are told what is in their way.

    def _resting(self) -> list[ToolHand]:
        hands = [hand for hand in self._hands.values() if isinstance(hand, ToolHand)]
        return [hand for hand in hands if not hand.noted]

    def _patience(self) -> float | None:
        times = [hand.moved + REST - monotonic() for hand in self._resting()]
        return max(0.0, min(times)) if times else None

    def _rest(self) -> None:
        for hand in self._resting():
            if monotonic() - hand.moved >= REST:
                hand.noted = True
                self._mull.over(hand)

    def _thought(self, hand: ToolHand, moved: float, found: Any) -> None:
        """Something was found about a hand; told if it is still where it was."""

        def tell() -> None:
            if self._hands.get(hand.number) is hand and hand.moved == moved:
                hand.offer = found[1]
                self.audience.tell(told.notes(hand.number, *found))

        self.soon(tell)


def _no_errands(_: Window, word: m.Up) -> None:
    raise BadValue("message", "one that this desk knows", type(word).__name__)
