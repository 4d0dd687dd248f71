"""History: a scene with the edits done to it and the ones taken back."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene


@dataclass(frozen=True, eq=False)
class History:
    """A value like the rest: doing, undoing and redoing give a new one."""

    scene: Scene
    done: tuple[Edit, ...] = ()
    undone: tuple[Edit, ...] = ()  # the last one taken back is last

    def do(self, edit: Edit) -> History:
        """Apply an edit; what was taken back before is forgotten. Empty edits leave no step."""
        if edit.empty:
            return self
        return History(edit.apply(self.scene), (*self.done, edit), ())

    def undo(self) -> History:
        """Take back the last edit, if there is one."""
        if not self.done:
            return self
        edit = self.done[-1]
        return History(edit.inverse().apply(self.scene), self.done[:-1], (*self.undone, edit))

    def redo(self) -> History:
        """Do again what was taken back last, if there is anything."""
        if not self.undone:
            return self
        edit = self.undone[-1]
        return History(edit.apply(self.scene), (*self.done, edit), self.undone[:-1])

    def without_oldest(self, count: int) -> History:
        """The same scene with the `count` oldest edits for good: they cannot be undone any more."""
        return self if count <= 0 else History(self.scene, self.done[count:], self.undone)
