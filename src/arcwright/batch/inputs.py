"""Input files: paths, folders, patterns and list files; names of outputs by a template."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from string import Formatter

from arcwright.errors import BadFile, BadValue, UnknownName

FIELDS = ("folder", "name", "stem", "suffix")


@dataclass(frozen=True)
class InputFile:
    """A file to work on, and the folder it lies in below the folder or pattern that was given."""

    path: Path
    folder: str = "."


@dataclass(frozen=True)
class InputFiles:
    """The files of paths, folders, patterns and a list file, found anew on each iteration.

    Names are held one folder at a time only.
    """

    given: Sequence[str]
    suffixes: tuple[str, ...]  # which files of folders and patterns count
    list_file: Path | None = None
    exclude: Path | None = None  # a folder that is not searched: the outputs

    def __iter__(self) -> Iterator[InputFile]:
        for each in self.given:
            path = Path(each)
            if path.is_dir():
                yield from self._walk(path)
            elif path.exists():
                yield InputFile(path)
            else:
                yield from self._matches(each)
        if self.list_file is not None:
            yield from _listed(self.list_file)

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        return sum(1 for _ in self)

    def _walk(self, root: Path) -> Iterator[InputFile]:
        if not self._outside(root):
            return
        for folder, below, names in os.walk(root):
            here = Path(folder)
            below[:] = sorted(name for name in below if self._searched(here / name))
            for name in sorted(names):
                if self._counts(name):
                    yield InputFile(here / name, here.relative_to(root).as_posix())

    def _matches(self, pattern: str) -> Iterator[InputFile]:
        steps = Path(pattern).parts
        fixed = next((at for at, step in enumerate(steps) if glob.has_magic(step)), len(steps))
        root = Path(*steps[:fixed])
        for path in root.glob(str(Path(*steps[fixed:]))) if fixed < len(steps) else ():
            if path.is_file() and self._counts(path.name) and self._outside(path):
                yield InputFile(path, path.parent.relative_to(root).as_posix())

    def _counts(self, name: str) -> bool:
        return not name.startswith(".") and name.lower().endswith(self.suffixes)

    def _searched(self, folder: Path) -> bool:
        hidden = folder.name.startswith(".")
        return not hidden and (self.exclude is None or folder.resolve() != self.exclude)

    def _outside(self, path: Path) -> bool:
        return self.exclude is None or not path.resolve().is_relative_to(self.exclude)


def find_files(
    given: Sequence[str | Path],
    suffixes: Sequence[str],
    *,
    list_file: str | Path | None = None,
    exclude: str | Path | None = None,
) -> InputFiles:
    """Files of paths, folders and patterns, then those that a list file names, one on each line.

    Of folders and patterns only files with these suffixes are taken, nothing hidden and nothing
    below `exclude`. A path or pattern without any file is an error; a file that a list names and
    that is missing is not, it fails on its own.
    """
    kinds = tuple(suffix.lower() for suffix in suffixes)
    without = None if exclude is None else Path(exclude).resolve()
    listed = None if list_file is None else Path(list_file)
    if listed is not None and not listed.is_file():
        raise BadFile(listed, "no such list file")
    for each in map(str, given):
        if next(iter(InputFiles((each,), kinds, exclude=without)), None) is None:
            advice = f"taken are {', '.join(kinds)} outside the output folder"
            raise BadFile(each, "no such file, or none in it", advice)
    return InputFiles(tuple(map(str, given)), kinds, listed, without)


def check_template(template: str) -> None:
    """Refuse a template of output names with unknown fields, or that leads out of the folder."""
    try:
        fields = [name for _, name, _, _ in Formatter().parse(template) if name is not None]
    except ValueError as error:
        raise BadValue("template", f"fields in braces such as {{stem}} ({error})", template) from (
            error
        )
    for field in fields:
        if field not in FIELDS:
            raise UnknownName("field of a template", field, FIELDS)
    output_name(template, InputFile(Path("walk.bvh")))


def output_name(template: str, file: InputFile) -> str:
    """The output of a file by the template, relative to the output folder, with / between steps."""
    name = file.path.name
    suffix = ".arc.glb" if name.lower().endswith(".arc.glb") else file.path.suffix
    stem = name[: len(name) - len(suffix)]
    made = template.format(folder=file.folder, name=name, stem=stem, suffix=suffix)
    output = PurePosixPath(Path(made).as_posix())
    outside = output.is_absolute() or Path(made).is_absolute() or ".." in output.parts
    if outside or not output.parts:
        raise BadValue("template", "names inside the output folder", made)
    if output.parts[0].startswith((".batch", "manifest.sqlite")):
        raise BadValue("template", "names other than those of the manifest", made)
    return str(output)


def _listed(path: Path) -> Iterator[InputFile]:
    with path.open(encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            if name := line.strip():
                yield InputFile(Path(name))
