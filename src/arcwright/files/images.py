"""Detect the image format of bytes: those that glTF supports."""

from __future__ import annotations

_BEGINS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"\xabKTX 20\xbb\r\n\x1a\n": "image/ktx2",
}


def mime_of(data: bytes) -> str:
    """The media type by the first bytes; "" for other data."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((mime for magic, mime in _BEGINS.items() if data.startswith(magic)), "")
