"""Interactions as such, and those that preview a change message, such as a slider."""

from __future__ import annotations

from typing import Protocol

from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.document import changes
from arcwright.server.document.subscriptions import Client
from arcwright.server.interactions.preview_stream import Previewed, PreviewState


class Interaction(Previewed, Protocol):
    """Something a client changes until it commits or cancels."""

    @property
    def has_recorded(self) -> bool:
        """Whether it has samples of a performance."""
        ...

    def finish(self) -> Edit:
        """The edit that committing applies."""
        ...


class ChangeInteraction:
    """A change that follows the pointer, always from the scene it began with."""

    has_recorded = False

    def __init__(self, client: Client, scene: Scene, message: m.PreviewChange) -> None:
        self.number = message.interaction
        self.client = client
        self.scene = scene
        self.change = message.change
        self.previews = PreviewState()

    def finish(self) -> Edit:
        """The change as an edit."""
        return changes.edit_of(self.scene, self.change)

    def preview_scene(self) -> Scene:
        """The scene with the change."""
        return self.finish().apply(self.scene)
