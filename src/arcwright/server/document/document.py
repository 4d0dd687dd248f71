"""The document on the desk: its history, where it is kept, and what it looks like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from arcwright.errors import ArcwrightError
from arcwright.scene.edit import Edit
from arcwright.scene.history import History
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.document import info as told
from arcwright.server.document.constraints import constraints
from arcwright.server.document.display_model import Model, model


class Diary(Protocol):
    """Where every step is written down before it is told; see `journal.Journal`."""

    def did(self, edit: Edit) -> None:
        """An edit was done."""
        ...

    def undid(self) -> None:
        """The last edit was taken back."""
        ...

    def redid(self) -> None:
        """What was taken back was done again."""
        ...

    def saved(self, path: str) -> None:
        """The document is in the user's own file."""
        ...

    def forgot_oldest(self, count: int) -> None:
        """The oldest edits can no longer be taken back."""
        ...

    def too_heavy(self) -> int:
        """How many of the oldest edits are too much to keep."""
        ...

    def close(self) -> None:
        """The document is put away."""
        ...


MOST_STEPS = 500  # that can be undone


@dataclass(frozen=True, eq=False)
class Moment:
    """What was done when a file was written."""

    done: tuple[Edit, ...]
    forgotten: int  # steps, by then


class Story:
    """One document; changed only by the desk's own thread."""

    def __init__(
        self,
        history: History,
        path: str | None = None,
        diary: Diary | None = None,
        *,
        name: str | None = None,
        saved: bool = True,
    ) -> None:
        self.history = history
        self.path = path  # of the user's own file
        self.name = name  # of that file as windows know it; None where they cannot save to it
        self.diary = diary
        self.kept = history.done if saved else None  # what was done when the file was written
        self._forgotten = 0  # steps
        self._last_forgotten: Edit | None = None
        self.model: Model = model(history.scene)

    @property
    def scene(self) -> Scene:
        """The scene as it now is."""
        return self.history.scene

    @property
    def saved(self) -> bool:
        """Whether the user's own file has all of it."""
        return self.kept == self.history.done

    def do(self, edit: Edit) -> None:
        """One step; raises `StaleEdit`, and changes nothing, if it was made for another scene."""
        try:
            self._step(self.history.do(edit), lambda diary: diary.did(edit))
        finally:
            self._forget_oldest()

    def undo(self) -> None:
        """One step back."""
        self._step(self.history.undo(), lambda diary: diary.undid())

    def redo(self) -> None:
        """One step forth again."""
        self._step(self.history.redo(), lambda diary: diary.redid())

    def travel(self, step: int) -> None:
        """To a step of the history, 0 being the beginning."""
        step = max(0, min(step, len(self.history.done) + len(self.history.undone)))
        way = step - len(self.history.done)
        trouble: ArcwrightError | None = None
        for _ in range(abs(way)):
            try:
                (self.redo if way > 0 else self.undo)()
            except ArcwrightError as error:  # the journal's: the step is done all the same
                trouble = error
        if trouble is not None:
            raise trouble

    def moment(self) -> Moment:
        """What `keep` needs to know about the document as it is now."""
        return Moment(self.history.done, self._forgotten)

    def keep(self, moment: Moment) -> None:
        """The user's own file was written as the document was then."""
        self.kept = self._still(moment.done, self._forgotten - moment.forgotten)
        if self.diary is not None and self.path is not None and self.saved:
            self.diary.saved(self.path)

    def told(self, revision: int) -> m.Document:
        """The document as windows are told of it."""
        scene = self.scene
        return m.Document(
            revision=revision,
            name=scene.name,
            path=self.name,
            saved=self.saved,
            takes=told.takes(scene),
            point_constraints=told.wishes(scene),
            constraints=constraints(scene),
            done=[edit.label for edit in self.history.done],
            undone=[edit.label for edit in self.history.undone],
            warnings=list(scene.source.warnings) if scene.source else [],
        )

    def _step(self, history: History, write: Callable[[Diary], None]) -> None:
        if history is self.history:
            return
        fits = self.model.fits(history.scene)
        drawn = self.model if fits else model(history.scene)  # first: it may not be possible
        self.history, self.model = history, drawn
        if self.diary is not None:
            write(self.diary)  # last: if it fails, the document is as it should be all the same

    def _forget_oldest(self) -> None:
        """Keep the history bounded: what is too old or too large cannot be undone any more."""
        count = len(self.history.done) - MOST_STEPS
        if self.diary is not None:
            count = max(count, self.diary.too_heavy())
        if count <= 0:
            return
        self._forgotten += count
        self._last_forgotten = self.history.done[count - 1]
        self.history = self.history.without_oldest(count)
        if self.kept is not None:
            self.kept = self._still(self.kept, count)
        if self.diary is not None:
            self.diary.forgot_oldest(count)

    def _still(self, done: tuple[Edit, ...], forgotten: int) -> tuple[Edit, ...] | None:
        """What is left of `done` without the forgotten; None where nothing leads back to it."""
        if not forgotten:
            return done
        shared = forgotten <= len(done) and done[forgotten - 1] is self._last_forgotten
        return done[forgotten:] if shared else None
