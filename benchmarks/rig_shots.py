"""Ten edits of real characters and captures, before and after, as pictures into out/rigs.

    python benchmarks/rig_shots.py [NAME ...]

Each picture is a strip of frames, before above after, with the dragged point (white ring), its
target (amber cross) and planted feet (green triangles); one more shows the dragged point's curve.
The files are those of ../shared/data that drags are tried on, not those they were built with.
Printed for each edit: how far the point ends from the target, how far head, hips and planted feet
are moved, how fast the edit changes from frame to frame, and how much velocities jump at keys.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import files
from arcwright.arrays import Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduction import fit
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    matrix_from_vector,
    quaternion_from_matrix,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.picture.camera import framed
from arcwright.picture.paint import Paint
from arcwright.picture.poses import facing as faced
from arcwright.picture.poses import view_direction
from arcwright.picture.render import PlacedSolid, points_to_frame, render_image
from arcwright.picture.solid import figure
from arcwright.picture.strip import strip
from arcwright.picture.strobe import floor_height
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.drags import DragResidual
from drawing.compare import Shot, compare, overlay_of
from drawing.marks import Mark
from rig_edits import EDITS, RigEdit

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
OUT = ROOT / "out" / "rigs"
SIZE = (300, 400)  # pixels of one frame
MOVES = 10  # of the pointer, until the target is reached
BESIDE = 1e-4  # s before and after a key
TOLERANCE = 0.01  # m, of captures that are reduced


def opened(edit: RigEdit) -> Scene:
    """The scene with one character and one take, captures reduced to key poses."""
    scene = files.read(DATA / edit.file)
    actor = scene.characters[0]
    take = actor.take(edit.clip) if edit.clip else actor.takes[0]
    if isinstance(take.base, Motion):
        first, last = edit.part or (0, len(take.base.values))
        first += 1  # the first frame of a capture is often its rest pose
        values = take.base.values[first : last + 1]
        base = replace(take.base, time=take.base.time[: len(values)], values=values)
        take = replace(take, base=base)
        take = replace(take, base=fit(take, TOLERANCE).clip)
    scene = Scene(scene.name, (replace(actor, takes=(take,)),))
    return replace(scene, constraints=footplants(take)) if edit.plants else scene


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of an edit."""

    before: Scene
    after: Scene
    drag: Drag
    notes: list[str]
    released: float  # m: the largest jump of a joint at the held time when the drag ends

    @property
    def takes(self) -> tuple[Take, Take]:
        """Before and after."""
        return self.before.characters[0].takes[0], self.after.characters[0].takes[0]


def made(edit: RigEdit) -> Outcome:
    """The edit, as a script makes it."""
    scene = opened(edit)
    take = scene.characters[0].takes[0]
    point, when = Point(edit.joint), edit.frame / take.rate
    used = tool(edit.tool)
    session = used.begin(scene, Target(), used.Options(**(edit.options or {})))
    for share in np.linspace(0, 1, MOVES + 1)[1:]:
        drag = gesture(take, edit, point, when, share)
        preview = session.update(drag)
    last = preview.edit.apply(scene)
    notes = [note.text for note in session.notes()]
    if edit.offered:
        offer = session.offer()
        assert offer is not None, f"{edit.name}: nothing is offered; {notes}"
        notes.append(f"offer: {offer.text} ({1e3 * offer.remaining:.1f} mm left)")
        after = last = offer.edit.apply(scene)
    else:
        after = session.finish().apply(scene)
    ends = [places(each.characters[0].takes[0], np.array([when])) for each in (last, after)]
    released = float(np.linalg.norm(ends[1] - ends[0], axis=-1).max())
    return Outcome(scene, after, drag, notes, released)


def gesture(take: Take, edit: RigEdit, point: Point, when: float, share: float) -> Drag:
    """A drag on the way to the whole of it."""
    now = trail(take, point, [when])
    if any(edit.degrees):
        turn = matrix_from_vector(share * np.radians([edit.degrees]))[0]
        turned = turn @ matrix_from_quaternion(now.orientation[0])
        return Drag(point, when, orientation=quaternion_from_matrix(turned))
    ahead = facing(take, when)
    axes = np.stack([np.cross(ahead, (0, 1, 0)), (0, 1, 0), ahead])
    return Drag(
        point, when, position=now.position[0] + share * tall(take) * (np.array(edit.by) @ axes)
    )


def facing(take: Take, when: float) -> Floats:
    """The level direction of travel, or where it stands still, the one that the body faces."""
    around = np.clip([when - 0.2, when + 0.2], 0, take.duration)
    middle = places(take, around).mean(1) * (1, 0, 1)
    travel = middle[1] - middle[0]
    if np.linalg.norm(travel) > 0.05 * tall(take):
        return travel / np.linalg.norm(travel)
    return faced(take.rig, places(take, around))


def places(take: Take, times: Floats) -> Floats:
    """(T, J, 3) m."""
    return forward(take.rig, values_at(take, times))[..., :3, 3]


def tall(take: Take) -> float:
    return float(np.ptp(places(take, np.zeros(1))[0, :, 1]))


def measured(edit: RigEdit, outcome: Outcome) -> dict[str, float]:
    """Millimetres, unless the name says otherwise."""
    before, after = outcome.takes
    height, drag = tall(before), outcome.drag
    count = round(before.duration * before.rate)
    times = np.arange(count + 1) / before.rate
    one, two = places(before, times), places(after, times)
    moved = np.linalg.norm(two - one, axis=-1)
    rig = before.rig
    place = trail(after, drag.point, [drag.time])
    missed = DragResidual.of(drag, place.position[0], matrix_from_quaternion(place.orientation[0]))
    change = np.linalg.norm(np.diff(two - one, axis=0), axis=-1)
    bends = np.linalg.norm(np.diff(two - one, 2, axis=0), axis=-1)
    length = [
        np.linalg.norm(each[:, 1:] - each[:, rig.parents[1:]], axis=-1) for each in (one, two)
    ]
    dragged = float(moved[:, rig.joint(edit.joint)].max())
    return {
        "missed": 1e3 * missed.size,
        "moved": 1e3 * dragged,
        "head % height": 100 * float(moved[:, rig.joint(edit.head)].max()) / height,
        "hips % height": 100 * float(moved[:, rig.joint(edit.hips)].max()) / height,
        "feet slide": 1e3 * slide(outcome, one, two, times),
        "change a frame": 1e3 * float(change.max()),
        "bend a frame": 1e3 * float(bends.max(initial=0.0)),
        "stretch %": 100
        * float((np.abs(length[1] - length[0]) / np.maximum(length[0], 0.02 * height)).max()),
        "release": 1e3 * outcome.released,
        "jump m/s before": jump(before),
        "jump m/s after": jump(after),
        "frames changed": float((moved.max(1) > 1e-3 * height).sum()),
        "keys before": key_times(before),
        "keys after": key_times(after),
    }


def slide(outcome: Outcome, one: Floats, two: Floats, times: Floats) -> float:
    """How far feet that stand before are moved while they stand, without the dragged leg, m."""
    take = outcome.takes[0]
    rig, held = take.rig, outcome.drag.point.joint
    worst = 0.0
    for contact in footplants(take):
        joint = rig.joint(contact.point.joint)
        if held in (rig.names[joint], rig.names[rig.parents[joint]]):
            continue
        stands = (times >= contact.start) & (times <= contact.end)
        if stands.any():
            off = np.linalg.norm(two[stands, joint] - one[stands, joint], axis=-1)
            worst = max(worst, float(off.max()))
    return worst


def key_times(take: Take) -> float:
    assert isinstance(take.base, Clip)
    return len(np.unique(np.concatenate([c.time for c in take.base.curves if c is not None])))


def jump(take: Take) -> float:
    """The largest jump of a joint's velocity at a key, m/s."""
    assert isinstance(take.base, Clip)
    times = np.unique(np.concatenate([c.time for c in take.base.curves if c is not None]))
    times = times[(times > 0.01) & (times < take.duration - 0.01)]
    if not len(times):
        return 0.0
    at = (times[:, None] + BESIDE * np.array([-2, -1, 1, 2])).ravel()
    place = places(take, at).reshape(len(times), 4, -1, 3)
    speed = (place[:, 1] - place[:, 0]) / BESIDE, (place[:, 3] - place[:, 2]) / BESIDE
    return float(np.linalg.norm(speed[1] - speed[0], axis=-1).max())


def drawn(edit: RigEdit, outcome: Outcome) -> None:
    """The strip of frames, and the curve of the dragged point."""
    take = outcome.takes[0]
    last = round(take.duration * take.rate)
    frames = [edit.frame + step * edit.every for step in range(-3, 4)]
    frames = [frame for frame in frames if 0 <= frame <= last]
    view = edit.view or view_direction(
        take.rig, forward(take.rig, values_at(take, np.array(frames) / take.rate))
    )
    rows = [[], []]
    for frame in frames:
        sides = [_figure(scene, frame / take.rate) for scene in (outcome.before, outcome.after)]
        camera = framed(points_to_frame(sides, []), np.asarray(view, float), SIZE)
        floor = floor_height([each.solid for each in sides], tall(take))
        for row, scene, side in zip(rows, (outcome.before, outcome.after), (sides), strict=True):
            marks = _marks(edit, outcome, scene, frame)
            image = render_image(
                camera,
                [side],
                [],
                frame / take.rate,
                floor,
                tall(take),
                overlay=overlay_of(marks),
            )
            row.append((image, f"{'before' if row is rows[0] else 'after'}, frame {frame:g}"))
    title = f"{edit.name}: {edit.joint}, {edit.tool}, {Path(edit.file).stem} {edit.clip}"
    OUT.mkdir(parents=True, exist_ok=True)
    strip([*rows[0], *rows[1]], OUT / f"{edit.name}.png", columns=len(frames), title=title)
    span = (max(frames[0], 0), min(frames[-1], last))
    shot = Shot(
        [outcome.drag.point], edit.frame, (frames[0], frames[-1]), span, view, (), (640, 560)
    )
    marks = tuple(
        _marks(edit, outcome, scene, edit.frame) for scene in (outcome.before, outcome.after)
    )
    compare(outcome.before, outcome.after, shot, OUT / f"{edit.name}_curve.png", marks=marks)


def _figure(scene: Scene, time: float) -> PlacedSolid:
    actor = scene.characters[0]
    values = values_at(actor.takes[0], np.array([time]))
    return PlacedSolid(figure(actor, values[0], forward(actor.rig, values)[0], Paint(actor.look)))


def _marks(edit: RigEdit, outcome: Outcome, scene: Scene, frame: float) -> list[Mark]:
    take = scene.characters[0].takes[0]
    when = frame / take.rate
    planted = footplants(outcome.takes[0])
    marks = [
        Mark("contact", trail(take, each.point, [when]).position[0])
        for each in planted
        if each.start <= when <= each.end
    ]
    if frame == edit.frame:
        place = trail(take, outcome.drag.point, [when]).position[0]
        marks.append(Mark("hand", place))
        if outcome.drag.position is not None:
            marks.append(Mark("wanted", outcome.drag.position))
    return marks


def main(names: Sequence[str]) -> int:
    for edit in EDITS:
        if names and edit.name not in names:
            continue
        outcome = made(edit)
        found = measured(edit, outcome)
        print(f"{edit.name}: {edit.tool}, {edit.joint} of {edit.file} {edit.clip}")
        print("  " + ", ".join(f"{name} {value:.3g}" for name, value in found.items()))
        for note in outcome.notes:
            print("  note:", note)
        drawn(edit, outcome)
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*(edit.name for edit in EDITS), []])
    sys.exit(main(parser.parse_args().names))
