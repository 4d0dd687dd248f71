"""Reading glTF by our own reader and by libraries from PyPI: time, and what damaged files do.

    python -m venv .env-gltf && .env-gltf/bin/pip install numpy pygltflib gltflib
    PYTHONPATH=src .env-gltf/bin/python benchmarks/gltf_libraries.py

The libraries only parse the JSON into objects; ours also checks it and turns it into a scene.
"""

from __future__ import annotations

import importlib
import statistics
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from arcwright.errors import BadFile
from arcwright.files.gltf import read

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
REPEATS = 5


def readers() -> dict[str, Callable[[str], object]]:
    found: dict[str, Callable[[str], object]] = {"arcwright": read}
    for name, verb in (("pygltflib", "GLTF2"), ("gltflib", "GLTF")):
        try:
            found[name] = getattr(importlib.import_module(name), verb)().load
        except ImportError:
            print(f"{name} is not installed: left out")
        except TypeError:
            found[name] = getattr(importlib.import_module(name), verb).load
    return found


def outcome(reader: Callable[[str], object], path: Path) -> str:
    try:
        reader(str(path))
    except BadFile:
        return "refused in one line"
    except Exception as error:
        return f"raised {type(error).__name__}"
    return "loaded"


def main() -> None:
    warnings.simplefilter("ignore")
    everyone = readers()
    for name in (
        "CesiumMan.glb",
        "RobotExpressive.glb",
        "quaternius/Wolf.glb",
        "kaykit/Knight.glb",
    ):
        path = DATA / "gltf" / name
        print(f"{name:24}", end="")
        for who, reader in everyone.items():
            took = []
            for _ in range(REPEATS):
                start = time.perf_counter()
                reader(str(path))
                took.append(time.perf_counter() - start)
            print(f"  {who} {statistics.median(took) * 1e3:8.1f} ms", end="")
        print()
    damaged = [p for s in ("*.glb", "*.gltf") for p in sorted(DATA.glob(f"malformed/**/{s}"))]
    for who, reader in everyone.items():
        counts = Counter(outcome(reader, path) for path in damaged)
        print(f"{len(damaged)} malformed files, {who}: {dict(counts.most_common())}")


if __name__ == "__main__":
    main()
