"""The keys of an animated shot, prepared together: what touches at any moment is held at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats, Ints, same
from arcwright.scene.flow import Flow, FlowKey
from arcwright.scene.scene import Scene
from arcwright.tools.flow.contacts import FLOOR, find_contacts
from arcwright.tools.flow.preparation import Grouping, prepare_shot, shot_objects
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.flow.scene_objects import SceneObject

NEAR = 1e-4  # s; a key this near to a moment is at it
_STEP = 0.125  # s, between moments at which contacts are looked for
_MOST = 24  # such moments


def key_at(flow: Flow, time: float) -> int:
    """The number of the key that is nearest to a moment."""
    times = np.array([each.shot.time for each in flow.all_keys])
    return int(np.abs(times - time).argmin())


def prepared_key(
    scene: Scene, flow: Flow, key: FlowKey, still: PreparedShot | None = None
) -> PreparedShot:
    """A key of a composition, ready to be bent on its own."""
    return prepare_shot(
        scene,
        key.shot,
        split=flow.split,
        abstraction=flow.abstraction,
        drawn=key.curves,
        included=flow.included,
        grouping=Grouping(flow.takes, flow.merged, flow.cut),
        still=still,
    )


def prepared_keys(scene: Scene, flow: Flow) -> tuple[PreparedShot, ...]:
    """All keys of a composition; contacts of other moments are held, too."""
    first, *others = flow.all_keys
    found = [prepared_key(scene, flow, first)]
    for key in others:
        base = found[0] if same(key.shot.camera, first.shot.camera) else None
        found.append(prepared_key(scene, flow, key, _without_drawn(scene, flow, first, base)))
    if not others:
        return tuple(found)
    held = _contacts_over_time(scene, flow)
    return tuple(_holding(each, held) for each in found)


def _without_drawn(
    scene: Scene, flow: Flow, first: FlowKey, base: PreparedShot | None
) -> PreparedShot | None:
    """The first key without curves by hand, which is remembered as one object."""
    if base is None or not first.curves:
        return base
    return prepared_key(scene, flow, replace(first, curves=()))


def _contacts_over_time(scene: Scene, flow: Flow) -> Mapping[str, Ints | Floats]:
    """What of each object touches another one at some moment of the shot, by name.

    Of an object that moves the vertices around its contacts, (N,), which move with it; of one
    that stays the places, (N, 3) m.
    """
    first, last = flow.all_keys[0].shot, flow.all_keys[-1].shot
    grouping = Grouping(flow.takes, flow.merged, flow.cut)
    count = int(np.clip(np.ceil((last.time - first.time) / _STEP), 2, _MOST)) + 1
    times = np.union1d(
        np.linspace(first.time, last.time, count), [each.shot.time for each in flow.all_keys]
    )
    vertices: dict[str, list[Ints]] = {}
    places: dict[str, list[Floats]] = {}
    movers: set[str] = set()
    before: tuple[SceneObject, ...] = ()
    for time in times.tolist():
        now = shot_objects(scene, time, flow.split, first.camera.position, grouping)
        moving = _moved(before, now)
        movers |= {now[index].name for index in moving or ()} if before else set()
        for a, b, points in find_contacts(now, moving):
            for index in {a, b} - {FLOOR}:
                name = now[index].name
                places.setdefault(name, []).append(points)
                vertices.setdefault(name, []).append(_nearest(now[index].positions, points))
        before = now
    found: dict[str, Ints | Floats] = {}
    for name, own in places.items():
        moved = name in movers
        found[name] = np.unique(np.concatenate(vertices[name])) if moved else np.concatenate(own)
    return found


def _moved(before: Sequence[SceneObject], now: Sequence[SceneObject]) -> set[int] | None:
    """Which objects moved since the last moment, by index; None for all."""
    if [each.name for each in before] != [each.name for each in now]:
        return None
    return {
        index
        for index, (one, other) in enumerate(zip(before, now, strict=True))
        if not np.array_equal(one.positions, other.positions)
    }


def _nearest(positions: Floats, points: Floats) -> Ints:
    """The vertex nearest to each point."""
    found = [int(((positions - each) ** 2).sum(1).argmin()) for each in points]
    return np.unique(np.array(found, np.int64))


def _holding(prepared: PreparedShot, held: Mapping[str, Ints | Floats]) -> PreparedShot:
    """With what touches at some moment among the contacts."""
    more = []
    for index, item in enumerate(prepared.objects):
        own = held.get(item.name)
        if own is not None and prepared.movable[index]:
            places = own if own.ndim == 2 else item.positions[own[own < len(item.positions)]]
            more.append((index, FLOOR, places))
    return replace(prepared, contacts=(*prepared.contacts, *more))
