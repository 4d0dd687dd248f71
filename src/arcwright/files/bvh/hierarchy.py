"""The HIERARCHY section of a BVH file: joints in file order, parsed without recursion."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import NoReturn

from arcwright.errors import BadFile
from arcwright.files.text import line_at

JOINT_LIMIT = 20_000  # more is damage, and would cost more memory than a reader may take
_TOKEN = re.compile(rb"[{}]|[^\s{}]+")
_NAME = re.compile(rb"[^{}\r\n]*")
_CHANNEL = re.compile(r"[xyz](position|rotation)")
_KEYWORDS = {b"{", b"}", b"offset", b"channels", b"joint", b"end", b"root", b"motion"}


@dataclass
class Joint:
    """One ROOT, JOINT or End Site as the file has it, lengths in the file's unit."""

    name: str  # "" for an End Site
    parent: int  # -1 for a ROOT
    is_end: bool  # an End Site
    offset: tuple[float, ...] | None = None  # (3,)
    channels: list[str] = field(default_factory=list)  # lower case, as in "xrotation"


class Hierarchy:
    """Joints of the file, from its beginning to MOTION; `motion_at` is the place after MOTION."""

    def __init__(self, path: Path, text: bytes) -> None:
        self.joints: list[Joint] = []
        self.warnings: list[str] = []
        self.motion_at: int | None = None
        self._path = path
        self._text = text
        self._at = 0
        self._place = 0  # of the last word
        self._open: list[int] = []
        self._read()

    def _fail(self, fault: str) -> NoReturn:
        raise BadFile(self._path, f"line {line_at(self._text, self._place)}: {fault}")

    def _next(self) -> bytes:
        match = _TOKEN.search(self._text, self._at)
        self._place = match.start() if match else len(self._text)
        self._at = match.end() if match else len(self._text)
        return match.group()[:40] if match else b""

    def _read(self) -> None:
        if self._next().lower() != b"hierarchy":
            raise BadFile(self._path, "not a BVH file: it does not begin with HIERARCHY")
        while (word := self._next().lower()) not in (b"motion", b""):
            if word == b"}" and self._open:
                self._close()
            elif self._open:
                self._line_of_joint(word)
            elif word == b"root":
                self._begin(is_end=False)
            else:
                self._fail(f"expected ROOT or MOTION, found {_shown(word)}")
        if self._open:
            name = self.joints[self._open[-1]].name or "an End Site"
            self._fail(f"{name} is still open where the hierarchy ends: a }} is missing")
        if not self.joints:
            self._fail("the hierarchy has no ROOT")
        self.motion_at = self._at if word == b"motion" else None

    def _line_of_joint(self, word: bytes) -> None:
        joint = self.joints[self._open[-1]]
        if word == b"joint":
            self._begin(is_end=False)
        elif word == b"end":
            self._begin(is_end=True)
        elif word == b"offset" and joint.offset is None:
            joint.offset = (self._number(), self._number(), self._number())
        elif word == b"channels" and not joint.channels:
            joint.channels = self._channels(joint.name)
        elif word in (b"offset", b"channels"):
            self._fail(f"{_shown(word.upper())} twice in {joint.name or 'an End Site'}")
        else:
            expected = "OFFSET, CHANNELS, JOINT, End Site or }"
            self._fail(f"expected {expected}, found {_shown(word)}")

    def _begin(self, *, is_end: bool) -> None:
        match = _NAME.match(self._text, self._at)
        assert match is not None
        self._at = match.end()
        name = "" if is_end else " ".join(match.group().decode("utf-8", "replace").split())
        if not name and not is_end:
            self._fail("a joint without a name")
        if len(self.joints) >= JOINT_LIMIT:
            self._fail(f"more than {JOINT_LIMIT} joints")
        if self._next() != b"{":
            self._fail(f"expected {{ after {name[:40] or 'End Site'}")
        self.joints.append(Joint(name, self._open[-1] if self._open else -1, is_end))
        self._open.append(len(self.joints) - 1)

    def _close(self) -> None:
        joint = self.joints[self._open.pop()]
        if joint.offset is None:
            joint.offset = (0.0, 0.0, 0.0)
            self.warnings.append(f"{joint.name or 'an End Site'} has no OFFSET: assuming 0 0 0")

    def _number(self) -> float:
        word = self._next()
        try:
            value = float(word.replace(b",", b"."))
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            self._fail(f"expected a number in OFFSET, found {_shown(word)}")
        return value

    def _channels(self, joint: str) -> list[str]:
        count, place = self._next(), self._place
        names: list[str] = []
        while (word := self._next().lower()) and word not in _KEYWORDS:
            name = word.decode("ascii", "replace")
            if not _CHANNEL.fullmatch(name):
                self._fail(f"unknown channel {_shown(word)} of joint {joint}")
            if name in names:
                self._fail(f"channel {name} of joint {joint} twice")
            names.append(name)
        self._at, self._place = self._place, place  # the word that ended the list is read again
        if not count.isdigit() or int(count) != len(names):
            self._fail(f"CHANNELS of {joint} says {_shown(count)} but lists {len(names)}")
        return names


def _shown(word: bytes) -> str:
    return repr(word.decode("utf-8", "replace")) if word else "the end of the file"
