"""Recording: what devices did while something was performed, and what was made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import Bools, Floats, frozen, same
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve
from arcwright.scene.point import Point

Singles = NDArray[np.float32]
OptionValue = bool | int | float | str | None
MOST_BYTES = 8_000_000  # of one recording: half an hour of a tracked device at 120 Hz
MOST_BYTES_IN_ALL = 64_000_000  # of those of a scene
PART = "punch_start", "punch_end"  # options of a recording of a part of the loop


@dataclass(frozen=True, eq=False)
class Recording:
    """N samples of D tracked devices and A axes, what they were mapped to, and what that made."""

    times: Floats  # (N,) s of the playhead, never falling
    poses: Singles  # (N, D, 7) m, wxyz
    axes: Singles  # (N, A)
    axis_names: tuple[str, ...] = ()
    device: str = ""
    character: str = ""  # the character or prop that was performed
    take: str = ""  # that was made from it
    point: Point | None = None
    channels: tuple[str, ...] = ()
    start: Floats = field(default_factory=lambda: np.zeros(0))  # (V,) of the item, at first
    tool: str = ""
    options: Mapping[str, OptionValue] = field(default_factory=dict)  # other than by default
    driven: tuple[str, ...] = ()  # K channels that its layer changed
    before: tuple[Curve | None, ...] = ()  # (K,) curves that these had without it
    first: bool = False  # whether nothing moved before it: then it says how long the loop is
    buttons: Bools | None = None  # (N, B); None for a device without
    button_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.times)
        times = frozen(self.times, "Recording.times", (count,))
        if not count or (np.diff(times) < 0).any():
            raise BadValue("Recording.times", "at least one, never falling", times)
        object.__setattr__(self, "times", times)
        for name, shape in (("poses", (count, "D", 7)), ("axes", (count, "A"))):
            value = frozen(getattr(self, name), f"Recording.{name}", shape, np.float32)
            object.__setattr__(self, name, value)
        if self.buttons is not None:
            columns = len(self.button_names)
            pressed = frozen(self.buttons, "Recording.buttons", (count, columns), np.bool_)
            object.__setattr__(self, "buttons", pressed)
        object.__setattr__(self, "start", frozen(self.start, "Recording.start", ("V",)))
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))
        if len(self.before) != len(self.driven):
            raise BadValue("Recording.before", f"{len(self.driven)} curves", len(self.before))
        if len(self.axis_names) != self.axes.shape[1]:
            raise BadValue("Recording.axis_names", f"{self.axes.shape[1]}", self.axis_names)
        if self.size > MOST_BYTES:
            raise BadValue("Recording", f"at most {MOST_BYTES} bytes of samples", self.size)

    def __len__(self) -> int:
        return len(self.times)

    @property
    def size(self) -> int:
        """Bytes of its samples."""
        pressed = 0 if self.buttons is None else self.buttons.nbytes
        return self.times.nbytes + self.poses.nbytes + self.axes.nbytes + pressed

    @property
    def duration(self) -> float:
        """Seconds from the first sample to the last."""
        return float(self.times[-1] - self.times[0])

    @property
    def item(self) -> str:
        """What was performed, by name."""
        if not self.channels:
            return self.point.joint if self.point else self.character
        return self.channels[0] if len(self.channels) == 1 else f"{len(self.channels)} channels"

    @property
    def part(self) -> tuple[OptionValue, OptionValue]:
        """Start and end of the part of the loop that was acted, in periods; None for all of it."""
        first, last = (self.options.get(name) for name in PART)
        return (first, last) if first is not None and last is not None else (None, None)

    def replaces(self, other: Recording) -> bool:
        """Whether nothing of another recording is left in the take once this one is."""
        own, old = (
            (each.character, each.take, each.point, each.channels) for each in (self, other)
        )
        return same(own, old) and self.part in ((None, None), other.part)


def with_recording(kept: tuple[Recording, ...], new: Recording) -> tuple[Recording, ...]:
    """All recordings with a new one as the latest.

    Those that it replaces are gone, and the oldest where there are too many bytes.
    """
    return beside([each for each in kept if not new.replaces(each)], new)


def beside(others: Sequence[Recording], new: Recording) -> tuple[Recording, ...]:
    """Other recordings and a new one; of too many bytes, the oldest go."""
    others = list(others)
    while others and new.size + sum(each.size for each in others) > MOST_BYTES_IN_ALL:
        others.pop(0)
    return (*others, new)


def recording_at(kept: tuple[Recording, ...], index: int) -> Recording:
    """A recording by its index; below 0 it counts from the latest."""
    if not -len(kept) <= index < len(kept):
        known = f"0 to {len(kept) - 1}" if kept else "one of a scene with recordings"
        raise BadValue("recording", known, index)
    return kept[index]
