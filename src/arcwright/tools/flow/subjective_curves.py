"""Subjective curve elements (SEcurves): the lines by which objects lead the eye.

A thin object has its principal curve, any other its abstract contour and, for strokes along its
middle, the principal curve as a second one; groups of thin objects have a contour besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.flow.components import connected
from arcwright.tools.flow.contour import abstract_contour
from arcwright.tools.flow.distance_field import area
from arcwright.tools.flow.hermite import lengths
from arcwright.tools.flow.medial_path import in_the_middle, medial_path
from arcwright.tools.flow.object_masks import ObjectMask
from arcwright.tools.flow.principal_curve import SAMPLES, principal_curve

CurveKind = Literal["principal", "contour", "group", "drawn"]
THIN = 0.25  # of `thinness`
_WIDEST = 0.65  # over the length, of what a principal curve describes
_MEDIAL = 1.15  # times as much of the shape is around a medial path that is taken instead
_MOST_PIXELS = 500
_FEWEST_PIXELS = 12
_GAP = 0.5  # of their mean size; objects of a group are nearer to each other
_ALIKE = 1.7  # ratio of sizes within a group
_GROUP = 3  # objects, at least
_GROUP_ABSTRACTION = 0.7  # at least; a group's contour joins its tips


@dataclass(frozen=True, eq=False)
class SubjectiveCurve:
    """A curve of one object, or of a group."""

    name: str
    objects: tuple[int, ...]
    kind: CurveKind
    points: Floats  # (S, 2) px
    closed: bool
    locked: bool = False  # its samples stay where they are
    second: bool = False  # describes its object less well than another one; shown where it is used


@dataclass(frozen=True, eq=False)
class ObjectCurves:
    """Both curves of an object, and which one describes it better."""

    principal: Floats  # (S, 2) px
    contour: Floats  # (S, 2) px
    thinness: float  # the smaller, the thinner
    width: float  # over the length, of the ellipse that the pixels would fill

    @property
    def thin(self) -> bool:
        """Whether the principal curve is the better one."""
        return self.thinness < THIN and self.width < _WIDEST


def object_curves(mask: ObjectMask, abstraction: float) -> ObjectCurves | None:
    """Both curves of an object; None for one of a few pixels."""
    pixels = mask.pixels
    if len(pixels) < _FEWEST_PIXELS:
        return None
    principal = middle_line(pixels)
    contour = abstract_contour(pixels, abstraction)
    spread = np.sqrt(np.maximum(np.linalg.eigvalsh(np.cov(pixels.T)), 1e-12))
    width = float(spread[0] / spread[1])
    return ObjectCurves(principal, contour, thinness(pixels, principal, contour), width)


def middle_line(pixels: Floats) -> Floats:
    """The principal curve, or the medial path of a shape whose branches draw that off."""
    principal = principal_curve(pixels)
    medial = medial_path(pixels, SAMPLES)
    if medial is None:
        return principal
    better = in_the_middle(pixels, medial) > _MEDIAL * in_the_middle(pixels, principal)
    return medial if better else principal


def thinness(pixels: Floats, principal: Floats, contour: Floats) -> float:
    """Spread of pixels about the principal curve over its length, larger where they leave gaps.

    The variance of the distance from principal curve to contour, by which the paper chooses, is
    much the same for trees, fences and tombstones. Gaps tell them apart: the share of the contour
    that pixels fill.
    """
    few = pixels[:: max(len(pixels) // _MOST_PIXELS, 1)]
    away = ((few[:, None] - principal) ** 2).sum(-1).min(1)
    filled = min(len(pixels) / max(area(contour), 1.0), 1.0)
    return float(np.sqrt(away.mean()) / max(lengths(principal)[-1], 1e-9) / filled**2)


def width_variance(principal: Floats, contour: Floats) -> float:
    """The variance of distances from principal curve to contour: how the paper chooses."""
    away = np.sqrt(((principal[:, None] - contour) ** 2).sum(-1)).min(1)
    return float(away.var())


def subjective_curves(
    names: Sequence[str],
    masks: Sequence[ObjectMask],
    found: Sequence[ObjectCurves | None],
    abstraction: float,
) -> list[SubjectiveCurve]:
    """The curves of all objects (None where an object takes no part), then those of groups."""
    curves = []
    for index, each in enumerate(found):
        if each is None:
            continue
        kind: CurveKind = "principal" if each.thin else "contour"
        line = each.principal if each.thin else each.contour
        curves.append(SubjectiveCurve(names[index], (index,), kind, line, not each.thin))
        if not each.thin:
            axis = f"{names[index]} axis"
            curves.append(
                SubjectiveCurve(axis, (index,), "principal", each.principal, False, second=True)
            )
    thin = [index for index, each in enumerate(found) if each is not None and each.thin]
    for number, members in enumerate(groups([masks[index] for index in thin]), 1):
        own = tuple(thin[each] for each in members.tolist())
        pixels = np.concatenate([masks[each].pixels for each in own])
        line = abstract_contour(pixels, max(abstraction, _GROUP_ABSTRACTION))
        curves.append(SubjectiveCurve(f"group.{number}", own, "group", line, True))
    return curves


def groups(masks: Sequence[ObjectMask]) -> list[Ints]:
    """Groups of objects that are near each other and alike in size."""
    if len(masks) < _GROUP:
        return []
    boxes = np.array([_box(each) for each in masks])
    low, high = boxes[:, :2], boxes[:, 2:]
    size = (high - low).max(1)
    gap = np.maximum(low[:, None] - high, low - high[:, None]).max(-1)
    mean = (size[:, None] + size) / 2
    near = gap < _GAP * mean
    alike = np.maximum(size[:, None], size) < _ALIKE * np.minimum(size[:, None], size)
    depth = np.array([each.nearness.max() for each in masks])
    beside = np.maximum(depth[:, None], depth) < 1.6 * np.minimum(depth[:, None], depth)
    label = connected(len(masks), np.argwhere(np.triu(near & alike & beside, 1)))
    members = [np.flatnonzero(label == each) for each in range(int(label.max()) + 1)]
    return [each for each in members if len(each) >= _GROUP]


def _box(mask: ObjectMask) -> list[float]:
    y, x = np.nonzero(mask.nearness)
    return [
        *(mask.left + float(x.min()), mask.top + float(y.min())),
        *(mask.left + float(x.max()), mask.top + float(y.max())),
    ]
