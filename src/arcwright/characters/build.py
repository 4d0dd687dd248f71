"""Build: models every character and makes its clips; writes `assets/NAME*.npz`.

    python -m arcwright.characters.build [NAME ...]

Needs the `fast-simplification` wheel for the meshes; with `--clips` only the clips are rebuilt.
"""

from __future__ import annotations

import sys
import time
import zipfile
from collections.abc import Mapping
from importlib import import_module
from io import BytesIO
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.characters import activity_clips_path, asset_path, names, recipe
from arcwright.characters.mesh import Mesh, joined, packed, read_store
from arcwright.characters.recipe import Recipe, Sculpture
from arcwright.characters.sculpt import sculpt
from arcwright.characters.skeleton import skeleton
from arcwright.characters.store import packed_clips
from arcwright.errors import MissingExtra
from arcwright.scene.rig import Rig

ENOUGH = 1.2  # of the wanted triangles: a mesh with so many is small enough


def build(name: str, *, clips_only: bool = False) -> Path:
    """Rebuild the assets of one character."""
    made = recipe(name)
    path = asset_path(name)
    if made.activity_clips:
        more = packed_clips(made.activity_clips(skeleton(made.joints)))
        _write(activity_clips_path(name), more)
    if clips_only:
        mesh = {key: value for key, value in read_store(path).items() if key[:5] != "clip_"}
    else:
        mesh = packed(model(made))
    clips = packed_clips(made.clips(skeleton(made.joints)))
    _write(path, mesh | clips)
    return path


def model(made: Recipe) -> Mesh:
    """All sculptures and ready meshes of a recipe as one mesh."""
    rig = skeleton(made.joints)
    return joined([_meshed(each, rig) for each in made.sculptures()])


def _meshed(piece: Sculpture | Mesh, rig: Rig) -> Mesh:
    if isinstance(piece, Mesh):
        return piece
    return sculpt(
        piece.primitives,
        rig,
        cell=piece.cell,
        faces=piece.faces,
        simplify=simplified,
        holders=piece.holders,
    )


def simplified(position: Floats, faces: Ints, count: int) -> tuple[Floats, Ints]:
    """The mesh with about `count` triangles, finer where it bends (quadric error collapse)."""
    try:
        simplify = import_module("fast_simplification").simplify
    except ImportError as error:
        raise MissingExtra("modelling a character", "sculpt") from error
    whole = position.astype(np.float32), faces.astype(np.int32)
    small, kept = simplify(*whole, target_count=count, agg=2)
    if len(kept) > ENOUGH * count:  # a careful collapse stops early on thin parts
        small, kept = simplify(*whole, target_count=count, agg=3)
    return small.astype(np.float64), kept.astype(np.int64)


def _write(path: Path, arrays: Mapping[str, AnyArray]) -> None:
    """An .npz that is the same bytes each time: fixed dates, fixed order."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            text = BytesIO()
            np.save(text, array, allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.getvalue())


def main(words: list[str]) -> None:
    """Build the named characters, or all."""
    clips_only = "--clips" in words
    for name in [word for word in words if word[:2] != "--"] or names():
        start = time.perf_counter()
        path = build(name, clips_only=clips_only)
        size = path.stat().st_size / 1024
        sys.stdout.write(f"{name}: {size:.0f} KB in {time.perf_counter() - start:.1f} s\n")


if __name__ == "__main__":
    main(sys.argv[1:])
