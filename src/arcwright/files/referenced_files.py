"""Files that a document references, read only from the document's own folder."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from arcwright.errors import ArcwrightError
from arcwright.files.regular import open_inside, read_within

MATERIAL_LIBRARIES = (".mtl",)
IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".ktx2")
BUFFERS = (".bin", ".glbin", ".glbuf")  # as registered for application/gltf-buffer
SCENES = (".bvh", ".glb", ".gltf", ".obj", ".arc")


class UnreadableReference(ArcwrightError):
    """A referenced file is not read; the message never reveals what exists outside the folder."""


def read_referenced(document: Path, name: str, suffixes: Collection[str], limit: int) -> bytes:
    """Read the file that a document references as `name`, at most `limit` bytes.

    It must be a regular file in the document's folder or below, without hidden folders, after
    resolving links, and have one of the suffixes. All refusals that depend on the file system
    read the same, so that a document cannot probe what exists outside its folder.
    """
    folder, steps = resolve_reference(document, name, suffixes)
    try:
        with open_inside(folder, steps) as file:
            data = read_within(file, limit)
    except (OSError, ValueError) as error:
        raise _missing(name) from error
    if data is None:
        raise UnreadableReference(
            f"{quoted(name)} is larger than the {limit / 1e6:.0f} MB that are read"
        )
    return data


def resolve_reference(
    document: Path, name: str, suffixes: Collection[str]
) -> tuple[Path, tuple[str, ...]]:
    """The document's folder and the path from there to the referenced file, links resolved."""
    plain = name.replace("\\", "/")
    if not plain or ":" in plain or "\0" in plain or plain.startswith("/"):
        raise UnreadableReference(
            f"{quoted(name)} is not a name relative to this file, and is not read"
        )
    if not plain.lower().endswith(tuple(suffixes)):
        raise UnreadableReference(
            f"{quoted(name)} is not read: expected a name with {', '.join(suffixes)}"
        )
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


def quoted(name: str) -> str:
    """A name from a file in quotes, shortened if it is long."""
    return repr(name if len(name) <= 60 else name[:57] + "...")


def _missing(name: str) -> UnreadableReference:
    return UnreadableReference(f"{quoted(name)} is not a readable file in this file's folder")
