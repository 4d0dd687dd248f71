"""The wire: a message as JSON, then its float32 numbers in one block.

u32 length of the JSON, the JSON padded with spaces to four bytes, the block; little-endian.
"""

from __future__ import annotations

import json
import struct

import msgspec
import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import AnyArray
from arcwright.server.messages import Array, ClientMessage, Document, Failure, Report, ServerMessage
from arcwright.server.storage.names import without_paths

Single = NDArray[np.float32]

_encoder = msgspec.json.Encoder()
_ups: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_downs: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


def encode(message: ServerMessage, **arrays: AnyArray) -> bytes:
    """A message and its numbers as they are sent to a window."""
    _hide_paths(message)
    message.arrays = [Array(name, list(array.shape)) for name, array in arrays.items()]
    text = _json(message)
    text += b" " * (-len(text) % 4)
    block = [np.ascontiguousarray(array, "<f4").tobytes() for array in arrays.values()]
    return b"".join([struct.pack("<I", len(text)), text, *block])


def _hide_paths(message: ServerMessage) -> None:
    """Texts may quote files and errors, which name places of this machine."""
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


def decode(data: bytes) -> tuple[ServerMessage, dict[str, Single]]:
    """What a window reads of it."""
    (length,) = struct.unpack_from("<I", data)
    message = _downs.decode(data[4 : 4 + length])
    arrays, at = {}, 4 + length
    for array in message.arrays:
        size = int(np.prod(array.shape))
        arrays[array.name] = np.frombuffer(data, "<f4", size, at).reshape(array.shape)
        at += 4 * size
    return message, arrays


def said(data: str | bytes) -> ClientMessage:
    """A window's message; raises `msgspec.DecodeError` with what is wrong."""
    return _ups.decode(data)


def say(message: ClientMessage) -> bytes:
    """A message as a window sends it."""
    return _encoder.encode(message)
