"""The recorded gestures of tests/gestures, each with the scene that it starts from."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

import arcwright
from arcwright.curves.keys import with_auto_handles
from arcwright.scene.curve import Handle
from arcwright.tools.case import case_of
from arcwright.tools.replay import replay

GESTURES = Path(__file__).parent / "gestures"
FILES = sorted(path.relative_to(GESTURES).as_posix() for path in GESTURES.glob("*/*.json"))


@cache
def case_in(name):
    """The case of `tangent/spider_walk.json`."""
    return case_of(json.loads((GESTURES / name).read_text(encoding="utf-8")))


@cache
def starting_scene(name):
    """What a gesture file begins with: its scene, or for the walk plain handles."""
    if name == "tangent/walk_contacts.json":
        first = "tangent/walk_land.json"
        return replay(case_in(first), starting_scene(first))[0]
    scene = arcwright.read(case_in(name).scene)
    return plain(scene) if name == "tangent/walk_land.json" else scene


def plain(scene):
    """The first character's first clip with default handles; contacts are left out."""
    actor = scene.characters[0]
    take = actor.takes[0]
    curves = tuple(curve and _plain_curve(curve) for curve in take.base.curves)
    taken = replace(take, base=replace(take.base, curves=curves))
    return replace(scene, characters=(replace(actor, takes=(taken,)),), contacts=())


def _plain_curve(curve):
    automatic = np.full_like(curve.handles, Handle.AUTO_CLAMPED)
    return with_auto_handles(replace(curve, handles=automatic))
