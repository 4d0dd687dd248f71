"""Words that messages share."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Name = Annotated[str, Meta(max_length=200)]
Place3 = tuple[float, float, float]
Turn4 = tuple[float, float, float, float]  # wxyz
KeyAt = tuple[int, int]  # channel, key
HandleAt = tuple[int, int, int]  # channel, key, side: 0 in, 1 out
MOST_KEYS = 20_000  # of one message, so that no message keeps the document busy for long
KeyList = Annotated[list[KeyAt], Meta(max_length=MOST_KEYS)]
ChannelList = Annotated[list[int], Meta(max_length=MOST_KEYS)]
JointList = Annotated[list[int], Meta(max_length=MOST_KEYS)]
WishKind = Literal["pin", "contact"]
HandleWord = Literal["free", "aligned", "auto", "auto_clamped", "vector", "flat"]
SegmentWord = Literal["bezier", "linear", "step"]
OptionValue = bool | int | float | Annotated[str, Meta(max_length=200)] | None
OptionValues = Annotated[dict[Name, OptionValue], Meta(max_length=100)]
BeyondWord = Literal["hold", "linear", "cycle", "cycle_offset", "mirror"]


class Spot(Struct, omit_defaults=True):
    """A point of a character: a joint and an offset in it."""

    joint: Name
    offset: Place3 = (0.0, 0.0, 0.0)  # m
    character: Name = ""
