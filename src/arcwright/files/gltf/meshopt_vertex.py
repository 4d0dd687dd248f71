"""Meshopt's vertex codec, version 0: bytes as zigzag deltas in groups of sixteen."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray

_HEADER = 0xA0
_BLOCK_BYTES, _BLOCK_LIMIT, _GROUP = 8192, 256, 16


def _split_table(bits: int) -> list[bytes]:
    mask = (1 << bits) - 1
    shifts = range(8 - bits, -1, -bits)
    return [bytes((byte >> shift) & mask for shift in shifts) for byte in range(256)]


_HALVES, _QUARTERS = _split_table(4), _split_table(2)


def unpack_attributes(data: bytes, count: int, stride: int) -> AnyArray:
    """(count, stride) bytes."""
    if data[0] != _HEADER:
        raise NotImplementedError(
            f"uses version {data[0] & 15} of the vertex codec, only 0 is read"
        )
    block = min(_BLOCK_BYTES // stride & ~(_GROUP - 1), _BLOCK_LIMIT)
    end = len(data) - max(stride, 32)
    out = np.empty((count, stride), np.uint8)
    last = np.frombuffer(data[len(data) - stride :], np.uint8)
    at = 1
    for first in range(0, count, block):
        rows = min(block, count - first)
        delta: AnyArray = np.empty((rows, stride), np.uint8)
        for column in range(stride):
            at, lane = _lane(data, at, end, rows)
            delta[:, column] = np.frombuffer(lane, np.uint8)[:rows]
        delta = (delta >> 1) ^ -(delta & 1)
        delta[0] += last
        np.cumsum(delta, axis=0, dtype=np.uint8, out=out[first : first + rows])
        last = out[first + rows - 1]
    if at != end and data[at:end].strip(b"\0"):
        raise ValueError("bytes left over")
    return out


def _lane(data: bytes, at: int, end: int, rows: int) -> tuple[int, bytearray]:
    """One byte column of a block: two header bits a group, then the groups."""
    groups = -(-rows // _GROUP)
    header = data[at : at + -(-groups // 4)]
    at += len(header)
    lane = bytearray()
    for group in range(groups):
        at = _group(data, at, header[group // 4] >> group % 4 * 2 & 3, lane)
        if at > end:
            raise ValueError("data runs into the tail")
    return at, lane


def _group(data: bytes, at: int, width: int, lane: bytearray) -> int:
    """Sixteen bytes as 0, 2, 4 or 8 bits each; the largest code stands for a whole byte after."""
    if width == 0:
        lane += bytes(_GROUP)
        return at
    if width == 3:
        lane += data[at : at + _GROUP]
        return at + _GROUP
    table, mark = (_QUARTERS, 3) if width == 1 else (_HALVES, 15)
    size = 4 * width
    codes = bytearray().join(table[byte] for byte in data[at : at + size])
    at += size
    if mark in codes:
        for place, code in enumerate(codes):
            if code == mark:
                codes[place] = data[at]
                at += 1
    lane += codes
    return at
