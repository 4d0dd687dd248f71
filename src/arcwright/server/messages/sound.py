"""The sound of a document, and changes of it."""

from __future__ import annotations

from msgspec import Struct

from arcwright.server.messages.take_change import TakeChange


class SoundInfo(Struct):
    """The sound of the document; its bytes are at `address`."""

    address: str
    name: str
    start: float  # s
    muted: bool


class ChangeSound(TakeChange):
    """The sound elsewhere in time, or muted."""

    start: float | None = None  # s
    muted: bool | None = None


class RemoveSound(TakeChange):
    """The sound taken off the timeline."""
