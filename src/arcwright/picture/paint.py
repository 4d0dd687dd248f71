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
        stored = look.gltf
        self._materials = _list(stored.get("materials"))
        self._textures = _list(stored.get("textures"))
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
            base = _vector(surface.get("baseColorFactor"), (1.0, 1.0, 1.0, 1.0))[:3]
            if "baseColorTexture" in surface and self.texture(part) is None:
                base = base * CLAY
        return np.broadcast_to(base, (count, 3)) * _vertex_colours(part, count)

    def texture(self, part: Part) -> AnyArray | None:
        """The base colour texture (H, W, 3) in linear light; None where there is none to read."""
        at = self._texture_of(part).get("index")
        if not isinstance(at, int) or not 0 <= at < len(self._textures):
            return None
        image = _object(self._textures[at]).get("source")
        if not isinstance(image, int):
            return None
        if image not in self._read:
            self._read[image] = self._decoded(image)
        return self._read[image]

    def uv(self, part: Part) -> Floats:
        """Texture coordinates of every vertex, (V, 2)."""
        count = len(part.attributes["POSITION"])
        stored = self._texture_of(part)
        shift = _object(_object(stored.get("extensions")).get("KHR_texture_transform"))
        name = f"TEXCOORD_{shift.get('texCoord', stored.get('texCoord', 0))}"
        uv = _plain(part.attributes.get(name, np.zeros((count, 2))))
        if uv.shape != (count, 2):
            uv = np.zeros((count, 2))
        scale, offset = _vector(shift.get("scale"), (1, 1)), _vector(shift.get("offset"), (0, 0))
        placed: Floats = uv * scale + offset
        return placed

    def _surface(self, part: Part) -> dict[str, Any] | None:
        if not 0 <= part.material < len(self._materials):
            return None
        return _object(_object(self._materials[part.material]).get("pbrMetallicRoughness"))

    def _texture_of(self, part: Part) -> dict[str, Any]:
        return _object((self._surface(part) or {}).get("baseColorTexture"))

    def _decoded(self, image: int) -> AnyArray | None:
        if not 0 <= image < len(self._look.images):
            return None
        try:
            stored = self._look.images[image]
            pixels = decode(stored.data, stored.name, self._room)
        except BadFile:
            return None
        height, width = pixels.shape[:2]
        self._room -= height * width
        coarser = -(-max(height, width) // FINEST)
        table = from_srgb(np.arange(256) / 255).astype(np.float32)
        return table[pixels[::coarser, ::coarser, :3]]


def _object(value: object) -> dict[str, Any]:
    """A JSON object; materials come from files, and may hold anything."""
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _vector(value: object, default: tuple[float, ...]) -> Floats:
    """Finite numbers, as many as in the default, which replaces anything else."""
    numbers = [each for each in _list(value) if isinstance(each, int | float) and abs(each) < 1e30]
    return np.array(numbers if len(numbers) == len(default) else default, float)


def _vertex_colours(part: Part, count: int) -> Floats:
    stored = part.attributes.get("COLOR_0")
    if stored is None or stored.shape not in ((count, 3), (count, 4)):
        return np.ones((count, 3))
    return _plain(stored)[:, :3]


def _plain(values: AnyArray) -> Floats:
    """Whole numbers of glTF (normalised) as 0..1."""
    if values.dtype.kind == "u":
        return values / float(np.iinfo(values.dtype).max)
    return values.astype(np.float64)
