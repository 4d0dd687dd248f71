"""Clothing: the colours of an avatar's materials, from pixels of a photo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.scene.shape import Look

GARMENTS: Mapping[str, tuple[str, ...]] = {
    "top": ("suit", "shirt", "jacket", "top", "torso", "body"),
    "bottom": ("trousers", "pants", "skirt", "legs", "bottom"),
    "hair": ("hair",),
    "skin": ("skin", "face", "head"),
}
"""Words in names of materials, for each part of a person that a photo gives a colour to."""
ALIKE = 0.12  # colours that are not farther apart are shades of one
MOST_PIXELS = 1000  # of a garment that are looked at


def dominant_colour(pixels: Floats) -> Floats:
    """(3,) the colour, 0 to 1 in sRGB, that most of the pixels (N, 3) are close to.

    The densest place among the colours: folds, seams and background are not averaged in.
    """
    given = np.asarray(pixels, float)
    if given.ndim != 2 or given.shape[1:] != (3,) or not len(given):
        raise BadValue("pixels of a garment", "(N, 3) colours", given.shape)
    if not (np.isfinite(given).all() and given.min() >= 0 and given.max() <= 1):
        raise BadValue("pixels of a garment", "colours from 0 to 1", "others")
    some = given[:: -(-len(given) // MOST_PIXELS)]
    near = np.linalg.norm(some[:, None] - some[None], axis=2) < ALIKE
    return np.asarray(np.median(some[near[int(np.argmax(near.sum(axis=1)))]], axis=0))


def dressed(look: Look, colours: Mapping[str, Sequence[float]]) -> Look:
    """The look with colours, 0 to 1 in sRGB, on the materials of each garment; others stay."""
    gltf = look.gltf
    for garment, colour in colours.items():
        if garment not in GARMENTS:
            raise BadValue("garment", " or ".join(GARMENTS), garment)
        for material in gltf.get("materials", []):
            name = str(material.get("name", "")).lower()
            if any(word in name for word in GARMENTS[garment]):
                factors = material.setdefault("pbrMetallicRoughness", {})
                factors["baseColorFactor"] = [*_linear(colour).round(5).tolist(), 1.0]
    return Look.of(gltf, look.images)


def _linear(colour: Sequence[float]) -> Floats:
    """(3,) as glTF has colours, from sRGB."""
    given = np.clip(np.asarray(colour, float), 0.0, 1.0)
    return np.asarray(np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4))
