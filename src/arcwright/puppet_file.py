"""A recorded device path replayed on a puppet: what `arcwright puppet` does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwright.errors import BadFile, BadValue, json_fault
from arcwright.files.regular import read_regular
from arcwright.open import write
from arcwright.scene.target import Target
from arcwright.scene.terrain import Terrain
from arcwright.tools.gesture import Performance
from arcwright.tools.puppet.device_path import HEAD, HELD
from arcwright.tools.puppet.measures import measures
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.puppet.terrain import read_terrain

if TYPE_CHECKING:
    from arcwright.scene.scene import Scene

PATH_BYTES = 64_000_000  # the longest path file that is read


def read_path(path: Path) -> tuple[Performance, str]:
    """The samples of a path file, and the joint by which it holds the puppet, "" for the chest."""
    given = _json(path)
    samples = given.get("samples")
    if not isinstance(samples, list) or not samples:
        raise BadFile(path, "has no samples")
    grip = given.get("grip", "")
    if not isinstance(grip, str):
        raise BadFile(path, "has a grip that is no joint's name")
    try:
        times = np.array([float(each["time"]) for each in samples])
        pressed = [{*map(str, each.get("pressed", ()))} for each in samples]
        pressed = [
            each | {HEAD} if HEAD in sample else each
            for each, sample in zip(pressed, samples, strict=True)
        ]
        names = (HELD, *sorted(set[str]().union(*pressed) - {HELD}))
        down = np.array([[name in each for name in names] for each in pressed])
        down[:, 0] = [bool(each.get("held", True)) for each in samples]
        return Performance(
            times, np.array(_poses(samples), float), buttons=down, button_names=names
        ), grip
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        expected = "needs a time and a position of 3 numbers, and a rotation of 4, for each sample"
        raise BadFile(path, expected) from error


def _poses(samples: list[dict[str, Any]]) -> list[list[list[float]]]:
    """[N, D, 7] the device, and the one that holds the head, where any sample has that."""
    devices = [[_pose(each)] for each in samples]
    if any(HEAD in each for each in samples):
        for found, each in zip(devices, samples, strict=True):
            found.append(_pose(each.get(HEAD, each)))
    return devices


def _pose(given: dict[str, Any]) -> list[float]:
    return [*given["position"], *given.get("rotation", (1, 0, 0, 0))]


def read_terrain_file(path: Path) -> Terrain:
    """The terrain of a JSON file."""
    return read_terrain(_json(path))


def replay_path(
    path: Path,
    scene: Scene,
    out: str | None = None,
    *,
    character: str = "",
    take: str = "",
    time: float = 0.0,
    terrain: Terrain | None = None,
    options: PuppetOptions | None = None,
) -> dict[str, Any]:
    """Replay a path file on a character of a scene; write the scene with the take, if asked to.

    It begins as the character's `take` is at a `time`, s; a performed one is punched into. A given
    terrain is the ground of the scene from then on.
    """
    performance, grip = read_path(path)
    chosen = options or PuppetOptions()
    if terrain is not None:
        scene = replace(scene, ground=terrain)
    session = PuppetSession(scene, Target(character, take, time=time), chosen, grip=grip)
    session.update(performance)
    edit = session.finish()
    if out is not None:
        write(edit.apply(scene), out)
    return {
        "seconds": len(session.ticks) / chosen.rate,
        "states": [[round(time, 4), state.value] for time, state in session.states],
        "events": [[round(time, 4), event] for time, event in session.events],
        **measures(session.character, session.ticks, chosen.rate, session.terrain),
        "roles": dict(session.character.roles),
        "notes": [note.text for note in session.notes()],
    }


def _json(path: Path) -> dict[str, Any]:
    try:
        given = json.loads(read_regular(path, PATH_BYTES))
    except RecursionError as error:
        raise BadFile(path, "has JSON nested too deeply") from error
    except ValueError as error:
        raise BadFile(path, json_fault(error)) from error
    if not isinstance(given, dict):
        raise BadValue(path.name, "a JSON object", type(given).__name__)
    return given
