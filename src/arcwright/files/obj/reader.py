"""Read OBJ as props: one per object, or per group where there are no objects."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.errors import BadFile, faults_of
from arcwright.files.names import unique
from arcwright.files.obj.materials import Materials
from arcwright.files.obj.polygons import triangulate
from arcwright.files.obj.statements import Faces, Statements
from arcwright.files.regular import load_text
from arcwright.files.units import check, rescale, rotate_to_y_up
from arcwright.scene.rig import QUATERNION, ChannelTable, Rig
from arcwright.scene.scene import Prop, Scene, Source
from arcwright.scene.shape import Part, Shape

SIZE_LIMIT = 64_000_000  # bytes
PART_LIMIT = 20_000


def read(path: str | Path, *, unit: float | None = None, up: str | None = None) -> Scene:
    """The props in an OBJ file with the materials and pictures beside it.

    OBJ names neither unit nor up axis: 1 m and Y, unless `unit` and `up` are given.
    """
    path = Path(path)
    check(unit, up)
    with faults_of(path):
        return _read(path, unit, up)


def _read(path: Path, unit: float | None, up: str | None) -> Scene:
    statements = Statements(path, load_text(path, SIZE_LIMIT))
    if not statements.groups:
        raise BadFile(path, "no faces in it")
    if len(statements.groups) > PART_LIMIT:
        raise BadFile(path, f"more than {PART_LIMIT} objects and materials")
    materials = Materials(path, statements.libraries)
    mesh = _Mesh(path, statements)
    parts: dict[str, list[Part]] = {}
    for (name, material), faces in statements.groups.items():
        parts.setdefault(name, []).append(mesh.part(faces, materials.number(material)))
    look = materials.look()
    warnings = [f"{count} times {word}, left out" for word, count in statements.ignored.items()]
    warnings += materials.warnings
    if unit is None:
        warnings.append("unit not known: assuming 1 m")
    if up is None:
        warnings.append("up axis not known: assuming Y")
    props = []
    for name, own in zip(unique(name or path.stem for name in parts), parts.values(), strict=True):
        prop = Prop(name, _still_rig(name), shapes=(Shape(name, 0, tuple(own)),), look=look)
        props.append(rotate_to_y_up(rescale(prop, unit or 1.0), up or "Y"))
    source = Source("obj", unit or 1.0, up or "Y", tuple(warnings))
    return Scene(path.stem, props=tuple(props), source=source)


def _still_rig(name: str) -> Rig:
    """One joint without channels."""
    return Rig(
        names=(name,),
        parents=np.array([-1]),
        offset=np.zeros((1, 3)),
        rest=np.array([[1.0, 0.0, 0.0, 0.0]]),
        scale=np.ones((1, 3)),
        modes=(QUATERNION,),
        channels=ChannelTable.of([], []),
    )


class _Mesh:
    """The vertices of the file and its distinct corners, from which parts are built."""

    def __init__(self, path: Path, statements: Statements) -> None:
        vertices, coordinates = statements.points("v"), statements.points("vt")
        self.normals: Floats = statements.points("vn")
        sizes = (len(vertices), len(coordinates), len(self.normals))
        self.corners: Ints = statements.corners(sizes)  # (corners, 3)
        self.places: Floats = vertices[:, :3]
        self.corner_places: Floats = self.places[self.corners[:, 0]]
        self.picture_places = _picture_places(coordinates)
        self.colours = vertices[:, 3:6] if vertices.shape[1] >= 6 else None
        if not np.isfinite(vertices).all() or abs(vertices).max(initial=0) > 1e30:
            raise BadFile(path, "a vertex is not a finite number")

    def part(self, faces: Faces, material: int) -> Part:
        """The triangles of these faces with only the vertices they use."""
        triangles = triangulate(
            np.array(faces.corners, np.int64),
            np.array(faces.counts, np.int64),
            self.corner_places,
        )
        used, indices = np.unique(triangles, return_inverse=True)
        vertex, coordinate, normal = self.corners[used].T
        attributes: dict[str, AnyArray] = {"POSITION": _single(self.places[vertex])}
        if (normal >= 0).all():
            attributes["NORMAL"] = _single(_unit(self.normals[normal]))
        if (coordinate >= 0).any():
            attributes["TEXCOORD_0"] = self.picture_places[coordinate]
        if self.colours is not None:
            attributes["COLOR_0"] = _single(np.clip(self.colours[vertex], 0, 1))
        return Part(attributes, indices.reshape(-1).astype(np.int64), material=material)


def _picture_places(coordinates: Floats) -> AnyArray:
    """(N + 1, 2) from the top left corner as in glTF; the last, -1, is for corners without."""
    table = np.zeros((len(coordinates) + 1, 2))
    width = min(2, coordinates.shape[1])
    table[:-1, :width] = np.nan_to_num(coordinates[:, :width], posinf=0, neginf=0)
    table[:-1, 1] = 1 - table[:-1, 1]
    return _single(np.clip(table, -1e30, 1e30))


def _unit(vectors: Floats) -> Floats:
    """Unit normals; zero vectors become +Y."""
    with np.errstate(all="ignore"):
        length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        unit = vectors / length
    return np.where(np.isfinite(unit), unit, [0.0, 1.0, 0.0])


def _single(values: Floats) -> AnyArray:
    return values.astype(np.float32)
