"""Changes of layers, each named by its place in the take: 0 lies on the base."""

from __future__ import annotations

from arcwright.server.messages.common import Name
from arcwright.server.messages.take_change import TakeChange


class MuteLayer(TakeChange):
    """A layer that is not used for now, or used again."""

    layer: int
    muted: bool


class SetLayerWeight(TakeChange):
    """How much of a layer is used."""

    layer: int
    weight: float  # 0 to 1


class RenameLayer(TakeChange):
    """Another name for a layer."""

    layer: int
    name: Name


class MoveLayer(TakeChange):
    """A layer put in at another place of the stack."""

    layer: int
    to: int


class RemoveLayer(TakeChange):
    """A layer taken away."""

    layer: int


class CopyLayer(TakeChange):
    """A second layer like this one, right above it."""

    layer: int


class FlattenLayers(TakeChange):
    """All layers and their base as few keys."""

    tolerance: float  # m


class BakeLayers(TakeChange):
    """The layers of a recorded take put into its samples."""
