"""Samples of a performance as a client sends them, in frames as those of the server.

u32 length of the header, the header as JSON padded with spaces to four bytes, then for all samples
their times (float64), poses and axes (float32) and buttons (bytes, 0 or 1); little-endian.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import prod
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta, Struct

from arcwright.arrays import AnyArray, Bools, Floats
from arcwright.errors import BadValue
from arcwright.server.messages.common import Name
from arcwright.server.messages.gestures import MOST_SAMPLES, Names
from arcwright.tools.gesture import Performance


class PerformanceHeader(
    Struct, tag_field="type", tag="AppendPerformance", forbid_unknown_fields=True
):
    """More samples of tracked devices, axes and buttons, which follow it; none is dropped."""

    interaction: int
    samples: Annotated[int, Meta(ge=0, le=MOST_SAMPLES)]
    devices: Annotated[int, Meta(ge=0, le=64)] = 0
    axis_names: Names = []
    button_names: Names = []
    device: Name = ""


@dataclass(frozen=True, eq=False)
class AppendPerformance:
    """A header with its samples."""

    interaction: int
    performance: Performance


_decoder = msgspec.json.Decoder(PerformanceHeader)


def encode_performance(message: AppendPerformance) -> bytes:
    """A chunk of samples as its frame."""
    given = message.performance
    devices, names = given.poses.shape[1], (list(given.axis_names), list(given.button_names))
    header = PerformanceHeader(message.interaction, len(given), devices, *names, given.device)
    text = msgspec.json.encode(header)
    text += b" " * (-len(text) % 4)
    parts = zip((given.times, given.poses, given.axes, given.buttons), _kinds(header), strict=True)
    block = [np.ascontiguousarray(part, kind).tobytes() for part, (kind, _) in parts]
    return b"".join([struct.pack("<I", len(text)), text, *block])


def decode_performance(data: bytes) -> AppendPerformance:
    """The samples of a frame; raises as `decode_client` does where it is malformed."""
    length = int.from_bytes(data[:4], "little")
    if len(data) < 4 + length or length % 4:
        raise BadValue("message", "JSON, or a frame with a whole header", f"{len(data)} bytes")
    header = _decoder.decode(data[4 : 4 + length])
    times, poses, axes, buttons = _parts(header, memoryview(data)[4 + length :])
    names = tuple(header.axis_names), tuple(header.button_names)
    performance = Performance(
        times, _with_unit_rotations(poses), axes, _pressed(buttons), *names, header.device
    )
    return AppendPerformance(header.interaction, performance)


def _kinds(header: PerformanceHeader) -> list[tuple[str, tuple[int, ...]]]:
    """Type and shape of each part of the block."""
    count = header.samples
    return [
        ("<f8", (count,)),
        ("<f4", (count, header.devices, 7)),
        ("<f4", (count, len(header.axis_names))),
        ("u1", (count, len(header.button_names))),
    ]


def _parts(header: PerformanceHeader, block: memoryview) -> list[Any]:
    kinds = [(np.dtype(kind), shape) for kind, shape in _kinds(header)]
    sizes = [kind.itemsize * prod(shape) for kind, shape in kinds]
    if len(block) != sum(sizes):
        raise BadValue("samples", f"{sum(sizes)} bytes after their header", len(block))
    parts: list[Any] = []
    for size, (kind, shape) in zip(sizes, kinds, strict=True):
        parts.append(np.frombuffer(block[:size], kind).reshape(shape).copy())
        block = block[size:]
    return parts


def _with_unit_rotations(poses: AnyArray) -> Floats:
    """Poses whose quaternions have length 1: clients count in fewer digits."""
    found = poses.astype(np.float64)
    rotations = found[..., 3:]
    lengths = np.linalg.norm(rotations, axis=-1)
    wrong = ~((lengths > 0.9) & (lengths < 1.1))  # also where one is no number
    if wrong.any():
        raise BadValue("orientation", "a unit quaternion wxyz", rotations[wrong][0].tolist())
    rotations /= lengths[..., None]
    return found


def _pressed(buttons: AnyArray) -> Bools:
    if (buttons > 1).any():
        raise BadValue("buttons", "0 or 1", int(buttons.max()))
    return buttons.astype(np.bool_)
