"""Applying: constraints met without a drag, as a window asks for it, and what is said of it."""

from __future__ import annotations

from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.jobs import Progress
from arcwright.server.options import read_options
from arcwright.server.told import note
from arcwright.tools.catalogue import tool
from arcwright.tools.spacetime.apply import LABEL as LABEL
from arcwright.tools.tool import Applied, Target


def applied(
    scene: Scene, change: m.ApplyConstraints, progress: Progress = lambda _: None
) -> Applied:
    """What the whole-motion tool makes of the scene's wishes."""
    chosen = tool("spacetime")
    options = read_options(chosen.Options, change.options)
    target = Target(change.character, change.take)
    found: Applied = chosen.applied(scene, target, options, (), progress)
    return found


def report(done: Applied) -> m.Report:
    """How it went: done, nothing to do, or nothing to gain."""
    notes = [note(each) for each in done.notes]
    if not done.edit.empty:
        text = "Applied to the motion" + (", as far as it goes." if notes else ".")
    elif notes:
        text = "Nothing was changed: the motion comes no nearer than it is."
    else:
        text = "Nothing was changed: all that is wished of this motion holds already."
    return m.Report(text=text, notes=notes)
