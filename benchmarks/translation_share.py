"""Do drags bend joints, or stretch bones? The share of a displacement that translations make.

    python benchmarks/translation_share.py [--half first|second] [--cases 40] [--worst 3]

Random drags of hands, heads, feet and tails, posed and along motion curves, over every character
of the glTF test data. The edited pose is evaluated again with translations and scales as they were,
except those of the root, of props, and of joints that the clip itself animates; what is missing
then was made by stretched bones. Printed for each character: the median and the worst share, in
per cent of the displacement; at most 1 is wanted. Ends with 1 when more is found.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import files
from arcwright.errors import ArcwrightError
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import ANIMATED, RigAnalysis, Role, analyse
from arcwright.kinematics.sample import values_at
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TOOLS = ("pose", "tangent")
WANTED = 1.0  # %
NEAREST, FARTHEST = 0.02, 0.15  # of the height that a point is dragged
UNMOVED = 1e-3  # of the height: smaller displacements have no shares
LOOKS = 240  # moments at which a clip is looked at


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=("first", "second"), help="every other file")
    parser.add_argument("--cases", type=int, default=40, help="of each character and tool")
    parser.add_argument("--worst", type=int, default=0, help="cases to print of each row")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = sorted(path for end in ("*.glb", "*.gltf") for path in DATA.glob(f"gltf/**/{end}"))
    chosen = {"first": found[::2], "second": found[1::2]}.get(options.half or "", found)
    print(f"{'character':30}{'tool':>9}{'drags':>7}{'moved':>7}{'median %':>10}{'worst %':>9}")
    broken = 0
    for path in chosen:
        for scene in characters_of(path):
            for name in TOOLS:
                broken += row(f"{path.parent.name}/{path.name}", scene, name, options)
    return int(broken > 0)


def characters_of(path: Path) -> list[Scene]:
    """Each animated character of a file in a scene of its own, if it has limbs to drag."""
    scene = files.read(path)
    own = [Scene(name=scene.name, characters=(each,)) for each in scene.characters if each.takes]
    return [
        each
        for each in own
        if len(ends(each.characters[0])) > 0 and height(each.characters[0].takes[0]) > 0
    ]


def ends(character: Character) -> np.ndarray:
    """Joints that deform the mesh, below at least one other, with nothing that deforms below."""
    found = analyse(character)
    parents = character.rig.parents
    above = np.unique(parents[found.body & (parents >= 0)])
    last = np.setdiff1d(np.flatnonzero(found.body), [*above, found.root])
    return np.array([j for j in last if parents[j] >= 0 and found.roles[j] != Role.PROP], int)


def row(name: str, scene: Scene, edit: str, options: argparse.Namespace) -> bool:
    """One line of the table: whether more than wanted is made by translations."""
    random = np.random.default_rng([options.seed, len(name), len(edit)])
    shares, cases = [], []
    character = scene.characters[0]
    for _ in range(options.cases):
        take = character.takes[random.integers(len(character.takes))]
        joint = int(random.choice(ends(character)))
        when = float(random.uniform(0.05, 0.95)) * take.duration
        way = random.normal(size=3)
        far = random.uniform(NEAREST, FARTHEST) * height(take)
        try:
            share = share_of(scene, take, edit, joint, when, way / np.linalg.norm(way) * far)
        except ArcwrightError:
            continue
        if share is not None:
            shares.append(100 * share)
            cases.append(f"{take.name} {character.rig.names[joint]} at {when:.3f} s, {far:.3f} m")
    worst = max(shares, default=0.0)
    print(
        f"{name[-29:]:30}{edit:>9}{options.cases:7}{len(shares):7}"
        f"{np.median(shares or [0.0]):10.4f}{worst:9.4f}{'  over' if worst > WANTED else ''}",
        flush=True,
    )
    for at in np.argsort(shares)[::-1][: options.worst]:
        print(f"    {shares[at]:8.4f} %  {cases[at]}")
    return worst > WANTED


def share_of(
    scene: Scene, take: Take, edit: str, joint: int, when: float, by: np.ndarray
) -> float | None:
    """The part of a displacement that stretched bones make; None when the point did not move."""
    character = scene.characters[0]
    first = (take, *(each for each in character.takes if each is not take))
    scene = replace(scene, characters=(replace(character, takes=first),))
    chosen = tool(edit)
    session = chosen.begin(scene, Target(take=take.name), chosen.Options())
    before = values_at(take, np.array([when]))
    start = place(take, before, joint)
    point = Point(take.rig.names[joint])
    for part in (0.5, 1.0):
        session.update(Drag(point, when, position=start + part * by))
    after = session.finish().apply(scene).characters[0].takes[0]
    values = values_at(after, np.array([when]))
    end = place(take, values, joint)
    kept = values.copy()
    held = rigid_channels(analyse(character, take), take)
    kept[:, held] = before[:, held]
    moved = np.linalg.norm(end - start)
    if moved < UNMOVED * height(take):
        return None
    return float(np.linalg.norm(end - place(take, kept, joint)) / moved)


def rigid_channels(found: RigAnalysis, take: Take) -> np.ndarray:
    """Translations and scales, but for those of root, props and what the clip animates.

    Joints attached to a limb (feet that hang on the rig's top) follow it by translations too.
    """
    rig, table = take.rig, take.rig.channels
    values = values_at(take, np.linspace(0.0, take.duration, LOOKS))
    size = height(take)
    slides = table.kind <= Kind.TRANSLATE_Z
    scales = (table.kind >= Kind.SCALE_X) & (table.kind <= Kind.SCALE_Z)
    moved = np.ptp(values, axis=0) * np.where(slides, found.metres[table.joint], 1.0)
    animated = np.zeros((2, len(rig.names)), bool)
    np.logical_or.at(animated[0], table.joint[slides], moved[slides] > ANIMATED * size)
    np.logical_or.at(animated[1], table.joint[scales], moved[scales] > ANIMATED)
    free = np.array([role in (Role.ROOT, Role.PROP) for role in found.roles])
    free |= found.attached_to >= 0
    return np.flatnonzero(
        (slides & ~(animated[0] | free)[table.joint]) | (scales & ~animated[1][table.joint])
    )


def place(take: Take, values: np.ndarray, joint: int) -> np.ndarray:
    """(3,) m."""
    return forward(take.rig, values, [joint])[0, 0, :3, 3]


def height(take: Take) -> float:
    """m, the longest side of the box around the joints as the rig rests."""
    rest = forward(take.rig, take.rig.channels.default[None])[0, :, :3, 3]
    return float(np.ptp(rest, axis=0).max())


if __name__ == "__main__":
    sys.exit(main())
