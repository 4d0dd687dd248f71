"""PNG files with the standard library: write, and read simple ones."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import BadFile, BadValue

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_PIXELS = 4096 * 4096
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by PNG colour type


def encode(image: AnyArray) -> bytes:
    """The PNG bytes of an (H, W, 3) or (H, W, 4) uint8 image."""
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] not in (3, 4):
        raise BadValue("image", "uint8 of shape (H, W, 3 or 4)", f"{image.dtype} {image.shape}")
    height, width, channels = image.shape
    if height == 0 or width == 0:
        raise BadValue("image", "at least one pixel", f"{width} x {height}")
    flat = image.reshape(height, -1)
    # Rows as differences to the row above: smooth gradients compress several times better.
    rows = np.zeros((height, flat.shape[1] + 1), np.uint8)
    rows[:, 0] = 2
    rows[:, 1:] = flat
    rows[1:, 1:] -= flat[:-1]
    header = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 6, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 6)
    return pack([(b"IHDR", header), (b"sRGB", b"\0"), (b"IDAT", body), (b"IEND", b"")])


def pack(chunks: Iterable[tuple[bytes, bytes]]) -> bytes:
    """A PNG file of these chunks, each a name and its content."""
    return SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)


def write(image: AnyArray, path: str | Path) -> None:
    """Write an image as PNG; folders on the way are made."""
    save(encode(image), path)


def save(content: bytes, path: str | Path) -> None:
    """Write the bytes of a file; folders on the way are made."""
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    except OSError as error:
        raise BadFile(path, f"cannot be written: {error.strerror}") from error


def read(path: str | Path) -> AnyArray:
    """The image of a PNG file, as `decode` gives it."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadFile(path, f"cannot be read: {error.strerror}") from error
    return decode(content, str(path))


def decode(content: bytes, name: str = "image", most: int = MOST_PIXELS) -> AnyArray:
    """The (H, W, 3 or 4) uint8 image in PNG bytes: 8 bits (1 to 8 with palette), not interlaced.

    One of more than `most` pixels is refused before it is unpacked.
    """
    if not content.startswith(SIGNATURE):
        raise BadFile(name, "not a PNG file")
    try:
        return _decode(content, name, most)
    except (struct.error, zlib.error, ValueError, IndexError, KeyError) as error:
        raise BadFile(name, f"damaged PNG: {error}") from error


def _decode(content: bytes, name: str, most: int) -> AnyArray:
    chunks = _chunks(content)
    fields = struct.unpack(">IIBBBBB", chunks[b"IHDR"][:13])
    width, height, depth, kind, _, _, interlaced = fields
    if interlaced or not (depth == 8 or (kind == 3 and depth in (1, 2, 4))):
        raise BadFile(
            name, f"PNG of {depth} bits, interlaced {interlaced}", "save it as plain 8-bit"
        )
    if width * height > most:
        raise BadFile(name, f"{width} x {height} pixels are more than the {most} that are read")
    channels = CHANNELS[kind]
    stride = (width * channels * depth + 7) // 8
    size = height * (stride + 1)
    packed = np.frombuffer(zlib.decompressobj().decompress(chunks[b"IDAT"], size), np.uint8)
    rows = _unfilter(packed[:size].reshape(height, stride + 1), channels if depth == 8 else 1)
    if depth < 8:
        bits = np.unpackbits(rows, axis=1)[:, : width * depth].reshape(height, width, depth)
        rows = (bits << np.arange(depth - 1, -1, -1, dtype=np.uint8)).sum(-1, dtype=np.uint8)
    pixels = rows.reshape(height, width, channels)
    if kind == 3:
        return _from_palette(pixels[..., 0], chunks[b"PLTE"], chunks.get(b"tRNS", b""))
    if channels < 3:
        grey = np.repeat(pixels[..., :1], 3, axis=2)
        return grey if channels == 1 else np.concatenate([grey, pixels[..., 1:]], axis=2)
    return pixels


def _chunk(name: bytes, content: bytes) -> bytes:
    body = name + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


def _chunks(content: bytes) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    at = len(SIGNATURE)
    while at + 8 <= len(content):
        length, name = struct.unpack(">I4s", content[at : at + 8])
        if at + 12 + length > len(content):
            raise ValueError("cut short")
        found[name] = found.get(name, b"") + content[at + 8 : at + 8 + length]
        at += 12 + length
    return found


def _unfilter(rows: AnyArray, step: int) -> AnyArray:
    """Undo the row filters, one slanting front of pixels at a time: each needs left and above."""
    kind = rows[:, 0].astype(np.int64)
    if kind.max() > 4:
        raise ValueError(f"row filter {kind.max()}")
    height, width = len(rows), (rows.shape[1] - 1) // step
    filtered = rows[:, 1:].reshape(height, width, step)
    out = np.zeros((height + 1, width + 1, step), np.int16)
    for front in range(height + width - 1):
        y = np.arange(max(0, front - width + 1), min(height, front + 1))
        x = front - y
        left, up, corner = out[y + 1, x], out[y, x + 1], out[y, x]
        predictions = np.stack([left * 0, left, up, (left + up) // 2, _paeth(left, up, corner)])
        out[y + 1, x + 1] = (filtered[y, x] + predictions[kind[y], np.arange(len(y))]) & 255
    return out[1:, 1:].astype(np.uint8).reshape(height, -1)


def _paeth(left: AnyArray, up: AnyArray, corner: AnyArray) -> AnyArray:
    by_left, by_up = np.abs(up - corner), np.abs(left - corner)
    by_corner = np.abs(left + up - 2 * corner)
    upper = np.where(by_up <= by_corner, up, corner)
    return np.where((by_left <= by_up) & (by_left <= by_corner), left, upper)


def _from_palette(index: AnyArray, palette: bytes, alpha: bytes) -> AnyArray:
    colours = np.zeros((256, 4), np.uint8)
    colours[:, 3] = 255
    table = np.frombuffer(palette, np.uint8).reshape(-1, 3)
    colours[: len(table), :3] = table
    colours[: len(alpha), 3] = np.frombuffer(alpha, np.uint8)
    return colours[index] if alpha else colours[index][..., :3]
