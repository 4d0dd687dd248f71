"""Objects that are merged or split by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Ints
from arcwright.tools.flow.components import components
from arcwright.tools.flow.scene_objects import MOST_OBJECTS, SceneObject


def regrouped(
    objects: Sequence[SceneObject], cut: Sequence[str], merged: Sequence[Sequence[str]]
) -> tuple[SceneObject, ...]:
    """Objects of these names cut into connected components, then groups of names made one.

    The pieces of `fence` are `fence part 1`, `fence part 2`, …, the largest first; a group has
    the name and place of its first member.
    """
    found: list[SceneObject] = []
    for each in objects:
        found += _pieces(each) if each.name in cut else [each]
    for names in merged:
        own = [each for each in found if each.name in names]
        if len(own) > 1:
            at = found.index(own[0])
            rest = [each for each in found if each.name not in names]
            rest.insert(min(at, len(rest)), _joined(own))
            found = rest
    return tuple(found)


def _pieces(item: SceneObject) -> list[SceneObject]:
    label = components(item.positions, item.triangles)
    count = int(label.max(initial=0)) + 1
    if count == 1 or not len(item.triangles):
        return [item]
    made = [_part(item, np.flatnonzero(label == each)) for each in range(min(count, MOST_OBJECTS))]
    made.sort(key=lambda each: -each.size)
    return [replace(each, name=f"{item.name} part {n}") for n, each in enumerate(made, 1)]


def _part(item: SceneObject, own: Ints) -> SceneObject:
    """The object made of some of its vertices."""
    place = np.full(len(item.positions), -1)
    place[own] = np.arange(len(own))
    faces = place[item.triangles]
    sources = []
    for address, vertices, here in item.sources:
        mine = place[here] >= 0
        if mine.any():
            sources.append((address, vertices[mine], place[here[mine]]))
    return replace(
        item,
        positions=item.positions[own],
        triangles=faces[(faces >= 0).all(1)],
        sources=tuple(sources),
    )


def _joined(items: Sequence[SceneObject]) -> SceneObject:
    start = np.cumsum([0, *(len(each.positions) for each in items)]).tolist()
    return replace(
        items[0],
        positions=np.concatenate([each.positions for each in items]),
        triangles=np.concatenate(
            [each.triangles + n for each, n in zip(items, start, strict=False)]
        ),
        sources=tuple(
            (address, vertices, here + n)
            for each, n in zip(items, start, strict=False)
            for address, vertices, here in each.sources
        ),
    )
