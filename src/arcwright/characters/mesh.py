"""Mesh: a modelled skin, its store as a small file, and the shape and look made of it."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.errors import BadFile
from arcwright.kinematics.forward import forward
from arcwright.scene.rig import Rig
from arcwright.scene.shape import Look, Part, Shape, Skin

SHINING = ("glow", "bulb")


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles with smooth normals, a material each, and up to four joints per vertex."""

    position: Floats  # (V, 3) m, rest pose
    normal: Floats  # (V, 3) unit
    faces: Ints  # (F, 3)
    material: Ints  # (F,) index into `materials`
    joints: Ints  # (V, 4) index into `owners`
    weights: Floats  # (V, 4) sum 1
    materials: tuple[str, ...]
    owners: tuple[str, ...]  # joint names


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one; materials and joints are matched by name."""
    materials = tuple(dict.fromkeys(name for mesh in meshes for name in mesh.materials))
    owners = tuple(dict.fromkeys(name for mesh in meshes for name in mesh.owners))
    first = np.cumsum([0, *(len(mesh.position) for mesh in meshes)])
    recast = [
        replace(
            mesh,
            faces=mesh.faces + start,
            material=np.array([materials.index(name) for name in mesh.materials])[mesh.material],
            joints=np.array([owners.index(name) for name in mesh.owners])[mesh.joints],
        )
        for mesh, start in zip(meshes, first[:-1], strict=True)
    ]
    arrays = ("position", "normal", "faces", "material", "joints", "weights")
    whole = {name: np.concatenate([getattr(mesh, name) for mesh in recast]) for name in arrays}
    return Mesh(**whole, materials=materials, owners=owners)


def packed(mesh: Mesh) -> dict[str, AnyArray]:
    """The mesh in whole numbers: places to 1/65535 of its box, weights to 1/255."""
    low, high = mesh.position.min(axis=0), mesh.position.max(axis=0)
    steps = np.maximum(high - low, 1e-9) / 65535
    order = np.argsort(mesh.material, kind="stable")
    return {
        "box": np.stack([low, steps]),
        "position": np.rint((mesh.position - low) / steps).astype(np.uint16),
        "normal": np.rint(mesh.normal * 127).astype(np.int8),
        "faces": mesh.faces[order].astype(np.uint16),
        "material": mesh.material[order].astype(np.uint8),
        "joints": mesh.joints.astype(np.uint8),
        "weights": _shares(mesh.weights),
        "materials": np.array(mesh.materials),
        "owners": np.array(mesh.owners),
    }


def _shares(weights: Floats) -> AnyArray:
    """Weights as bytes that sum to 255 exactly: what rounding lost goes to the largest."""
    whole = np.rint(weights * 255).astype(np.int64)
    rows = np.arange(len(whole))
    whole[rows, whole.argmax(axis=1)] += 255 - whole.sum(axis=1)
    return whole.astype(np.uint8)


def unpacked(stored: Mapping[str, AnyArray], path: Path) -> Mesh:
    """The mesh back from `packed`; a damaged store is refused by name."""
    try:
        low, steps = stored["box"]
        normal = stored["normal"].astype(np.float64)
        mesh = Mesh(
            position=low + stored["position"].astype(np.float64) * steps,
            normal=normal / np.linalg.norm(normal, axis=1, keepdims=True),
            faces=stored["faces"].astype(np.int64),
            material=stored["material"].astype(np.int64),
            joints=stored["joints"].astype(np.int64),
            weights=stored["weights"].astype(np.float64) / 255,
            materials=tuple(str(name) for name in stored["materials"]),
            owners=tuple(str(name) for name in stored["owners"]),
        )
        count = len(mesh.position)
        fits = mesh.faces.max() < count == len(mesh.normal) == len(mesh.joints) == len(mesh.weights)
        fits &= mesh.material.max() < len(mesh.materials) and mesh.joints.max() < len(mesh.owners)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise BadFile(path, f"not a stored character: {error}", "run `make characters`") from error
    if not fits:
        raise BadFile(path, "its parts do not fit together", "run `make characters`")
    return mesh


def read_store(path: Path) -> dict[str, AnyArray]:
    """All arrays of a stored character; a missing or damaged file is refused by name."""
    try:
        # read whole first: NumPy leaves a broken file open
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError) as error:
        raise BadFile(path, f"cannot be read: {error}", "run `make characters`") from error


def shape(name: str, mesh: Mesh, rig: Rig) -> Shape:
    """The mesh as a skinned shape of a rig: one part per material, vertices shared by none."""
    world = forward(rig, rig.channels.default[None])[0]
    joints = np.array([rig.joint(owner) for owner in mesh.owners])
    parts = []
    for material in range(len(mesh.materials)):
        used, faces = np.unique(mesh.faces[mesh.material == material], return_inverse=True)
        attributes = {
            "POSITION": mesh.position[used].astype(np.float32),
            "NORMAL": mesh.normal[used].astype(np.float32),
            "JOINTS_0": mesh.joints[used].astype(np.uint8),
            "WEIGHTS_0": mesh.weights[used].astype(np.float32),
        }
        parts.append(Part(attributes, faces.reshape(-1), material=material))
    return Shape(name, 0, tuple(parts), Skin(joints, np.linalg.inv(world[joints])))


def look(palette: Mapping[str, tuple[str, float, float]], materials: Sequence[str]) -> Look:
    """Materials from a palette: name to hex colour (sRGB), metalness and roughness, 0 to 1.

    A material named in `SHINING` also gives light of its own colour.
    """
    return Look.of({"materials": [_material(name, *palette[name]) for name in materials]})


def _material(name: str, colour: str, metal: float, rough: float) -> dict[str, object]:
    light = _linear(colour)
    surface = {"baseColorFactor": [*light, 1.0], "metallicFactor": metal, "roughnessFactor": rough}
    shine = {"emissiveFactor": light} if name in SHINING else {}
    return {"name": name, "pbrMetallicRoughness": surface, **shine}


def _linear(colour: str) -> list[float]:
    """#rrggbb as the linear light that glTF wants."""
    srgb = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return [round(float(each), 5) for each in linear]
