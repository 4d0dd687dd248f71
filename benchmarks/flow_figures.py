"""Flow curves: shape, contacts, curves against marks, time and effort (`make bench-flow`).

CPU time of one thread. Pictures go to docs/report/pictures with `--pictures`.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

import flow_shots
from arcwright.flow_file import compose, flow_of
from arcwright.kinematics.skinning import deform
from arcwright.picture import png
from arcwright.picture.still import still
from arcwright.scene.shot import Shot
from arcwright.scene.target import Target
from arcwright.tools.flow import preparation
from arcwright.tools.flow.contour import abstract_contour, edge_pixels
from arcwright.tools.flow.hermite import resampled, tangents
from arcwright.tools.flow.looking import look_at
from arcwright.tools.flow.options import FlowOptions
from arcwright.tools.flow.preparation import prepare_shot
from arcwright.tools.flow.session import FlowSession
from arcwright.tools.flow.shot_view import ShotView
from arcwright.tools.flow.subjective_curves import middle_line
from arcwright.tools.gesture import Stroke, chunks
from flow_paper_contour import paper_contour

HERE = Path(__file__).parent
PICTURES = HERE.parent / "docs" / "report" / "pictures"
CLICKS = {
    "fountain": "10-12",
    "octopus": "12-13",
    "cliff": "19-21",
    "village": "13-19",
    "wood": "6",
}


def strokes_of(name):
    return flow_of(json.loads((HERE / "flow_strokes" / f"{name}.json").read_text()))


def shape(draw: bool) -> None:
    """Angle removed over matched pieces, distance, drift, flips, distortion, clicks."""
    print("scene      whole/all pieces  angle removed: all, whole  contact px  free px", end="")
    print("  drift px  of size  flips  p95  strokes  clicks of table 3.1")
    for case in flow_shots.CASES:
        scene, file = case.build(), strokes_of(case.name)
        edit, report = compose(scene, file)
        pieces, objects = report["pieces"], report["objects"]
        full = [each for each in pieces if each["share"] > 0.999]
        away = [each["distance_after_px"] for each in full if not each["free"]]
        free = [each["distance_after_px"] for each in full if each["free"]]
        drift = max(each["contact_drift_share"] for each in objects)
        print(f"{case.name:10} {len(full):7}/{len(pieces):<10}", end="")
        print(f" {removed(pieces):16.1%} {removed(full):8.1%}", end="")
        print(f" {max(away, default=0):10.3f} {max(free, default=0):8.3f}", end="")
        print(f" {report['contact_drift_px']:9.3f} {drift:8.1e} {report['flips']:5}", end="")
        print(f" {max(each['distortion_p95'] for each in objects):5.2f}", end="")
        print(f" {len(file.layers):7} {CLICKS.get(case.name, '-'):>8}", flush=True)
        if draw:
            picture(case.name, scene, edit.apply(scene), file)


def removed(pieces) -> float:
    """How much of the mean angle is gone."""
    before = np.mean([each["angle_before_deg"] for each in pieces])
    return float(1 - np.mean([each["angle_after_deg"] for each in pieces]) / before)


def draw_line(image, points) -> None:
    """Draw a stroke, px, into a picture (H, W, 3)."""
    height, width = image.shape[:2]
    line = resampled(points, 1500).round().astype(int)
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            column = np.clip(line[:, 0] + x, 0, width - 1)
            image[np.clip(line[:, 1] + y, 0, height - 1), column] = (205, 85, 225)


def picture(name, scene, after, file) -> None:
    """Before with the strokes, and after, beside each other at half size."""
    camera = scene.cameras[0].camera
    images = [still(each, camera=camera) for each in (scene, after)]
    for layer in file.layers:
        draw_line(images[0], layer.points)
    png.write(
        np.concatenate([each[::2, ::2] for each in images], axis=1), PICTURES / f"flow_{name}.png"
    )


def identity() -> None:
    """A stroke at strength 0, and a layer removed again."""
    scene = flow_shots.cemetery()
    file = strokes_of("cemetery")
    session = FlowSession(scene, Target(), FlowOptions(strength=0.0))
    camera = scene.cameras[0].camera
    session.update(
        Stroke(camera, file.layers[0].points, np.linspace(0, 1, len(file.layers[0].points)))
    )
    bent = session.bent()
    worst = max(
        (np.abs(s - session.prepared.grids[i].rest).max() for i, s in bent.states.items()),
        default=0.0,
    )
    print(f"zero edit: largest movement {worst:.1e} px, edit empty: {session.finish().empty}")


def centre() -> None:
    """Angles between the ends of led curves and the centre, and how many are led."""
    for name, at, reach in (
        ("fountain", (640, 150), 60),
        ("fountain", (640, 150), 300),
        ("octopus", (640, 140), 100),
        ("cemetery", (640, 100), 150),
    ):
        scene = getattr(flow_shots, name)()
        turn = np.linspace(0, 2 * np.pi, 24)
        circle = np.array(at) + 25 * np.stack([np.cos(turn), np.sin(turn)], 1)
        session = FlowSession(scene, Target(), FlowOptions(use="centre", range=float(reach)))
        session.update(Stroke(scene.cameras[0].camera, circle, turn))
        bent = session.bent()
        ends = [end_angle(each.after, np.array(at)) for each in bent.matched if each.share > 0.999]
        stopped = sum(each.share <= 0.999 for each in bent.matched)
        print(f"centre {name:9} d_Max {reach:3}: {len(bent.flow)} flow curves, ", end="")
        print(f"{len(ends)} objects led, end angle median {np.median(ends or [0]):.2f}, ", end="")
        print(f"max {max(ends, default=0):.2f} deg; {stopped} stopped by the budget", flush=True)


def end_angle(line, at) -> float:
    angles = []
    for each in (line, line[::-1]):
        way, goal = tangents(each)[-1], at - each[-1]
        angles.append(np.degrees(np.arccos(np.clip(way @ goal / np.linalg.norm(goal), -1, 1))))
    return float(min(angles))


def chamfer(one, other) -> float:
    away = np.sqrt(((one[:, None] - other) ** 2).sum(-1))
    return float((away.min(0).mean() + away.min(1).mean()) / 2)


def marks() -> None:
    """Chamfer distances to curves marked by hand, beside those between the two markers."""
    scene = flow_shots.marked()
    prepared = prepare_shot(scene, scene.cameras[0])
    given = json.loads((HERE / "flow_marks.json").read_text())
    print("object    curve      markers  one marker twice  ours", end="")
    print("   noise  half res   paper  (Chamfer, px)")
    for name, kinds in given.items():
        pixels = prepared.masks[prepared.index_of(name)].pixels
        for kind, marked in kinds.items():
            closed = kind == "contour"
            first = [line_of(each, closed) for each in marked["first"]]
            second = line_of(marked["second"], closed)
            everyone = [*first, second]
            find = abstract_contour if closed else middle_line
            own = resampled(find(pixels), 300, closed=closed)
            paper = ""
            if closed:
                edge = edge_pixels(pixels, pixels.min(0), pixels.max(0))
                theirs = resampled(paper_contour(edge)[0], 300, closed=True)
                paper = f"{np.mean([chamfer(theirs, each) for each in everyone]):6.2f}"
            noisy = resampled(find(shaken(pixels)), 300, closed=closed)
            coarse = resampled(2 * find(halved(pixels)), 300, closed=closed)
            print(
                f"{name:9} {kind:9} {np.mean([chamfer(each, second) for each in first]):8.2f}"
                f" {chamfer(*first):12.2f} {np.mean([chamfer(own, e) for e in everyone]):9.2f}"
                f" {chamfer(noisy, own):6.2f} {chamfer(coarse, own):8.2f}   {paper}",
                flush=True,
            )


def line_of(points, closed):
    """A marking as 300 points."""
    return resampled(np.array(points, float), 300, closed=closed)


def shaken(pixels):
    """Pixels moved by up to one."""
    random = np.random.default_rng(1)
    return np.unique(np.floor(pixels + random.uniform(-1, 1, pixels.shape)), axis=0) + 0.5


def halved(pixels):
    """The mask at half the resolution."""
    return np.unique(np.floor(pixels / 2), axis=0) + 0.5


def crowd(count: int, rings: int):
    """Poles of many vertices on the ground, in rows."""
    props = [
        flow_shots.prop("ground", *flow_shots.sheet(14, 0.0, 1), flow_shots.paint(0.4, 0.4, 0.4))
    ]
    across = int(np.ceil(np.sqrt(2 * count)))
    for number in range(count):
        x, z = 10 * (number % across) / across - 5, -1.5 * (number // across)
        line = np.stack([np.full(rings, x), np.linspace(0, 2.2, rings), np.full(rings, z)], 1)
        props.append(
            flow_shots.prop(
                f"pole {number + 1}",
                *flow_shots.swept(line, 0.1, 20),
                flow_shots.paint(0.5, 0.4, 0.3),
            )
        )
    return flow_shots.shot("crowd", props, look_at([0, 2.4, 9], [0, 1.2, 0], fov=0.62))


def clocked(action):
    start = time.thread_time()
    result = action()
    return result, time.thread_time() - start


def times() -> None:
    """Curves, contacts, grids and moves; growth with objects and vertices."""
    print("objects  vertices  curves s  contacts s  grids s  again ms  other camera s", end="")
    print("  matched  move ms p50    p95")
    for count, rings in ((10, 200), (50, 50), (50, 200), (100, 200), (50, 1000)):
        _times_of(count, rings)


def _times_of(count: int, rings: int) -> None:
    scene = crowd(count, rings)
    shot = scene.cameras[0]
    kept, preparation.find_contacts = preparation.find_contacts, lambda _: ()
    prepared, curves = clocked(lambda: prepare_shot(scene, shot))
    preparation.find_contacts = kept
    found, contacts = clocked(lambda: kept(prepared.objects))
    assert len(found) >= count
    preparation._remembered.clear()
    preparation._touching.clear()
    ready = prepare_shot(scene, shot)
    _, grids = clocked(ready.ready)
    _, again = clocked(lambda: prepare_shot(scene, shot).ready())
    other = Shot("b", look_at([0.3, 2.4, 9], [0, 1.2, 0], fov=0.62))
    _, moved = clocked(lambda: prepare_shot(scene, other))
    vertices = sum(len(each.positions) for each in ready.objects)
    matched, spent = moves(scene, shot)
    print(
        f"{count:7} {vertices:9} {curves:9.2f} {contacts:11.2f} {grids:8.2f} {1e3 * again:9.1f}"
        f" {moved:15.2f} {matched:8} {np.median(spent):12.1f} {np.percentile(spent, 95):6.1f}",
        flush=True,
    )


def moves(scene, shot):
    """A stroke over about ten poles of the front row, chunk by chunk."""
    session = FlowSession(scene, Target(), FlowOptions(range=50.0))
    places = np.stack(
        [np.linspace(0, 0.9, 60) ** 2 * 1.2, np.linspace(0, 2.2, 60), np.zeros(60)], 1
    )
    points = ShotView(shot.camera).project(places)
    spent = []
    for part in chunks(Stroke(shot.camera, points, np.linspace(0, 1, 60)), 2):
        _, took = clocked(lambda part=part: session.update(part))
        spent.append(1e3 * took)
    return len(session.bent().matched), spent[1:]


def paper_times() -> None:
    """The contour of one object, ours and by CMA-ES."""
    prepared = prepare_shot(flow_shots.cliff(), flow_shots.cliff().cameras[0])
    pixels = prepared.masks[prepared.index_of("tree 2")].pixels
    edge = edge_pixels(pixels, pixels.min(0), pixels.max(0))
    _, ours = clocked(lambda: [abstract_contour(pixels) for _ in range(10)])
    (_, count), theirs = clocked(lambda: paper_contour(edge))
    print(f"contour of a tree: ours {100 * ours:.1f} ms, CMA-ES {1e3 * theirs:.0f} ms", end="")
    print(f" ({count} energies), {10 * theirs / ours:.0f} times", flush=True)


def depths() -> None:
    """Distances from the camera before and after."""
    scene = flow_shots.cemetery()
    edit, _ = compose(scene, strokes_of("cemetery"))
    eye, worst = scene.cameras[0].camera.position, 0.0
    for before, after in zip(scene.actors, edit.apply(scene).actors, strict=True):
        values, world = before.rig.channels.default, np.eye(4)[None]
        pairs = zip(deform(before, values, world), deform(after, values, world), strict=True)
        for one, other in pairs:
            away = [np.linalg.norm(each.positions - eye, axis=1) for each in (one, other)]
            worst = max(worst, float(np.abs(away[0] - away[1]).max()))
    print(f"depth kept within {1e3 * worst:.4f} mm")


if __name__ == "__main__":
    shape("--pictures" in sys.argv)
    identity()
    depths()
    centre()
    marks()
    paper_times()
    times()
