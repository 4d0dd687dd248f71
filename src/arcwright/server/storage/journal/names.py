"""Names of journals, numbered in the order in which they were begun."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

_NUMBERED = re.compile(r"j(\d{1,12})-")
ALLOWED = re.compile(r"[0-9a-z-]{1,64}")


def folder_of(home: Path) -> Path:
    """Where the journals of a state folder are."""
    return home / "journals"


def new_name(folder: Path) -> str:
    """A name whose number is above all others in the folder."""
    highest = max(map(number_of, names_in(folder)), default=0)
    return f"j{highest + 1:06d}-{secrets.token_hex(4)}"


def names_in(folder: Path) -> list[str]:
    """All names in a folder; none where it cannot be looked into."""
    try:
        return [each.name for each in folder.iterdir()]
    except OSError:
        return []


def number_of(name: str) -> int:
    """The number in a name; 0 in those of version 1, which have none."""
    found = _NUMBERED.match(name)
    return int(found[1]) if found else 0
