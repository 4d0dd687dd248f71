"""All tools, in the order a face shows them."""

from __future__ import annotations

from arcwright.errors import UnknownName
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.autocomplete.tool import AutocompleteTool
from arcwright.tools.cycle.tool import CycleTool
from arcwright.tools.flow.tool import FlowTool
from arcwright.tools.pose.tool import PoseTool
from arcwright.tools.puppet.tool import PuppetTool
from arcwright.tools.spacetime.tool import SpacetimeTool
from arcwright.tools.tangent.tool import TangentTool
from arcwright.tools.tool import Tool

TOOLS: list[Tool] = [
    PoseTool(),
    TangentTool(),
    SpacetimeTool(),
    CycleTool(),
    PuppetTool(),
    ActivityTool(),
    AutocompleteTool(),
    FlowTool(),
]


def tools() -> tuple[Tool, ...]:
    """Every tool."""
    return tuple(TOOLS)


def tool(name: str) -> Tool:
    """The tool of this name."""
    for each in TOOLS:
        if each.name == name:
            return each
    raise UnknownName("tool", name, [each.name for each in TOOLS])
