"""The MOTION section of a BVH file: frame time and rows of numbers."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadFile
from arcwright.files.numbers import NotANumber, Numbers, parse
from arcwright.files.text import Text, line_at

NUMBER_LIMIT = 12_500_000  # 100 MB of samples
HEADER = re.compile(rb"motion\s+frames\s*:?\s*\S+\s+frame\s*time\s*:?\s*\S+\s", re.IGNORECASE)
_COUNT = re.compile(rb"\s*frames\s*:?[ \t]*(\S*)", re.IGNORECASE)
_TIME = re.compile(rb"\s*frame\s*time\s*:?[ \t]*(\S*)", re.IGNORECASE)
_DEFAULT_FRAME_TIME = 1 / 30  # s


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
