"""Meshopt's vertex codec, versions 0 and 1: bytes as deltas in groups of sixteen.

Version 1 adds a control mode for each byte of an element and block (which bit widths its groups
use), and a channel mode for each four bytes (of what the deltas are taken).
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray

_VERSION_0, _VERSION_1 = 0xA0, 0xA1
_BLOCK_BYTES, _BLOCK_LIMIT, _GROUP = 8192, 256, 16
_WIDTHS = (0, 2, 4, 8)  # bits of a delta by a group's header, version 0
_CONTROL_WIDTHS = ((0, 1, 2, 4), (1, 2, 4, 8))  # version 1, control modes 0 and 1
_ZERO, _LITERAL = 2, 3  # control modes without groups
_BYTE_DELTAS, _WORD_DELTAS, _XOR_DELTAS = 0, 1, 2  # channel modes
_TAIL_0, _TAIL_1 = 32, 24  # bytes that the tail has at least


def _split_table(bits: int) -> list[bytes]:
    mask = (1 << bits) - 1
    shifts = range(8) if bits == 1 else range(8 - bits, -1, -bits)
    return [bytes((byte >> shift) & mask for shift in shifts) for byte in range(256)]


_SPLIT = {bits: _split_table(bits) for bits in (1, 2, 4)}


def unpack_attributes(data: bytes, count: int, stride: int) -> AnyArray:
    """(count, stride) bytes."""
    if data[0] not in (_VERSION_0, _VERSION_1):
        raise NotImplementedError(
            f"uses version {data[0] & 15} of the vertex codec, 0 and 1 are read"
        )
    controls = stride // 4 if data[0] == _VERSION_1 else 0
    tail = max(stride + controls, _TAIL_1 if controls else _TAIL_0)
    channels = data[len(data) - controls :] if controls else bytes(stride // 4)
    if len(data) < 1 + tail:
        raise ValueError("shorter than its tail")
    block = min(_BLOCK_BYTES // stride & ~(_GROUP - 1), _BLOCK_LIMIT)
    end = len(data) - tail
    out = np.empty((count, stride), np.uint8)
    start = len(data) - controls - stride
    last: AnyArray = np.frombuffer(data[start : start + stride], np.uint8)
    at = 1
    for first in range(0, count, block):
        rows = min(block, count - first)
        modes = data[at : at + controls]
        at += controls
        delta: AnyArray = np.empty((rows, stride), np.uint8)
        for column in range(stride):
            mode = modes[column // 4] >> column % 4 * 2 & 3 if controls else None
            at, column_bytes = _byte_column(data, at, end, rows, mode)
            delta[:, column] = np.frombuffer(column_bytes, np.uint8)[:rows]
        for k, channel in enumerate(channels):
            four = slice(4 * k, 4 * k + 4)
            out[first : first + rows, four] = _undone(delta[:, four], last[four], channel)
        last = out[first + rows - 1]
    if at != end and data[at:end].strip(b"\0"):
        raise ValueError("bytes left over")
    return out


def _undone(delta: AnyArray, last: AnyArray, channel: int) -> AnyArray:
    """(rows, 4) bytes from their deltas and the four bytes before them."""
    mode, shift = channel & 15, channel >> 4
    if mode > _XOR_DELTAS or (shift and mode != _XOR_DELTAS):
        raise ValueError("a channel mode that does not exist")
    kind = {_BYTE_DELTAS: "u1", _WORD_DELTAS: "<u2", _XOR_DELTAS: "<u4"}[mode]
    wide: AnyArray = np.ascontiguousarray(delta).view(kind)
    before = np.ascontiguousarray(last).view(kind)
    if mode == _XOR_DELTAS:
        wide = wide >> np.uint32(shift) | wide << np.uint32(-shift & 31)
        wide[0] ^= before
        return np.bitwise_xor.accumulate(wide, axis=0).view(np.uint8)
    wide = (wide >> 1) ^ -(wide & 1)
    wide[0] += before
    return np.cumsum(wide, axis=0, dtype=kind).view(np.uint8)


def _byte_column(
    data: bytes, at: int, end: int, rows: int, mode: int | None
) -> tuple[int, bytearray]:
    """One byte column of a block: two header bits a group, then the groups."""
    if mode == _ZERO:
        return at, bytearray(rows)
    if mode == _LITERAL:
        if at + rows > end:
            raise ValueError("data runs into the tail")
        return at + rows, bytearray(data[at : at + rows])
    widths = _WIDTHS if mode is None else _CONTROL_WIDTHS[mode]
    groups = -(-rows // _GROUP)
    header = data[at : at + -(-groups // 4)]
    at += len(header)
    column_bytes = bytearray()
    for group in range(groups):
        at = _group(data, at, widths[header[group // 4] >> group % 4 * 2 & 3], column_bytes)
        if at > end:
            raise ValueError("data runs into the tail")
    return at, column_bytes


def _group(data: bytes, at: int, bits: int, column_bytes: bytearray) -> int:
    """Sixteen deltas of some bits each; the largest code stands for a whole byte after."""
    if bits == 0:
        column_bytes += bytes(_GROUP)
        return at
    if bits == 8:
        column_bytes += data[at : at + _GROUP]
        return at + _GROUP
    table, mark = _SPLIT[bits], (1 << bits) - 1
    size = 2 * bits
    codes = bytearray().join(table[byte] for byte in data[at : at + size])
    at += size
    if mark in codes:
        for place, code in enumerate(codes):
            if code == mark:
                codes[place] = data[at]
                at += 1
    column_bytes += codes
    return at
