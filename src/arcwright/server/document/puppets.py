"""Roles of takes and the ground: the edits that changes ask for, and what clients see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arcwright.edits.ground import set_ground
from arcwright.edits.roles import set_role
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.terrain import Block
from arcwright.server import messages as m


def ground_blocks(scene: Scene) -> list[m.GroundBlock]:
    """The blocks on the ground of a scene."""
    return [m.GroundBlock(each.x, each.z, each.heights) for each in scene.ground.blocks]


def _set_ground(scene: Scene, change: m.SetGround) -> Edit:
    return set_ground(scene, [Block(each.x, each.z, each.heights) for each in change.blocks])


PUPPET_EDITS: dict[type[Any], Callable[[Scene, Any], Edit]] = {
    m.SetRole: lambda s, c: set_role(s, c.character, c.role, c.take),
    m.SetGround: _set_ground,
}
