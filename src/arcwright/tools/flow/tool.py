"""The flow tool: name, options, begin."""

from __future__ import annotations

from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.flow.options import FlowOptions
from arcwright.tools.flow.session import FlowSession
from arcwright.tools.gesture import Drag, Setting, Stroke
from arcwright.tools.tool import Session


class FlowTool:
    """Draw a line across the picture: objects bend so that their lines follow it."""

    name = "flow"
    label = "Compose"
    gestures = (Stroke, Drag, Setting)
    Options = FlowOptions
    one_frame = False

    def begin(self, scene: Scene, target: Target, options: FlowOptions) -> Session:
        """Find objects, curves and contacts of the shot, where the scene has a camera."""
        return FlowSession(scene, target, options)
