"""The architecture of a body model: the same network, with a body's inputs and outputs."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.tools.autocomplete.body.body_features import inputs_of, outputs_of
from arcwright.tools.autocomplete.network.architecture import Architecture


@dataclass(frozen=True)
class BodyArchitecture(Architecture):
    """`channels` are a rotation vector for each joint, and a shift of the root."""

    @classmethod
    def of(cls, joints: int, **sizes: int) -> BodyArchitecture:
        """For a number of joints."""
        return cls(outputs_of(joints), **sizes)

    @property
    def joints(self) -> int:
        """How many joints turn."""
        return self.channels // 3 - 1

    @property
    def inputs(self) -> int:
        """Numbers per token that go in."""
        return inputs_of(self.joints)
