"""Changes of layers, each named by its place in the take: 0 lies on the base."""

from __future__ import annotations

from arcwright.server.messages.about import AboutTake
from arcwright.server.messages.words import Name


class MuteLayer(AboutTake):
    """A layer that is not used for now, or used again."""

    layer: int
    muted: bool


class WeighLayer(AboutTake):
    """How much of a layer is used."""

    layer: int
    weight: float  # 0 to 1


class RenameLayer(AboutTake):
    """Another name for a layer."""

    layer: int
    name: Name


class MoveLayer(AboutTake):
    """A layer put in at another place of the stack."""

    layer: int
    to: int


class RemoveLayer(AboutTake):
    """A layer taken away."""

    layer: int


class CopyLayer(AboutTake):
    """A second layer like this one, right above it."""

    layer: int


class FlattenLayers(AboutTake):
    """All layers and their base as few keys."""

    tolerance: float  # m


class BakeLayers(AboutTake):
    """The layers of a recorded take put into its samples."""
