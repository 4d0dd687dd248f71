"""The autocompletion tool: name, options, begin."""

from __future__ import annotations

from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.autocomplete.options import AutocompleteOptions
from arcwright.tools.autocomplete.session import AutocompleteSession
from arcwright.tools.gesture import Drag, Setting
from arcwright.tools.shared.attached import begin_assembled
from arcwright.tools.tool import Session


class AutocompleteTool:
    """Complete the motion between keys; drag a key, and the motion follows."""

    name = "autocomplete"
    label = "Complete"
    gestures = (Setting, Drag)
    Options = AutocompleteOptions
    one_frame = False

    def begin(self, scene: Scene, target: Target, options: AutocompleteOptions) -> Session:
        """Read the keys of a take."""
        return begin_assembled(
            scene, target, lambda assembled: AutocompleteSession(assembled, target, options)
        )
