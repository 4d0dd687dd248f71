"""Materials from MTL files: colours, roughness from shininess, and textures."""

from __future__ import annotations

from math import isfinite, sqrt
from pathlib import Path
from typing import Any

from arcwright.errors import BadFile
from arcwright.files.images import mime_of
from arcwright.files.referenced_files import (
    IMAGES,
    MATERIAL_LIBRARIES,
    UnreadableReference,
    quoted,
    read_referenced,
)
from arcwright.files.regular import as_utf8
from arcwright.scene.shape import Image, Look

_TEXT_LIMIT = 8_000_000  # bytes of all libraries together
_PICTURE_LIMIT = 128_000_000  # bytes of all pictures together
_MOST_LIBRARIES = 100
_MOST_PICTURES = 1000
_MOST_MATERIALS = 40_000  # twice as many as there may be parts
_OPTION_NUMBERS = {"-o": 3, "-s": 3, "-t": 3, "-mm": 2}  # at most; others have one word


class Materials:
    """The materials of an OBJ file by name, read from the libraries it names."""

    def __init__(self, document: Path, libraries: list[str]) -> None:
        self.warnings: list[str] = []
        self._document = document
        self._materials: dict[str, dict[str, Any]] = {}
        self._numbers: dict[str, int] = {}
        self._lost = 0
        self._images: dict[str, Image | None] = {}
        self._room = {MATERIAL_LIBRARIES: _TEXT_LIMIT, IMAGES: _PICTURE_LIMIT}  # bytes left to read
        for library in libraries[:_MOST_LIBRARIES]:
            self._read_libraries(library)

    def number(self, name: str) -> int:
        """The index of a material, a default one if no library has it; -1 for no name."""
        if not name:
            return -1
        if name not in self._materials:
            self._lost += 1
            if self._lost <= 20:
                self.warnings.append(f"material {name[:40]} is in no library: using a default")
            self._add(name)
        return self._numbers[name]

    def look(self) -> Look:
        """All materials, with the pictures that were found."""
        images = [image for image in self._images.values() if image is not None]
        places = {image.name: index for index, image in enumerate(images)}
        materials = []
        for material in self._materials.values():
            picture = material.pop("picture", None)
            if picture in places:
                texture = {"index": places[picture]}
                material["pbrMetallicRoughness"]["baseColorTexture"] = texture
            materials.append(material)
        gltf: dict[str, Any] = {"materials": materials} if materials else {}
        if images:
            gltf["images"] = [{"name": image.name} for image in images]
            gltf["textures"] = [{"source": index} for index in range(len(images))]
        return Look.of(gltf, tuple(images))

    def _read_libraries(self, named: str) -> None:
        """Read the library of this name, or the several that the name lists."""
        try:
            self._read_library(named, self._read(named, MATERIAL_LIBRARIES))
        except UnreadableReference as error:
            names = named.split()
            if len(names) == 1:
                self.warnings.append(f"material library {error}")
            elif len(names) <= _MOST_LIBRARIES:
                for name in names:
                    self._read_libraries(name)

    def _read(self, name: str, kind: tuple[str, ...]) -> bytes:
        data = read_referenced(self._document, name, kind, self._room[kind])
        self._room[kind] -= len(data)
        return data

    def _read_library(self, name: str, data: bytes) -> None:
        material: dict[str, Any] = {}
        for line in as_utf8(data).decode("utf-8", "replace").splitlines():
            word, _, rest = line.strip().partition(" ")
            if word == "newmtl":
                material = self._add(rest.strip())
            elif material and word.lower() == "map_kd":
                self._set_picture(material, name, rest)
            elif material:
                _set(material, word, rest.split())

    def _add(self, name: str) -> dict[str, Any]:
        if len(self._numbers) >= _MOST_MATERIALS:
            raise BadFile(self._document, f"more than {_MOST_MATERIALS} materials")
        self._numbers.setdefault(name, len(self._numbers))
        return self._materials.setdefault(name, _material(name))

    def _set_picture(self, material: dict[str, Any], library: str, rest: str) -> None:
        name = _without_options(rest)
        if name not in self._images and len(self._images) < _MOST_PICTURES:
            self._images[name] = self._picture(library, name)
        if self._images.get(name) is not None:
            material["picture"] = name

    def _picture(self, library: str, name: str) -> Image | None:
        """A texture relative to its library, or one of the same file name beside it."""
        beside = library.replace("\\", "/").rpartition("/")[0]
        fault = ""
        for each in dict.fromkeys((name, name.rpartition("/")[2])):
            path = f"{beside}/{each}" if beside and not each.startswith("/") else each
            try:
                data = self._read(path, IMAGES)
            except UnreadableReference as error:
                fault = fault or str(error)
                continue
            mime = mime_of(data)
            if mime in ("image/png", "image/jpeg"):
                return Image(name, mime, data)
            self.warnings.append(f"picture {quoted(name)} is neither PNG nor JPEG, left out")
            return None
        self.warnings.append(f"picture {fault}")
        return None


def _material(name: str) -> dict[str, Any]:
    plain = {"baseColorFactor": [1.0, 1.0, 1.0, 1.0], "metallicFactor": 0.0, "roughnessFactor": 1.0}
    return {"name": name, "pbrMetallicRoughness": plain}


def _set(material: dict[str, Any], word: str, words: list[str]) -> None:
    try:
        numbers = [float(each) for each in words[:3]]
    except ValueError:
        return
    if not numbers or not all(isfinite(number) for number in numbers):
        return
    surface = material["pbrMetallicRoughness"]
    if word == "Kd" and len(numbers) == 3:
        surface["baseColorFactor"][:3] = [_share(number) for number in numbers]
    elif word in ("d", "Tr"):
        surface["baseColorFactor"][3] = _share(numbers[0] if word == "d" else 1 - numbers[0])
        if surface["baseColorFactor"][3] < 1:
            material["alphaMode"] = "BLEND"
    elif word == "Ns":
        surface["roughnessFactor"] = sqrt(2 / (max(numbers[0], 0.0) + 2))
    elif word in ("Pr", "Pm"):
        surface["roughnessFactor" if word == "Pr" else "metallicFactor"] = _share(numbers[0])
    elif word == "Ke" and len(numbers) == 3 and any(numbers):
        material["emissiveFactor"] = [_share(number) for number in numbers]


def _share(number: float) -> float:
    return min(max(number, 0.0), 1.0)


def _without_options(rest: str) -> str:
    """The file name behind options such as `-s 1 1 1`; it may have blanks in it."""
    words = rest.split()
    while len(words) > 1 and words[0].startswith("-"):
        most = _OPTION_NUMBERS.get(words.pop(0), 0)
        if not most:
            del words[0]
        while most and len(words) > 1 and words[0].replace(".", "").replace("-", "").isdigit():
            del words[0]
            most -= 1
    return " ".join(words).replace("\\", "/")
