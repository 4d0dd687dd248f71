"""File commands: open, recover, import, save and export documents, and list the folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from arcwright import characters, files
from arcwright.edits.actors import add_scene
from arcwright.edits.sound import add_sound
from arcwright.errors import BadFile, UnknownName
from arcwright.open import is_built_in, read
from arcwright.scene.edit import Edit
from arcwright.scene.history import History
from arcwright.scene.scene import Scene
from arcwright.scene.sound import LARGEST_SOUND, SOUND_SUFFIXES
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.document.document import Document
from arcwright.server.document.open_document import OpenDocument, Post
from arcwright.server.document.subscriptions import Client, Delivery, deliver
from arcwright.server.jobs import rendering
from arcwright.server.jobs.jobs import Jobs, Progress, require_open
from arcwright.server.jobs.replacements import REPLACEMENTS
from arcwright.server.messages.encoding import encode
from arcwright.server.storage import home
from arcwright.server.storage.folder import Folder
from arcwright.server.storage.journal import Journal, Unsaved, discard, recover, unfinished
from arcwright.server.storage.names import displayed, named_as, sanitized
from arcwright.server.storage.transfers import Downloads, Uploads

_UNCHANGED = "Your document is unchanged."
_SUFFIX = {"glb": ".glb", "bvh": ".bvh", "arc": ".arc.glb", "png": ".png"}


class FileCommands:
    """Handlers are called on the worker's thread; reading and writing run as jobs."""

    def __init__(
        self, opened: OpenDocument, jobs: Jobs, post: Post, folder: Folder, state: Path
    ) -> None:
        self.folder = folder
        self.uploads = Uploads()
        self.downloads = Downloads()
        self._opened = opened
        self._jobs = jobs
        self._post = post
        self._state = state  # the state folder

    def close(self) -> None:
        """Delete temporary files."""
        self.uploads.close()
        self.downloads.close()

    def start_journal(self, document: Document) -> None:
        """Record every step of a document from now on."""
        journal = Journal.begin(self._state, document.scene, document.path)
        document.log = self._reporting(journal)
        if document.path is not None:
            home.remember(self._state, document.path)

    def recent(self) -> list[m.RecentInfo]:
        """Documents left by a crash, then files of the folder that were opened recently."""
        left = [
            m.RecentInfo(
                each.name, _unsaved_label(each), each.when, True, each.damage, each.differs
            )
            for each in unfinished(self._state)
        ]
        files = [(each, self.folder.name_of(each.path)) for each in home.recent(self._state)]
        return left + [m.RecentInfo(name, name, each.when, False) for each, name in files if name]

    def open(self, client: Client, message: m.Open) -> None:
        """Open a document in place of the current one."""
        name, gone = message.name, message.discard
        match message.kind:
            case "recover":
                self._recover(client, name, gone)
            case "builtin":
                self._open(client, name, lambda: _built_in(name), None, gone)
            case "file":
                path = str(self.folder.resolve(name))
                self._open(client, name, lambda: self.folder.read(name), path, gone)

    def discard_recovered(self, _: Client, message: m.DiscardRecovered) -> None:
        """Delete a document left by a crash."""
        discard(self._state, message.name)
        self._send_recent()

    def import_upload(self, client: Client, message: m.ImportUpload) -> None:
        """Open an uploaded file, or add its scene or sound to the document."""
        path = self.uploads.path(message.upload)
        if message.add and path.suffix.lower() in SOUND_SUFFIXES:
            self._add_sound(message.upload)
            return
        if not message.add:
            self._open(
                client,
                path.name,
                lambda: self._uploaded(message.upload),
                None,
                message.discard,
            )
            return
        label, document = f"Add {path.name}", self._opened.document

        def done(scene: Scene) -> None:
            require_open(self._opened, document, label)
            self._opened.apply(add_scene(document.scene, scene))

        def work(_: Progress) -> Scene:
            return self._uploaded(message.upload)

        self._jobs.start(client, label, work, done, on_failure=_UNCHANGED)

    def _add_sound(self, upload: str) -> None:
        """Put an uploaded audio file on the timeline."""
        path = self.uploads.path(upload)
        try:
            with path.open("rb") as file:
                data = file.read(LARGEST_SOUND + 1)  # a byte more is refused
            self._opened.apply(add_sound(self._opened.scene, path.name, data))
        finally:
            self.uploads.delete(upload)

    def _uploaded(self, upload: str) -> Scene:
        """The scene of an uploaded file, which is deleted."""
        path = self.uploads.path(upload)
        try:
            with named_as(path.name):
                return read(path)
        finally:
            self.uploads.delete(upload)

    def replace(self, client: Client, message: Any) -> None:
        """Put what an uploaded file has in the place of an object or a character."""
        document, scene = self._opened.document, self._opened.scene
        replacement = REPLACEMENTS[type(message)]
        label = replacement.label(message)

        def work(_: Progress) -> tuple[Edit, list[m.NoteInfo]]:
            return replacement.make(scene, self._uploaded(message.upload), message)

        def done(made: tuple[Edit, list[m.NoteInfo]]) -> None:
            require_open(self._opened, document, label)
            edit, notes = made
            self._opened.apply(edit)
            client.send(m.Report(text=f"{label}.", notes=notes))

        self._jobs.start(client, label, work, done, on_failure=_UNCHANGED)

    def save(self, client: Client, message: m.Save) -> None:
        """Save the document to its file, or to another one of the folder."""
        document, scene = self._opened.document, self._opened.scene
        name = message.name or document.name
        if name is None:
            raise BadFile("this document", "has no file in the opened folder yet", "use Save as")
        point, path = document.save_point(), str(self.folder.resolve(name))

        def done(dropped: tuple[str, ...]) -> None:
            document.path, document.name = path, name
            home.remember(self._state, path)
            if not dropped:
                document.mark_saved(point)
            self._opened.send_document()
            self._send_recent()
            client.send(m.Saved(path=name))
            if dropped:
                lost = f"{name} does not contain everything: {'; '.join(dropped)}"
                text = f"{lost}. Save as .arc.glb to keep everything."
                client.send(m.Report(text=text, severity="warning"))

        def work(_: Progress) -> tuple[str, ...]:
            return self.folder.write(scene, name, replace=message.replace)

        self._jobs.start(client, f"Save {name}", work, done)

    def export(self, client: Client, message: m.Export) -> None:
        """Write a file for download."""
        scene = self._opened.scene
        actor = scene.actor(message.character)
        take = actor.take(message.take) if message.take else None
        of_take = message.format in ("bvh", "png")
        name = _file_name(scene, take if of_take else None, message.format)
        address, path = self.downloads.new_file(name)
        clip = None if take is None else take.name

        def work(progress: Progress) -> tuple[str, ...]:
            with named_as(name, "export it again"):
                if message.format == "png":
                    rendering.render(scene, path, actor.name, clip, lambda: progress(0.0))
                    return ()
                if message.format == "bvh":
                    return files.write(scene, path, character=actor.name, take=clip)
                return files.write(scene, path)

        def done(dropped: tuple[str, ...]) -> None:
            client.send(m.Download(address=address, name=name))
            if dropped:
                text = f"{name} does not contain everything: {'; '.join(dropped)}"
                client.send(m.Report(text=text, severity="warning"))

        self._jobs.start(client, f"Export {name}", work, done)

    def list_folder(self, client: Client, message: m.ListFolder) -> None:
        """List what can be opened."""
        entries = self.folder.entries(message.folder)
        client.send(m.Folder(folder=message.folder, entries=entries))

    def _open(
        self,
        client: Client,
        name: str,
        read_scene: Callable[[], Scene],
        path: str | None,
        discards: bool,
    ) -> None:
        def work(progress: Progress) -> Document:
            scene = read_scene()
            progress(0.7)
            return Document(History(scene), path, name=path and self.folder.name_of(path))

        def done(document: Document) -> None:
            self.start_journal(document)
            try:
                self._replace(client, document, discards)
            finally:
                if self._opened.document is not document and document.log is not None:
                    document.log.close()  # the current document stays open: remove the new journal

        label = f"Open {displayed(name)}"
        self._jobs.start(client, label, work, done, on_failure=_UNCHANGED)

    def _recover(self, client: Client, name: str, discards: bool) -> None:
        def work(_: Progress) -> Document:
            history, path, journal = recover(self._state, name)
            in_folder = path and self.folder.name_of(path)
            if path is not None:
                self.folder.mark_seen(Path(path), unless_after=journal.saved_at)
            return Document(history, path, self._reporting(journal), name=in_folder, saved=False)

        def done(document: Document) -> None:
            self._replace(client, document, discards)

        self._jobs.start(client, "Recover", work, done, can_cancel=False)

    def _reporting(self, journal: Journal) -> Journal:
        """Notify clients when steps that could not be written are on disk."""
        report = self._opened.subscriptions.broadcast
        journal.on_safe_again = lambda text: self._post(lambda: report(m.Report(text=text)))
        return journal

    def _replace(self, client: Client, document: Document, discards: bool) -> None:
        left = self._opened.document.log
        self._opened.replace(document)
        if discards and isinstance(left, Journal) and left.name in _names(self._state):
            discard(self._state, left.name)
        self._send_recent()
        if isinstance(document.log, Journal):
            for text in (document.log.lost, document.log.trouble):
                if text:
                    client.send(m.Failure(text=text))

    def _send_recent(self) -> None:
        editors = [each for each in self._opened.subscriptions.clients if each.role == "edit"]
        deliver([Delivery(editors, encode(m.Recent(recent=self.recent())), "recent")])


def _names(state: Path) -> set[str]:
    """Documents with unsaved steps."""
    return {each.name for each in unfinished(state)}


def _built_in(name: str) -> Scene:
    if not is_built_in(name):
        raise UnknownName("built-in character", name, characters.names())
    return characters.built_in(name)


def _file_name(scene: Scene, take: Take | None, format: str) -> str:
    """A file name for a scene, or one take of it."""
    words = scene.name.replace(":", " ").split()
    if take is not None and take.name not in words:
        words.append(take.name)
    return sanitized(f"{' '.join(words)}.bvh").removesuffix(".bvh") + _SUFFIX[format]


def _unsaved_label(left: Unsaved) -> str:
    label, nothing_left = displayed(left.label), left.damage and not left.steps
    return label if nothing_left else f"{label}, {_steps(left.steps)}"


def _steps(count: int) -> str:
    if not count:
        return "all steps undone"
    return "1 step" if count == 1 else f"{count} steps"
