"""Names of nodes: joints always have one, nodes of a file need not.

A node without a name is written without one. The name its joint had in a scene goes into its
extras, so that the joint is called the same when the file is read again.
"""

from __future__ import annotations

from typing import Any

from arcwright.files.gltf.item import Item
from arcwright.scene.rig import Rig

MADE_UP = "arcwright_joint"  # the key in a node's extras


def named_nodes(rig: Rig) -> list[dict[str, Any]]:
    """(J,) the beginnings of the nodes of a rig: how each is called."""
    return [
        {"name": own} if own else {"extras": {MADE_UP: name}}
        for name, own in zip(rig.names, rig.file_names or rig.names, strict=True)
    ]


def made_up_name(node: Item) -> str:
    """What the joint of a node without a name was called; "" where that is not known."""
    extras = node.value.get("extras")
    name = extras.get(MADE_UP) if isinstance(extras, dict) else None
    return name if isinstance(name, str) else ""
