"""The tools that drag points of takes; flow drags handles and points of meshes."""

from arcwright.tools.catalogue import TOOLS
from arcwright.tools.gesture import Drag

TAKE_TOOLS = [tool for tool in TOOLS if Drag in tool.gestures and tool.name != "flow"]
