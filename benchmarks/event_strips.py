"""Strips of marked clips, to mark events from and to check the marks.

The body, a picture every few frames, from the left and from the front of its own pelvis; the grey
figure is the picture before, in the same place of the world. With `--joint` a close-up of one
joint: the window stays where it is, so that a joint at rest stays on its spot of the grid. Grid
lines are 50 cm apart, in close-ups 5 cm. Left limbs are blue, right limbs orange. Marks are
written in green, unless they are hidden to mark anew.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.rig import Rig
from drawing.small_png import write_small
from drawing.stick_sheets import Sheet, View
from event_clips import RATE, MarkedClip, marked_clips

BODY, NEAR = (120, 176), (130, 130)  # pixels of a view: of the whole body, of a close-up
COLUMNS, CLOSE_COLUMNS = 6, 6  # pictures in a row
TRAIL = 5  # pictures before that a close-up shows the place of its joint in
HEIGHT = 2.1  # m that a view of the whole body shows
MARGIN = 0.12  # m around the way of a joint
LEFT, RIGHT, TRUNK, GHOST, GRID = "#5b9bff", "#ff9d5c", "#e6eaf0", "#565f6e", "#3d4656"
WORDS, MARK, SPOT = "#e6eaf0", "#4fd18b", "#f2c94c"


def main() -> None:
    """Draw the sheets of all clips, or of those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", nargs="*", help="names of clips; all without")
    parser.add_argument("--every", type=int, default=0, help="frames between pictures")
    parser.add_argument("--frames", type=int, nargs=2, help="first and last frame")
    parser.add_argument("--joint", default="", help="close-up of this joint")
    parser.add_argument("--hide", action="store_true", help="do not show the marks")
    parser.add_argument("--out", type=Path, default=Path("out/events"))
    chosen = parser.parse_args()
    for clip in marked_clips():
        if not chosen.clips or clip.name in chosen.clips:
            first, last = chosen.frames or clip.frames
            every = chosen.every or (1 if chosen.joint else 4)
            frames = np.arange(first, last + 1, every)
            image = strip(clip, frames, chosen.joint, not chosen.hide)
            name = "-".join(filter(None, [clip.name, chosen.joint, str(first)]))
            write_small(image, chosen.out / f"{name}.png")


def strip(clip: MarkedClip, frames: AnyArray, joint: str, marks: bool) -> AnyArray:
    """(H, W, 3) uint8: some frames of a clip; of one joint with its surroundings, if named."""
    take = clip.load()
    rig = take.rig
    places = forward(rig, values_at(take, frames / RATE))[..., :3, 3]
    size, columns = (NEAR, CLOSE_COLUMNS) if joint else (BODY, COLUMNS)
    rows = -(-len(frames) // columns)
    sheet = Sheet(columns * 2 * size[0], rows * size[1])
    focus = places[:, rig.joint(joint)] if joint else None
    for tile, frame in enumerate(frames.tolist()):
        corner = tile % columns * 2 * size[0], tile // columns * size[1]
        for view in views(rig, places, tile, corner, focus):
            sheet.grid(view, 0.05 if joint else 0.5, GRID)
            figure(sheet, view, rig, places[max(tile - 1, 0)], ghost=True)
            figure(sheet, view, rig, places[tile], ghost=False)
            if focus is not None:
                for before in range(max(tile - TRAIL, 0), tile):
                    sheet.dot(view, focus[before], SPOT, 1.6)
                sheet.dot(view, focus[tile], SPOT, 4.0)
        sheet.write(str(frame), (corner[0] + 4, corner[1] + 13), 9, WORDS)
        named = [
            e for e in clip.events if marks and frame <= e.frame < frame + frames[1] - frames[0]
        ]
        for line, event in enumerate(each for each in named if joint in ("", each.element)):
            label = f"{event.frame} {event.element} {event.kind}"
            sheet.write(label, (corner[0] + 4, corner[1] + size[1] - 4 - 11 * line), 7, MARK)
    return sheet.drawn()


def views(
    rig: Rig, places: Floats, tile: int, corner: tuple[int, int], focus: Floats | None
) -> list[View]:
    """The views from the left and from the front: of the body, or of where `focus` goes."""
    left, right = rig.joint("LeftUpLeg"), rig.joint("RightUpLeg")
    now = places[tile] if focus is None else places[len(places) // 2]
    across = (now[left] - now[right]) * (1.0, 0.0, 1.0)
    across = across / np.linalg.norm(across)
    ahead = np.array([-across[2], 0.0, across[0]])
    if focus is None:
        size, scale = BODY, BODY[1] / HEIGHT
        ground = float(np.quantile(places[..., 1].min(axis=1), 0.05))
        centre = np.array([now[0, 0], ground + 0.47 * HEIGHT, now[0, 2]])
    else:
        low, high = focus.min(axis=0), focus.max(axis=0)
        size = NEAR
        scale = min(size) / (float(np.linalg.norm(high - low)) + 2 * MARGIN)
        centre = (low + high) / 2
    return [
        View(corner[0] + shift, corner[1], size, centre, axis, scale)
        for shift, axis in ((0, -ahead), (size[0], across))
    ]


def figure(sheet: Sheet, view: View, rig: Rig, places: Floats, *, ghost: bool) -> None:
    """The bones of one pose."""
    for joint, parent in enumerate(rig.parents.tolist()):
        if parent < 0:
            continue
        name = rig.names[joint]
        tint = LEFT if name.startswith("L") else RIGHT if name.startswith("R") else TRUNK
        ends = places[[parent, joint]]
        if not ghost:
            sheet.polyline(view, ends, tint, 2.0, 3.0)
        else:
            sheet.polyline(view, ends, GHOST, 1.0, 2.0)


if __name__ == "__main__":
    main()
