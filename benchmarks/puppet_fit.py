"""How few keys a performance needs: one stick path on six characters, fitted within a tolerance.

    python benchmarks/puppet_fit.py [--tolerance M] [NAME or FILE ...]

The path is that of `puppet_characters.py`, 16 s long. *Moving* are the channels with more than one
key; *poses/s* the key poses a second, all channels keyed at the same moments; *keys/s* the keys of
all channels, *few* those with keys only where each channel needs them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
from arcwright.kinematics.reduction import Reduction
from arcwright.open import read
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession
from puppet_characters import DATA, RATE, stick_path

CHARACTERS = (
    "biped",
    str(DATA / "quaternius" / "Wolf.glb"),
    str(DATA / "kaykit" / "Knight.glb"),
    str(DATA / "quaternius" / "Spider.glb"),
    str(DATA / "Fox.glb"),
    str(DATA / "quaternius" / "Trex.glb"),
)


def performed(scene: Scene) -> Take:
    """The take of the path."""
    session = PuppetSession(scene, Target(), PuppetOptions(rate=RATE))
    session.update(stick_path(session))
    return session.finish().apply(scene).characters[0].takes[-1]


def row(name: str, take: Take, tolerance: float) -> str:
    reduction, seconds = Reduction(take), take.duration
    aligned = reduction.at(tolerance)
    few = reduction.at(tolerance, "per-channel")
    curves = [each for each in aligned.fit.clip.curves if each is not None]
    moving = sum(len(each) > 1 for each in curves)
    return (
        f"{name:10}{seconds:7.1f}{len(take.rig.channels):9}{moving:7}"
        f"{aligned.key_poses / seconds:9.2f}{aligned.fit.keys_after / seconds:9.0f}"
        f"{few.fit.keys_after / seconds:9.0f}{1e3 * aligned.error:8.1f}"
    )


def main() -> None:
    """Print a row for each character."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("characters", nargs="*")
    parser.add_argument("--tolerance", type=float, default=0.01)
    given = parser.parse_args()
    print(f"{'':10}seconds channels moving  poses/s   keys/s  few k/s  off mm")
    for name in given.characters or CHARACTERS:
        take = performed(read(name))
        print(row(Path(name).stem, take, given.tolerance), flush=True)


if __name__ == "__main__":
    main()
