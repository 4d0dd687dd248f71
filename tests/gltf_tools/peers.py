"""Runs the Khronos validator and three.js over files, and lines their nodes up with our joints."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from arcwright.scene.scene import Actor, Scene

TOOLS = Path(__file__).parent
needs_node = pytest.mark.skipif(
    shutil.which("node") is None or not (TOOLS / "node_modules").is_dir(),
    reason="node or its packages are missing: npm ci in tests/gltf_tools",
)


def validated(files: Iterable[Path]) -> dict[str, Any]:
    """What the Khronos validator says of each file."""
    told = _node("validate.mjs", "\n".join(str(file) for file in files))
    return dict(told)


def quarter_frames(duration: float, rate: float) -> list[float]:
    """Times every quarter of a frame, and the end."""
    count = int(duration * rate * 4 + 1e-9) + 1
    return sorted({*(n / rate / 4 for n in range(count)), duration})


def clip_times(scene: Scene) -> dict[str, list[float]]:
    """Quarter-frame times of every clip by name."""
    return {
        take.name: quarter_frames(take.duration, take.rate)
        for actor in (*scene.characters, *scene.props)
        for take in actor.takes
    }


def three_worlds(file: Path, clips: dict[str, list[float]]) -> tuple[dict[str, Any], Any]:
    """What three.js loads, and its world matrices: "" is the pose without animation."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "worlds.bin"
        job = {"file": str(file.resolve()), "out": str(out), "clips": clips}
        told = _node("three_worlds.mjs", json.dumps(job))
        rows = np.fromfile(out).reshape(-1, told["count"], 4, 4)
    worlds, at = {"": rows[:1]}, 1
    for name in told["clips"]:
        worlds[name] = rows[at : at + len(clips[name])]
        at += len(clips[name])
    return told, worlds


def our_worlds(actor: Actor, clips: dict[str, list[float]]) -> dict[str, Any]:
    """World matrices of an actor's joints, in the same form."""
    still = actor.rig.channels.default[None]
    worlds = {"": forward(actor.rig, still)}
    for take in actor.takes:
        values = sample(take, np.array(clips[take.name])).values
        worlds[take.name] = forward(actor.rig, values)
    return worlds


def joints_of_nodes(scene: Scene, told: dict[str, Any]) -> list[tuple[Actor, list[int], list[int]]]:
    """For each actor the joints and nodes that are the same thing, by the order of the trees."""
    waiting = [_Trees(actor) for actor in (*scene.characters, *scene.props)]
    for tree in told["roots"]:
        name, size = told["names"][tree[0]] or f"node_{tree[0]}", len(tree)
        taker = next(each for each in waiting if each.takes(name, size))
        taker.joints += range(len(taker.joints), len(taker.joints) + size)
        taker.nodes += tree
    return [(each.actor, each.joints, each.nodes) for each in waiting]


class _Trees:
    """How far an actor's joints have been matched with nodes."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor
        self.joints: list[int] = []
        self.nodes: list[int] = []

    def takes(self, name: str, size: int) -> bool:
        rig, first = self.actor.rig, len(self.joints)
        if first + size > len(rig.names) or not rig.names[first].startswith(name):
            return False
        inner = rig.parents[first + 1 : first + size]
        last = first + size == len(rig.names) or rig.parents[first + size] < 0
        return bool(rig.parents[first] < 0 and (inner >= 0).all() and last)


def _node(script: str, given: str) -> dict[str, Any]:
    ran = subprocess.run(
        ["node", script], cwd=TOOLS, input=given, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    told: dict[str, Any] = json.loads(ran.stdout)
    return told
