"""The HIERARCHY of a BVH file: joints in file order, read without recursion."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite
from typing import NoReturn

AXES = "xyz"
JOINT_LIMIT = 50_000  # more is damage, and would take a whole machine's memory
_TOKEN = re.compile(r"[{}]|[^\s{}]+")
_NAME = re.compile(r"([^{}\n]*?)[ \t\r]*(?=[{}\n]|$)")
_CHANNEL = re.compile(r"[xyz](position|rotation)$")
_KEYWORDS = {"{", "}", "offset", "channels", "joint", "end", "root", "motion"}


@dataclass
class Joint:
    """One ROOT, JOINT or End Site as the file has it, lengths in the file's unit."""

    name: str  # "" for an End Site
    parent: int  # -1 for a ROOT
    end: bool  # an End Site
    offset: tuple[float, ...] | None = None
    channels: list[str] = field(default_factory=list)  # lower case, as in "xrotation"


class Hierarchy:
    """Reads joints from `text` until MOTION or the end; `motion_at` is the place after MOTION."""

    def __init__(self, text: str, fail: Callable[[str, int], NoReturn]) -> None:
        self.joints: list[Joint] = []
        self.motion_at: int | None = None
        self._text = text
        self._fail = fail  # (fault, place in the text)
        self._at = 0
        self._place = 0  # of the last token
        self._open: list[int] = []
        self._read()

    def _peek(self) -> str:
        match = _TOKEN.search(self._text, self._at)
        return match.group().lower() if match else ""

    def _next(self) -> str:
        match = _TOKEN.search(self._text, self._at)
        self._place = match.start() if match else len(self._text)
        self._at = match.end() if match else len(self._text)
        return match.group() if match else ""

    def _read(self) -> None:
        if self._next().lower() != "hierarchy":
            self._fail("not a BVH file: it does not begin with HIERARCHY", self._place)
        while (word := self._next().lower()) not in ("motion", ""):
            if word == "}" and self._open:
                self._open.pop()
            elif self._open:
                self._line_of_joint(word)
            elif word == "root":
                self._begin(end=False)
            else:
                self._fail(f"expected ROOT or MOTION, found {word[:40]!r}", self._place)
        if self._open:
            joint = self.joints[self._open[-1]]
            name = joint.name or "an End Site"
            self._fail(
                f"a closing brace is missing: {name} is still open where the hierarchy ends",
                self._place,
            )
        if not self.joints:
            self._fail("the hierarchy has no ROOT", self._place)
        self.motion_at = self._at if word == "motion" else None

    def _line_of_joint(self, word: str) -> None:
        joint = self.joints[self._open[-1]]
        if word == "joint":
            self._begin(end=False)
        elif word == "end":
            self._begin(end=True)
        elif word == "offset":
            joint.offset = tuple(self._number() for _ in AXES)
        elif word == "channels":
            joint.channels = self._channels(joint.name)
        else:
            expected = "OFFSET, CHANNELS, JOINT, End Site or a brace"
            self._fail(f"expected {expected}, found {word[:40]!r}", self._place)

    def _begin(self, *, end: bool) -> None:
        match = _NAME.match(self._text, self._at)
        self._at = match.end() if match else self._at
        name = "" if end or not match else " ".join(match.group(1).split())
        if not name and not end:
            self._fail("a joint without a name", self._place)
        if len(self.joints) >= JOINT_LIMIT:
            self._fail(f"more than {JOINT_LIMIT} joints", self._place)
        if self._next() != "{":
            self._fail(f"expected {{ after {name or 'End Site'}", self._place)
        self.joints.append(Joint(name, self._open[-1] if self._open else -1, end))
        self._open.append(len(self.joints) - 1)

    def _number(self) -> float:
        word = self._next()
        try:
            value = float(word.replace(",", "."))
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            self._fail(f"expected a number in OFFSET, found {word[:40]!r}", self._place)
        return value

    def _channels(self, joint: str) -> list[str]:
        count = self._next()
        names: list[str] = []
        while (word := self._peek()) and word not in _KEYWORDS:
            self._next()
            if not _CHANNEL.match(word):
                self._fail(f"unknown channel {word[:40]!r} of joint {joint}", self._place)
            if word in names:
                self._fail(f"channel {word} of joint {joint} twice", self._place)
            names.append(word)
        if not count.isdecimal() or int(count[:9]) != len(names):
            listed = f"CHANNELS of joint {joint} says {count[:20]!r} but lists {len(names)}"
            self._fail(listed, self._place)
        return names
