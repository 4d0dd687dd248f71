"""Paint: base colours of glTF materials, textures where they can be read."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.errors import BadFile
from arcwright.picture.canvas import colour, from_srgb
from arcwright.picture.png import MOST_PIXELS, decode
from arcwright.scene.shape import Look, Part

FINEST = 2048  # pixels of a texture each way; no picture shows more
CLAY = colour("#c9c2b8")  # surfaces without a material


class Paint:
    """Looks up the colours of parts in one look; textures are read once."""

    def __init__(self, look: Look) -> None:
        told = look.gltf
        self._materials: list[dict[str, Any]] = told.get("materials", [])
        self._textures: list[dict[str, Any]] = told.get("textures", [])
        self._look = look
        self._read: dict[int, AnyArray | None] = {}
        self._room = MOST_PIXELS  # of textures still to be read

    def colours(self, part: Part) -> Floats:
        """Linear light at every vertex, (V, 3), textures left aside."""
        count = len(part.attributes["POSITION"])
        surface = self._surface(part)
        if surface is None:
            base = CLAY
        else:
            base = np.asarray(surface.get("baseColorFactor", (1, 1, 1, 1)), float)[:3]
            if "baseColorTexture" in surface and self.texture(part) is None:
                base = base * CLAY
        return np.broadcast_to(base, (count, 3)) * _vertex_colours(part, count)

    def texture(self, part: Part) -> AnyArray | None:
        """The base colour texture (H, W, 3) in linear light; None where there is none to read."""
        surface = self._surface(part)
        at = (surface or {}).get("baseColorTexture", {}).get("index")
        if at is None or not 0 <= at < len(self._textures):
            return None
        image = self._textures[at].get("source", -1)
        if image not in self._read:
            self._read[image] = self._decoded(image)
        return self._read[image]

    def uv(self, part: Part) -> Floats:
        """Texture coordinates of every vertex, (V, 2)."""
        count = len(part.attributes["POSITION"])
        told = (self._surface(part) or {}).get("baseColorTexture", {})
        shift = told.get("extensions", {}).get("KHR_texture_transform", {})
        name = f"TEXCOORD_{shift.get('texCoord', told.get('texCoord', 0))}"
        uv = _plain(part.attributes.get(name, np.zeros((count, 2))))
        placed: Floats = uv * shift.get("scale", (1, 1)) + np.asarray(shift.get("offset", (0, 0)))
        return placed

    def _surface(self, part: Part) -> dict[str, Any] | None:
        if not 0 <= part.material < len(self._materials):
            return None
        surface: dict[str, Any] = self._materials[part.material].get("pbrMetallicRoughness", {})
        return surface

    def _decoded(self, image: int) -> AnyArray | None:
        if not 0 <= image < len(self._look.images):
            return None
        try:
            told = self._look.images[image]
            pixels = decode(told.data, told.name, self._room)
        except BadFile:
            return None
        height, width = pixels.shape[:2]
        self._room -= height * width
        coarser = -(-max(height, width) // FINEST)
        table = from_srgb(np.arange(256) / 255).astype(np.float32)
        return table[pixels[::coarser, ::coarser, :3]]


def _vertex_colours(part: Part, count: int) -> Floats:
    told = part.attributes.get("COLOR_0")
    return np.ones((count, 3)) if told is None else _plain(told)[:, :3]


def _plain(values: AnyArray) -> Floats:
    """Whole numbers of glTF (normalised) as 0..1."""
    if values.dtype.kind == "u":
        return values / float(np.iinfo(values.dtype).max)
    return values.astype(np.float64)
