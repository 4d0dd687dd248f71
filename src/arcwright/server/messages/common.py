"""Types that messages share."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Name = Annotated[str, Meta(max_length=200)]
Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]  # wxyz
KeyIndex = tuple[int, int]  # channel, key
HandleIndex = tuple[int, int, int]  # channel, key, side: 0 in, 1 out
MOST_KEYS = 20_000  # of one message, so that no message keeps the document busy for long
KeyList = Annotated[list[KeyIndex], Meta(max_length=MOST_KEYS)]
ChannelList = Annotated[list[int], Meta(max_length=MOST_KEYS)]
JointList = Annotated[list[int], Meta(max_length=MOST_KEYS)]
PixelList = Annotated[list[Vec3], Meta(max_length=5000)]  # colours, 0 to 1
Role = Literal["edit", "view"]  # what a client may do
VIEW_ONLY = "View only: this link does not allow editing or downloading."
HandleType = Literal["free", "aligned", "auto", "auto_clamped", "vector", "flat"]
InterpolationType = Literal["bezier", "linear", "step"]
OptionValue = bool | int | float | Annotated[str, Meta(max_length=200)] | None
OptionValues = Annotated[dict[Name, OptionValue], Meta(max_length=100)]
ExtrapolationType = Literal["hold", "linear", "cycle", "cycle_offset", "mirror"]


class PointRef(Struct, omit_defaults=True, frozen=True):
    """A point of a character: a joint and an offset in its frame."""

    joint: Name
    offset: Vec3 = (0.0, 0.0, 0.0)  # m
    character: Name = ""
