"""How far a written .glb is off the edited scene: joints on frames and between them.

    python benchmarks/glb_precision.py [WORD ...] [--takes 3] [--three]

Every character of the glTF test data and every built-in one is edited by a few drags, written to
.glb and read back. Each row: height, the largest distance between a joint before and after, on
frames and between them, as edited by tangents, poses and a layer, and the bound: a
millionth of the height, or 0.01 mm. `--three` reads the file back with three.js, too (npm ci in
tests/gltf_tools). Ends with 1 when a bound is broken.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import characters, files
from arcwright.errors import ArcwrightError
from arcwright.files.gltf import read, write
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from data import DATA  # noqa: E402
from gltf_tools import three_worlds  # noqa: E402

TOOLS = ("", "tangent", "pose", "spacetime")  # "" is the file as it is
FINEST, SHARE = 1e-5, 1e-6  # m, of the height
BETWEEN = 4  # moments from frame to frame
FARTHEST = 0.08  # of the height that a point is dragged
DRAGS = 2
LONGEST = 200  # frames of takes that are edited as a whole


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--takes", type=int, default=3, help="takes of each character")
    parser.add_argument("--three", action="store_true", help="read back with three.js, too")
    options = parser.parse_args()
    print(
        f"{'character':30}{'height m':>9}{'edit':>10}{'takes':>6}"
        f"{'frames mm':>11}{'between mm':>11}{'three mm':>10}{'bound mm':>10}{'keys':>8}"
    )
    broken = 0
    for name, scene in scenes(options.words):
        for edit in TOOLS:
            broken += row(name, scene, edit, options)
    return int(broken > 0)


def scenes(words: list[str]) -> Iterator[tuple[str, Scene]]:
    found = sorted(path for end in ("*.glb", "*.gltf") for path in DATA.glob(f"gltf/**/{end}"))
    named = [(f"{path.parent.name}/{path.name}", path) for path in found]
    for name, path in named:
        if not words or any(word in name for word in words):
            scene = files.read(path)
            if any(each.takes for each in scene.characters):
                yield name, scene
    for name in characters.names():
        if not words or any(word in name for word in words):
            yield name, characters.built_in(name)


def row(name: str, scene: Scene, edit: str, options: argparse.Namespace) -> bool:
    """One line of the table: whether a bound is broken."""
    random = np.random.default_rng(len(name))
    worst, three, count, keys, tall = [0.0, 0.0], 0.0, 0, 0, 0.0
    for take in scene.characters[0].takes[: options.takes]:
        alone = _with_takes(scene, (take,))
        tall = max(tall, height(take))
        if edit == "spacetime" and take.frame_count > LONGEST:
            continue
        edited = _edited(alone, edit, random)
        if edited is None:
            continue
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "written.glb"
            write(edited, path)
            worst = np.maximum(worst, _apart(edited, path)).tolist()
            keys += sum(
                len(c) for c in read(path, unit=1.0).characters[0].takes[0].base.curves if c
            )
            if options.three:
                three = max(three, _apart_in_three(edited, path))
    bound = max(FINEST, SHARE * tall)
    off = max(*worst, three) > bound
    shown = f"{three * 1e3:10.4f}" if options.three else f"{'':10}"
    print(
        f"{name[-29:]:30}{tall:9.2f}{edit or 'none':>10}{count:6}{worst[0] * 1e3:11.4f}"
        f"{worst[1] * 1e3:11.4f}{shown}{bound * 1e3:10.4f}{keys:8}{'  off' if off else ''}",
        flush=True,
    )
    return off


def _with_takes(scene: Scene, takes: tuple[Take, ...]) -> Scene:
    first = replace(scene.characters[0], takes=takes)
    return Scene(name=scene.name, characters=(first,))


def _edited(scene: Scene, edit: str, random: np.random.Generator) -> Scene | None:
    """The scene after some drags; None when no drag could be made."""
    if not edit:
        return scene
    chosen, made = tool(edit), 0
    for _ in range(DRAGS):
        take = scene.characters[0].takes[0]
        joint = int(random.choice(_ends(take)))
        when = float(random.uniform(0.1, 0.9)) * take.duration
        point = Point(take.rig.names[joint])
        start = trail(take, point, np.array([when])).position[0]
        way = random.normal(size=3)
        target = start + way / np.linalg.norm(way) * FARTHEST * height(take)
        try:
            session = chosen.begin(scene, Target(), chosen.Options())
            session.update(Drag(point, when, position=target))
            scene = session.finish().apply(scene)
            made += 1
        except ArcwrightError:
            continue
    return scene if made else None


def _ends(take: Take) -> np.ndarray:
    """Joints that nothing hangs on, below at least two others."""
    parents = take.rig.parents
    ends = np.setdiff1d(np.arange(len(parents)), parents)
    deep = [j for j in ends if parents[j] >= 0 and parents[parents[j]] >= 0]
    return np.array(deep or ends)


def _apart(scene: Scene, path: Path) -> tuple[float, float]:
    """m, the farthest that a joint is off, on frames and between them."""
    back = read(path, unit=1.0).characters[0]
    take = scene.characters[0].takes[0]
    again = back.takes[0]
    joints = [back.rig.joint(name) for name in take.rig.names]
    frames = np.arange(take.frame_count) / take.rate
    between = (frames[:-1, None] + np.arange(1, BETWEEN) / BETWEEN / take.rate).ravel()
    found = []
    for times in (frames, between):
        was, now = (_places(each, times[times <= take.duration]) for each in (take, again))
        found.append(float(np.linalg.norm(was - now[:, joints], axis=2).max(initial=0.0)))
    return found[0], found[1]


def _apart_in_three(scene: Scene, path: Path) -> float:
    take = scene.characters[0].takes[0]
    steps = np.arange(take.frame_count * BETWEEN - BETWEEN + 1) / BETWEEN / take.rate
    times = steps[steps <= take.duration]
    description, worlds = three_worlds(path, {take.name: times.tolist()})
    was = _places(take, times)
    now = worlds[take.name][:, : was.shape[1], :3, 3]  # nodes are written in the order of joints
    assert description["count"] >= was.shape[1]
    return float(np.linalg.norm(was - now, axis=2).max())


def _places(take: Take, times: np.ndarray) -> np.ndarray:
    """(T, J, 3) m."""
    return forward(take.rig, values_at(take, times))[:, :, :3, 3]


def height(take: Take) -> float:
    """m, the longest side of the box around the joints at the start."""
    return float(np.ptp(_places(take, np.zeros(1))[0], axis=0).max())


if __name__ == "__main__":
    sys.exit(main())
