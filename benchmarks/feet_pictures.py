"""The feet that are found on every glTF rig: a table, and a picture of each rig to check it by eye.

Green triangles are toes, red squares heels, amber crosses the tips of toes, in the rest pose.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import arcwright
from arcwright.arrays import AnyArray, Floats
from arcwright.errors import ArcwrightError, BadValue
from arcwright.kinematics.feet import Foot, whole_feet
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import analyse
from arcwright.picture.camera import framed
from arcwright.picture.paint import Paint
from arcwright.picture.render import PlacedSolid, render_image
from arcwright.picture.solid import figure
from arcwright.picture.strip import strip
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor
from drawing.compare import overlay_of
from drawing.marks import Mark
from drawing.small_png import write_small

GLTF = Path(__file__).resolve().parents[2] / "shared" / "data" / "gltf"
SIZE = (420, 330)
VIEW = np.array([0.75, -0.25, -1.0])
LEAST = 4  # joints of a rig


def main() -> None:
    """Print the table and write the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/feet.png"))
    chosen = parser.parse_args()
    panels = []
    for path in sorted(GLTF.rglob("*.gl[tb]*")):
        try:
            actors = arcwright.read(path).characters
        except ArcwrightError as error:
            print(f"{path.name}: {error}")
            continue
        for actor in (each for each in actors if len(each.rig.names) >= LEAST):
            found = _feet(actor)
            rows = ", ".join(_row(actor, foot) for foot in found)
            print(f"{path.relative_to(GLTF)}: {rows or 'none'}")
            panels.append((_picture(actor, found), path.stem))
    write_small(strip(panels, columns=4), chosen.out)


def _feet(actor: Actor) -> list[Foot]:
    try:
        return whole_feet(actor.rig)
    except BadValue:
        return []


def _row(actor: Actor, foot: Foot) -> str:
    """Names of a foot's points; a star for one that deforms no mesh."""
    deforms = analyse(actor).deforms

    def name(point: Point | None) -> str:
        if point is None:
            return "-"
        return point.joint + ("" if deforms[actor.rig.joint(point.joint)] else "*")

    return f"{name(foot.toe)} (heel {name(foot.heel)}, tip {name(foot.tip)})"


def _picture(actor: Actor, found: list[Foot]) -> AnyArray:
    values = actor.rig.channels.default
    world = forward(actor.rig, values[None])[0]
    solid = figure(actor, values, world, Paint(actor.look))
    tall = max(float(np.ptp(solid.positions[:, 1])), 1e-6)
    camera = framed(solid.positions, VIEW / np.linalg.norm(VIEW), SIZE)
    marks = [
        Mark(sign, _place(actor, world, point))
        for foot in found
        for sign, point in (("contact", foot.toe), ("pin", foot.heel), ("wanted", foot.tip))
        if point is not None
    ]
    floor = float(solid.positions[:, 1].min())
    return render_image(
        camera, [PlacedSolid(solid, 0.8)], [], 0.0, floor, tall, overlay=overlay_of(marks)
    )


def _place(actor: Actor, world: Floats, point: Point) -> Floats:
    at = world[actor.rig.joint(point.joint)]
    return np.asarray(at[:3, :3] @ point.offset + at[:3, 3])


if __name__ == "__main__":
    main()
