"""Errands: what windows ask for besides editing: files in and out, and slow changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from arcwright import characters, files
from arcwright.edits.actors import add_scene
from arcwright.errors import ArcwrightError, BadFile, BadValue, UnknownName
from arcwright.open import is_built_in, read
from arcwright.scene.edit import Edit
from arcwright.scene.history import History
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.document import changes
from arcwright.server.document.client import Window
from arcwright.server.document.document import Story
from arcwright.server.document.footplants import Plants
from arcwright.server.document.subscriptions import Parcel, deliver
from arcwright.server.jobs import rendering as drawing
from arcwright.server.jobs import solve_constraints as applying
from arcwright.server.jobs.downloads import Downloads
from arcwright.server.jobs.jobs import Jobs, Progress
from arcwright.server.jobs.reductions import Reductions
from arcwright.server.jobs.uploads import Uploads
from arcwright.server.messages.encoding import encode
from arcwright.server.storage import home
from arcwright.server.storage.folder import Folder
from arcwright.server.storage.journal import Journal, Left, discard, recover, unfinished
from arcwright.server.storage.names import named_as, sanitized, spoken
from arcwright.server.worker import Desk
from arcwright.tools.tool import Applied

_T = TypeVar("_T")
_UNCHANGED = "Your document is unchanged."
_SUFFIX = {"glb": ".glb", "bvh": ".bvh", "arc": ".arc.glb", "png": ".png"}


class LeftOut(ArcwrightError):
    """Slow work whose time it is not: the document is another one, or it is done already."""

    def __init__(self, label: str, why: str) -> None:
        super().__init__(f"{label} was left out: {why}")


class Errands:
    """Called on the desk's own thread; what takes a while goes on elsewhere."""

    def __init__(self, desk: Desk, folder: Folder, state: Path) -> None:
        self.desk = desk
        self.folder = folder
        self.state = state  # the state folder
        self.uploads = Uploads()
        self.downloads = Downloads()
        self._plants = Plants(desk.soon, lambda: desk.story.scene)
        self._reductions = Reductions(desk.soon, lambda: desk.story.scene)
        self._jobs = Jobs(lambda told: desk.soon(lambda: desk.audience.tell(told)), desk.soon)
        self._applying: tuple[Story | None, int] = None, 0  # for which document, and the job

    def __call__(self, window: Window, word: m.ClientMessage) -> None:
        """Do what a window asks."""
        match word:
            case m.Open("recover", name):
                self._recover(window, name)
            case m.Open("builtin", name):
                self._open(window, name, lambda: _built_in(name), None)
            case m.Open("file", name):
                path = str(self.folder.place(name))
                self._open(window, name, lambda: self.folder.read(name), path)
            case m.DiscardRecovered(name):
                discard(self.state, name)
                self._tell_recent()
            case m.ImportUpload():
                self._bring(window, word)
            case m.Save(wanted, replace):
                self._save(window, wanted or self.desk.story.name, replace=replace)
            case m.Export():
                self._export(window, word)
            case m.ListFolder(folder):
                entries = self.folder.entries(folder)
                window.say(m.Folder(folder=folder, entries=entries))
            case m.ApplyChange(m.SolveConstraints() as change):
                self._apply(window, change)
            case m.ApplyChange(change):
                self._change(window, change)
            case m.RequestFootplants():
                self._plants.ask(window, word)
            case m.RequestReduction():
                self._reductions.ask(window, word)
            case m.CancelReduction():
                self._reductions.cancel(window)
            case m.CancelJob(job):
                self._jobs.cancel(job)
            case _:
                raise BadValue("message", "one that this desk knows", type(word).__name__)

    def close(self) -> None:
        """End what is under way, and delete what was only lent."""
        self._jobs.close()
        self._plants.close()
        self._reductions.close()
        self.uploads.close()
        self.downloads.close()

    def recent(self) -> list[m.RecentInfo]:
        """Documents left by a crash, then files of the folder that were opened lately."""
        left = [
            m.RecentInfo(each.name, _left_label(each), each.when, True, each.damage)
            for each in unfinished(self.state)
        ]
        opened = [(each, self.folder.name_of(each.path)) for each in home.recent(self.state)]
        return left + [m.RecentInfo(name, name, each.when, False) for each, name in opened if name]

    def _tell_recent(self) -> None:
        editors = [each for each in self.desk.audience.windows if each.role == "edit"]
        deliver([Parcel(editors, encode(m.Recent(recent=self.recent())), "recent")])

    def story(self, scene: Scene, path: str | None) -> Story:
        """A document of its own, with a journal from now on."""
        story = Story(History(scene), path, name=path and self.folder.name_of(path))
        self.begin(story)
        return story

    def begin(self, story: Story) -> None:
        """Write down what happens to a document from now on."""
        story.diary = self._watched(Journal.begin(self.state, story.scene, story.path))
        if story.path is not None:
            home.remember(self.state, story.path)

    def _start(
        self,
        window: Window,
        label: str,
        work: Callable[[Progress], _T],
        done: Callable[[_T], None],
        *,
        cancel: bool = True,
        kept: str = "",
    ) -> int:
        def failed(text: str) -> None:
            window.say(m.Failure(text=f"{text}. {kept}" if kept else text))

        def finish(result: _T) -> None:
            try:
                done(result)
            except ArcwrightError as error:  # of the step, which may be done all the same
                window.say(m.Failure(text=str(error)))

        return self._jobs.start(label, work, finish, failed, cancel=cancel)

    def _open(self, window: Window, name: str, read: Callable[[], Scene], path: str | None) -> None:
        def work(progress: Progress) -> Story:
            scene = read()
            progress(0.7)
            return Story(History(scene), path, name=path and self.folder.name_of(path))

        def done(story: Story) -> None:
            self.begin(story)
            try:
                self._put(window, story)
            finally:
                if self.desk.story is not story and story.diary is not None:
                    story.diary.close()  # refused: nothing of it is left

        self._start(window, f"Open {spoken(name)}", work, done, kept=_UNCHANGED)

    def _recover(self, window: Window, name: str) -> None:
        def work(_: Progress) -> Story:
            history, path, journal = recover(self.state, name)
            shown = path and self.folder.name_of(path)
            if path is not None:
                self.folder.saw(Path(path), unless_after=journal.kept_at)
            return Story(history, path, self._watched(journal), name=shown, saved=False)

        self._start(window, "Recover", work, lambda story: self._put(window, story), cancel=False)

    def _watched(self, journal: Journal) -> Journal:
        """Windows hear when steps that were not safe on disk are."""
        journal.healed = lambda text: self.desk.soon(
            lambda: self.desk.audience.tell(m.Report(text=text))
        )
        return journal

    def _put(self, window: Window, story: Story) -> None:
        self.desk.open(story)
        self._tell_recent()
        if isinstance(story.diary, Journal):
            for text in (story.diary.lost, story.diary.trouble):
                if text:
                    window.say(m.Failure(text=text))

    def _bring(self, window: Window, word: m.ImportUpload) -> None:
        path = self.uploads.path(word.upload)

        def brought() -> Scene:
            try:
                with named_as(path.name):
                    return read(path)
            finally:
                self.uploads.forget(word.upload)

        if word.add:
            label, story = f"Add {path.name}", self.desk.story

            def done(other: Scene) -> None:
                self._same_document(label, story)
                self.desk.do(add_scene(story.scene, other))

            self._start(window, label, lambda _: brought(), done, kept=_UNCHANGED)
        else:
            self._open(window, path.name, brought, None)

    def _save(self, window: Window, name: str | None, *, replace: bool) -> None:
        if name is None:
            raise BadFile("this document", "has no file in the opened folder yet", "use Save as")
        story, history = self.desk.story, self.desk.story.history
        moment, path = story.moment(), str(self.folder.place(name))

        def done(dropped: tuple[str, ...]) -> None:
            story.path, story.name = path, name
            home.remember(self.state, path)
            if not dropped:
                story.keep(moment)
            self.desk.tell_document()
            self._tell_recent()
            window.say(m.Saved(path=name))
            if dropped:
                what = "; ".join(dropped)
                text = f"{name} does not hold everything: {what}. Save as .arc.glb to keep it all."
                window.say(m.Report(text=text, severity="warning"))

        def work(_: Progress) -> tuple[str, ...]:
            return self.folder.write(history.scene, name, replace=replace)

        self._start(window, f"Save {name}", work, done)

    def _export(self, window: Window, word: m.Export) -> None:
        scene = self.desk.story.scene
        actor = scene.actor(word.character)
        take = actor.take(word.take) if word.take else None
        name = _file_name(scene, take if word.format in ("bvh", "png") else None, word.format)
        address, path = self.downloads.place(name)
        clip = None if take is None else take.name

        def work(progress: Progress) -> tuple[str, ...]:
            with named_as(name, "export it again"):
                if word.format == "png":
                    drawing.draw(scene, path, actor.name, clip, lambda: progress(0.0))
                elif word.format == "bvh":
                    return files.write(scene, path, character=actor.name, clip=clip)
                else:
                    return files.write(scene, path)
            return ()

        def done(dropped: tuple[str, ...]) -> None:
            window.say(m.Download(address=address, name=name))
            if dropped:
                text = f"{name} does not hold everything: {'; '.join(dropped)}"
                window.say(m.Report(text=text, severity="warning"))

        self._start(window, f"Export {name}", work, done)

    def _change(self, window: Window, change: m.Change) -> None:
        story, history = self.desk.story, self.desk.story.history
        label = changes.SLOW[type(change)]

        def done(edit: Edit) -> None:
            self._step(label, story, history, edit)
            if edit.empty:
                said = "Nothing was changed: no foot stands still where none is noted yet."
                window.say(m.Report(text=said))
            elif not isinstance(
                change, m.DetectContacts
            ):  # they are seen; how near keys are is not
                window.say(m.Report(text=edit.label))

        def work(progress: Progress) -> Edit:
            if isinstance(change, m.FitTake):
                return self._reductions.edit(history.scene, change, progress)
            return changes.edit_of(history.scene, change)

        self._start(window, label, work, done)

    def _apply(self, window: Window, change: m.SolveConstraints) -> None:
        story, history = self.desk.story, self.desk.story.history
        if self._applying[0] is story and self._jobs.runs(self._applying[1]):
            raise LeftOut(applying.LABEL, "one is under way already")

        def done(found: Applied) -> None:
            self._same_document(applying.LABEL, story)
            if not applying.same_wishes(history.scene, story.scene, change):
                why = "the motion or what is wished of it changed meanwhile; ask again"
                raise LeftOut(applying.LABEL, why)
            self._step(applying.LABEL, story, history, found.edit)
            window.say(applying.report(found))

        def work(progress: Progress) -> Applied:
            return applying.applied(history.scene, change, progress)

        self._applying = story, self._start(window, applying.LABEL, work, done)

    def _step(self, label: str, story: Story, history: History, edit: Edit) -> None:
        """One step from where slow work began, if the document is still there."""
        self._same_document(label, story)
        if story.history.undone not in ((), history.undone):  # a step would forget them
            raise LeftOut(label, "the document went back or forth meanwhile; ask again")
        self.desk.do(edit)

    def _same_document(self, label: str, story: Story) -> None:
        if self.desk.story is not story:
            raise LeftOut(label, "another document was opened meanwhile")


def _built_in(name: str) -> Scene:
    if not is_built_in(name):
        raise UnknownName("built-in character", name, characters.names())
    return characters.built_in(name)


def _file_name(scene: Scene, take: Take | None, format: str) -> str:
    """A name for a scene, or one take of it."""
    words = scene.name.replace(":", " ").split()
    if take is not None and take.name not in words:
        words.append(take.name)
    return sanitized(f"{' '.join(words)}.bvh").removesuffix(".bvh") + _SUFFIX[format]


def _left_label(left: Left) -> str:
    label, nothing_left = spoken(left.label), left.damage and not left.steps
    return label if nothing_left else f"{label}, {_steps(left.steps)}"


def _steps(count: int) -> str:
    if not count:
        return "all steps undone"
    return "1 step" if count == 1 else f"{count} steps"
