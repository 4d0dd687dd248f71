"""Small PNG files: 256 colours chosen for the picture."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.picture import png
from arcwright.picture.palette import indexed, palette


def write_small(image: AnyArray, path: str | Path) -> None:
    """Write an (H, W, 3) uint8 image; folders on the way are made."""
    colours = palette(image)
    index = indexed(image, colours)
    height, width = index.shape
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = index
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 9)
    chunks = [(b"IHDR", header), (b"PLTE", colours.tobytes()), (b"IDAT", body), (b"IEND", b"")]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(png.pack(chunks))
