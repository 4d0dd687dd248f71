"""Changes that take a while: solving constraints, fitting keyframes, flattening layers."""

from __future__ import annotations

from typing import Any

from arcwright.edits.detected_contacts import add_contacts, detected_contacts
from arcwright.errors import ArcwrightError
from arcwright.objectives.edited_clip import find_take
from arcwright.scene.constraint import Contact
from arcwright.scene.edit import Edit
from arcwright.scene.history import History
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.server import messages as m
from arcwright.server.document import changes
from arcwright.server.document.document import Document
from arcwright.server.document.info import note_info
from arcwright.server.document.open_document import OpenDocument
from arcwright.server.document.subscriptions import Client
from arcwright.server.jobs.jobs import Jobs, Progress, ResultDiscarded, require_open
from arcwright.server.jobs.reductions import Reductions
from arcwright.tools.catalogue import tools
from arcwright.tools.options import options_from
from arcwright.tools.tool import Solved, Solves, Unchanged

SOLVE_LABEL = "Solve constraints"
LABELS: dict[type[Any], str] = {
    m.DetectContacts: "Find contacts",
    m.FitTake: "Fit keyframes",
    m.FlattenLayers: "Flatten layers",
    m.BakeLayers: "Bake layers",
    m.SolveConstraints: SOLVE_LABEL,
}
SOLVER_INPUTS = "constraints", "props"  # of a scene, besides the take
WHY_UNCHANGED: dict[Unchanged, str] = {
    "no constraints": "this motion has no constraints in these frames",
    "all met": "all constraints of this motion in these frames are met already",
    "no gain": "the constraints cannot be met more closely than they are",
}


def is_slow(change: m.Change) -> bool:
    """Whether a change runs as a job."""
    return type(change) in LABELS


class SlowChanges:
    """Starts changes as jobs; each becomes one undo step if the document still fits."""

    def __init__(self, opened: OpenDocument, jobs: Jobs, reductions: Reductions) -> None:
        self._opened = opened
        self._jobs = jobs
        self._reductions = reductions
        self._solving: tuple[Document | None, int] = None, 0  # for which document, and the job

    def start(self, client: Client, change: m.Change) -> None:
        """Make a change in the background."""
        if isinstance(change, m.SolveConstraints):
            self._solve(client, change)
            return
        if isinstance(change, m.DetectContacts):
            self._detect(client, change)
            return
        document, history = self._opened.document, self._opened.document.history
        label = LABELS[type(change)]

        def done(edit: Edit) -> None:
            self._apply(label, document, history, edit)
            client.send(m.Report(text=edit.label))

        def work(progress: Progress) -> Edit:
            if isinstance(change, m.FitTake):
                return self._reductions.edit(history.scene, change, progress)
            return changes.edit_of(history.scene, change)

        self._jobs.start(client, label, work, done)

    def _detect(self, client: Client, change: m.DetectContacts) -> None:
        """Add detected contacts to the constraints that there are when they are found."""
        document, history = self._opened.document, self._opened.document.history
        label = LABELS[m.DetectContacts]

        def done(found: list[Contact]) -> None:
            require_open(self._opened, document, label)
            edit = add_contacts(document.scene, found)
            self._apply(label, document, history, edit)
            if edit.empty:
                client.send(m.Report(text="Nothing was changed: no new contacts were found."))

        def work(_: Progress) -> list[Contact]:
            return detected_contacts(history.scene, change.character, change.take)

        self._jobs.start(client, label, work, done)

    def _solve(self, client: Client, change: m.SolveConstraints) -> None:
        document, history = self._opened.document, self._opened.document.history
        if self._solving[0] is document and self._jobs.is_running(self._solving[1]):
            raise ResultDiscarded(SOLVE_LABEL, "another one is running already")

        def done(found: Solved) -> None:
            require_open(self._opened, document, SOLVE_LABEL)
            if not same_inputs(history.scene, document.scene, change):
                why = "the motion or its constraints changed in the meantime; solve again"
                raise ResultDiscarded(SOLVE_LABEL, why)
            self._apply(SOLVE_LABEL, document, history, found.edit)
            client.send(solve_report(found))

        def work(progress: Progress) -> Solved:
            return solve_constraints(history.scene, change, progress)

        self._solving = document, self._jobs.start(client, SOLVE_LABEL, work, done)

    def _apply(self, label: str, document: Document, history: History, edit: Edit) -> None:
        """Apply the result of a job that began at `history`."""
        require_open(self._opened, document, label)
        if document.history.undone not in ((), history.undone):  # a step would drop them
            raise ResultDiscarded(label, "steps were undone in the meantime; try again")
        self._opened.apply(edit)


def solve_constraints(
    scene: Scene, change: m.SolveConstraints, progress: Progress = lambda _: None
) -> Solved:
    """Meet the constraints of a scene without a gesture."""
    solver = next(each for each in tools() if isinstance(each, Solves))
    options = options_from(solver.Options, change.options)
    target = Target(change.character, change.take)
    return solver.solve(scene, target, options, (), progress)


def same_inputs(before: Scene, now: Scene, change: m.SolveConstraints) -> bool:
    """Whether the motion, its constraints and the actors they refer to are unchanged."""
    if any(getattr(before, each) != getattr(now, each) for each in SOLVER_INPUTS):
        return False
    target = Target(change.character, change.take)
    others = [each.relative_to.character for each in before.contacts if each.relative_to]
    try:
        was, found = find_take(before, target), find_take(now, target)
        pairs = [(before.actor(each), now.actor(each)) for each in others]
    except ArcwrightError:  # one of them was removed
        return False
    if was[0].rig is not found[0].rig or was[1:] != found[1:]:
        return False
    return all(a is b for a, b in pairs if a is not was[0])


def solve_report(solved: Solved) -> m.Report:
    """What was solved, or why nothing was changed."""
    notes = [note_info(each) for each in solved.notes]
    if solved.unchanged is None:
        text = "Constraints solved" + (" as closely as possible." if notes else ".")
    else:
        text = f"Nothing was changed: {WHY_UNCHANGED[solved.unchanged]}."
    return m.Report(text=text, notes=notes)
