"""Where a performed item starts: it follows the device from there."""

from __future__ import annotations

from typing import Protocol

from arcwright.arrays import Floats
from arcwright.tools.cycle.recording.device_motion import DeviceMotion
from arcwright.tools.cycle.recording.take_loop import TakeLoop


class Startable(Protocol):
    """An item with values in its take, or a start that it was given."""

    start: Floats | None

    def now(self, times: Floats, /) -> Floats:
        """(T, V) values of the item in its own take."""
        ...


def item_start(item: Startable, loop: TakeLoop, device: DeviceMotion) -> Floats:
    """(V,) values at the first sample: those that it was given, or what it has in the take then."""
    if item.start is not None:
        return item.start
    values: Floats = item.now(loop.wrapped(device.time[:1]))[0]
    return values
