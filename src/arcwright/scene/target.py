"""Target: what a tool works on, by name."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.scene.point import Point
from arcwright.scene.recording import Recording


@dataclass(frozen=True)
class Target:
    """An actor and one of its takes; for tools that are performed, what of it is performed."""

    character: str = ""  # a character or prop; "" is the first character
    take: str = ""  # "" is its first take
    point: Point | None = None  # that follows a performance
    channels: tuple[str, ...] = ()  # that follow the axes of a device, such as "Jaw.rotate.x"
    recording: Recording | None = None  # whose samples are made into a layer or take again
    time: float = 0.0  # s, of the playhead, where a performance begins
    activity: str = ""  # that is edited; "" is the first one of the take


def target_of(recording: Recording) -> Target:
    """What a recording was about, with its samples."""
    performed = recording.point, recording.channels
    return Target(recording.character, recording.take, *performed, recording)
