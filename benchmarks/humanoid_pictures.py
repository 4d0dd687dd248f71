"""Completed people as picture strips: captures and characters, between keys that are far apart.

    python benchmarks/humanoid_pictures.py --out FOLDER FILE START STEP COUNT [FILE …]

Of each file COUNT keys are taken, STEP seconds apart from START; rows are the take itself, splines
with contacts, and the model as the Complete tool has it. Figures of the joints' bones, from the
side; keys are orange.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

import arcwright
from arcwright.arrays import AnyArray, Floats
from arcwright.kinematics.feet import feet, rig_size
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.gesture import Setting
from drawing.small_png import write_small
from drawing.stick_sheets import Sheet, View

POSES, HIGH = 17, 170
ACROSS = np.array([0.5, 0.0, 0.866])
TINTS = {"take": "#4fd18b", "splines": "#8a94a0", "model": "#5b9bff"}
KEY = "#f2a93b"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("cases", nargs="+", help="FILE START STEP COUNT, again and again")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for at in range(0, len(given.cases), 4):
        file, start, step, count = given.cases[at : at + 4]
        times = float(start) + float(step) * np.arange(int(count))
        name = Path(file).stem.replace(":", "_")
        write_small(_sheet(arcwright.read(file), times), given.out / f"humanoid_{name}.png")


def _sheet(scene: Scene, times: Floats) -> AnyArray:
    """Rows of poses: the take, splines, the model."""
    actor = scene.characters[0]
    take = actor.takes[0]
    keys = ", ".join(f"{np.round(time * take.rate):g}" for time in times)
    rows = {"take": take}
    for name, model in (("splines", "none"), ("model", "")):
        rows[name] = _completed(scene, keys, model)
    shown = np.linspace(times[0], times[-1], POSES)
    places = {
        name: forward(actor.rig, values_at(each, shown))[..., :3, 3] for name, each in rows.items()
    }
    tall = max(float(np.ptp(each[..., 1])) for each in places.values())
    wide = 1400
    sheet = Sheet(wide, 3 * HIGH)
    for number, (name, each) in enumerate(places.items()):
        size, scale = (wide // POSES, HIGH), 0.85 * HIGH / tall
        for column, pose in enumerate(each):
            middle = pose[0] * [1, 0, 1] + [0, tall / 2 + places["take"][..., 1].min(), 0]
            left = column * size[0]
            view = View(left, number * HIGH, size, middle, ACROSS, scale)
            key = abs(times - shown[column]).min() < 1e-6
            for joint, parent in enumerate(actor.rig.parents.tolist()):
                if parent >= 0:
                    tint = KEY if key else TINTS[name]
                    sheet.polyline(view, pose[[parent, joint]], tint, 1.6, 5.0)
        sheet.write(name, (6, number * HIGH + 16), 12, "#e6eaf0")
        print(f"{actor.name}, {name}: feet slide {_slide(actor.rig, rows[name], times):.2f} cm")
    return sheet.drawn()


def _completed(scene: Scene, keys: str, model: str) -> Take:
    interaction = arcwright.begin("autocomplete", scene, keys=keys, model=model)
    interaction.update(Setting(interaction.options))
    found = interaction.finish().apply(scene)
    for note in interaction.notes():
        print(f"  {note.text}")
    return found.characters[0].takes[0]


def _slide(rig: Rig, take: Take, times: Floats) -> float:
    """cm a frame at 30 a second by which low and slow feet move level, mean."""
    moments = np.arange(times[0], times[-1], 1 / 30)
    joints = [rig.joint(point.joint) for point in feet(rig)]
    place = forward(rig, values_at(take, moments), joints)[..., :3, 3]
    size = rig_size(rig)
    low = place[..., 1] < np.percentile(place[..., 1], 5) + 0.03 * size
    step = np.linalg.norm(np.diff(place, axis=0)[..., [0, 2]], axis=-1)
    stands = low[1:] & low[:-1] & (step < 0.02 * size)
    return 100 * float(step[stands].mean()) if stands.any() else 0.0


if __name__ == "__main__":
    main()
