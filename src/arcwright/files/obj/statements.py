"""Statements of an OBJ file: vertices, and faces grouped by object and material."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NoReturn

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadFile
from arcwright.files.numbers import NotANumber, parse

_IGNORED = {b"s", b"#", b"lod", b"shadow_obj", b"trace_obj", b"vp"}
_POINTS = {b"v": "vertex", b"vt": "texture vertex", b"vn": "normal"}


_WIDTHS = {"v": (3, 7), "vt": (1, 3), "vn": (3, 3)}  # numbers a line, least and most


POINT_LIMIT = 1_000_000  # lines of points, and corners of faces: 333,333 triangles


class Faces:
    """Faces of one object and material: `corners` holds `counts[i]` entries for face i."""

    def __init__(self) -> None:
        self.corners: list[int] = []  # indices into the file's different corners
        self.counts: list[int] = []


class Statements:
    """All statements of an OBJ file, as lists in file order."""

    def __init__(self, path: Path, text: bytes) -> None:
        self.libraries: list[str] = []
        self.groups: dict[tuple[str, str], Faces] = {}  # (object or group, material)
        self.ignored: dict[str, int] = {}
        self._path = path
        self._points: dict[bytes, list[bytes]] = {word: [] for word in _POINTS}
        self._point_lines: dict[bytes, list[int]] = {word: [] for word in _POINTS}
        self._corner_ids: dict[bytes, int] = {}
        self._corner_lines: list[int] = []
        self._corner_count = 0
        self._by_object = b"\no " in text or text.startswith(b"o ")
        self._line = 0
        self._object, self._material = "", ""
        self._faces = Faces()
        self._read(text)

    def _fail(self, fault: str, line: int) -> NoReturn:
        raise BadFile(self._path, f"line {line}: {fault}")

    def _read(self, text: bytes) -> None:
        for line in self._whole_lines(text):
            words = line.split(None, 1)
            if not words:
                continue
            word, rest = words if len(words) == 2 else (words[0], b"")
            if word == b"f":
                self._face(rest)
            elif word in self._points:
                self._points[word].append(rest.rstrip().partition(b"#")[0])
                self._point_lines[word].append(self._line)
                self._check_size(len(self._points[word]))
            elif not word.startswith(b"#"):
                self._other(word, rest.decode("utf-8", "replace").strip())

    def _check_size(self, count: int) -> None:
        if count > POINT_LIMIT:
            self._fail(f"more than {POINT_LIMIT} points or corners of faces", self._line)

    def _whole_lines(self, text: bytes) -> Iterator[bytes]:
        """The lines, joined where one ends in a backslash."""
        held = b""
        joins = b"\\" in text
        for line in BytesIO(text):
            self._line += 1
            if joins and line.rstrip().endswith(b"\\"):
                held += line.rstrip()[:-1] + b" "
                continue
            yield held + line if held else line
            held = b""
        if held:
            yield held

    def _other(self, word: bytes, rest: str) -> None:
        if word == b"o" or (word == b"g" and not self._by_object):
            self._object = rest
        elif word == b"usemtl":
            self._material = rest
        elif word == b"mtllib":
            self.libraries.append(rest)
        elif word not in _IGNORED and word != b"g":
            self._ignore(word[:20].decode("utf-8", "replace"))
        key = (self._object, self._material)
        self._faces = self.groups.get(key) or Faces()

    def _ignore(self, what: str) -> None:
        if what in self.ignored or len(self.ignored) < 20:
            self.ignored[what] = self.ignored.get(what, 0) + 1

    def _face(self, rest: bytes) -> None:
        words = rest.partition(b"#")[0].split()
        if len(words) < 3:
            self._ignore("a face with fewer than 3 corners")
            return
        if b"-" in rest:
            words = [self._counted_back(word) for word in words]
        if not self._faces.counts:
            self.groups[self._object, self._material] = self._faces
        ids = self._corner_ids
        self._faces.corners += [ids.setdefault(word, len(ids)) for word in words]
        self._faces.counts.append(len(words))
        self._corner_count += len(words)
        self._check_size(self._corner_count)
        self._corner_lines += [self._line] * (len(ids) - len(self._corner_lines))

    def _counted_back(self, word: bytes) -> bytes:
        """A corner with its negative numbers, which count back from here, made positive."""
        parts = word.split(b"/")
        for at, (part, kind) in enumerate(zip(parts, self._points, strict=False)):
            if part.startswith(b"-") and part[1:].isdigit():
                number = len(self._points[kind]) + 1 - int(part[1:16])
                parts[at] = str(number).encode() if number > 0 else b"0"
        return b"/".join(parts)

    def points(self, word: str) -> Floats:
        """All "v", "vt" or "vn", (N, width); a missing number is 0."""
        rows, lines = self._points[word.encode()], self._point_lines[word.encode()]
        try:
            numbers, ends, _ = parse(b"\n".join(rows))
        except NotANumber as error:
            line = lines[b"\n".join(rows).count(b"\n", 0, error.place)]
            self._fail(
                f"expected a number, found {error.word[:40].decode(errors='replace')!r}", line
            )
        widths = np.diff(ends[: len(rows)], prepend=0)
        least, most = _WIDTHS[word]
        wrong = np.flatnonzero((widths < least) | (widths > most))
        if len(wrong):
            found = f"a {_POINTS[word.encode()]} of {widths[wrong[0]]} numbers"
            self._fail(found, lines[wrong[0]])
        return _table(numbers, widths)

    def corners(self, sizes: tuple[int, int, int]) -> Ints:
        """(corners, 3) indices of vertex, texture vertex and normal from 0; -1 for none."""
        words = b"\n".join(self._corner_ids)
        if words.translate(None, b"0123456789/\n"):
            self._refuse_corner()
        numbers, ends, _ = parse(words.replace(b"//", b"/0/").replace(b"/", b" "))
        widths = np.diff(ends[: len(self._corner_ids)], prepend=0)
        if widths.max() > 3 or widths.min() < 1:
            self._refuse_corner()
        table = np.zeros((len(widths), 3), np.int64)
        table[np.arange(3) < widths[:, None]] = np.minimum(numbers, 2**53)
        wrong = (table < [1, 0, 0]) | (table > sizes)
        if wrong.any():
            at, column = np.argwhere(wrong)[0]
            kind, size = list(_POINTS.values())[column], sizes[column]
            fault = f"a face uses {kind} {table[at, column]}, but there are {size}"
            self._fail(fault, self._corner_lines[at])
        return table - 1

    def _refuse_corner(self) -> NoReturn:
        """Name the first corner that is not one to three whole numbers between slashes."""
        for word, line in zip(self._corner_ids, self._corner_lines, strict=True):
            parts = word.split(b"/")
            if len(parts) > 3 or not parts[0] or not b"".join(parts).isdigit():
                found = word[:40].decode("utf-8", "replace")
                self._fail(f"expected a corner of a face such as 1/2/3, found {found!r}", line)
        raise BadFile(self._path, "a face has corners that cannot be read")


def _table(numbers: Floats, widths: Ints) -> Floats:
    """Rows of the widest row's width, short ones filled with 0."""
    if not len(widths):
        return np.zeros((0, 3))
    width = int(widths.max())
    if (widths == width).all():
        return numbers.reshape(-1, width)
    table = np.zeros((len(widths), width))
    table[np.arange(width) < widths[:, None]] = numbers
    return table
