"""The desk: one document, one thread that works on it, and the windows that watch."""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import count
from threading import Thread

from arcwright.errors import ArcwrightError, BadValue
from arcwright.scene.edit import Edit
from arcwright.server import messages as m
from arcwright.server.document import changes
from arcwright.server.document import info as told
from arcwright.server.document.client import Soon, Window, at_once
from arcwright.server.document.differences import differences
from arcwright.server.document.display_model import actors
from arcwright.server.document.document import Story
from arcwright.server.document.message_queue import Said, Waiting
from arcwright.server.document.subscriptions import Audience
from arcwright.server.interactions.interactions import Holding
from arcwright.server.messages.encoding import encode
from arcwright.server.transport.access import Role
from arcwright.version import __version__

log = logging.getLogger("arcwright.studio")

_UNDONE = "That did not work; the document is as it was before."
_UNSEEN = "The step was done, but could not be shown: reload the page to see it."


class Desk:
    """All words of all windows go through one line to one thread, `start`ed and `stop`ped."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.audience = Audience()
        self.errand: Callable[[Window, m.ClientMessage], None] = (
            _no_errands  # what is not about edits
        )
        self.recent: Callable[[], list[m.RecentInfo]] = list
        self._waiting = Waiting()
        self._holding = Holding(self.audience, lambda: self.story, self.do, self.soon)
        self._numbers = count(1)
        self._revision = 1
        self._document = 1
        self._ended = False
        self._thread = Thread(target=self._run, name="desk", daemon=True)

    # Called from any thread.

    def start(self) -> None:
        """Begin to work."""
        self._holding.mull.start()
        self._thread.start()

    def stop(self) -> None:
        """Do what waits, then end."""
        self.soon(self._end)
        self._thread.join()
        self._holding.mull.stop()

    def soon(self, word: Callable[[], None]) -> None:
        """Have something done by the desk's own thread."""
        self._waiting.put(Said(word))

    def join(self, wake: Callable[[], None], soon: Soon = at_once, role: Role = "edit") -> Window:
        """A new window; it is told everything first."""
        window = Window(next(self._numbers), wake, soon)
        window.role = role
        self.soon(lambda: self._welcome(window))
        return window

    def leave(self, window: Window) -> None:
        """A window is gone; what its hands tried is forgotten."""
        self.soon(lambda: self._bid_farewell(window))

    def hear(self, window: Window, word: m.ClientMessage) -> None:
        """A window has said something."""
        if not self._waiting.put(Said(word, window)):
            window.say(m.Failure(text="Too much at once; the last request was left out."))

    # All that follows runs on the desk's own thread.

    def _run(self) -> None:
        while not self._ended:
            said = self._waiting.take(self._holding.patience())
            if said is None:
                self._holding.rest()
                continue
            before = self.story.history
            try:
                self._do(said)
            except ArcwrightError as error:
                self._fail(said, str(error))
            except Exception:
                log.exception("desk")
                self._fail(said, _UNDONE if self.story.history is before else _UNSEEN)

    def _do(self, said: Said) -> None:
        word, window = said.word, said.window
        if window is None or callable(word):
            assert callable(word)
            word()
            return
        if isinstance(
            word,
            m.UpdateInteraction
            | m.SetOptions
            | m.PreviewChange
            | m.CommitInteraction
            | m.CancelInteraction
            | m.AcceptOffer,
        ):
            self._holding.hear(window, word)
            return
        match word:
            case m.Subscribe():
                self.audience.show(window, word, self.story.scene)
                self._holding.asked()
            case m.RequestFrames():
                self.audience.frames(window, word, self.story.scene, self.story.model)
                self._holding.asked()
            case m.RequestKeys():
                self.audience.keys(window, word, self.story.scene)
                self._holding.asked()
            case m.BeginInteraction():
                self._holding.grab(window, word)
            case m.ApplyChange(change) if not changes.is_slow(change):
                self.do(changes.edit_of(self.story.scene, change))
            case m.ApplyChanges(together) if not any(map(changes.is_slow, together)):
                self.do(changes.edit_of_all(self.story.scene, together))
            case m.Undo():
                self._back(window, self.story.undo)
            case m.Redo():
                self._back(window, self.story.redo)
            case m.GoToStep(step):
                self._back(window, lambda: self.story.travel(step))
            case _:
                self.errand(window, word)

    def do(self, edit: Edit) -> None:
        """One step of the document."""
        self._step(lambda: self.story.do(edit))

    def open(self, story: Story) -> None:
        """Another document takes the place of this one."""
        self._holding.forget()
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
                recent=self._recent() if window.role == "edit" else [],
                role=window.role,
            )
        )
        window.tell(self._cast())
        window.say(self.story.told(self._revision))
        trouble = getattr(self.story.diary, "trouble", None)
        if trouble and window.role == "edit":
            window.say(m.Failure(text=trouble))
        self.audience.windows.append(window)

    def _recent(self) -> list[m.RecentInfo]:
        """Never keeps a window from its document."""
        try:
            return self.recent()
        except Exception:
            log.exception("recent documents")
            return []

    def _bid_farewell(self, window: Window) -> None:
        self._holding.leave(window)
        self.audience.leave(window)

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
        rigs = [actor.rig for actor in actors(before)]
        try:
            act()
        finally:
            scene = self.story.scene
            if scene is not before:
                self._revision += 1
                try:
                    if drawn is not self.story.model:
                        self.audience.forget()
                        self.audience.send(self._cast())
                    elif rigs != [actor.rig for actor in actors(scene)]:
                        self.audience.send(self._cast())
                    self.audience.changed(differences(before, scene), scene, self.story.model)
                finally:
                    self.tell_document()
                    self._holding.follow()

    def _back(self, window: Window, act: Callable[[], None]) -> None:
        self._holding.forget(window)
        self._step(act)


def _no_errands(_: Window, word: m.ClientMessage) -> None:
    raise BadValue("message", "one that this desk knows", type(word).__name__)
