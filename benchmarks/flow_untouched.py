"""Shots of files and characters that the tool was not built with; strokes drawn once, kept.

Part of `make bench-flow`. Each stroke was chosen by looking at the plain picture, and never
changed after the first result.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

import arcwright
import flow_shots
from arcwright.flow_file import flow_of
from arcwright.scene.shot import Shot
from arcwright.tools.flow.hermite import resampled
from arcwright.tools.flow.looking import look_at
from data import DATA

SCENES, CHARACTERS = DATA / "scenes", DATA / "gltf"
FURNITURE = SCENES / "kaykit-furniture"


def side_of(scene, turn=0.0, room=1.35):
    """A camera that sees all of a scene but its ground, from a side."""
    every = np.concatenate(
        [flow_shots.posed(each, 0.0) for each in scene.actors if each.name != "ground"]
    )
    middle, size = (every.min(0) + every.max(0)) / 2, np.ptp(every, axis=0)
    far = room * max(size[1] / 0.6, np.hypot(size[0], size[2]) / 1.1)
    eye = middle + far * np.array([np.sin(turn), 0.12, np.cos(turn)])
    return look_at(eye, middle, fov=0.6)


def character(name, path, take, time, turn, ground=True):
    """A character at a moment of a take."""
    scene = arcwright.read(CHARACTERS / path)
    one = scene.characters[0]
    one = replace(one, takes=(one.take(take) if take else one.takes[0],))
    alone = replace(scene, name=name, characters=(one,), props=())
    sheet = flow_shots.sheet(60, 0.0, 1)
    floor = flow_shots.prop("ground", *sheet, flow_shots.paint(0.4, 0.42, 0.36))
    shot = Shot(name, side_of(alone, turn), time)
    return replace(alone, props=(floor,) if ground else (), cameras=(shot,))


def row(name, folder, files, gap, turns=0.3):
    """Things in a row on ground."""
    props = [
        flow_shots.prop("ground", *flow_shots.sheet(30, 0.0, 1), flow_shots.paint(0.4, 0.4, 0.38))
    ]
    for number, file in enumerate(files):
        at = [gap * (number - (len(files) - 1) / 2), 0, 0.8 * gap * (number % 2) - 0.4 * gap]
        props.append(
            flow_shots.placed(f"{file} {number}", folder / f"{file}.gltf", at, 1.0, turns * number)
        )
    scene = flow_shots.shot(name, props, look_at([0, 2, 10], [0, 1, 0]))
    return replace(scene, cameras=(Shot(name, side_of(scene, 0.0, 1.1)),))


def room():
    return row(
        "room",
        FURNITURE,
        [
            "cactus_medium_B",
            "lamp_standing",
            "chair_A",
            "shelf_A_big",
            "cactus_medium_A",
            "armchair",
            "lamp_table",
        ],
        1.6,
    )


def gate():
    return row(
        "gate",
        SCENES / "kaykit-halloween",
        ["lantern_standing", "fence_seperate", "arch_gate", "fence_broken", "post_skull", "crypt"],
        3.4,
        0.1,
    )


def wolf():
    return character("wolf", "quaternius/Wolf.glb", "Gallop", 0.2, np.pi / 2)


def spider():
    return character("spider", "quaternius/Spider.glb", "Spider_Walk", 0.2, 0.5)


def wasp():
    return character("wasp", "quaternius/Wasp.glb", "Wasp_Flying", 0.1, np.pi / 2, ground=False)


def fish():
    return character(
        "fish", "quaternius/Clownfish.glb", "Swimming_Normal", 0.2, np.pi / 2, ground=False
    )


def knight():
    return character("knight", "kaykit/Knight.glb", "", 0.3, 0.4)


SHOTS = room, gate, wolf, spider, wasp, fish, knight


def strokes_of(name):
    """The strokes of a shot, as fine as a mouse draws them."""
    given = json.loads((Path(__file__).parent / "flow_strokes" / "untouched.json").read_text())
    layers = flow_of(given[name]).layers
    return [resampled(each.points, 60) for each in layers]
