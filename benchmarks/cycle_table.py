"""The cycles of table 5.1: what each acted layer, its finished loop and each captured one came to.

Run `make bench-cycle-table`; names of rows choose some of them. A layer is found where it moves
something and says nothing of a missing loop. Its period is that of the result: of acted channels as
they are afterwards, whatever they did before; of a point's body by how its channels changed. Gaps
are those of joint positions at the seam of the finished take.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.replay import read_case, scene_of
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.cycle.extraction.closure import Closure, closure
from arcwright.tools.replay.outcome import key_count, limit_excess
from arcwright.tools.replay.replay import replay
from cycle_juggle_catches import palm_gaps
from cycle_layers import Layer, Row
from cycle_mocap import CAPTURED, HEAD, line, looped
from cycle_table_performances import FOLDER, ROWS, recorded

MOVES = 1e-4  # m or rad: what changes less is still
REPEATS = 0.05  # of a channel's spread: how well a shorter period must fit
NEAR = 1e-3  # of a frame: how near to the seam gaps are measured
BONE = 1e-3  # share of its length by which a bone may change unseen
DIVISORS = (6, 4, 3, 2, 1)  # loops of a layer that a take may hold


@dataclass(frozen=True, eq=False)
class Replayed:
    """A row after its performances were replayed."""

    row: Row
    scene: Scene
    ratios: list[float | None]  # period of each layer in periods of the row; None: no loop
    notes: list[str]
    seconds: float  # CPU

    @property
    def takes(self) -> list[Take]:
        """The loops of all actors that move."""
        return [actor.takes[0] for actor in self.scene.actors if actor.takes]


def main() -> None:
    """Print the table, then what tools had to say."""
    columns = ("layers", "found", "as acted", "frames", "keys", "keys/s", "jump")
    more = ("position", "velocity", "over, °", "acted s", "paper min", "CPU s")
    print(f"{'cycle':16}" + "".join(f"{each:>10}" for each in (*columns, *more)))
    done = []
    for row in ROWS:
        if not sys.argv[1:] or row.name in sys.argv[1:]:
            done.append(replayed(row))
            print(_line(done[-1]), flush=True)
    for each in done:
        for note in each.notes:
            print(f"{each.row.name}: {note}")
    captured = [row for row in CAPTURED if not sys.argv[1:] or row.name in sys.argv[1:]]
    if captured:
        print(f"\n{HEAD}")
    for own in captured:
        if own.path is None:
            print(f"{own.name}: no capture {own.capture}")
            continue
        loop = looped(own)
        print(line(loop, largest_jump(loop.take)), flush=True)


def replayed(row: Row) -> Replayed:
    """Replay the file of a row, layer by layer."""
    path = FOLDER / f"{row.name}.json"
    case = read_case(path)
    scene = scene_of(case, path)
    ratios: list[float | None] = []
    notes, seconds = [], 0.0
    for layer, gesture in zip(row.layers, case.gestures, strict=False):
        began = time.process_time()
        after, (outcome,) = replay(replace(case, gestures=(gesture,)), scene)
        seconds += time.process_time() - began
        ratios.append(period_ratio(row, layer, scene, after))
        notes += [f"{layer.name}: {text}" for text in outcome.notes]
        scene = after
    if shapes := case.gestures[len(row.layers) :]:
        began, acted = time.process_time(), scene
        scene, outcomes = replay(replace(case, gestures=shapes), acted)
        seconds += time.process_time() - began
        notes.append(f"held balls were up to {_gap(acted, acted)} from the palms")
        notes.append(f"after {len(shapes)} drags up to {_gap(scene, acted)}")
        notes += [f"shaped: {text}" for outcome in outcomes for text in outcome.notes]
    return Replayed(row, scene, ratios, notes, seconds)


def _gap(scene: Scene, acted: Scene) -> str:
    """How far held balls are from the palms: at most, and at the median frame."""
    gaps = 100 * palm_gaps(scene, acted)
    return f"{gaps.max():.1f} cm (median {np.median(gaps):.1f})"


def period_ratio(row: Row, layer: Layer, before: Scene, after: Scene) -> float | None:
    """The period of what a layer acted, in periods of the row; None where it changed nothing."""
    old, new = (scene.actor(layer.actor).takes for scene in (before, after))
    if not new:
        return None
    take = new[0]
    count = 12 * max(1, round(take.duration * take.rate))
    times = np.arange(count) * take.duration / count
    values = values_at(take, times)
    was = values_at(old[0], times % max(old[0].duration, 1e-9)) if old else 0.0
    changed = np.ptp(values - was, axis=0) > MOVES
    if not changed.any():
        return None
    if layer.channels:  # what was acted replaces what the channel did before
        acted = np.isin(take.rig.channel_names, [*layer.channels])
        moving = values[:, acted & changed]
    else:
        moving = (values - was)[:, changed]
    spread = np.sqrt(np.square(moving - moving.mean(axis=0)).sum(axis=1).mean())
    for parts in DIVISORS:
        apart = moving - np.roll(moving, count // parts, axis=0)
        if parts == 1 or np.sqrt(np.square(apart).sum(axis=1).mean()) <= REPEATS * spread:
            break
    return take.duration / parts * take.rate / row.frames


def _acted(layer: Layer) -> float:
    """The period of the loop that was acted, in periods of the row: a nod may come twice in it."""
    loop = np.stack([*layer.channels.values()] if layer.path is None else [*layer.path.T])
    half = loop.shape[1] // 2
    return layer.ratio * (0.5 if np.allclose(loop, np.roll(loop, half, axis=1)) else 1.0)


def take_closure(take: Take) -> Closure:
    """How well a looping take closes, by the positions of its joints."""
    frames = max(1, round(take.duration * take.rate))
    near = NEAR * np.arange(3) / frames
    phases = np.concatenate([near, 1 - near, np.arange(frames) / frames])
    places = _places(take, phases * take.duration)
    return closure(places[6:], places[:3], places[3:6], NEAR)


def _places(take: Take, times: Floats) -> Floats:
    return forward(take.rig, values_at(take, times))[..., :3, 3].reshape(len(times), -1)


def largest_jump(take: Take) -> float:
    """The largest step of a joint between frames, in medians of its own ten largest others.

    1 is an even movement; what jumps at one frame is far above.
    """
    frames = max(2, round(take.duration * take.rate))
    places = _places(take, np.arange(frames) * take.duration / frames).reshape(frames, -1, 3)
    steps = np.linalg.norm(np.roll(places, -1, axis=0) - places, axis=-1)  # (F, J)
    ranked = np.sort(steps, axis=0)[::-1]
    usual = np.median(ranked[1 : min(11, frames)], axis=0)
    moving = ranked[0] > MOVES
    return float((ranked[0] / np.maximum(usual, MOVES))[moving].max(initial=0.0))


def bone_change(take: Take) -> float:
    """The largest change of the distance of a joint from its parent that has no channel for it."""
    frames = max(2, round(take.duration * take.rate))
    places = _places(take, np.arange(frames) * take.duration / frames).reshape(frames, -1, 3)
    names = take.rig.channel_names
    worst = 0.0
    for joint, parent in enumerate(take.rig.parents):
        if parent < 0 or any(each.startswith(f"{take.rig.names[joint]}.trans") for each in names):
            continue
        length = np.linalg.norm(places[:, joint] - places[:, parent], axis=1)
        worst = max(worst, float(np.ptp(length) / max(length.mean(), 1e-9)))
    return worst


def _line(done: Replayed) -> str:
    row, takes = done.row, done.takes
    found = sum(each is not None for each in done.ratios)
    layers = zip(done.ratios, row.layers, strict=True)
    right = sum(each is not None and abs(each / _acted(own) - 1) < 0.1 for each, own in layers)
    gaps = [take_closure(take) for take in takes]
    length = takes[0].duration
    keys = sum(key_count(take) for take in takes)
    over = np.degrees(max(limit_excess(take) for take in takes))
    bones = max(bone_change(take) for take in takes)
    acted = sum(each.seconds for each in recorded(row))
    return (
        f"{row.name.replace('_', ' '):16}{len(row.layers):10}{found:10}{right:10}"
        f"{_frames(takes):>10}{keys:10}{keys / length:10.0f}{max(map(largest_jump, takes)):10.2f}"
        f"{max(each.position for each in gaps):10.0e}{max(each.velocity for each in gaps):10.0e}"
        f"{over:10.2f}{acted:10.1f}{row.paper.minutes or '-':>10}{done.seconds:10.1f}"
        + (f"   bones change by {bones:.1%}" if bones > BONE else "")
    )


def _frames(takes: Iterable[Take]) -> str:
    return "/".join(f"{each:g}" for each in sorted({round(t.duration * t.rate, 2) for t in takes}))


if __name__ == "__main__":
    main()
