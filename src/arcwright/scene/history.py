"""History: a scene with the edits applied to it and the undone ones."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene


@dataclass(frozen=True, eq=False)
class History:
    """An immutable undo history: `do`, `undo` and `redo` return a new one."""

    scene: Scene
    done: tuple[Edit, ...] = ()
    undone: tuple[Edit, ...] = ()  # the last undone one is last

    def do(self, edit: Edit) -> History:
        """Apply an edit; undone edits are discarded. Empty edits add no step."""
        if edit.empty:
            return self
        return History(edit.apply(self.scene), (*self.done, edit), ())

    def undo(self) -> History:
        """Undo the last edit, if there is one."""
        if not self.done:
            return self
        edit = self.done[-1]
        return History(edit.inverse().apply(self.scene), self.done[:-1], (*self.undone, edit))

    def redo(self) -> History:
        """Redo the last undone edit, if there is one."""
        if not self.undone:
            return self
        edit = self.undone[-1]
        return History(edit.apply(self.scene), (*self.done, edit), self.undone[:-1])

    def without_oldest(self, count: int) -> History:
        """The same scene without undo steps for the `count` oldest edits."""
        return self if count <= 0 else History(self.scene, self.done[count:], self.undone)
