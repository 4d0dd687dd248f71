"""A document: its undo history, the file and journal it is stored in, its display model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from arcwright.errors import ArcwrightError
from arcwright.scene.edit import Edit
from arcwright.scene.history import History
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.document import info, puppets
from arcwright.server.document.activities import activity_infos
from arcwright.server.document.composition import flow_info
from arcwright.server.document.constraints import constraint_infos
from arcwright.server.document.display_model import DisplayModel, display_model

MAX_STEPS = 500  # that can be undone


class StepLog(Protocol):
    """Records every step before clients see it; implemented by `storage.journal.Journal`."""

    trouble: str | None  # why steps are not on disk

    def record_edit(self, edit: Edit) -> None:
        """An edit was applied."""
        ...

    def record_undo(self) -> None:
        """The last edit was undone."""
        ...

    def record_redo(self) -> None:
        """The last undone edit was redone."""
        ...

    def record_save(self, path: str) -> None:
        """The document was saved to the user's file."""
        ...

    def record_dropped(self, count: int) -> None:
        """The oldest edits can no longer be undone."""
        ...

    def excess_steps(self) -> int:
        """How many of the oldest edits are too large to keep."""
        ...

    def close(self) -> None:
        """The document was closed."""
        ...


@dataclass(frozen=True, eq=False)
class SavePoint:
    """The steps that were done when a file was written."""

    done: tuple[Edit, ...]
    dropped: int  # steps dropped by then


class Document:
    """One document; changed by the worker's thread only."""

    def __init__(
        self,
        history: History,
        path: str | None = None,
        log: StepLog | None = None,
        *,
        name: str | None = None,
        saved: bool = True,
    ) -> None:
        self.history = history
        self.path = path  # of the user's file
        self.name = name  # of that file in the opened folder; None where clients cannot save to it
        self.log = log
        self._saved = history.done if saved else None  # the steps in the user's file
        self._dropped = 0  # steps
        self._last_dropped: Edit | None = None
        self.model: DisplayModel = display_model(history.scene)

    @property
    def scene(self) -> Scene:
        """The current scene."""
        return self.history.scene

    @property
    def saved(self) -> bool:
        """Whether the user's file holds every step."""
        return self._saved == self.history.done

    def apply(self, edit: Edit) -> None:
        """Apply one step; raises `StaleEdit`, and changes nothing, if it is for another scene."""
        try:
            self._step(self.history.do(edit), lambda log: log.record_edit(edit))
        finally:
            self._drop_oldest()

    def undo(self) -> None:
        """Undo one step."""
        self._step(self.history.undo(), lambda log: log.record_undo())

    def redo(self) -> None:
        """Redo one step."""
        self._step(self.history.redo(), lambda log: log.record_redo())

    def go_to_step(self, step: int) -> None:
        """Undo or redo to a step of the history, 0 being the original."""
        step = max(0, min(step, len(self.history.done) + len(self.history.undone)))
        away = step - len(self.history.done)
        trouble: ArcwrightError | None = None
        for _ in range(abs(away)):
            try:
                (self.redo if away > 0 else self.undo)()
            except ArcwrightError as error:  # of the journal: the step itself was made
                trouble = error
        if trouble is not None:
            raise trouble

    def save_point(self) -> SavePoint:
        """What `mark_saved` needs to know about the document as it is now."""
        return SavePoint(self.history.done, self._dropped)

    def mark_saved(self, point: SavePoint) -> None:
        """The user's file was written as the document was then."""
        self._saved = self._remaining(point.done, self._dropped - point.dropped)
        if self.log is not None and self.path is not None and self.saved:
            self.log.record_save(self.path)

    def message(self, revision: int) -> m.Document:
        """The document as clients see it."""
        scene = self.scene
        return m.Document(
            revision=revision,
            name=scene.name,
            path=self.name,
            saved=self.saved,
            takes=info.take_infos(scene),
            constraints=constraint_infos(scene),
            found_takes=info.found_takes(scene),
            recordings=info.recording_infos(scene),
            activities=activity_infos(scene),
            poses=info.pose_infos(scene),
            flow=flow_info(scene),
            roles={each.name: dict(each.roles) for each in scene.characters},
            ground=puppets.ground_blocks(scene),
            sound=info.sound_info(scene),
            done=[edit.label for edit in self.history.done],
            undone=[edit.label for edit in self.history.undone],
            warnings=list(scene.source.warnings) if scene.source else [],
        )

    def _step(self, history: History, record: Callable[[StepLog], None]) -> None:
        if history is self.history:
            return
        fits = self.model.fits(history.scene)
        model = self.model if fits else display_model(history.scene)  # first: this may fail
        self.history, self.model = history, model
        if self.log is not None:
            record(self.log)  # last: if it fails, the document in memory is complete all the same

    def _drop_oldest(self) -> None:
        """Keep the history bounded: steps that are too old or too large cannot be undone."""
        count = len(self.history.done) - MAX_STEPS
        if self.log is not None:
            count = max(count, self.log.excess_steps())
        if count <= 0:
            return
        self._dropped += count
        self._last_dropped = self.history.done[count - 1]
        self.history = self.history.without_oldest(count)
        if self._saved is not None:
            self._saved = self._remaining(self._saved, count)
        if self.log is not None:
            self.log.record_dropped(count)

    def _remaining(self, done: tuple[Edit, ...], dropped: int) -> tuple[Edit, ...] | None:
        """`done` without its dropped steps; None where no undo leads back to it."""
        if not dropped:
            return done
        shared = dropped <= len(done) and done[dropped - 1] is self._last_dropped
        return done[dropped:] if shared else None
