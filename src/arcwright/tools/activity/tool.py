"""The activity tool: name, options, begin."""

from __future__ import annotations

from arcwright.edits.edited_take import find_take
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.prepared import activity_of
from arcwright.tools.activity.retargeted import retargeted_activity
from arcwright.tools.activity.session import ActivitySession
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.attached import begin_assembled
from arcwright.tools.tool import Note, Session


class ActivityTool:
    """Move what a motion is about: an event's point, an object, a moment; the motion follows."""

    name = "activity"
    label = "Activity"
    gestures = (Drag,)
    Options = ActivityOptions
    one_frame = False

    def retarget(self, scene: Scene, target: Target, new: Actor) -> tuple[Edit, tuple[Note, ...]]:
        """Put another character in the place of the activity's; its hands meet the same objects."""
        edited = find_take(scene, target.character, target.take)
        about = activity_of(scene, edited.actor.name, edited.take.name, target.activity)
        made = retargeted_activity(scene, about.name, new)
        return made.edit, tuple(Note(text, "info") for text in made.notes)

    def begin(self, scene: Scene, target: Target, options: ActivityOptions) -> Session:
        """Prepare an edit of the activity of a take."""
        return begin_assembled(
            scene, target, lambda assembled: ActivitySession(assembled, target, options)
        )
