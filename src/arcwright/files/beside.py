"""Files that a document names are read from the document's own folder, and from nowhere else."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from arcwright.errors import ArcwrightError
from arcwright.files.regular import open_inside, read_within

LIBRARIES = (".mtl",)
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".ktx2")
BUFFERS = (".bin", ".glbin", ".glbuf")  # as registered for application/gltf-buffer
SCENES = (".bvh", ".glb", ".gltf", ".obj", ".arc")


class NotBeside(ArcwrightError):
    """A document names a file that is not read; the message never says what lies elsewhere."""


def read_beside(document: Path, name: str, suffixes: Collection[str], limit: int) -> bytes:
    """The bytes of the file that a document calls `name`, at most `limit` of them.

    It must be a regular file in the document's folder or below, none of its steps hidden, once
    all links are followed, and have one of the suffixes. Everything that only the file system
    knows is refused in the same words, so that a document cannot ask what exists elsewhere.
    """
    folder, steps = inside(document, name, suffixes)
    try:
        with open_inside(folder, steps) as file:
            data = read_within(file, limit)
    except (OSError, ValueError) as error:
        raise _missing(name) from error
    if data is None:
        raise NotBeside(f"{short(name)} is larger than the {limit / 1e6:.0f} MB that are read")
    return data


def inside(document: Path, name: str, suffixes: Collection[str]) -> tuple[Path, tuple[str, ...]]:
    """The document's folder and the steps from there to the file it names, links resolved."""
    plain = name.replace("\\", "/")
    if not plain or ":" in plain or "\0" in plain or plain.startswith("/"):
        raise NotBeside(f"{short(name)} is not a name relative to this file, and is not read")
    if not plain.lower().endswith(tuple(suffixes)):
        raise NotBeside(f"{short(name)} is not read: expected a name with {', '.join(suffixes)}")
    try:
        folder = document.parent.resolve()
        target = Path(os.path.realpath(folder / PurePosixPath(plain)))
    except (OSError, ValueError) as error:
        raise _missing(name) from error
    if not target.is_relative_to(folder):
        raise _missing(name)
    steps = target.relative_to(folder).parts
    if not steps or any(step.startswith(".") for step in steps):
        raise _missing(name)
    if not target.name.lower().endswith(tuple(suffixes)):
        raise _missing(name)  # a link to a file of another kind
    return folder, steps


def short(name: str) -> str:
    """A name from a file, quoted, cut where it is long."""
    return repr(name if len(name) <= 60 else name[:57] + "...")


def _missing(name: str) -> NotBeside:
    return NotBeside(f"{short(name)} is not a readable file in this file's folder")
