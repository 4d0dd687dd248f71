"""CPU time of activity edits: begin, moves of a drag, release; takes of the examples and longer.

    python benchmarks/activity_times.py [--moves N] [--profile]

Longer takes are captures repeated. Beside it the published way, with and without decimated
trajectories.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
from dataclasses import replace
from time import thread_time

import one_thread  # noqa: F401

# isort: split
import numpy as np

from activity_published import EVERY, prepared_of, skeleton_of, solve
from activity_sampled import Sampled, examples
from arcwright.arrays import Floats
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.placement import Displacement, ElementEdits
from arcwright.tools.activity.session import ActivitySession
from arcwright.tools.activity.tool import ActivityTool
from arcwright.tools.gesture import Drag, ToolHandle

FAR = np.array([0.12, 0.03, 0.08])  # m, where a drag ends
EDITS = {
    "point right": ("right hand", "point"),
    "tea": ("cup", "pour"),
    "lamp follows hand": ("right hand", "lift"),
    "captured point": ("left hand", "point"),
    "captured drink": ("glass", "drink"),
    "captured pick up": ("box", "pick up"),
    "captured mug": ("mug", "drink"),
}


def repeated(scene: Scene, times: int) -> Scene:
    """The scene with its takes played so many times, there and back; events stay in the first."""
    person = scene.characters[0]
    props = tuple(
        each if not each.takes else replace(each, takes=(_longer(each, times),))
        for each in scene.props
    )
    longer = replace(person, takes=(_longer(person, times),))
    return replace(scene, characters=(longer,), props=props)


def _longer(actor: Actor, count: int) -> Take:
    base = actor.takes[0].base
    assert isinstance(base, Motion)
    values = base.values
    parts = [values if at % 2 == 0 else values[::-1] for at in range(count)]
    longer = np.arange(count * len(values)) / base.rate
    return Take(actor.rig, Motion(base.name, longer, np.concatenate(parts), base.rate))


def begin(scene: Scene, name: str) -> ActivitySession:
    """A new session."""
    session = ActivityTool().begin(scene, Target(activity=name), ActivityOptions())
    assert isinstance(session, ActivitySession)
    return session


def drag(session: ActivitySession, sampled: Sampled, what: tuple[str, str], by: Floats) -> None:
    """One move, with everything that the studio reads of its preview."""
    element, event = what
    at = next(n for n, each in enumerate(sampled.activity.events) if each.name == event)
    frame = sampled.frames[at]
    start = sampled.elements[element][frame, :3, 3]
    handle = ToolHandle(f"{element} at frame {frame}")
    preview = session.update(Drag(handle, frame / sampled.rate, start + by))
    assert preview.poses


def timed(scene: Scene, name: str, what: tuple[str, str], moves: int) -> str:
    """CPU ms of begin, of moves, and of the release."""
    sampled = Sampled.of(scene, name)
    begins = []
    for _ in range(3):
        started = thread_time()
        session = begin(scene, name)
        begins.append(thread_time() - started)
    spent = []
    for share in np.linspace(0, 1, moves + 1)[1:]:
        started = thread_time()
        drag(session, sampled, what, share * FAR)
        spent.append(thread_time() - started)
    started = thread_time()
    session.finish()
    session.notes()
    release = thread_time() - started
    p50, p95 = np.percentile(spent[1:], [50, 95]) * 1e3
    return (
        f"{len(sampled.times):6} {1e3 * min(begins):7.0f} {1e3 * spent[0]:7.1f} {p50:7.1f} "
        f"{p95:7.1f} {1e3 * release:8.0f}"
    )


def published(scene: Scene, name: str, what: tuple[str, str]) -> str:
    """CPU ms of an edit in the published way: all frames, and decimated trajectories."""
    sampled = Sampled.of(scene, name)
    prepared = prepared_of(sampled)
    skeleton_of(prepared)
    at = next(n for n, each in enumerate(sampled.activity.events) if each.name == what[1])
    edits = ElementEdits({(at, what[0]): Displacement(FAR)})
    found = []
    for every in (1, EVERY):
        runs = []
        for _ in range(5):
            started = thread_time()
            solve(prepared, edits, every)
            runs.append(thread_time() - started)
        found.append(1e3 * min(runs))
    return f"{found[0]:8.1f} {found[1]:8.1f}"


def profiled(moves: int) -> None:
    """Where the time of the moves of tea goes."""
    scene, name = examples()["tea"]
    sampled, session = Sampled.of(scene, name), begin(scene, name)
    drag(session, sampled, EDITS["tea"], 0.1 * FAR)
    profile = cProfile.Profile()
    profile.enable()
    for share in np.linspace(0.1, 1, moves):
        drag(session, sampled, EDITS["tea"], share * FAR)
    profile.disable()
    pstats.Stats(profile).sort_stats("cumulative").print_stats(45)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    if given.profile:
        profiled(given.moves)
        return
    print(f"CPU ms; load {os.getloadavg()[0]:.1f}")
    print(
        f"{'scene':26} {'frames':>6} {'begin':>7} {'first':>7} {'p50':>7} {'p95':>7} "
        f"{'release':>8} {'published':>9} {'decimated':>9}"
    )
    known = examples()
    for label, what in EDITS.items():
        if label in known:
            row = f"{label:26} {timed(*known[label], what, given.moves)}"
            print(f"{row}  {published(*known[label], what)}", flush=True)
    for label, times in (("captured point", 2), ("captured pick up", 2), ("captured point", 5)):
        if label in known:
            row = timed(repeated(known[label][0], times), "", EDITS[label], given.moves)
            print(f"{label + f', {times} times':26} {row}", flush=True)


if __name__ == "__main__":
    main()
