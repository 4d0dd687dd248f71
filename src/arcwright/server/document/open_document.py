"""The open document and its clients: applies steps and sends each client what changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from arcwright.kinematics.take_difference import take_differences
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.document import info
from arcwright.server.document.array_messages import actors
from arcwright.server.document.document import Document
from arcwright.server.document.poses import copied_pose
from arcwright.server.document.subscriptions import Client, Subscriptions

Post: TypeAlias = Callable[[Callable[[], None]], None]  # runs an action on the worker's thread


class DocumentListener(Protocol):
    """Called when the document changes, on the worker's thread."""

    def document_changed(self) -> None:
        """A step was applied, undone or redone."""
        ...

    def document_closing(self) -> None:
        """Another document is about to be opened."""
        ...


class OpenDocument:
    """Used by the worker's thread only. `listeners` are called after every step."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.subscriptions = Subscriptions()
        self.listeners: list[DocumentListener] = []
        self._revision = 1
        self._number = 1  # of the document, counted from the start of the server

    @property
    def scene(self) -> Scene:
        """The current scene."""
        return self.document.scene

    def apply(self, edit: Edit) -> None:
        """Apply one step."""
        self._step(lambda: self.document.apply(edit))

    def undo(self) -> None:
        """Undo one step."""
        self._step(self.document.undo)

    def redo(self) -> None:
        """Redo one step."""
        self._step(self.document.redo)

    def go_to_step(self, step: int) -> None:
        """Undo or redo to a step of the history."""
        self._step(lambda: self.document.go_to_step(step))

    def replace(self, document: Document) -> None:
        """Open another document in place of this one."""
        for listener in self.listeners:
            listener.document_closing()
        self.close()
        self.document = document
        self._number += 1
        self._revision += 1
        self.subscriptions.reset()
        self.subscriptions.broadcast(self._scene_info())
        self.send_document()

    def close(self) -> None:
        """Close the journal."""
        if self.document.log is not None:
            self.document.log.close()

    def add_client(self, client: Client) -> None:
        """Send a new client the scene and the document, and every change from now on."""
        client.send(self._scene_info())
        client.send(self.document.message(self._revision))
        trouble = None if self.document.log is None else self.document.log.trouble
        if trouble and client.role == "edit":
            client.send(m.Failure(text=trouble))
        self.subscriptions.clients.append(client)

    def send_pose(self, client: Client, request: m.RequestPose) -> None:
        """Send a client the pose that it copies."""
        client.send(copied_pose(self.scene, request))

    def send_document(self) -> None:
        """Send the state of the document to every client."""
        self.subscriptions.broadcast(self.document.message(self._revision), topic="document")

    def _scene_info(self) -> m.SceneInfo:
        model = self.document.model
        message = info.scene_info(self.scene, model)
        message.model = f"model/{self._number}/{model.name}"
        return message

    def _step(self, act: Callable[[], None]) -> None:
        """Change the document and send what changed, even if `act` raises after a change."""
        before, model = self.scene, self.document.model
        rigs = [actor.rig for actor in actors(before)]
        try:
            act()
        finally:
            if self.scene is not before:
                self._revision += 1
                try:
                    if model is not self.document.model:
                        self.subscriptions.reset()
                        self.subscriptions.broadcast(self._scene_info())
                    elif rigs != [actor.rig for actor in actors(self.scene)]:
                        self.subscriptions.broadcast(self._scene_info())
                    changed = take_differences(before, self.scene)
                    layouts = self.document.model.layouts
                    self.subscriptions.send_changes(changed, self.scene, layouts)
                finally:
                    self.send_document()
                    for listener in self.listeners:
                        listener.document_changed()
