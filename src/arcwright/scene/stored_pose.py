"""Stored pose: a pose of a character under a name, kept in the project's pose library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from arcwright.errors import BadValue

LARGEST_PICTURE = 60_000  # characters


@dataclass(frozen=True, eq=False)
class StoredPose:
    """Values of channels by name, and a small picture of the pose."""

    name: str
    character: str  # it was made of
    values: Mapping[str, float]
    picture: str = ""  # as a data address

    def __post_init__(self) -> None:
        values = {str(name): float(value) for name, value in self.values.items()}
        object.__setattr__(self, "values", MappingProxyType(values))
        if not self.name.strip():
            raise BadValue("StoredPose.name", "a name", repr(self.name))
        if not np.isfinite([*values.values()]).all():
            raise BadValue(f"StoredPose.values of {self.name!r}", "finite numbers", "others")
        is_picture = self.picture == "" or self.picture.startswith("data:image/")
        if not is_picture or len(self.picture) > LARGEST_PICTURE:
            expected = f"an image as a data address of at most {LARGEST_PICTURE} characters"
            raise BadValue(f"StoredPose.picture of {self.name!r}", expected, self.picture[:40])

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that it poses."""
        return tuple(dict.fromkeys(name.rsplit(".", 2)[0] for name in self.values))
