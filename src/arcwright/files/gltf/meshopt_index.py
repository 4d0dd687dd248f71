"""Meshopt's index codecs: triangles by shared edges and vertices, and plain index sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwright.arrays import AnyArray

_TYPES: dict[int, np.dtype[Any]] = {2: np.dtype("<u2"), 4: np.dtype("<u4")}
_TABLE = 16  # bytes of common codes at the end


class _Stream:
    """Variable-length numbers, read one after the other."""

    def __init__(self, data: bytes, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def byte(self) -> int:
        if self.at >= self.end:
            raise ValueError("ran out of data")
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        value = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                break
        return value & 0xFFFFFFFF

    def step(self, last: int) -> int:
        coded = self.varint()
        return last + (coded >> 1 ^ -(coded & 1))


def unpack_sequence(data: bytes, count: int, stride: int) -> AnyArray:
    """(count,) indices coded as steps from one of two running values."""
    if data[0] not in (0xD0, 0xD1):
        raise NotImplementedError(
            f"uses version {data[0] & 15} of the sequence codec, 0 and 1 are read"
        )
    if count > len(data):
        raise ValueError("more indices than bytes")
    stream = _Stream(data, 1, len(data) - 4)
    last = [0, 0]
    out: list[int] = []
    for _ in range(count):
        coded = stream.varint()
        which, coded = coded & 1, coded >> 1
        last[which] += coded >> 1 ^ -(coded & 1)
        out.append(last[which])
    return _typed(out, stride)


def unpack_triangles(data: bytes, count: int, stride: int) -> AnyArray:
    """(count,) indices of triangles, most given by an edge and a vertex seen shortly before."""
    if data[0] not in (0xE0, 0xE1):
        raise NotImplementedError(
            f"uses version {data[0] & 15} of the index codec, 0 and 1 are read"
        )
    codes = data[1 : 1 + count // 3]
    table = data[len(data) - _TABLE :]
    stream = _Stream(data, 1 + len(codes), len(data) - _TABLE)
    if len(codes) * 3 < count or stream.at > stream.end:
        raise ValueError("more triangles than bytes")
    state = _Triangles(stream, table, near=13 if data[0] == 0xE1 else 15)
    for code in codes:
        state.triangle(code)
    return _typed(state.out, stride)


class _Triangles:
    """What the triangle codec remembers: sixteen edges, sixteen vertices, the next new index."""

    def __init__(self, stream: _Stream, table: bytes, near: int) -> None:
        self.stream, self.table, self.near = stream, table, near
        self.edges = [(0, 0)] * 16  # newest last
        self.vertices = [0] * 16
        self.next = 0
        self.last = 0
        self.out: list[int] = []

    def triangle(self, code: int) -> None:
        if code < 0xF0:
            self._on_edge(code >> 4, code & 15)
        elif code < 0xFE:
            pair = self.table[code & 15]
            self._apart(0, pair >> 4, pair & 15, far=False)
        else:
            pair = self.stream.byte()
            if pair == 0:
                self.next = 0
            self._apart(0 if code == 0xFE else 15, pair >> 4, pair & 15, far=True)

    def _on_edge(self, edge: int, corner: int) -> None:
        a, b = self.edges[-1 - edge]
        if corner == 0:
            c = self._fresh()
        elif corner < self.near:
            c = self.vertices[-1 - corner]
        else:
            c = (
                self.stream.step(self.last)
                if corner == 15
                else self.last + (1 if corner == 14 else -1)
            )
            self.last = c
        if corner == 0 or corner >= self.near:
            self._see(c)
        self._emit((a, b, c), ((c, b), (a, c)))

    def _apart(self, *corners: int, far: bool) -> None:
        a, b, c = (self._corner(corner, far) for corner in corners)
        for vertex, corner in zip((a, b, c), corners, strict=True):
            if corner == 0 or (far and corner == 15):
                self._see(vertex)
        self._emit((a, b, c), ((b, a), (c, b), (a, c)))

    def _corner(self, corner: int, far: bool) -> int:
        if corner == 0:
            return self._fresh()
        if far and corner == 15:
            self.last = self.stream.step(self.last)
            return self.last
        return self.vertices[-corner]

    def _fresh(self) -> int:
        self.next += 1
        return self.next - 1

    def _see(self, vertex: int) -> None:
        self.vertices.append(vertex)
        if len(self.vertices) > 4096:
            del self.vertices[:-16]

    def _emit(self, corners: tuple[int, ...], edges: tuple[tuple[int, int], ...]) -> None:
        self.out += corners
        self.edges += edges
        if len(self.edges) > 4096:
            del self.edges[:-16]


def _typed(values: list[int], stride: int) -> AnyArray:
    array = np.array(values, np.int64)
    top = np.iinfo(_TYPES[stride]).max
    if len(array) and (array.min() < 0 or array.max() > top):
        raise ValueError("an index outside its type")
    return array.astype(_TYPES[stride])
