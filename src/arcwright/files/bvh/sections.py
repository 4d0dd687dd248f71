"""The two sections of a BVH file.

HIERARCHY: joints in file order, parsed without recursion. MOTION: frame time and rows of numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import NoReturn

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadFile
from arcwright.files.numbers import NotANumber, Numbers, parse
from arcwright.files.regular import Text, line_at

JOINT_LIMIT = 20_000  # more is damage, and would cost more memory than a reader may take
_TOKEN = re.compile(rb"[{}]|[^\s{}]+")
_NAME = re.compile(rb"[^{}\r\n]*")
_CHANNEL = re.compile(r"[xyz](position|rotation)")
_KEYWORDS = {b"{", b"}", b"offset", b"channels", b"joint", b"end", b"root", b"motion"}
NUMBER_LIMIT = 12_500_000  # 100 MB of samples
HEADER = re.compile(rb"motion\s+frames\s*:?\s*\S+\s+frame\s*time\s*:?\s*\S+\s", re.IGNORECASE)
_COUNT = re.compile(rb"\s*frames\s*:?[ \t]*(\S*)", re.IGNORECASE)
_TIME = re.compile(rb"\s*frame\s*time\s*:?[ \t]*(\S*)", re.IGNORECASE)
_DEFAULT_FRAME_TIME = 1 / 30  # s


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


class Frames:
    """Rows (T, width) as the file has them, degrees and its own unit; T may be 0."""

    def __init__(self, path: Path, text: Text, at: int, width: int) -> None:
        self.warnings: list[str] = []
        self._path = path
        self._text = text
        self._at = at
        count = self._header(_COUNT)
        self.frame_time = self._frame_time(self._header(_TIME))  # s
        self.rows = self._rows(width)
        self._check_count(count)

    def _header(self, pattern: re.Pattern[bytes]) -> bytes:
        match = pattern.match(self._text.head, self._at)
        if match is None:
            return b""
        self._at = match.end()
        return match.group(1)[:40]

    def _frame_time(self, word: bytes) -> float:
        try:
            seconds = float(word.replace(b",", b"."))
        except ValueError:
            seconds = 0.0
        if 1e-6 <= seconds <= 1e4:
            return seconds
        given = word.decode("utf-8", "replace") or "missing"
        self.warnings.append(f"Frame Time is {given}: assuming 30 frames per second")
        return _DEFAULT_FRAME_TIME

    def _check_count(self, word: bytes) -> None:
        given = word.decode("utf-8", "replace")
        if given != str(len(self.rows)) and not (word.isdigit() and int(word) == len(self.rows)):
            note = f"Frames: says {given}" if given else "Frames: says nothing"
            self.warnings.append(f"{note} but there are {len(self.rows)} frames")

    def _rows(self, width: int) -> Floats:
        numbers, line_ends, plain = self._numbers()
        if width == 0:
            return np.zeros((0, 0))
        if len(numbers) > NUMBER_LIMIT:
            raise BadFile(self._path, f"more than {NUMBER_LIMIT} numbers in MOTION")
        self._check_lines(line_ends, width)
        whole, over = divmod(len(numbers), width)
        if over:
            line = self._line_of(line_ends, len(numbers) - 1)
            left_out = f"{over} of {width} numbers"
            self.warnings.append(f"line {line}: the last frame has {left_out} and is left out")
        rows = numbers[: whole * width].reshape(whole, width)
        if not plain and not np.isfinite(rows).all():
            self._fill_gaps(rows, line_ends)
        return rows

    def _numbers(self) -> Numbers:
        try:
            return parse(self._text.pieces(self._at), NUMBER_LIMIT, self._text.size)
        except NotANumber as error:
            fault = error
        text = self._text.whole()
        comma = text.find(b",", self._at)
        if comma >= 0:
            try:
                repaired = parse(text[self._at :].replace(b",", b"."), NUMBER_LIMIT)
            except NotANumber:
                pass
            else:
                line = line_at(text, comma)
                self.warnings.append(f"decimal commas (first in line {line}) read as points")
                return repaired
        line = line_at(text, self._at + fault.place)
        word = fault.word[:40].decode("utf-8", "replace")
        raise BadFile(self._path, f"line {line}: expected a number, found {word!r}")

    def _check_lines(self, line_ends: Ints, width: int) -> None:
        """Check that lines hold whole frames, or frames whole lines; the last may be incomplete."""
        total = int(line_ends[-1])
        inner = line_ends[(line_ends > 0) & (line_ends < total)]
        if (inner % width == 0).all():
            return
        if np.isin(np.arange(width, total + 1, width), line_ends).all():
            return
        end = int(inner[inner % width != 0][0])
        line = int(np.searchsorted(line_ends, end))
        before = int(line_ends[line - 1]) if line else 0
        where = line_at(self._text.head, self._at) + line
        fault = f"line {where}: {end - before} numbers where a frame has {width}"
        raise BadFile(self._path, fault)

    def _line_of(self, line_ends: Ints, number: int) -> int:
        return line_at(self._text.head, self._at) + int(np.searchsorted(line_ends, number, "right"))

    def _fill_gaps(self, rows: Floats, line_ends: Ints) -> None:
        """Interpolate linearly over values that are nan or infinite."""
        bad = ~np.isfinite(rows)
        line = self._line_of(line_ends, int(np.argmax(bad.ravel())))
        for column in np.flatnonzero(bad.any(axis=0)):
            good = np.flatnonzero(~bad[:, column])
            gaps = np.flatnonzero(bad[:, column])
            rows[gaps, column] = np.interp(gaps, good, rows[good, column]) if len(good) else 0.0
        note = f"{bad.sum()} values that are no numbers (first in line {line})"
        self.warnings.append(f"{note} interpolated from the frames around them")
