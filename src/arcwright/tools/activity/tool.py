"""The activity tool: name, options, begin."""

from __future__ import annotations

from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.session import ActivitySession
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.attached import begin_assembled
from arcwright.tools.tool import Session


class ActivityTool:
    """Move what a motion is about: an event's point, an object, a moment; the motion follows."""

    name = "activity"
    label = "Activity"
    gestures = (Drag,)
    Options = ActivityOptions
    one_frame = False

    def begin(self, scene: Scene, target: Target, options: ActivityOptions) -> Session:
        """Prepare an edit of the activity of a take."""
        return begin_assembled(
            scene, target, lambda assembled: ActivitySession(assembled, target, options)
        )
