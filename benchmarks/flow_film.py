"""A moving picture of a shot that is composed, stroke by stroke, for the docs.

Run `make flow-film`; it writes docs/pictures/films/flow.png.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

import flow_shots
from arcwright.flow_file import FlowFile, compose
from arcwright.picture import png
from arcwright.picture.film import animated
from arcwright.picture.still import still
from flow_figures import draw_line, strokes_of

OUT = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "films" / "flow.png"
RATE = 12.0
SMALLER = 3  # times than the shot
DRAWN = 8  # pictures of a stroke that is drawn
RESTS = 6  # of the same picture, after each stroke
NAME = "octopus"


def frames() -> list[np.ndarray]:
    """The scene at rest, then with more and more of each stroke."""
    case = next(each for each in flow_shots.CASES if each.name == NAME)
    scene, file = case.build(), strokes_of(NAME)
    camera = scene.cameras[0].camera
    found = [smaller(still(scene, camera=camera))] * RESTS
    for number, layer in enumerate(file.layers):
        for step in range(2, DRAWN + 1):
            points = layer.points[: max(2, round(step / DRAWN * len(layer.points)))]
            drawn = (*file.layers[:number], replace(layer, points=points))
            edit, _ = compose(scene, FlowFile(file.camera, drawn, file.curves))
            image = still(edit.apply(scene), camera=camera)
            draw_line(image, points)
            found.append(smaller(image))
        found += [smaller(still(edit.apply(scene), camera=camera))] * RESTS
    return [*found, *[found[-1]] * RESTS]


def smaller(image: np.ndarray) -> np.ndarray:
    """The mean of each square of pixels."""
    height, width = (each // SMALLER * SMALLER for each in image.shape[:2])
    squares = image[:height, :width].reshape(height // SMALLER, SMALLER, -1, SMALLER, 3)
    return squares.mean((1, 3)).astype(np.uint8)


def main() -> None:
    """Write the film."""
    content = animated(frames(), RATE)
    png.save(content, OUT)
    print(f"{OUT.name}: {len(content) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
