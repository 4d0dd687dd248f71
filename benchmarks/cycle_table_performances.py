"""Acted cycles of table 5.1: writes their recorded performances, and says how large each is.

    python benchmarks/cycle_table_performances.py [--print]

Every layer is a known loop that is acted a few times with the noise of `cycle_acting.py`; the seed
is fixed, so that the files come out the same. `--print` writes nothing.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

import arcwright
from arcwright.arrays import AnyArray, Floats
from arcwright.kinematics.rotation import quaternion_from_vector
from arcwright.replay import read_case, scene_of
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.tools.replay.replay import replay
from cycle_acting import DEVICES, ActedSamples, act
from cycle_layers import Layer, Row
from cycle_row_juggle import HUMAN_JUGGLE
from cycle_rows_dinosaur import DINOSAUR_DANCE, DINOSAUR_LEAP, DINOSAUR_WALK
from cycle_rows_flyers import DRAGON_EAT, DRAGON_FLY, ROBOT_SWIM
from cycle_rows_people import HUMAN_DANCE, HUMAN_KICK, HUMAN_PUNCH

ROWS = (
    *(DINOSAUR_WALK, HUMAN_PUNCH, ROBOT_SWIM, HUMAN_DANCE, DINOSAUR_DANCE),
    *(DRAGON_EAT, DRAGON_FLY, HUMAN_JUGGLE, DINOSAUR_LEAP, HUMAN_KICK),
)
FOLDER = Path(__file__).parents[1] / "tests" / "gestures" / "cycle" / "table"
RATE = 24.0  # frames per second of the scenes
CHUNK = 24  # samples that are delivered at once
ARM = 0.3  # m: a rotation by an angle counts like a movement of its arc at this radius
AXES = ("left_x", "left_y", "right_x", "right_y", "left_trigger", "right_trigger")


@dataclass(frozen=True, eq=False)
class Recorded:
    """A layer as it was acted."""

    layer: Layer
    samples: ActedSamples
    arrays: Mapping[str, AnyArray]
    options: Mapping[str, object]

    @property
    def seconds(self) -> float:
        """How long it was acted."""
        return float(self.samples.times[-1] - self.samples.times[0])

    @property
    def elements(self) -> set[tuple[str, str]]:
        """Actors and joints that are performed; what follows them is not counted."""
        joints = [name.split(".")[0] for name in self.layer.channels] or [self.layer.point]
        return {(self.layer.actor, joint) for joint in joints}

    @property
    def transforms(self) -> int:
        """Channels that are performed, or directions and angles of a point that change."""
        if self.layer.path is None:
            return len(self.layer.channels)
        return int((np.ptp(self.layer.path, axis=0) > 0).sum())


def main() -> None:
    """Write every row, and print the table."""
    print(f"{'':16}{'paper':>24}{'ours':>34}")
    columns = ("elements", "transf.", "min", "layers", "elements", "transf.", "acted s")
    print(f"{'cycle':16}" + "".join(f"{each:>9}" for each in columns))
    for row in ROWS:
        acted = recorded(row)
        if "--print" not in sys.argv:
            write(row, acted)
        print(_line(row, acted))


def _line(row: Row, acted: list[Recorded]) -> str:
    elements = set().union(*(each.elements for each in acted))
    transforms, seconds = (
        sum(each.transforms for each in acted),
        sum(each.seconds for each in acted),
    )
    paper = row.paper
    return (
        f"{row.name.replace('_', ' '):16}{paper.elements:9}{paper.transforms:9}{paper.minutes:>9}"
        f"{len(acted):9}{len(elements):9}{transforms:9}{seconds:9.1f}"
    )


def recorded(row: Row) -> list[Recorded]:
    """All layers of a row; the first sets the period, the others follow what plays."""
    scene, found = arcwright.read(row.scene), []
    period = row.frames / RATE
    for number, layer in enumerate(row.layers):
        random = np.random.default_rng([row.seed, ROWS.index(row), number])
        plays = period if number else 0.0
        device, own = DEVICES[layer.device], scene.actor(layer.actor)
        loop = _loop(layer, own.rig, _still(own))
        cycles = layer.cycles + (not number)
        samples = act(loop, period * layer.ratio, plays, cycles, device, random, layer.beats)
        options = dict(layer.options)
        if not number:  # the loop starts where the second cycle was begun, as the others expect
            options["start"] = round(float(samples.cuts[1] - samples.times[0]), 3)
        found.append(Recorded(layer, samples, _arrays(layer, samples), options))
    return found


def _still(actor: Actor) -> Floats:
    return np.asarray(arcwright.sample(actor.takes[0], np.zeros(1)).values[0])


def _loop(layer: Layer, rig: Rig, still: Floats) -> Floats:
    """(P, V) what the hand does: m and angles on an arc, or axes of a gamepad."""
    if layer.path is not None:
        return np.concatenate([layer.path[:, :3], ARM * np.radians(layer.path[:, 3:])], axis=1)
    columns = []
    for name, values in layer.channels.items():
        channel = rig.channel(name)
        angular = ".rotate." in name
        value = still[channel] + (np.radians(values) if angular else values)
        columns.append(_axis(rig, channel, value))
    return np.stack(columns, axis=1)


def _axis(rig: Rig, channel: int, value: Floats) -> Floats:
    """The axis that gives a channel this value: -1 and 1 are the limits of an angle."""
    table = rig.channels
    away = value - table.default[channel]
    if not Kind.ROTATE_X <= table.kind[channel] <= Kind.ROTATE_Z:
        return np.asarray(away)
    up, down = (
        table.high[channel] - table.default[channel],
        table.default[channel] - table.low[channel],
    )
    reach = np.where(away > 0, up, down)
    axis = np.divide(away, np.where(np.isfinite(reach), reach, 1.0))
    if np.abs(axis).max() > 0.95:
        raise ValueError(f"{rig.channel_names[channel]}: an axis of {np.abs(axis).max():.2f}")
    return np.asarray(axis)


def _arrays(layer: Layer, samples: ActedSamples) -> dict[str, AnyArray]:
    """The arrays of a performance, as gesture files name them."""
    times, values = samples.times, samples.values
    if layer.path is None:
        axes = np.clip(_rounded(values), -1, 1)
        return {"times": times, "axes": axes}
    poses = np.zeros((len(times), 1, 7), np.float32)
    moving = np.ptp(layer.path[:, :3], axis=0) > 0  # a mouse and a pen move in a plane
    poses[:, 0, :3] = _rounded(values[:, :3] * moving)
    turned = values[:, 3:] / ARM if values.shape[1] > 3 else np.zeros((len(times), 3))
    poses[:, 0, 3:] = _rounded(quaternion_from_vector(turned))
    return {"times": times, "poses": poses}


def _rounded(values: Floats) -> AnyArray:
    """To 1/8192, below the jitter of every device: small files."""
    return (np.rint(values * 8192) / 8192).astype(np.float32)


def write(row: Row, acted: list[Recorded]) -> None:
    """A gesture file, and the samples of each of its layers beside it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    gestures = []
    for number, each in enumerate(acted, start=1):
        name = f"{row.name}_{number:02}_{each.layer.name.replace(' ', '_')}.npz"
        (FOLDER / name).write_bytes(_packed(each.arrays))
        gestures.append(_gesture(each, name))
    about = (
        f"{row.name.replace('_', ' ').capitalize()} of table 5.1, acted in {len(acted)} layers on "
        "a still loop. The performances are synthetic: known loops with the noise of a hand."
    )
    if row.shaped is not None:
        about += " Then its curves are shaped by drags."
    path = FOLDER / f"{row.name}.json"
    whole = {"about": about, "scene": row.scene, "tool": "cycle", "gestures": gestures}
    path.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    if row.shaped is not None:
        case = read_case(path)
        whole["gestures"] = gestures + row.shaped(replay(case, scene_of(case, path))[0])
        path.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def _gesture(each: Recorded, arrays: str) -> dict[str, Any]:
    layer = each.layer
    target: dict[str, Any] = {"character": layer.actor} if layer.actor else {}
    if layer.channels:
        target |= {"channels": list(layer.channels), "axis_names": AXES[: len(layer.channels)]}
    else:
        offset = {"offset": list(layer.offset)} if layer.offset else {}
        target["point"] = {"joint": layer.point, **offset}
    options = {"options": dict(each.options)} if each.options else {}
    how = {"device": layer.device, "chunk": CHUNK, "arrays": arrays}
    return {"kind": "performance", **target, **how, **options}


def _packed(arrays: Mapping[str, AnyArray]) -> bytes:
    """An .npz that is the same bytes each time: fixed dates, fixed order."""
    whole = BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            text = BytesIO()
            np.save(text, array, allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.getvalue())
    return whole.getvalue()


if __name__ == "__main__":
    main()
