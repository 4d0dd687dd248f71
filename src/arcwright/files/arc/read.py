"""Read a project file, or any GLB that contains an Arcwright scene."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arcwright.errors import BadFile
from arcwright.files.arc.format import EXTENSION, VERSION, digest
from arcwright.files.gltf.accessor import Accessors
from arcwright.files.gltf.document import Document, open_document
from arcwright.files.gltf.item import Item
from arcwright.files.gltf.read import scene_from
from arcwright.files.transform_constraints import rotate_constraint, scale_constraint
from arcwright.files.units import check, rescale, rotate_to_y_up, y_up_rotation
from arcwright.files.values import Restore
from arcwright.scene.activity import Activity
from arcwright.scene.scene import Scene, Source
from arcwright.scene.terrain import LEVEL

_CHANGED = "another program has changed this project file: only its glTF content is read"
_NOT_CONVERTED = (
    "recordings, stored poses and blocks on the ground are left out: "
    "they are not converted to another unit or up axis"
)


def read(path: str | Path, *, unit: float | None = None, up: str | None = None) -> Scene:
    """Read a project file; without our extension, or if changed since, as plain glTF."""
    check(unit, up)
    return scene_in(open_document(Path(path)), unit, up)


def scene_in(document: Document, unit: float | None, up: str | None) -> Scene:
    """Same as `read`, for a document that is already open."""
    scene = restored(document)
    if scene is None:
        return scene_from(document, unit, up)
    return _with_unit_and_up(scene, 1.0 if unit is None else unit, up or "Y")


def restored(document: Document) -> Scene | None:
    """The scene in our extension; None without one, or if the file was changed since."""
    extension = document.root.extension(EXTENSION)
    if extension is None:
        return None
    version = extension.integer("version", low=1)
    if version > VERSION:
        raise BadFile(
            document.path,
            f"is a project of version {version}, this Arcwright knows {VERSION}",
            "update Arcwright",
        )
    if extension.text("digest", "") != digest(document.root.value, _data(document)):
        document.warn(_CHANGED)
        return None
    scene = Restore().read(extension, _Views(document), "scene")
    if not isinstance(scene, Scene):
        raise extension.bad("holds no scene")
    return scene


class _Views:
    """The arrays of a project file are in its bufferViews."""

    def __init__(self, document: Document) -> None:
        self.spend = document.spend
        self._count = len(document["bufferViews"])
        self._accessors = Accessors(document)

    def span(self, item: Item, view: int) -> tuple[bytes, int, int]:
        return self._accessors.view(item.reference(view, self._count, "bufferView"))[:3]


def _with_warning(source: Source | None) -> Source:
    source = source or Source("arc")
    return replace(source, warnings=(*source.warnings, _NOT_CONVERTED))


def _data(document: Document) -> bytes:
    size = document["buffers"][0].integer("byteLength") if document["buffers"] else 0
    return (document.chunk or b"")[:size]


def _scaled_activity(activity: Activity, factor: float) -> Activity:
    """An activity with the lengths in the frames of its joints multiplied; times stay."""
    return replace(
        activity,
        objects=tuple(
            replace(each, anchor_offsets=each.anchor_offsets * factor) for each in activity.objects
        ),
        effectors=tuple(
            replace(each, point=replace(each.point, offset=each.point.offset * factor))
            for each in activity.effectors
        ),
    )


def _with_unit_and_up(scene: Scene, unit: float, up: str) -> Scene:
    if (unit, up) == (1.0, "Y"):
        return scene
    rotation = y_up_rotation(up)
    lost = scene.recordings or scene.poses or scene.ground != LEVEL
    return replace(
        scene,
        constraints=tuple(
            rotate_constraint(scale_constraint(each, unit), rotation) for each in scene.constraints
        ),
        characters=tuple(rotate_to_y_up(rescale(each, unit), up) for each in scene.characters),
        props=tuple(rotate_to_y_up(rescale(each, unit), up) for each in scene.props),
        activities=tuple(_scaled_activity(each, unit) for each in scene.activities),
        recordings=(),
        poses=(),
        ground=LEVEL,
        source=_with_warning(scene.source) if lost else scene.source,
    )
