"""Attacks: gesture files that ask for much."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from attack import Attack, Made
from file_attacks import attack


def gesture(**more: Any) -> Attack:
    def made(folder: Path) -> Made:
        point = {"joint": "LeftHand"}
        drag = {"point": point, "frame": 11, "by": [0.01, 0, 0], "steps": 1}
        document: dict[str, Any] = {"scene": "biped:point", "drags": [drag]}
        (folder / "doc.json").write_text(json.dumps(document | more))
        return "doc.json", [["replay", "FILE"]]

    return made


@attack
def gesture_pin_of_a_million_frames(folder: Path) -> Made:
    pin = {"point": {"joint": "Hips"}, "frames": [0, 1_000_001]}
    return gesture(pins=[pin])(folder)


@attack
def gesture_contact_of_a_million_frames(folder: Path) -> Made:
    feet = [
        {"point": {"joint": f"{side}Foot"}, "frames": [-1e6, 1e300]} for side in ("Left", "Right")
    ]
    return gesture(contacts=feet)(folder)


@attack
def gesture_of_a_million_steps(folder: Path) -> Made:
    drag = {"point": {"joint": "LeftHand"}, "frame": 11, "by": [0.01, 0, 0], "steps": 100_000}
    return gesture(drags=[drag] * 10)(folder)


@attack
def gesture_far_away_in_time(folder: Path) -> Made:
    drag = {"point": {"joint": "LeftHand"}, "frame": 1e300, "by": [0.01, 0, 0], "steps": 1}
    return gesture(drags=[drag])(folder)


@attack
def gesture_constraint_of_a_million_frames(folder: Path) -> Made:
    apart = {"kind": "apart", "point": {"joint": "LeftHand"}, "other": {"joint": "RightHand"}}
    apart |= {"frames": [0, 1_000_001], "size": 0.4}
    options = {"knot_spacing": 0.02}
    return gesture(tool="spacetime", constraints=[apart], options=options, drags=[])(folder)
