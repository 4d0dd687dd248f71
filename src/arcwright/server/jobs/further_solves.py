"""Further solves: a committed interaction solved again as a job, with as much time as it needs."""

from __future__ import annotations

from collections.abc import Callable

from arcwright.scene.edit import Edit
from arcwright.server import messages as m
from arcwright.server.document.committed import CommittedInteraction
from arcwright.server.document.info import note_info
from arcwright.server.document.open_document import OpenDocument
from arcwright.server.document.subscriptions import Client
from arcwright.server.jobs.jobs import Jobs, ResultDiscarded, require_open
from arcwright.tools.tool import Note

LABEL = "Solve further"


class FurtherSolves:
    """Replaces the step of the last interaction by one that had more time."""

    def __init__(
        self, opened: OpenDocument, jobs: Jobs, last: Callable[[], CommittedInteraction | None]
    ) -> None:
        self._opened, self._jobs, self._last = opened, jobs, last

    def start(self, client: Client, message: m.SolveFurther) -> None:
        """Solve in the background; refused once something else was done."""
        last = self._last()
        if last is None or last.number != message.interaction:
            raise ResultDiscarded(LABEL, "another interaction was committed since")
        self._require_same(last)

        def done(result: tuple[Edit, tuple[Note, ...]]) -> None:
            self._require_same(last)
            edit, notes = result
            self._opened.undo()
            self._opened.apply(edit)
            text = "Solved further" + (", as closely as possible." if notes else ".")
            client.send(m.Report(text=text, notes=[note_info(each) for each in notes]))

        self._jobs.start(client, LABEL, last.interaction.solve_further, done)

    def _require_same(self, last: CommittedInteraction) -> None:
        require_open(self._opened, last.document, LABEL)
        if last.document.history is not last.history:
            raise ResultDiscarded(LABEL, "the document changed in the meantime")
