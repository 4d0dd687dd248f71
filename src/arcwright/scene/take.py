"""Take: the animation of a character: a clip or a motion as base, with layers on top."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arcwright.arrays import Bools
from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.layer import Layer
from arcwright.scene.marker import Marker
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.section import Section

MOST_FRAMES = 1_000_000
"""Frames of a take: two hours and twenty minutes at 120 frames per second."""
MOST_SAMPLES = 100_000_000
"""Frames times channels: 800 MB once sampled. Ten minutes at 120 frames per second with 100 joints
are 30 million."""


@dataclass(frozen=True, eq=False)
class Take:
    """A base and its layers, over the channels of one rig; `sample` evaluates it."""

    rig: Rig
    base: Clip | Motion
    layers: tuple[Layer, ...] = ()
    sections: tuple[Section, ...] = ()  # by start
    inbetweens: tuple[Curve | None, ...] = ()  # (C,) keys that a completion made; () for none
    markers: tuple[Marker, ...] = ()  # by time

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", tuple(self.layers))
        count = len(self.rig.channels)
        base = self.base
        have = len(base.curves) if isinstance(base, Clip) else base.values.shape[1]
        if have != count:
            raise BadValue(f"Take.base {base.name!r}", f"{count} channels, as in the rig", have)
        self._check_length()
        for layer in self.layers:
            self._check_layer(layer)
        object.__setattr__(self, "sections", tuple(self.sections))
        starts = [each.start for each in self.sections]
        if any(late <= early for early, late in pairwise(starts)):
            raise BadValue("Take.sections", "starts that rise", starts)
        object.__setattr__(self, "inbetweens", tuple(self.inbetweens))
        object.__setattr__(self, "markers", tuple(self.markers))
        if len(self.inbetweens) not in (0, count):
            raise BadValue("Take.inbetweens", f"none, or {count}", len(self.inbetweens))

    def _check_length(self) -> None:
        """Raise for takes too long to sample: a file of a few bytes may claim any length."""
        frames = self.duration * self.rate + 1
        most = min(MOST_FRAMES, MOST_SAMPLES // max(len(self.rig.channels), 1))
        if frames > most + 1:
            length = f"{frames:.3g} ({self.duration:.3g} s at {self.rate:.3g} frames per second)"
            raise BadValue(
                f"length of the take {self.name[:40]!r}", f"at most {most} frames", length
            )

    def _check_layer(self, layer: Layer) -> None:
        where = f"Take.layers {layer.name!r}"
        if len(layer.joints) and not (
            layer.joints.min() >= 0 and layer.joints.max() < len(self.rig.names)
        ):
            raise BadValue(where, f"joints 0 to {len(self.rig.names) - 1}", layer.joints)
        if len(layer.channels) and not (
            layer.channels.min() >= 0 and layer.channels.max() < len(self.rig.channels)
        ):
            raise BadValue(where, f"channels 0 to {len(self.rig.channels) - 1}", layer.channels)
        if self._rotates_freely()[layer.channels].any():
            expected = "rotation channels in add only for joints with one or two angles"
            raise BadValue(where, expected, "a rotation channel in add")

    def _rotates_freely(self) -> Bools:
        """(C,) rotation channels of joints with three or four of them."""
        table = self.rig.channels
        rotating = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
        each = np.bincount(table.joint[rotating], minlength=len(self.rig.names))
        coupled: Bools = rotating & (each[table.joint] > 2)
        return coupled

    @property
    def name(self) -> str:
        """The name of the base."""
        return self.base.name

    @property
    def duration(self) -> float:
        """Seconds from 0 to the end."""
        return self.base.duration

    @property
    def rate(self) -> float:
        """Frames per second."""
        return self.base.rate

    @property
    def frame_count(self) -> int:
        """The number of whole frames from 0 to the end.

        With a tolerance of 0.001 frames: files store times in single precision.
        """
        return max(int(np.floor(self.duration * self.rate + 1e-3)), 0) + 1

    def frame_times(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The time of every whole frame from 0 to the end, (T,) s."""
        return np.arange(self.frame_count) / self.rate
