"""Another prop in the place of an object that a tool edits."""

from __future__ import annotations

from arcwright.errors import BadValue
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.server import messages as m
from arcwright.server.document.info import note_info
from arcwright.tools.catalogue import tool
from arcwright.tools.options import options_from
from arcwright.tools.tool import ReplacesObjects


def replaced_object(
    scene: Scene, file: Scene, message: m.ReplaceObject
) -> tuple[Edit, list[m.NoteInfo]]:
    """The undo step that puts the first actor of a file in its place, and what is left undone."""
    if not file.actors:
        raise BadValue("file", "one with a prop", "none")
    chosen = tool(message.tool)
    options = options_from(chosen.Options, message.options)
    session = chosen.begin(scene, Target(message.character, message.take), options)
    if not isinstance(session, ReplacesObjects):
        raise BadValue("tool", "one that replaces objects", message.tool)
    session.replace_object(message.object, file.actors[0])
    return session.finish(), [note_info(each) for each in session.notes()]
