"""The cycle tool: name, options, begin."""

from __future__ import annotations

from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.session import CycleSession
from arcwright.tools.gesture import Drag, Performance, Setting, Stroke
from arcwright.tools.shared.attached import begin_assembled
from arcwright.tools.tool import Session


class CycleTool:
    """Perform a movement: it becomes a loop. Drag its curves, or draw the ground it touches."""

    name = "cycle"
    label = "Motion cycle"
    gestures = (Performance, Drag, Stroke, Setting)
    Options = CycleOptions
    one_frame = False

    def begin(self, scene: Scene, target: Target, options: CycleOptions) -> Session:
        """Begin; the first gesture says whether a loop is performed, shaped or grounded."""
        return begin_assembled(scene, target, lambda scene: CycleSession(scene, target, options))
