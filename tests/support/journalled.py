"""Documents with a journal for tests, and what is left of them when their process is killed."""

import os

from arcwright.scene.clip import Clip
from arcwright.scene.edit import Edit
from arcwright.scene.history import History
from arcwright.server.storage.journal import Journal, recover
from arcwright.server.storage.journal.log import Log
from builders import change_at, full_scene

WAVE = ("characters", 0, "takes", 0, "base")
ODD = ("characters", 1, "takes", 0, "base")


def renamed(scene, name, at=WAVE):
    """A take gets another name and length, and all constraints go."""
    clip = scene.characters[at[1]].takes[at[3]].base
    made = Clip(name, clip.curves, clip.duration + 0.1, clip.rate)
    return Edit(
        f"Name it {name}", (change_at(scene, at, made), change_at(scene, ("constraints",), ()))
    )


class Document:
    """A history and its journal, changed together as the worker does."""

    def __init__(self, home, scene=None, path=None):
        self.home = home
        self.history = History(scene or full_scene())
        self.journal = Journal.begin(home, self.history.scene, path)

    @property
    def file(self):
        return self.journal.file

    def edit(self, edit):
        self.history = self.history.do(edit)
        self.journal.record_edit(edit)

    def do(self, name, at=WAVE):
        self.edit(renamed(self.history.scene, name, at))

    def undo(self):
        self.history = self.history.undo()
        self.journal.record_undo()

    def redo(self):
        self.history = self.history.redo()
        self.journal.record_redo()

    def crash(self):
        """What is left when the process is killed: the file as it is, and no lock."""
        self.journal.wait_for_compaction()
        os.close(self.journal._current.log._descriptor)
        self.journal._closed = True
        self.journal._stop_timer()
        return self.journal.name


class Disk:
    """Stands for the way to the disk: full when message so, after so many bytes, or failing."""

    def __init__(self, monkeypatch):
        self.room = None  # bytes; None: as much as there is
        self.error = None  # raised instead of writing
        self._put, self._sync = Log._put, Log.sync
        self.sync_error = None
        monkeypatch.setattr(Log, "_put", lambda log, *how: self.put(log, *how))
        monkeypatch.setattr(Log, "sync", lambda log: self.sync(log))

    def put(self, log, data, place):
        if self.error is not None:
            raise self.error
        if self.room is not None and len(data) > self.room:
            self._put(log, data[: self.room], place)
            raise OSError(28, "No space left on device")
        return self._put(log, data, place)

    def sync(self, log):
        if self.sync_error is not None:
            raise self.sync_error
        self._sync(log)


def files(home):
    return sorted(path.name for path in (home / "journals").iterdir())


def found(home, name):
    """A document brought back, with its journal put away again."""
    history, path, made = recover(home, name)
    made.close()
    return history, path, made
