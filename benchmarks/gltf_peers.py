"""Every real glTF file: joint matrices against three.js, our way back, and the Khronos validator.

    python benchmarks/gltf_peers.py [WORD ...]

Each row: the largest difference to three.js and after writing and reading again, at quarter
frames over all clips, as part of the largest number in the matrices; keys before and after; new
validator errors. Needs `npm ci` in tests/gltf_tools. Ends with 1 when a bound is broken.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

# isort: split
from arcwright.files.gltf import read, write  # noqa: E402
from arcwright.scene.clip import Clip  # noqa: E402
from arcwright.scene.scene import Scene  # noqa: E402
from data import DATA  # noqa: E402
from gltf_tools import (  # noqa: E402
    clip_times,
    nodes_of_joints,
    our_worlds,
    three_worlds,
    validated,
)

BOUND = 1e-5


def key_count(scene: Scene) -> int:
    takes = [take for each in scene.actors for take in each.takes]
    return sum(take.base.key_count for take in takes if isinstance(take.base, Clip))


def compare(path: Path, out: Path) -> tuple[float, float, int, int]:
    scene = read(path, unit=1.0)
    write(scene, out)
    back = read(out, unit=1.0)
    clips = clip_times(scene)
    description, worlds = three_worlds(path, clips)
    peers = ours = 0.0
    again = back.actors
    for (actor, nodes), other in zip(nodes_of_joints(scene, description), again, strict=True):
        later = our_worlds(other, clips)
        for key, now in our_worlds(actor, clips).items():
            size = max(1.0, abs(now).max())
            peers = max(peers, abs(now - worlds[key][:, nodes]).max() / size)
            ours = max(ours, abs(now - later[key]).max() / size)
    return peers, ours, key_count(scene), key_count(back)


def main() -> int:
    found = sorted(p for s in ("*.glb", "*.gltf") for p in DATA.glob(f"gltf/**/{s}"))
    words = sys.argv[1:]
    files = [p for p in found if not words or any(word in str(p) for word in words)]
    broken = 0
    print(f"{'file':32}{'three.js':>10}{'way back':>10}{'keys':>9}{'after':>9}  new errors")
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(files):
            out = Path(folder) / f"{number}.glb"
            peers, ours, before, after = compare(path, out)
            known = validated([path])[str(path)]["errors"]
            errors = validated([out])[str(out)]["errors"]
            new = {code: n for code, n in errors.items() if n > known.get(code, 0)}
            name = f"{path.parent.name}/{path.name}"
            # SimpleSkin's quaternions are off unit length, which three.js does not mend.
            broken += bool(new) or max(peers * ("SimpleSkin" not in name), ours) > BOUND
            print(f"{name:32}{peers:10.1e}{ours:10.1e}{before:9}{after:9}  {new or ''}")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
