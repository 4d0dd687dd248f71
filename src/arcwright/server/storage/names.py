"""File names sent by clients: which may be opened or created, and how they are displayed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arcwright.errors import BadFile
from arcwright.files import FORMATS
from arcwright.scene.sound import SOUND_SUFFIXES

READABLE = tuple(suffix for each in FORMATS for suffix in each.suffixes)
UPLOADABLE = (*READABLE, *SOUND_SUFFIXES)
WRITABLE = tuple(suffix for each in FORMATS if each.writes for suffix in each.suffixes)

_LONGEST = 200  # bytes of a new name; writing needs room for a temporary one
_LONGEST_EVER = 255  # bytes that file systems take
_ODD = re.compile(r'[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff<>:"|?*\\/]')
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\..*)?", re.IGNORECASE)


def parts_of(name: str) -> list[str]:
    """The parts of a relative path such as `walks/slow.bvh`; `BadFile` if it leaves the folder."""
    parts = name.split("/")
    for part in parts:
        # A leading dot is also how the folder itself, its parent and hidden files begin.
        if not part or part.startswith(".") or "\\" in part or not part.isprintable():
            raise BadFile(displayed(name), "is not the name of a file in the opened folder")
        if len(part.encode(errors="replace")) > _LONGEST_EVER:
            raise BadFile(displayed(name), "has too long a name")
    return parts


def check_new(name: str) -> None:
    """`BadFile` unless the name is valid on every system."""
    for part in parts_of(name):
        if _ODD.search(part) or _DEVICE.fullmatch(part) or part.endswith((".", " ")):
            fault = "is not a valid file name on every system"
            raise BadFile(displayed(name), fault, "use letters and digits")
        if len(part.encode(errors="replace")) > _LONGEST:
            raise BadFile(displayed(name), "has too long a name")


def check_suffix(name: str, known: tuple[str, ...]) -> None:
    """`BadFile` unless the name has one of these suffixes."""
    if not name.lower().endswith(known):
        raise BadFile(
            displayed(name), "has an unsupported format", f"supported: {', '.join(known)}"
        )


def sanitized(name: str) -> str:
    """A safe name for an uploaded file, as close to its own as possible."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    check_suffix(last, UPLOADABLE)
    suffix = max((each for each in UPLOADABLE if last.lower().endswith(each)), key=len)
    stem = _ODD.sub("_", last[: -len(suffix)]).strip(". ") or "upload"
    if _DEVICE.fullmatch(stem):
        stem = f"_{stem}"
    return stem.encode()[: _LONGEST - len(suffix)].decode(errors="ignore") + suffix


def displayed(name: str | Path) -> str:
    """A name as it is displayed: one line of printable text."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in str(name))
    return plain if len(plain) <= 80 else plain[:77] + "..."


@contextmanager
def named_as(name: str, advice: str = "") -> Iterator[None]:
    """Errors inside name the file without its folder."""
    try:
        yield
    except BadFile as error:
        raise BadFile(displayed(name), error.fault, error.advice or advice) from error
