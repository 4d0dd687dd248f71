"""Twelve spacetime edits of captures and characters, before and after: strips, films and figures.

    python benchmarks/spacetime_shots.py [--films] [--docs] [--out FOLDER] [NAME ...]

Each strip shows frames around the drag, before above after, with dragged points (white ring), their
targets (amber cross) and planted toes (green triangles); the ground is drawn where the original
stands. A film shows both motions side by side. `spacetime_figures.py` says what the figures mean;
they are of the same edit at the old timing, so that frames can be compared.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.characters.assembly import Piece, assembled
from arcwright.characters.mesh import look, shape
from arcwright.characters.skeleton import root, skeleton
from arcwright.characters.solids import box
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.picture import png
from arcwright.picture.camera import Camera, framed
from arcwright.picture.film import animated
from arcwright.picture.paint import Paint
from arcwright.picture.poses import view_direction
from arcwright.picture.render import PlacedSolid, points_to_frame, render_image
from arcwright.picture.solid import figure
from arcwright.picture.strip import strip
from arcwright.picture.strobe import floor_height
from arcwright.scene.scene import Actor, Prop, Scene
from arcwright.tools.spacetime.tool import SpacetimeOptions
from drawing.compare import overlay_of
from drawing.marks import Mark
from drawing.small_png import write_small
from example_edits import EDITS, SpacetimeEdit, constraints_of, opened, pulls_of
from spacetime_figures import Played, figures, play, stances

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "out" / "spacetime"
DOCS = ROOT / "docs" / "report" / "pictures"
SIZE = (250, 330)  # px, of one frame of a strip
FILM_SIZE = (300, 300)  # px, of one side
FILM_RATE = 15.0
FILM_SECONDS = 4.0
WOOD = {"wood": ("#d9a868", 0.0, 0.7)}


def made(edit: SpacetimeEdit, **options: Any) -> Played:
    """The edit, as a script makes it."""
    scene = opened(edit)
    take = scene.characters[0].takes[0]
    chosen = SpacetimeOptions(**{**edit.options, **options})
    return play(scene, pulls_of(edit, take), chosen, constraints_of(edit, take))


def draw_strip(edit: SpacetimeEdit, played: Played, path: Path) -> AnyArray:
    """Frames around the drag, before above after, on one sheet."""
    take = played.takes[0]
    last = round(take.duration * take.rate)
    middle = round(float(np.mean([when for _, when, _ in played.pulled])) * take.rate)
    frames = [middle + step * edit.every for step in range(-3, 4)]
    frames = [frame for frame in frames if 0 <= frame <= last]
    view = _view(edit, played, np.array(frames) / take.rate)
    level = _floor(played)
    rows: list[list[tuple[AnyArray, str]]] = [[], []]
    for frame in frames:
        time = frame / take.rate
        sides = [_solids(edit, scene, time) for scene in (played.before, played.after)]
        camera = framed(points_to_frame([side[0] for side in sides], []), view, SIZE)
        for at, (word, scene) in enumerate((("before", played.before), ("after", played.after))):
            image = _image(camera, sides[at], time, level, _marks(played, scene, time))
            rows[at].append((image, f"{word}, frame {frame}"))
    sheet = strip([*rows[0], *rows[1]], columns=len(frames))
    write_small(sheet, path)
    return sheet


def draw_film(edit: SpacetimeEdit, played: Played, path: Path) -> None:
    """Both motions side by side, around the drag."""
    take = played.takes[0]
    middle = float(np.mean([when for _, when, _ in played.pulled]))
    start = max(0.0, min(middle - FILM_SECONDS / 2, take.duration - FILM_SECONDS))
    times = np.arange(start, min(start + FILM_SECONDS, take.duration), 1 / FILM_RATE)
    view, level = _view(edit, played, times), _floor(played)
    every = [
        [_solids(edit, scene, time) for scene in (played.before, played.after)]
        for time in times.tolist()
    ]
    bodies = [side[0] for sides in every[::4] for side in sides]
    camera = framed(points_to_frame(bodies, []), view, FILM_SIZE)
    images = []
    for time, sides in zip(times.tolist(), every, strict=True):
        scenes = (played.before, played.after)
        both = [
            _image(camera, side, time, level, _marks(played, scene, time))
            for side, scene in zip(sides, scenes, strict=True)
        ]
        images.append(np.concatenate(both, axis=1))
    png.save(animated(images, FILM_RATE), path)


def halved(image: AnyArray) -> AnyArray:
    """An image (H, W, 3) of half the size."""
    even = image[: len(image) // 2 * 2, : image.shape[1] // 2 * 2].astype(np.float64)
    parts = even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]
    return (parts / 4).round().astype(np.uint8)


def _view(edit: SpacetimeEdit, played: Played, times: Floats) -> Floats:
    take = played.takes[0]
    if edit.view is not None:
        return np.asarray(edit.view, float)
    return view_direction(take.rig, forward(take.rig, values_at(take, times)))


def _floor(played: Played) -> float:
    """The lowest place of the original's body, m."""
    take = played.takes[0]
    times = take.frame_times()
    picked = times[max(1, round(0.1 * take.rate)) :: max(1, len(times) // 20)]
    solids = [_body(played.before.characters[0], time).solid for time in picked.tolist()]
    return floor_height(solids, 1.7)


def _image(
    camera: Camera, solids: Sequence[PlacedSolid], time: float, floor: float, marks: list[Mark]
) -> AnyArray:
    return render_image(camera, solids, [], time, floor, 1.7, overlay=overlay_of(marks))


def _solids(edit: SpacetimeEdit, scene: Scene, time: float) -> list[PlacedSolid]:
    props = [_body(each, time) for each in scene.props if each.shapes]
    if edit.obstacle is not None:
        props.append(_body(_obstacle(*map(np.array, edit.obstacle)), time))
    held = [each for each in scene.props if not each.shapes]
    for each in held:
        place = forward(each.rig, values_at(each.takes[0], np.array([time])))[0, 0, :3, 3]
        half = np.array([0.15, 0.1, 0.15])
        props.append(_body(_obstacle(place - half, place + half), time))
    return [_body(scene.characters[0], time), *props]


def _obstacle(low: Floats, high: Floats) -> Prop:
    x, y, z = ((low + high) / 2).tolist()
    rig = skeleton([root("Box", (x, y, z))])
    wide, tall, deep = (high - low).tolist()
    mesh = assembled(rig, [Piece("Box", "wood", box(wide, tall, deep, 0.01))])
    return Prop("Box", rig, (), (shape("Box", mesh, rig),), look(WOOD, mesh.materials))


def _body(actor: Actor, time: float) -> PlacedSolid:
    values = actor.rig.channels.default
    if actor.takes:
        values = values_at(actor.takes[0], np.array([time]))[0]
    world = forward(actor.rig, values[None])[0]
    return PlacedSolid(figure(actor, values, world, Paint(actor.look)))


def _marks(played: Played, scene: Scene, time: float) -> list[Mark]:
    take = scene.characters[0].takes[0]
    marks = [
        Mark("contact", trail(take, each.point, [time]).position[0])
        for each in stances(played.takes[0])
        if each.start <= time <= each.end
    ]
    for point, when, by in played.pulled:
        if abs(when - time) < 0.5 / take.rate:
            own, was = (
                trail(each.actor(point.character).takes[0], point, [when]).position[0]
                for each in (scene, played.before)
            )
            marks += [Mark("hand", own), Mark("wanted", was + by)]
    return marks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*(edit.name for edit in EDITS), []])
    parser.add_argument("--films", action="store_true")
    parser.add_argument("--no-pictures", action="store_true")
    parser.add_argument("--docs", action="store_true", help="small strips for the report, too")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    header = False
    for edit in EDITS:
        if given.names and edit.name not in given.names:
            continue
        played = made(edit)
        found = figures(made(edit, adapt_timing="off"))
        if not header:
            print(f"{'':14}" + "".join(f"{name:>9}" for name in found))
            header = True
        print(f"{edit.name:14}" + "".join(f"{value:9.3g}" for value in found.values()))
        for note in played.notes:
            print("    note:", note)
        if not given.no_pictures:
            sheet = draw_strip(edit, played, given.out / f"{edit.name}.png")
            if given.docs:
                write_small(halved(sheet), DOCS / f"spacetime_edit_{edit.name}.png")
        if given.films:
            draw_film(edit, played, given.out / f"{edit.name}_film.png")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
