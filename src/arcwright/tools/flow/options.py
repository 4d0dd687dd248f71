"""Options of the flow tool."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.errors import BadValue
from arcwright.tools.options import Options, option

USES = "flow", "centre", "curve", "brush"
BRUSHES = "exclude", "include", "strength"
SPLITS = "auto", "meshes", "components"


@dataclass(frozen=True)
class FlowOptions(Options):
    """What a stroke means, how far and how strongly objects follow it."""

    use: str = option(
        "flow",
        "Use stroke as",
        "what a stroke is: a flow curve, a circle around the centre point, a curve of the object "
        "below it, or a brush over what the layer bends",
        choices=USES,
    )
    strength: float | None = option(
        None,
        "Strength",
        "0 leaves the scene, 1 follows the stroke; none: 1, or as the layer has it",
        low=0.0,
        high=1.0,
    )
    range: float | None = option(
        None,
        "Range",
        "curves farther from the stroke are left alone; for a centre point, how far curves "
        "influence each other; none: 100, or as the layer has it",
        unit="px",
        low=0.0,
        high=2000.0,
    )
    smoothness: float | None = option(
        None,
        "Smoothness",
        "of the flow curve; 0 follows every tremble; none: 0.5, or as the layer has it",
        low=0.0,
        high=1.0,
    )
    exclude: str | None = option(
        None,
        "Exclude",
        "objects or curves that the layer leaves alone, separated by commas; none: as it has them",
        free=True,
    )
    only: str | None = option(
        None,
        "Only",
        "if any, only these objects or curves are bent, separated by commas; none: as it has them",
        free=True,
    )
    brush: str = option(
        "exclude",
        "Brush",
        "over objects that the layer leaves alone, that follow however far they are, or where the "
        "strength is another one",
        choices=BRUSHES,
    )
    brush_size: float = option(40.0, "Brush size", "its radius", unit="px", low=2.0, high=500.0)
    brush_strength: float = option(
        0.0, "Brush strength", "of the layer where it goes, times its own", low=0.0, high=1.0
    )
    curve: str = option("", "Curve", "that handles are about, instead of the layer", free=True)
    hide: str = option("", "Hide", "curves, separated by commas", free=True)
    lock: str = option("", "Lock", "curves that stay where they are", free=True)
    release: str = option(
        "", "Release", "curves that were hidden, locked or changed by hand: as found", free=True
    )
    include: str = option(
        "", "Include", "ground or sky that is bent, too, separated by commas", free=True
    )
    layer: int = option(
        0, "Layer", "that settings change: 0 the newest, 1 the first, 2 the second, …", low=0,
        high=999,
    )  # fmt: skip
    muted: bool | None = option(
        None, "Muted", "the layer changes nothing; none: as the layer has it"
    )
    remove: bool = option(False, "Remove", "the layer")
    place: int = option(
        0, "Place", "of the layer among the layers, from 1; 0: where it is", low=0, high=999
    )
    split: str = option(
        "auto",
        "Split objects",
        "auto: components of meshes that belong together; meshes: each mesh as a whole; "
        "components: each connected component",
        choices=SPLITS,
    )
    merge: str = option("", "Merge objects", "that become one, separated by commas", free=True)
    cut: str = option(
        "",
        "Cut objects",
        "into their connected components, separated by commas",
        free=True,
    )
    regroup: bool = option(False, "Regroup", "objects as they were found: nothing merged or cut")
    auto_key: bool = option(
        False,
        "Auto key",
        "an edit at a frame where the composition has no key adds one there; between keys what "
        "objects do is interpolated",
    )
    add_key: bool = option(False, "Add key", "at the shown frame, as it is there")
    remove_key: bool = option(False, "Remove key", "the one nearest to the shown frame")
    lift: bool | None = option(
        None,
        "Lift",
        "objects bend as rigidly as possible in space instead of in the picture, for a camera "
        "that moves; none: as the composition has it",
    )
    abstraction: float = option(
        0.5, "Abstraction", "of contours; 0 follows cavities, 1 joins all tips", low=0.0, high=1.0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.remove and self.place:
            raise BadValue("place", "0 for a layer that is removed", self.place)
        if self.remove_key and (self.add_key or self.auto_key):
            raise BadValue("remove_key", "no key that is added", "both")


def names_in(text: str) -> tuple[str, ...]:
    """The names in a list with commas."""
    return tuple(each.strip() for each in text.split(",") if each.strip())
