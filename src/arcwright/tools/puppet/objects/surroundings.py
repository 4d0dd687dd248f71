"""Surroundings: what a puppet does with its hands and its head, by the props around it."""

from __future__ import annotations

import copy

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.puppet.held_head import HeldHead
from arcwright.tools.puppet.objects.look_at import LookAt
from arcwright.tools.puppet.objects.movable import Placement
from arcwright.tools.puppet.objects.scene_objects import Frame, SceneObjects


class Surroundings:
    """Props of the scene, and a head that looks at them or at the device, or is held itself."""

    def __init__(
        self,
        objects: SceneObjects | None,
        head: LookAt | None,
        looks: str,
        held_head: HeldHead | None = None,
    ) -> None:
        self._objects, self._looks, self._held_head = objects, looks, held_head
        self._head = None if looks == "ahead" else head
        self.head_device: Floats | None = None  # (7,) a second device, that holds the head

    def fork(self) -> Surroundings:
        """The same surroundings, for another future."""
        other = copy.copy(self)
        other._objects = None if self._objects is None else self._objects.fork()
        other._head = None if self._head is None else self._head.fork()
        other._held_head = copy.copy(self._held_head)
        return other

    @property
    def placements(self) -> tuple[Placement, ...]:
        """Where the props are."""
        return () if self._objects is None else tuple(self._objects.placements)

    @property
    def head_stick(self) -> Floats | None:
        """(2, 3) m, both ends of the stick that holds the head."""
        device, end = self.head_device, None if self._held_head is None else self._held_head.end
        return None if device is None or end is None else np.array([device[:3], end])

    def allow(self, action: str) -> bool:
        """Whether an action can be played now: hands that carry something can only throw it."""
        carries = self._objects is not None and self._objects.carries
        return bool(action) and (not carries or action == "throw")

    def step(
        self, values: Floats, frame: Frame, device: Floats | None, seconds: float
    ) -> tuple[Floats, str]:
        """(C,) the pose with its hands on props and its head turned; what happened to a prop."""
        event = ""
        if self._objects is not None:
            values, event = self._objects.step(values, frame, seconds)
        if self._head is not None and frame.on_feet:
            place = None if device is None else device[:3]
            if self._looks == "props":
                place = None if self._objects is None else self._objects.attention
            place = place if self.head_device is None else None
            values = self._head.applied(values, place, frame.heading, seconds)
        if self._held_head is not None:
            held = self.head_device if frame.on_feet else None
            values = self._held_head.applied(values, held, seconds)
        return values, event
