"""Encoding of messages: JSON, followed by float32 arrays in what the server sends.

u32 length of the JSON, the JSON padded with spaces to four bytes, the arrays; little-endian.
"""

from __future__ import annotations

import json
import re
import struct

import msgspec
import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import AnyArray, Floats
from arcwright.errors import BadValue
from arcwright.scene.point import Point
from arcwright.server.messages import (
    Array,
    ClientMessage,
    Document,
    Failure,
    PointRef,
    Quat,
    Report,
    ServerMessage,
)

Single = NDArray[np.float32]

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


def encode_client(message: ClientMessage) -> bytes:
    """A client message as bytes."""
    return _encoder.encode(message)


def decode_client(data: str | bytes) -> ClientMessage:
    """A client message; raises `msgspec.DecodeError` with the reason where it is malformed."""
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
