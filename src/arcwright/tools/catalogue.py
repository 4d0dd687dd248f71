"""All tools, in the order a face shows them."""

from __future__ import annotations

from typing import Any

from arcwright.errors import UnknownName
from arcwright.tools.pose.tool import PoseTool
from arcwright.tools.spacetime.tool import SpacetimeTool
from arcwright.tools.tangent.tool import TangentTool

TOOLS = (PoseTool(), TangentTool(), SpacetimeTool())


def tool(name: str) -> Any:
    """The tool of this name."""
    for each in TOOLS:
        if each.name == name:
            return each
    raise UnknownName("tool", name, [each.name for each in TOOLS])
