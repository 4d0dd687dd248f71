"""Which pixels each object covers, its depth there, and which object is seen at each pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Bools, Floats, Ints
from arcwright.kinematics.raster import clip_near, rasterise
from arcwright.tools.flow.scene_objects import SceneObject
from arcwright.tools.flow.shot_view import NEAREST, ShotView

BEYOND = 0.25  # of the picture, on each side, that masks reach beyond it
_POINT = 2.0  # px, radius of a point of a cloud
_SHEET = 4096  # px, width of the sheet on which many objects are drawn at once


@dataclass(frozen=True, eq=False)
class ObjectMask:
    """The pixels of one object, hidden ones among them, in a box of the picture."""

    left: int  # px, of the box; may lie outside the picture
    top: int  # px
    nearness: AnyArray  # (H, W) float32, 1/depth; 0 where the object is not

    @property
    def covered(self) -> Bools:
        """(H, W) whether the object is there."""
        covered: Bools = self.nearness > 0
        return covered

    @property
    def pixels(self) -> Floats:
        """(N, 2) px, the centres of covered pixels."""
        y, x = np.nonzero(self.nearness)
        return np.stack([x + self.left + 0.5, y + self.top + 0.5], axis=1)

    @property
    def empty(self) -> bool:
        """Whether it is nowhere."""
        return not self.nearness.any()


def object_masks(view: ShotView, objects: Sequence[SceneObject]) -> tuple[ObjectMask, ...]:
    """The mask of each object, drawn on its own; empty for one that is out of view."""
    drawn = [_corners(view, each) for each in objects]
    boxes = [_box(view, each) for each in drawn]
    masks: list[ObjectMask | None] = [None] * len(objects)
    whole = []
    for index, (corners, box) in enumerate(zip(drawn, boxes, strict=True)):
        if box is None:
            masks[index] = ObjectMask(0, 0, np.zeros((1, 1), np.float32))
        elif _inside(corners, box) and box[2] < _SHEET:
            whole.append(index)
        else:
            masks[index] = _alone(corners, box)
    for index, mask in zip(
        whole, _on_sheet([drawn[i] for i in whole], [boxes[i] for i in whole]), strict=True
    ):
        masks[index] = mask
    return tuple(each for each in masks if each is not None)


def visible_objects(view: ShotView, masks: Sequence[ObjectMask]) -> Ints:
    """The index of the nearest object at every pixel, (H, W); -1 where there is none."""
    height, width = round(view.camera.height), round(view.camera.width)
    nearest = np.zeros((height, width), np.float32)
    found = np.full((height, width), -1)
    for index, mask in enumerate(masks):
        rows, columns = mask.nearness.shape
        x, y = max(mask.left, 0), max(mask.top, 0)
        right, bottom = min(mask.left + columns, width), min(mask.top + rows, height)
        if right <= x or bottom <= y:
            continue
        part = mask.nearness[y - mask.top : bottom - mask.top, x - mask.left : right - mask.left]
        here = nearest[y:bottom, x:right]
        nearer = part > here
        here[nearer] = part[nearer]
        found[y:bottom, x:right][nearer] = index
    return found


_Box = tuple[int, int, int, int]  # left, top, width, height


def _corners(view: ShotView, item: SceneObject) -> Floats:
    """Triangles (F, 3, 3) as pixel x, pixel y and nearness."""
    local = view.view(item.positions)
    if not len(item.triangles):
        return _sprites(view, local[local[:, 2] > NEAREST])
    corners = local[item.triangles]
    if (local[:, 2] <= NEAREST).any():
        corners, _ = clip_near(corners, NEAREST)
    nearness = 1 / corners[..., 2]
    pixels = view.middle + view.focal * corners[..., :2] * nearness[..., None]
    return np.concatenate([pixels, nearness[..., None]], axis=-1)


def _sprites(view: ShotView, local: Floats) -> Floats:
    """Two triangles around each point of a cloud."""
    nearness = 1 / local[:, 2]
    at = view.middle + view.focal * local[:, :2] * nearness[:, None]
    square = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) * _POINT
    around = at[:, None] + square
    whole = np.concatenate([around, np.broadcast_to(nearness[:, None, None], (len(at), 4, 1))], -1)
    return np.concatenate([whole[:, [0, 1, 2]], whole[:, [0, 2, 3]]])


def _box(view: ShotView, corners: Floats) -> _Box | None:
    """The box of a mask: where the object is, and not far beyond the picture."""
    if not len(corners):
        return None
    width, height = view.camera.width, view.camera.height
    margin = BEYOND * max(width, height)
    flat = corners[..., :2].reshape(-1, 2)
    low = np.maximum(np.floor(flat.min(0)) - 1, -margin).astype(int)
    high = np.minimum(np.ceil(flat.max(0)) + 1, np.array([width, height]) + margin).astype(int)
    if (high <= low).any() or (high < 0).any() or (low > (width, height)).any():
        return None
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def _inside(corners: Floats, box: _Box) -> bool:
    low, high = np.array(box[:2]), np.array(box[:2]) + box[2:]
    flat = corners[..., :2]
    return bool((flat >= low).all() and (flat <= high).all())


def _alone(corners: Floats, box: _Box) -> ObjectMask:
    left, top, width, height = box
    seen = rasterise(corners - np.array([left, top, 0]), width, height)
    nearness = np.zeros(width * height, np.float32)
    nearness[seen.pixel] = seen.nearness
    return ObjectMask(left, top, nearness.reshape(height, width))


def _on_sheet(drawn: Sequence[Floats], boxes: Sequence[_Box | None]) -> list[ObjectMask]:
    """Masks of objects that are drawn beside each other on one sheet, in one pass."""
    places, x, y, row = [], 0, 0, 0
    sizes = [(0, 0, 1, 1) if box is None else box for box in boxes]
    for _, _, width, height in sizes:
        if x + width > _SHEET:
            x, y, row = 0, y + row, 0
        places.append((x, y))
        x, row = x + width, max(row, height)
    if not places:
        return []
    shifted = [
        corners + np.array([at[0] - box[0], at[1] - box[1], 0])
        for corners, box, at in zip(drawn, sizes, places, strict=True)
    ]
    seen = rasterise(np.concatenate(shifted), _SHEET, y + row)
    sheet = np.zeros(_SHEET * (y + row), np.float32)
    sheet[seen.pixel] = seen.nearness
    whole = sheet.reshape(y + row, _SHEET)
    return [
        ObjectMask(left, top, whole[at[1] : at[1] + height, at[0] : at[0] + width].copy())
        for (left, top, width, height), at in zip(sizes, places, strict=True)
    ]
