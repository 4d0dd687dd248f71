"""Applying: constraints met without a drag, as a window asks for it, and what is said of it."""

from __future__ import annotations

from arcwright.errors import ArcwrightError
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.jobs import Progress
from arcwright.server.told import note
from arcwright.tools.catalogue import tool
from arcwright.tools.hold import held_take
from arcwright.tools.options import options_from
from arcwright.tools.spacetime.solve_constraints import LABEL as LABEL
from arcwright.tools.tool import Applied, Target, Unchanged

WISHED = "constraints", "pins", "contacts", "props"  # of a scene: what an answer depends on

WHY: dict[Unchanged, str] = {
    "nothing wished": "nothing is wished of this motion in these frames",
    "all holds": "all that is wished of this motion in these frames holds already",
    "no gain": "the motion comes no nearer to what is wished than it is",
}


def applied(
    scene: Scene, change: m.SolveConstraints, progress: Progress = lambda _: None
) -> Applied:
    """What the whole-motion tool makes of the scene's wishes."""
    chosen = tool("spacetime")
    options = options_from(chosen.Options, change.options)
    target = Target(change.character, change.take)
    found: Applied = chosen.applied(scene, target, options, (), progress)
    return found


def same_wishes(before: Scene, now: Scene, change: m.SolveConstraints) -> bool:
    """Whether the motion, what is wished of it and what it is held against are as they were."""
    if any(getattr(before, each) != getattr(now, each) for each in WISHED):
        return False
    target = Target(change.character, change.take)
    held = [each.relative_to.character for each in before.contacts if each.relative_to]
    try:
        was, found = held_take(before, target), held_take(now, target)
        against = [(before.actor(each), now.actor(each)) for each in held]
    except ArcwrightError:  # one of them is gone
        return False
    if was[0].rig is not found[0].rig or was[1:] != found[1:]:
        return False
    return all(a is b for a, b in against if a is not was[0])


def report(done: Applied) -> m.Report:
    """How it went: done, or why nothing was."""
    notes = [note(each) for each in done.notes]
    if done.unchanged is None:
        text = "Applied to the motion" + (", as far as it goes." if notes else ".")
    else:
        text = f"Nothing was changed: {WHY[done.unchanged]}."
    return m.Report(text=text, notes=notes)
