"""Avatar: the edit that gives a character the pose and the colours of a photo."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.edits.actors import unique_name
from arcwright.scene.edit import Change, Edit
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.shared.avatar.clothing import dominant_colour, dressed
from arcwright.tools.shared.avatar.photo_pose import NAME, photo_pose


def avatar_from_photo(
    scene: Scene,
    character: str,
    marks: Mapping[str, Sequence[float]],
    pixels: Mapping[str, Floats] | None = None,
    flipped: Collection[str] = (),
) -> Edit:
    """One undo step: a take with the pose of the marks, and colours of garments from pixels.

    `marks` are pixels of joints (x to the right, y down); `pixels` are colours (N, 3), 0 to 1, of
    "top", "bottom", "hair" and "skin". Without marks only the colours change.
    """
    actor = scene.actor(character)
    group = "characters" if actor in scene.characters else "props"
    address = (group, getattr(scene, group).index(actor))
    changes: list[Change] = []
    if marks:
        values = photo_pose(actor, marks, flipped)
        name = unique_name(NAME, {take.name for take in actor.takes})
        pose = Motion(name, np.array([0.0, 1.0]), np.repeat(values[None], 2, axis=0))
        takes = (*actor.takes, Take(actor.rig, pose))
        changes.append(Change((*address, "takes"), actor.takes, takes))
    colours = {name: dominant_colour(each).tolist() for name, each in (pixels or {}).items()}
    if colours:
        changes.append(Change((*address, "look"), actor.look, dressed(actor.look, colours)))
    return Edit("Avatar from a photo", tuple(changes))
