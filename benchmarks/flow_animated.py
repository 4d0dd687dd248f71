"""Flow over animated shots: stillness, smoothness, contacts, and what a moving camera sees.

Part of `make bench-flow`. Figures are of whole shots at 24 frames per second.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import arcwright
import flow_shots
from arcwright.flow_file import compose, flow_of
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.scene.shot import Shot
from arcwright.scene.target import Target
from arcwright.tools.flow.animated_flow import bare_actor
from arcwright.tools.flow.contacts import FLOOR, find_contacts
from arcwright.tools.flow.looking import look_at
from arcwright.tools.flow.model import moved_vertices
from arcwright.tools.flow.options import FlowOptions
from arcwright.tools.flow.preparation import shot_objects
from arcwright.tools.flow.session import FlowSession
from arcwright.tools.flow.shear import shears
from arcwright.tools.flow.shot_view import ShotView
from arcwright.tools.flow.space_lift import lifted_vertices
from arcwright.tools.gesture import Stroke
from data import DATA

RATE = 24
STROKES = Path(__file__).parent / "flow_strokes"


def places(actor, time):
    """Vertices of an actor at a time, in the world."""
    take = actor.takes[0] if actor.takes else None
    values = actor.rig.channels.default if take is None else values_at(take, np.array([time]))[0]
    posed = deform(actor, values, forward(actor.rig, values[None])[0])
    found = [each.positions for each in posed]
    return np.concatenate(found) if found else np.zeros((0, 3))


def strokes(points, **more):
    return {"points": np.asarray(points, float).tolist(), **more}


def wood(first, second, seconds):
    """The wood, with its strokes weaker and stronger; still objects."""
    given = json.loads((STROKES / "wood.json").read_text())["strokes"]
    start = [{**each, "strength": first} for each in given]
    end = [{**each, "strength": second} for each in given]
    return flow_shots.wood(), {"strokes": start, "keys": [{"time": seconds, "strokes": end}]}


def actor_in(path, take, camera, ground=True):
    """A scene of one character in motion."""
    scene = arcwright.read(DATA / "gltf" / path)
    one = scene.characters[0]
    one = replace(one, takes=(one.take(take) if take else one.takes[0],))
    props = ()
    if ground:
        sheet = flow_shots.sheet(20, 0.0, 1)
        props = (flow_shots.prop("ground", *sheet, flow_shots.paint(0.4, 0.42, 0.36)),)
    return replace(scene, characters=(one,), props=props, cameras=(Shot("shot", camera),))


def fox():
    """A fox that walks on the spot, led up by its tail and head at three keys."""
    camera = look_at([330, 90, 0], [0, 40, 0], fov=0.5)
    scene = actor_in("Fox.glb", "Walk", camera, ground=False)
    scene = replace(scene, characters=(grounded(scene.characters[0]),))
    low, high = seen(scene, 0.0)
    x = np.linspace(low[0], high[0], 30)
    share = np.linspace(-1, 1, 30)
    middle = (low[1] + high[1]) / 2 - 20

    def arc(rise):
        return strokes(np.stack([x, middle - rise * share**2], 1), range=200)

    length = scene.characters[0].takes[0].duration
    keys = [{"time": length * n / 2, "strokes": [arc(rise)]} for n, rise in ((1, 90), (2, 20))]
    return scene, {"strokes": [arc(20)], "keys": keys}


def grounded(actor):
    """The actor as it is: its file stands on height 0."""
    return actor


def trex():
    """A dinosaur that walks on the spot, its back first bowed down, then up."""
    camera = look_at([45, 8, -3], [0, 7, -3], fov=0.62)
    scene = actor_in("quaternius/Trex.glb", "TRex_Walk", camera, ground=False)
    length = scene.characters[0].takes[0].duration
    share = np.linspace(0, 1, 40)

    def back(lift):
        y = 300 - 40 * share - lift * (share - 0.5) ** 2
        return strokes(np.stack([200 + 820 * share, y], 1), range=250)

    return scene, {
        "strokes": [back(100)],
        "keys": [{"time": length, "strokes": [back(300)]}],
    }


def seen(scene, time):
    """The box of the first character in the picture."""
    view = ShotView(scene.cameras[0].camera)
    pixels = view.project(places(scene.characters[0], time))
    return pixels.min(0), pixels.max(0)


def shot_figures(name, scene, given) -> None:
    """Second difference of the displacement, contacts over all frames, flips at keys."""
    edit, report = compose(scene, flow_of(given))
    after = edit.apply(scene)
    flow = after.flow
    last = flow.all_keys[-1].shot.time
    times = np.arange(round(last * RATE) + 1) / RATE
    view = ShotView(flow.shot.camera)
    found = []
    for actor in after.actors:
        bare = bare_actor(actor)
        if bare is actor:
            continue
        shift = []
        for time in times:
            rest, bent = places(bare, time), places(actor, time)
            shift.append(view.project(bent) - view.project(rest))
        found.append(np.array(shift))
    moved = np.concatenate(found, axis=1)
    second = np.sqrt((np.diff(moved, 2, axis=0) ** 2).sum(-1))
    whole = np.sqrt(((moved[-1] - moved[0]) ** 2).sum(-1)).max()
    print(f"{name:8} {len(times):4} frames, {len(flow.all_keys)} keys, ", end="")
    print(f"largest movement between keys {whole:6.1f} px, ", end="")
    print(f"second difference p99 {np.percentile(second, 99):.3f}, max {second.max():.3f}", end="")
    print(f" px per frame^2; contacts {drift(scene, after, times):.3f} px, ", end="")
    print(f"flips {report['flips']}", flush=True)


def drift(scene, after, times) -> float:
    """How far the places move that touch at each frame, px: what the flow adds to the motion."""
    view = ShotView(after.flow.shot.camera)
    worst = 0.0
    for time in times[:: max(len(times) // 12, 1)]:
        objects = shot_objects(scene, time, "auto", view.camera.position)
        for a, b, points in find_contacts(objects):
            for index in {a, b} - {FLOOR}:
                item = objects[index]
                if item.ground:
                    continue
                shift = shift_of(scene, after, item, time, view)
                near = np.array([((item.positions - p) ** 2).sum(1).argmin() for p in points])
                reach = np.sqrt(((item.positions[near] - points) ** 2).sum(1))
                touching = near[reach < 0.02 * item.size]
                worst = max(worst, float(np.abs(shift[touching]).max(initial=0.0)))
    return worst


def shift_of(scene, after, item, time, view):
    """(V, 2) px by which flow moves the vertices of an object."""
    shift = np.zeros((len(item.positions), 2))
    for address, vertices, own in item.sources:
        one, other = (each.actors[address.actor] for each in (scene, after))
        counts = [len(p.attributes["POSITION"]) for s in one.shapes for p in s.parts]
        rows = [(s, p) for s, shape in enumerate(one.shapes) for p in range(len(shape.parts))]
        start = int(np.cumsum([0, *counts])[rows.index((address.shape, address.part))])
        before, now = places(one, time), places(other, time)
        shift[own] = (view.project(now) - view.project(before))[start + vertices]
    return shift


def stillness() -> None:
    """Constant flow: vertices of still objects between frames."""
    scene, given = wood(1.0, 1.0, 2.0)
    edit, _ = compose(scene, flow_of(given))
    after = edit.apply(scene)
    worst = 0.0
    for actor in after.actors:
        start = places(actor, 0.0)
        for time in (0.3, 1.1, 2.0):
            worst = max(worst, float(np.abs(places(actor, time) - start).max(initial=0.0)))
    print(f"constant flow, two keys: still vertices move {worst:.1e} m between frames", flush=True)


def lifts() -> None:
    """Shear in space and from a camera that moves, at kept distances and lifted."""
    print("scene     shear in space p95, worst object: kept distances, lifted; ", end="")
    print("picture differs px p95; lift s")
    for name in ("octopus", "cemetery", "wood", "cliff"):
        scene = getattr(flow_shots, name)()
        given = flow_of(json.loads((STROKES / f"{name}.json").read_text()))
        session = FlowSession(scene, Target(), FlowOptions(lift=True))
        for layer in given.layers:
            points = layer.points
            session.update(Stroke(scene.cameras[0].camera, points, np.linspace(0, 1, len(points))))
            scene = session.finish().apply(scene)
            session = FlowSession(scene, Target(), FlowOptions())
        prepared, bent = session.prepared, session.bent()
        flat = moved_vertices(prepared, bent)
        start = time_now()
        deep = lifted_vertices(prepared, bent)
        spent = time_now() - start
        view = prepared.view
        apart = np.concatenate(
            [
                np.abs(
                    view.project(prepared.objects[i].positions + flat[i])
                    - view.project(prepared.objects[i].positions + deep[i])
                ).max(1)
                for i in flat
            ]
        )
        worst = [max(shears(prepared, each).values()) for each in (flat, deep)]
        mean = [np.mean(list(shears(prepared, each).values())) for each in (flat, deep)]
        print(
            f"{name:9} {worst[0]:5.2f} {worst[1]:5.2f} (mean {mean[0]:.2f} {mean[1]:.2f})", end=""
        )
        print(f" {np.percentile(apart, 95):6.2f} px, {spent:.2f} s for {len(flat)}", flush=True)


def time_now() -> float:
    from time import thread_time

    return thread_time()


def figures() -> None:
    stillness()
    shot_figures("wood", *wood(0.0, 1.0, 4.0))
    shot_figures("fox", *fox())
    shot_figures("trex", *trex())
    lifts()


if __name__ == "__main__":
    sys.exit(figures())
