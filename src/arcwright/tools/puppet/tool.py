"""The puppet tool: name, options, begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Performance
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.roles import find_roles
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.tool import Session


class PuppetTool:
    """Hold a character by an invisible stick: it walks, crouches, jumps and falls to follow."""

    name = "puppet"
    label = "Puppet"
    gestures = (Performance,)
    Options = PuppetOptions
    one_frame = False

    def begin(self, scene: Scene, target: Target, options: PuppetOptions) -> Session:
        """Prepare the character: gaits, actions and legs."""
        return PuppetSession(scene, target, options)

    def find_takes(self, takes: Sequence[str]) -> Mapping[str, str]:
        """The take of each role, by name."""
        return find_roles(takes)
