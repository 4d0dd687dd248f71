"""Node names: joints always have one, glTF nodes need not.

A node without a name is written without one. The name its joint had in a scene goes into its
extras, so that the joint gets it back when the file is read again.
"""

from __future__ import annotations

from typing import Any

from arcwright.files.gltf.item import Item
from arcwright.scene.rig import Rig

NAME_EXTRA = "arcwright_joint"  # the key in a node's extras


def named_nodes(rig: Rig) -> list[dict[str, Any]]:
    """(J,) new nodes of a rig with their names."""
    return [
        {"name": own} if own else {"extras": {NAME_EXTRA: name}}
        for name, own in zip(rig.names, rig.file_names or rig.names, strict=True)
    ]


def stored_joint_name(node: Item) -> str:
    """The stored joint name of a node without a name; "" if there is none."""
    extras = node.value.get("extras")
    name = extras.get(NAME_EXTRA) if isinstance(extras, dict) else None
    return name if isinstance(name, str) else ""
