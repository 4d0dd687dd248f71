"""What an uploaded file puts in the place of something that a tool edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from arcwright.errors import BadValue
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.server import messages as m
from arcwright.server.document.info import note_info
from arcwright.tools.catalogue import tool
from arcwright.tools.options import options_from
from arcwright.tools.tool import ReplacesObjects, Retargets


class Replacement(NamedTuple):
    """How one kind of message replaces something."""

    label: Callable[[Any], str]
    make: Callable[[Scene, Scene, Any], tuple[Edit, list[m.NoteInfo]]]


def _object(scene: Scene, file: Scene, message: m.ReplaceObject) -> tuple[Edit, list[m.NoteInfo]]:
    """The undo step that puts the first visible actor of a file in its place, with its notes."""
    visible = [each for each in (*file.props, *file.characters) if each.shapes]
    if not visible:
        raise BadValue("file", "one with a prop that has a mesh", "none")
    chosen = tool(message.tool)
    options = options_from(chosen.Options, message.options)
    session = chosen.begin(scene, Target(message.character, message.take), options)
    if not isinstance(session, ReplacesObjects):
        raise BadValue("tool", "one that replaces objects", message.tool)
    session.replace_object(message.object, visible[0])
    return session.finish(), [note_info(each) for each in session.notes()]


def _character(scene: Scene, file: Scene, message: m.Retarget) -> tuple[Edit, list[m.NoteInfo]]:
    """The undo step that puts the first character of a file in the place of the take's."""
    chosen = tool(message.tool)
    if not isinstance(chosen, Retargets):
        raise BadValue("tool", "one that retargets", message.tool)
    if not file.characters:
        raise BadValue("file", "one with a character", "none")
    target = Target(message.character, message.take)
    edit, notes = chosen.retarget(scene, target, file.characters[0])
    return edit, [note_info(each) for each in notes]


REPLACEMENTS: Mapping[type[Any], Replacement] = {
    m.ReplaceObject: Replacement(lambda message: f"Swap {message.object}", _object),
    m.Retarget: Replacement(lambda message: f"Retarget {message.take}", _character),
}
