"""Correct the frame rate of a recorded take whose falls do not fit it."""

from __future__ import annotations

from arcwright.edits.edited_take import find_take
from arcwright.edits.takes import set_timing
from arcwright.kinematics.frame_rate import check_rate
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene


def correct_rate(scene: Scene, character: str = "", take: str = "") -> Edit:
    """Give a take the frame rate at which it falls with g, its frames kept; empty where it has it.

    Samples, layers, constraints and events keep their frames, so that all of it plays slower or
    faster.
    """
    edited = find_take(scene, character, take)
    check = check_rate(edited.take)
    if check is None:
        return Edit(f"Frame rate of {edited.take.name}")
    names = edited.actor.name, edited.take.name
    return set_timing(scene, *names, rate=check.true, keep="frames")
