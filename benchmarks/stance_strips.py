"""Strips of the lower legs of marked clips, to mark stances from and to check the marks.

One sheet for each foot: a picture every few frames, from the side (along the foot's own heading)
and, narrower, from the front. The bones of shin, foot and toes are drawn over the same bones of the
picture before, in grey. The line at the bottom is the lowest height that this foot's joints reach
(its 1 % quantile), thin lines are 5 and 10 cm higher; small numbers are the heights of the joints
above it, cm. Marked stances have a green bar.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.picture.canvas import SUPERSAMPLING, Fragments, colour, composite, to_srgb
from arcwright.picture.lines import flat_line, text
from drawing.small_png import write_small
from stance_clips import MarkedClip, marked_clips

TILE = (156, 88)  # pixels
SIDE = 108  # pixels of a tile's view from the side; the rest is the front
COLUMNS = 8
LENGTH = 0.42  # of the leg: what the view from the side shows across
BELOW = 16  # pixels below the ground line
BONES, GHOST, LINE, MARK = "#5b9bff", "#7d8796", "#c9a227", "#4fd18b"
JOINTS = ("#f2c94c", "#ff7a59", "#e6eaf0", "#4fd18b", "#c792ea")


def main() -> None:
    """Draw the sheets of all clips, or of those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", nargs="*", help="names of clips; all without")
    parser.add_argument("--every", type=int, default=0, help="frames between pictures")
    parser.add_argument("--frames", type=int, nargs=2, help="first and last frame")
    parser.add_argument("--out", type=Path, default=Path("out/stances"))
    chosen = parser.parse_args()
    for clip in marked_clips():
        if not chosen.clips or clip.name in chosen.clips:
            first, last = chosen.frames or clip.frames
            for side in clip.feet:
                sheet = strip_of_foot(clip, side, first, last, chosen.every)
                write_small(sheet, chosen.out / f"{clip.name}-{side}.png")


def strip_of_foot(clip: MarkedClip, side: str, first: int, last: int, every: int) -> AnyArray:
    """(H, W, 3) uint8: one foot over some frames."""
    take = clip.load()
    every = every or max(round(take.rate / 30), 1)
    frames = np.arange(first, last + 1, every)
    joints = [take.rig.joint(name) for name in clip.feet[side]]
    places = forward(take.rig, values_at(take, frames / take.rate), joints)[:, :, :3, 3]
    ground = float(np.quantile(places[..., 1].min(axis=1), 0.01))
    shin = np.linalg.norm(places[0, 1] - places[0, 0])
    scale = SIDE / (LENGTH * 2 * shin)
    rows = -(-len(frames) // COLUMNS)
    size = COLUMNS * TILE[0] * SUPERSAMPLING, rows * TILE[1] * SUPERSAMPLING
    layers: list[Fragments] = []
    for tile, frame in enumerate(frames.tolist()):
        corner = np.array([tile % COLUMNS * TILE[0], tile // COLUMNS * TILE[1]], float)
        stands = any(a <= frame <= b for a, b in clip.stances[side])
        layers += _tile(places, tile, corner, ground, scale, stands, size)
        spot = (float(corner[0] + 4) * SUPERSAMPLING, float(corner[1] + 13) * SUPERSAMPLING)
        ink = colour("#e6eaf0")
        layers.append(text(str(frame), spot, 9 * SUPERSAMPLING, ink, size, align=0.0))
        heights = " ".join(f"{100 * (y - ground):.0f}" for y in places[tile, 1:, 1])
        spot = (float(corner[0] + SIDE - 4) * SUPERSAMPLING, float(corner[1] + 10) * SUPERSAMPLING)
        layers.append(text(heights, spot, 6 * SUPERSAMPLING, colour(GHOST), size, align=1.0))
    backdrop = np.broadcast_to(
        colour("#14161b"), (size[1] // SUPERSAMPLING, size[0] // SUPERSAMPLING, 3)
    )
    light = composite(layers, np.array(backdrop, np.float32))
    return np.asarray((to_srgb(light) * 255).round().clip(0, 255).astype(np.uint8))


def _tile(
    places: Floats,
    tile: int,
    corner: Floats,
    ground: float,
    scale: float,
    stands: bool,
    size: tuple[int, int],
) -> list[Fragments]:
    """One picture of a foot: frame lines, the foot before in grey, the foot, its joints."""
    now, before = places[tile], places[max(tile - 1, 0)]
    along = now[-1] - now[-2] if len(now) > 2 else now[-1] - now[0]
    along = np.array([along[0], 0.0, along[2]])
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    across = np.array([along[2], 0.0, -along[0]])
    middle = now[1:].mean(axis=0)
    floor = TILE[1] - BELOW
    drawn: list[Fragments] = []
    for axis, left, wide in ((along, 0, SIDE), (across, SIDE, TILE[0] - SIDE)):
        for lift, tint, thick in ((0.0, LINE, 0.8), (0.05, "#333a46", 0.5), (0.1, "#333a46", 0.5)):
            y = floor - lift * scale
            ends = np.array([[left + 2, y], [left + wide - 2, y]])
            drawn.append(_line(ends, corner, tint, thick, size, 1.0))
        for bones, tint, thick, near in ((before, GHOST, 1.0, 2.0), (now, BONES, 1.6, 3.0)):
            flat = np.stack(
                [
                    left + wide / 2 + (bones - middle) @ axis * scale,
                    floor - (bones[:, 1] - ground) * scale,
                ],
                axis=-1,
            )
            drawn.append(_line(_inside(flat, left, wide), corner, tint, thick, size, near))
            for joint, spot in enumerate(flat[1:] if near > 2 else []):
                dot = np.stack([spot, spot + 0.01])
                drawn.append(_line(_inside(dot, left, wide), corner, JOINTS[joint], 2.4, size, 4.0))
    if stands:
        ends = np.array([[2.0, TILE[1] - 4], [TILE[0] - 3.0, TILE[1] - 4]])
        drawn.append(_line(ends, corner, MARK, 2.0, size, 5.0))
    return drawn


def _inside(flat: Floats, left: float, wide: float) -> Floats:
    """A polyline without what lies outside its picture."""
    fine = np.linspace(0, len(flat) - 1, 24 * (len(flat) - 1) + 1)
    places = np.arange(len(flat))
    dense = np.stack([np.interp(fine, places, flat[:, axis]) for axis in (0, 1)], axis=-1)
    out = (dense[:, 0] < left + 1) | (dense[:, 0] > left + wide - 1) | (dense[:, 1] < 1)
    dense[out | (dense[:, 1] > TILE[1] - 1)] = np.nan
    return dense


def _line(
    flat: Floats, corner: Floats, tint: str, thick: float, size: tuple[int, int], near: float
) -> Fragments:
    table = np.empty((len(flat), 8))
    table[:, :2] = (flat + corner) * SUPERSAMPLING
    table[:, 2] = near
    table[:, 3] = thick * SUPERSAMPLING / 2
    table[:, 4:7] = colour(tint)
    table[:, 7] = 1.0
    table[np.isnan(flat[:, 0])] = np.nan
    return flat_line(table, *size)


if __name__ == "__main__":
    main()
