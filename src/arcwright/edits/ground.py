"""Edits of the ground of a scene: the blocks and ramps that stand on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arcwright.errors import BadValue
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene
from arcwright.scene.terrain import Block

MOST = 200  # blocks of a scene


def set_ground(scene: Scene, blocks: Sequence[Block]) -> Edit:
    """Put these blocks on the ground, in place of those that were there."""
    if len(blocks) > MOST:
        raise BadValue("blocks on the ground", f"at most {MOST}", len(blocks))
    before, count = scene.ground, len(blocks) - len(scene.ground.blocks)
    after = replace(before, blocks=tuple(blocks))
    label = "Add block" if count > 0 else "Remove block" if count < 0 else "Change block"
    return Edit(label, () if after == before else (Change(("ground",), before, after),))
