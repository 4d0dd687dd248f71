"""Strokes and performances of a gesture file, as written.

Long ones may lie beside the file as arrays, and a joint of a take in another file may be the device
of a performance; the caller passes what reads these files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from arcwright.arrays import AnyArray
from arcwright.errors import BadValue
from arcwright.scene.camera import Camera
from arcwright.scene.scene import Scene
from arcwright.tools.gesture import Performance, Stroke
from arcwright.tools.recorded_device import performance_from
from arcwright.tools.replay.gesture_entries import (
    MOST_STEPS,
    USE,
    FileGesture,
    FileSamples,
    continues_in,
    drag_in,
    setting_in,
    use_in,
)
from arcwright.tools.replay.json_values import mapping_in, text_in, whole_number_in

LoadArrays: TypeAlias = Callable[[str], Mapping[str, AnyArray]]
LoadScene: TypeAlias = Callable[[str], Scene]


@dataclass(frozen=True)
class Beside:
    """What reads files beside a gesture file, by name."""

    arrays: LoadArrays | None = None
    scene: LoadScene | None = None


_SAMPLES = {"kind", "continues", "chunk", "arrays", "times"} | USE
_STROKE = _SAMPLES | {"camera", "points", "pressure"}
_NAMES = {"axis_names", "button_names", "device"}
_RECORDED = {"from", "from_take", "from_character", "joint", "relative_to"}
_PERFORMANCE = _SAMPLES | _NAMES | _RECORDED | {"poses", "axes", "buttons"}
_CAMERA = {"position", "orientation", "field_of_view", "width", "height"}
_KINDS = "drag", "setting", "stroke", "performance"


def gesture_in(value: object, where: str, load: Beside) -> FileGesture:
    """A gesture of any kind."""
    kind = mapping_in(value, where, None).get("kind")
    match kind:
        case "drag":
            return drag_in(value, where)
        case "setting":
            return setting_in(value, where)
        case "stroke":
            return _samples(value, where, load, _STROKE, _stroke)
        case "performance":
            return _samples(value, where, load, _PERFORMANCE, _performance)
    raise BadValue(f"{where}.kind", " or ".join(_KINDS), kind)


def _samples(
    value: object,
    where: str,
    load: Beside,
    known: set[str],
    read: Callable[[Mapping[str, Any], str], Stroke | Performance],
) -> FileSamples:
    given = mapping_in(value, where, known)
    if "from" in given:
        given = {**given, **_recorded(given, where, load)}
    if "arrays" in given:
        name = text_in(given["arrays"], f"{where}.arrays")
        if load.arrays is None:
            raise BadValue(f"{where}.arrays", "samples in the file itself", name)
        beside = load.arrays(name)
        mapping_in(beside, f"{where}.arrays", known)
        given = {**given, **beside}
    if "times" not in given:
        raise BadValue(where, "times", sorted(given))
    chunk = whole_number_in(given.get("chunk", 8), f"{where}.chunk", MOST_STEPS)
    return FileSamples(read(given, where), chunk, continues_in(given, where), use_in(given, where))


def _stroke(given: Mapping[str, Any], where: str) -> Stroke:
    if "camera" not in given or "points" not in given:
        raise BadValue(where, "a camera, points and times", sorted(given))
    view = mapping_in(given["camera"], f"{where}.camera", _CAMERA)
    if view.keys() != _CAMERA:
        raise BadValue(f"{where}.camera", ", ".join(sorted(_CAMERA)), sorted(view))
    return Stroke(Camera(**view), given["points"], given["times"], given.get("pressure"))


def _performance(given: Mapping[str, Any], where: str) -> Performance:
    found: dict[str, Any] = {
        name: given[name] for name in ("poses", "axes", "buttons") if name in given
    }
    found |= {
        name: tuple(text_in(each, f"{where}.{name}") for each in given.get(name, ()))
        for name in ("axis_names", "button_names")
    }
    device = text_in(given.get("device", ""), f"{where}.device")
    return Performance(given["times"], **found, device=device)


def _recorded(given: Mapping[str, Any], where: str, load: Beside) -> dict[str, Any]:
    """The samples of a joint of a take in another file."""
    name = text_in(given["from"], f"{where}.from")
    if "joint" not in given or "times" in given or "arrays" in given:
        raise BadValue(where, "from and joint, and no samples beside them", sorted(given))
    if load.scene is None:
        raise BadValue(f"{where}.from", "samples in the file itself", name)
    actor = load.scene(name).actor(text_in(given.get("from_character", ""), where))
    if not actor.takes:
        raise BadValue(f"{where}.from", "a file with a take", name)
    chosen = text_in(given.get("from_take", ""), f"{where}.from_take")
    take = actor.take(chosen) if chosen else actor.takes[0]
    other = given.get("relative_to")
    relative = None if other is None else text_in(other, f"{where}.relative_to")
    joint = text_in(given["joint"], f"{where}.joint")
    acted = performance_from(take, joint, relative_to=relative)
    return {"times": acted.times, "poses": acted.poses, "device": acted.device}
