"""MTL files as a look: colours, roughness from the shininess, and the pictures they name."""

from __future__ import annotations

from math import isfinite, sqrt
from pathlib import Path
from typing import Any

from arcwright.errors import BadFile
from arcwright.files.text import load, load_text
from arcwright.scene.shape import Image, Look

_TEXT_LIMIT = 8_000_000  # bytes
_PICTURE_LIMIT = 64_000_000
_PICTURES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}
_OPTION_NUMBERS = {"-o": 3, "-s": 3, "-t": 3, "-mm": 2}  # at most; others have one word


class Materials:
    """The materials of an OBJ file by name, read from the libraries it names."""

    def __init__(self, folder: Path, libraries: list[str]) -> None:
        self.warnings: list[str] = []
        self._materials: dict[str, dict[str, Any]] = {}
        self._numbers: dict[str, int] = {}
        self._lost = 0
        self._images: dict[str, Image | None] = {}
        for library in libraries:
            whole = folder / library.replace("\\", "/")
            names = [library] if _is_file(whole) else library.split()
            for name in names:
                self._read_library(folder, name.replace("\\", "/"))

    def number(self, name: str) -> int:
        """The index of a material, made plain if no library has it; -1 for no name."""
        if not name:
            return -1
        if name not in self._materials:
            self._lost += 1
            if self._lost <= 20:
                self.warnings.append(f"material {name[:40]} is in no library, left plain")
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

    def _read_library(self, folder: Path, name: str) -> None:
        path = folder / name
        try:
            text = load_text(path, _TEXT_LIMIT).decode("utf-8", "replace")
        except BadFile as error:
            self.warnings.append(f"material library {name[:80]}: {error.fault}")
            return
        material: dict[str, Any] = {}
        for line in text.splitlines():
            word, _, rest = line.strip().partition(" ")
            if word == "newmtl":
                material = self._add(rest.strip())
            elif material and word.lower() == "map_kd":
                self._set_picture(material, path.parent, rest)
            elif material:
                _set(material, word, rest.split())

    def _add(self, name: str) -> dict[str, Any]:
        self._numbers.setdefault(name, len(self._numbers))
        return self._materials.setdefault(name, _material(name))

    def _set_picture(self, material: dict[str, Any], folder: Path, rest: str) -> None:
        name = _without_options(rest)
        if name not in self._images:
            self._images[name] = self._picture(folder, name)
        if self._images[name] is not None:
            material["picture"] = name

    def _picture(self, folder: Path, name: str) -> Image | None:
        for path in (folder / name, folder / name.rpartition("/")[2]):
            if _is_file(path):
                data = load(path, _PICTURE_LIMIT)
                for magic, mime in _PICTURES.items():
                    if data.startswith(magic):
                        return Image(name, mime, data)
                self.warnings.append(f"picture {name[:80]} is neither PNG nor JPEG, left out")
                return None
        self.warnings.append(f"picture {name[:80]} is missing")
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


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
