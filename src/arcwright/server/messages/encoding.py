"""Encoding of messages: JSON, followed by float32 arrays in what the server sends.

What a client sends is JSON alone, but for samples of a performance: see `performance.py`.

u32 length of the JSON, the JSON padded with spaces to four bytes, the arrays; little-endian.
"""

from __future__ import annotations

import json
import re
import struct
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import AnyArray, Floats
from arcwright.errors import BadValue
from arcwright.scene.camera import Camera
from arcwright.scene.point import Point
from arcwright.server.messages import (
    AppendPerformance,
    AppendStroke,
    Array,
    ClientMessage,
    Document,
    Failure,
    PointRef,
    Quat,
    Report,
    ServerMessage,
    UpdateInteraction,
    Vec3,
)
from arcwright.server.messages.performance import decode_performance, encode_performance
from arcwright.tools.gesture import Drag, Performance, Stroke, ToolHandle

Single = NDArray[np.float32]
GestureMessage = UpdateInteraction | AppendStroke | AppendPerformance
AnyClientMessage = ClientMessage | AppendPerformance

_encoder = msgspec.json.Encoder()
_client_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_server_decoder: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
_PATH = re.compile(
    r"(?<![\w./:])/(?:[^\s/'\"]+/)+([^\s/'\"]+)|\b[A-Za-z]:[\\/](?:[^\s\\/'\"]+[\\/])*([^\s\\/'\"]+)"
)


def encode(message: ServerMessage, **arrays: AnyArray) -> bytes:
    """A server message and its arrays as bytes."""
    _hide_paths(message)
    message.arrays = [Array(name, list(array.shape)) for name, array in arrays.items()]
    text = _json(message)
    text += b" " * (-len(text) % 4)
    block = [np.ascontiguousarray(array, "<f4").tobytes() for array in arrays.values()]
    return b"".join([struct.pack("<I", len(text)), text, *block])


def decode(data: bytes) -> tuple[ServerMessage, dict[str, Single]]:
    """A server message and its arrays, as a client reads them."""
    (length,) = struct.unpack_from("<I", data)
    message = _server_decoder.decode(data[4 : 4 + length])
    arrays, at = {}, 4 + length
    for array in message.arrays:
        size = int(np.prod(array.shape))
        arrays[array.name] = np.frombuffer(data, "<f4", size, at).reshape(array.shape)
        at += 4 * size
    return message, arrays


def encode_client(message: AnyClientMessage) -> bytes:
    """A client message as bytes."""
    if isinstance(message, AppendPerformance):
        return encode_performance(message)
    return _encoder.encode(message)


def decode_client(data: str | bytes) -> AnyClientMessage:
    """A client message; `msgspec.DecodeError`, `BadValue` or `UnicodeError` where it is malformed.

    The length with which a frame begins is a multiple of four; "{" is none.
    """
    if isinstance(data, bytes) and not data.startswith(b"{"):
        return decode_performance(data)
    return _client_decoder.decode(data)


def point_ref(point: Point, character: str) -> PointRef:
    """A point of a character as messages refer to it."""
    x, y, z = point.offset.tolist()
    return PointRef(point.joint, (x, y, z), character)


def point_of(ref: PointRef, character: str) -> Point:
    """The point that a message refers to; of `character` where the message names none."""
    return Point(ref.joint, np.array(ref.offset), ref.character or character)


def quaternion_of(given: Quat) -> Floats:
    """A quaternion of a message, normalised to length 1: clients count in fewer digits."""
    quaternion = np.array(given)
    length = float(np.linalg.norm(quaternion))
    if not 0.9 < length < 1.1:
        raise BadValue("orientation", "a unit quaternion wxyz", given)
    return quaternion / length


def gesture_of(message: GestureMessage, character: str) -> Drag | Stroke | Performance:
    """The gesture of a message; points that name no character belong to `character`."""
    match message:
        case AppendStroke():
            return _stroke(message)
        case AppendPerformance():
            return message.performance
    if message.point is not None:
        handle: Any = point_of(message.point, character)
    elif message.handle is not None:
        handle = ToolHandle(message.handle)
    else:
        raise BadValue("drag", "a point or a handle", "neither")
    return Drag(
        handle,
        message.time,
        None if message.position is None else np.array(message.position),
        None if message.orientation is None else quaternion_of(message.orientation),
        message.time_scale,
        None if message.axes is None else np.array(message.axes),
        message.to_time,
        None if message.scale is None else np.array(message.scale),
    )


def _stroke(message: AppendStroke) -> Stroke:
    view = message.camera
    camera = Camera(
        np.array(view.position),
        quaternion_of(view.orientation),
        view.field_of_view,
        view.width,
        view.height,
    )
    points = np.array(message.points, float).reshape(-1, 2)
    return Stroke(camera, points, _row(message.times), _optional(message.pressure))


def _row(numbers: list[float]) -> Floats:
    return np.array(numbers, float)


def _optional(numbers: list[float] | None) -> Floats | None:
    return None if numbers is None else _row(numbers)


def without_paths(text: str) -> str:
    """A text in which every absolute path is replaced by the name of its file."""
    return _PATH.sub(lambda found: found[1] or found[2], text)


def _hide_paths(message: ServerMessage) -> None:
    """Texts may quote files and errors; clients must not learn the folders of this machine."""
    match message:
        case Failure() | Report():
            message.text = without_paths(message.text)
        case Document():
            message.warnings = [without_paths(each) for each in message.warnings]


def _json(message: ServerMessage) -> bytes:
    try:
        return _encoder.encode(message)
    except UnicodeEncodeError:  # a name cut in the middle of a character
        return json.dumps(msgspec.to_builtins(message)).encode()


def vec(position: Floats) -> Vec3:
    """Three numbers for a message."""
    x, y, z = position.tolist()
    return x, y, z
