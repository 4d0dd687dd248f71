"""Figures of the snowman: screenshots of both builders, and its rig with a smoothed spine.

Run `make puppet-figures`; writes docs/pictures/puppet. As figs. 6.7 and 6.8 of the thesis.
"""

from __future__ import annotations

import importlib.util
from types import ModuleType

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.snowman import snowman, spine_points
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.picture.film import film
from arcwright.picture.strip import strip
from arcwright.scene.scene import Character, Scene
from drawing.small_png import write_small
from puppet_figures import FOLDER, ROOT, Drawing

MOMENTS = {4.3: "rolls the first ball", 19.5: "carries the second", 37.5: "stacks the third"}
FIGURES = (0.3, 0.22, 0.16), (0.22, 0.17, 0.15, 0.14, 0.13, 0.12, 0.17)  # radii, m
RIG, SPINE, SNOW = "#2f6fdb", "#d22f3d", "#dfe8f2"
SCALE, LEVEL = 140.0, 370.0  # px a metre, and of the ground


def example() -> ModuleType:
    """The example that builds snowmen."""
    place = ROOT / "examples" / "15_snowman.py"
    spec = importlib.util.spec_from_file_location("snowman_example", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def screenshots() -> None:
    """The biped builds a snowman, which builds the next one (fig. 6.7)."""
    code = example()
    biped = code.arcwright.read("biped").characters[0]
    first, built = code.build(biped, 1.0)
    second, _ = code.build(built, 0.61)
    panels = [
        (still(scene, time), f"{name} {does}")
        for name, scene in (("biped", first), ("snowman", second))
        for time, does in MOMENTS.items()
    ]
    write_small(strip(panels, columns=len(MOMENTS)), FOLDER / "snowman_builds.png")


def still(scene: Scene, time: float) -> np.ndarray:
    """The performance at a time."""
    shot = {"take": "performance", "size": (400, 280), "points": (), "view": (-0.9, -0.3, -0.5)}
    return film(scene, start=time, end=time + 0.01, **shot)[0]


def rig() -> None:
    """Snowmen of other proportions, standing and bowed, from the side (fig. 6.8)."""
    drawing = Drawing(760, 420)
    drawing.line(np.array([20.0, LEVEL]), np.array([740.0, LEVEL]))
    for number, radii in enumerate(FIGURES):
        for step, take in enumerate(("idle", "crouch")):
            right = 85.0 + 330.0 * number + 125.0 * step
            body(drawing, snowman(radii), radii, take, right)
    drawing.text(np.array([380.0, 404.0]), "rig in blue, smoothed spine in red")
    drawing.write("snowman_rig.svg")


def body(
    drawing: Drawing, made: Character, radii: tuple[float, ...], take: str, right: float
) -> None:
    """One snowman: its balls, the bones of its rig, and the curve of its spine."""

    def at(place: Floats) -> np.ndarray:
        return np.array([right + SCALE * place[2], LEVEL - SCALE * place[1]])

    joint = made.rig.joint
    values = values_at(made.take(take), np.zeros(1))
    place = forward(made.rig, values)[0, :, :3, 3]
    rest = forward(made.rig, made.rig.channels.default[None])[0, :, :3, 3]
    balls = ["Hips", *(name for name in made.rig.names if name.startswith("Spine")), "Head"]
    for name, radius in zip(balls, radii, strict=True):
        drawing.dot(at(place[joint(name)]), SCALE * radius, SNOW)
    bones = (("Hips", "Chest"), ("Chest", "Head"), ("Chest", "LeftUpperArm"))
    for above, below in (*bones, ("LeftUpperArm", "LeftLowerArm"), ("LeftLowerArm", "LeftHand")):
        drawing.line(at(place[joint(above)]), at(place[joint(below)]), tint=RIG)
        drawing.dot(at(place[joint(below)]), 3, RIG)
    pelvis, chest = place[joint("Hips")], place[joint("Chest")]
    upright = rest[joint("Chest")] - rest[joint("Hips")] + pelvis
    for point in spine_points(pelvis, chest, upright, np.linspace(0, 1, 18)):
        drawing.dot(at(point), 2, SPINE)


def main() -> None:
    """Write both figures."""
    rig()
    screenshots()


if __name__ == "__main__":
    main()
