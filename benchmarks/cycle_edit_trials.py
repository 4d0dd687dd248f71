"""Random edits of loops: what does not hold after them, and how many keys they add.

Drags of positions, orientations, scales, ticks, time scales and channels, one to three in a
session, with random affected ranges: on all takes of the built-in characters, or on the loops of
captures that `arcwright cycle FILE --out LOOP` wrote. `broken` counts edits after which values are
not finite, the loop is less closed, something beyond the range has changed, undo is not exact, or a
dragged frame is missed without a note; each is listed. Exceptions count, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

import arcwright
from arcwright import characters
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from loop_edits import broken, random_edit
from loops import looping


def main() -> None:
    """Print a row for each loop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="loops; the built-in takes if none are named")
    parser.add_argument("--edits", type=int, default=40, help="of each loop")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    total = failed = 0
    for number, (name, scene, target) in enumerate(_loops(given.files)):
        found = [_failures(scene, target, [given.seed, number, n]) for n in range(given.edits)]
        total, own = total + len(found), sum(map(bool, found))
        failed += own
        print(f"{name:34}{given.edits:5} edits{own:4} broken", flush=True)
        for text in sorted({text for texts in found for text in texts}):
            print(f"    {text}")
    print(f"{total} edits, {failed} broken")


def _loops(files: list[str]) -> Iterator[tuple[str, Scene, Target]]:
    """Every loop, by name."""
    for file in files:
        scene = arcwright.read(file)
        character = scene.characters[0]
        takes = [take.name for take in character.takes if getattr(take.base, "loops", False)]
        yield file.rsplit("/", 1)[-1], scene, Target(character.name, takes[-1])
    for name in () if files else characters.names():
        for take in characters.built_in(name).characters[0].takes:
            yield f"{name}:{take.name}", *looping(name, take.name)


def _failures(scene: Scene, target: Target, seed: list[int]) -> list[str]:
    edit = random_edit(scene, target, np.random.default_rng(seed))
    try:
        found: list[str] = broken(edit)
    except Exception as error:
        found = [f"{type(error).__name__}: {error}"]
    return [f"{seed} {', '.join(edit.kinds)}: {text}" for text in found]


if __name__ == "__main__":
    main()
