"""Walks, drags of whole motions, and constraints that are met without one."""

from dataclasses import replace

import numpy as np

from arcwright import read
from arcwright.kinematics.sample import sample
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.solve_constraints import solve_constraints
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from chains import place, take_of

TOE = Point("RightToes")
TOES = [Point(f"{side}Toes") for side in ("Left", "Right")]
LEFT, RIGHT = Point("LeftHand"), Point("RightHand")


def sampled(scene):
    """The same scene with samples in place of keys."""
    actor, take = scene.characters[0], take_of(scene)
    motion = replace(sample(take, take.frame_times()), name=take.name)
    return replace(scene, characters=(replace(actor, takes=(Take(actor.rig, motion),)),))


def walking():
    """Two steps that do not loop, so that their ends are free."""
    scene = replace(read("biped:walk"), constraints=())
    actor, take = scene.characters[0], take_of(scene)
    once = replace(take, base=replace(take.base, loops=False))
    return replace(scene, characters=(replace(actor, takes=(once,)),))


def dragged(scene, point, time, by, more=(), moves=5, **options):
    """The scene after a drag, and its last preview."""
    session = SpacetimeTool().begin(scene, Target(), SpacetimeOptions(**options), more)
    start = place(scene, point, time)[0]
    for share in np.linspace(1 / moves, 1, moves):
        preview = session.update(Drag(point, time, position=start + share * np.asarray(by)))
    return session.finish().apply(scene), preview


def met(scene, *constraints, **options):
    """The scene after its constraints are met, and what came of it."""
    scene = replace(scene, constraints=constraints)
    done = solve_constraints(scene, Target(), SpacetimeOptions(**options))
    return done.edit.apply(scene), done


def long_walk():
    """Twenty seconds of one step after the other, as samples."""
    scene = sampled(walking())
    actor = scene.characters[0]
    base = actor.takes[0].base
    values = np.tile(base.values[:-1], (20, 1))
    steps = replace(base, time=np.arange(len(values)) / base.rate, values=values)
    return replace(
        scene, characters=(replace(actor, takes=(replace(actor.takes[0], base=steps),)),)
    )
