"""Sound: an audio file that plays beside the takes of a scene."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from arcwright.errors import BadValue

LARGEST_SOUND = 32 * 2**20  # bytes: three minutes of WAV, half an hour of MP3 or OGG
_KINDS = {"wav": "audio/wav", "ogg": "audio/ogg", "mp3": "audio/mpeg", "flac": "audio/flac"}
_KINDS |= {"m4a": "audio/mp4"}
SOUND_SUFFIXES = tuple(f".{kind}" for kind in _KINDS)


@dataclass(frozen=True, eq=False)
class SoundFile:
    """An audio file as bytes; faces decode it."""

    name: str
    data: bytes

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise BadValue("SoundFile.name", "a name", repr(self.name))
        if len(self.data) > LARGEST_SOUND:
            size = f"{len(self.data) / 2**20:.1f} MB"
            raise BadValue(f"sound {self.name!r}", f"at most {LARGEST_SOUND >> 20} MB", size)
        if not self.mime:
            raise BadValue(f"sound {self.name!r}", "a WAV, OGG, MP3, FLAC or M4A file", "another")

    @cached_property
    def mime(self) -> str:
        """Its media type by its first bytes; "" for none that is known."""
        start = self.data[:12]
        if start[:4] == b"RIFF" and start[8:12] == b"WAVE":
            return _KINDS["wav"]
        if start[4:8] == b"ftyp":
            return _KINDS["m4a"]
        if start[:3] == b"ID3" or (start[:1] == b"\xff" and start[1:2] >= b"\xe0"):
            return _KINDS["mp3"]
        return {b"OggS": _KINDS["ogg"], b"fLaC": _KINDS["flac"]}.get(start[:4], "")

    @cached_property
    def digest(self) -> str:
        """The same for the same bytes."""
        return sha256(self.data).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class Sound:
    """An audio file on the timeline; it plays with every take of the scene."""

    file: SoundFile
    start: float = 0.0  # s of the take at which it begins; may lie before the take
    muted: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", float(self.start))
        if not (math.isfinite(self.start) and abs(self.start) < 1e6):
            raise BadValue("Sound.start", "seconds within the project", self.start)
