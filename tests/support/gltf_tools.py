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

TOOLS = Path(__file__).parents[1] / "gltf_tools"
needs_node = pytest.mark.skipif(
    shutil.which("node") is None or not (TOOLS / "node_modules").is_dir(),
    reason="node or its packages are missing: npm ci in tests/gltf_tools",
)


def validated(files: Iterable[Path]) -> dict[str, Any]:
    """What the Khronos validator says of each file."""
    report = _node("validate.mjs", "\n".join(str(file) for file in files))
    return dict(report)


def quarter_frames(duration: float, rate: float) -> list[float]:
    """Times every quarter of a frame, and the end."""
    count = int(duration * rate * 4 + 1e-9) + 1
    return sorted({*(n / rate / 4 for n in range(count)), duration})


def clip_times(scene: Scene) -> dict[str, list[float]]:
    """Quarter-frame times of every clip by name."""
    return {
        take.name: quarter_frames(take.duration, take.rate)
        for actor in scene.actors
        for take in actor.takes
    }


def three_worlds(file: Path, clips: dict[str, list[float]]) -> tuple[dict[str, Any], Any]:
    """What three.js loads, and its world matrices: "" is the pose without animation."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "worlds.bin"
        job = {"file": str(file.resolve()), "out": str(out), "clips": clips, "weights": True}
        report = _node("three_worlds.mjs", json.dumps(job))
        rows = np.fromfile(out).reshape(-1, report["count"], 4, 4)
    worlds, at = {"": rows[:1]}, 1
    for name in report["clips"]:
        worlds[name] = rows[at : at + len(clips[name])]
        at += len(clips[name])
    return report, worlds


def our_worlds(actor: Actor, clips: dict[str, list[float]]) -> dict[str, Any]:
    """World matrices of an actor's joints, in the same form."""
    still = actor.rig.channels.default[None]
    worlds = {"": forward(actor.rig, still)}
    for take in actor.takes:
        values = sample(take, np.array(clips[take.name])).values
        worlds[take.name] = forward(actor.rig, values)
    return worlds


def nodes_of_joints(scene: Scene, report: dict[str, Any]) -> list[tuple[Actor, list[int]]]:
    """For each actor the node of each joint; the file's own order counts if parents are first."""
    trees = [(report["names"][tree[0]] or f"node_{tree[0]}", tree) for tree in report["roots"]]
    matched = []
    for actor in scene.actors:
        nodes: list[int] = []
        for root in np.flatnonzero(actor.rig.parents < 0).tolist():
            same = (n for n, each in enumerate(trees) if actor.rig.names[root].startswith(each[0]))
            nodes += trees.pop(next(same))[1]
        if all(report["parents"][node] < node for node in nodes):
            nodes.sort()
        assert len(nodes) == len(actor.rig.names)
        matched.append((actor, nodes))
    return matched


def _node(script: str, given: str) -> dict[str, Any]:
    ran = subprocess.run(
        ["node", script], cwd=TOOLS, input=given, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    report: dict[str, Any] = json.loads(ran.stdout)
    return report
