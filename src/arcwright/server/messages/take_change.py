"""The fields that all changes of a take share."""

from __future__ import annotations

from msgspec import Struct

from arcwright.server.messages.common import Name


class TakeChange(Struct, tag_field="change", tag=True, forbid_unknown_fields=True):
    """A change of one take of a character or prop."""

    character: Name
    take: Name
