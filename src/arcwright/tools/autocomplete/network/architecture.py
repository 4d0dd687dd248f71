"""The architecture of a completion network: a few numbers, and the shapes of its weights."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import prod

from arcwright.errors import BadValue
from arcwright.tools.autocomplete.network.features import COMMON_FEATURES, FEATURES

LARGEST = {
    **{"channels": 1024, "width": 1024, "heads": 32, "hidden": 4096, "layers": 24},
    **{"kernel": 31, "reach": 1024, "latent": 256},
}
SMALLEST = {"latent": 0, "reach": 2}


@dataclass(frozen=True)
class Architecture:
    """A transformer encoder over frames: banded attention, rotary positions, short convolutions."""

    channels: int  # C
    width: int = 64  # numbers per token
    heads: int = 4
    hidden: int = 128  # width between the two linear layers of a block
    layers: int = 4
    kernel: int = 5  # tokens that a depthwise convolution spans, odd
    reach: int = 48  # tokens on either side that a token attends to
    latent: int = 8  # numbers that choose between alternatives

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            low, high = SMALLEST.get(each.name, 1), LARGEST[each.name]
            if not low <= value <= high:
                raise BadValue(each.name, f"a whole number from {low} to {high}", value)
        if self.width % (2 * self.heads):
            raise BadValue("width", f"a multiple of {2 * self.heads}, twice the heads", self.width)
        if self.kernel % 2 == 0:
            raise BadValue("kernel", "an odd number", self.kernel)

    @property
    def inputs(self) -> int:
        """Numbers per token that go in."""
        return FEATURES * self.channels + COMMON_FEATURES

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every weight by name, in the order in which a file holds them."""
        wide, hidden = self.width, self.hidden
        shapes: dict[str, tuple[int, ...]] = {
            "input.weight": (self.inputs, wide),
            "input.bias": (wide,),
            "latent.weight": (self.latent + 1, wide),  # the last row is added to sampled answers
        }
        block: dict[str, tuple[int, ...]] = {
            "attention_norm.gain": (wide,),
            "attention_norm.bias": (wide,),
            "convolution.weight": (self.kernel, wide),
            "attention.weight": (wide, 3 * wide),
            "attention.bias": (3 * wide,),
            "attention_output.weight": (wide, wide),
            "attention_output.bias": (wide,),
            "norm.gain": (wide,),
            "norm.bias": (wide,),
            "up.weight": (wide, hidden),
            "up.bias": (hidden,),
            "down.weight": (hidden, wide),
            "down.bias": (wide,),
        }
        for layer in range(self.layers):
            shapes |= {f"{layer}.{name}": shape for name, shape in block.items()}
        return shapes | {
            "norm.gain": (wide,),
            "norm.bias": (wide,),
            "output.weight": (wide, self.channels),
            "output.bias": (self.channels,),
        }

    @property
    def weights(self) -> int:
        """How many weights there are."""
        return sum(prod(shape) for shape in self.shapes().values())
