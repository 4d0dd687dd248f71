"""The worker process: runs a function on one file after the other, within a memory limit."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path, PurePosixPath
from tempfile import mkdtemp
from typing import Any

from arcwright.batch.manifest import content_hash
from arcwright.errors import ArcwrightError, BadValue

MEGABYTE = 1_000_000
LONGEST_ERROR = 500  # characters
_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True)
class Result:
    """What a worker answers for one file."""

    seconds: float
    error: str = ""
    value: str | None = None  # JSON
    files: dict[str, str] = field(default_factory=dict)  # name in `folder` -> hash
    folder: Path | None = None  # where the files are
    disk_full: bool = False
    out_of_memory: bool = False


@dataclass(frozen=True)
class Ready:
    """What a worker says first; with an error, it cannot work."""

    error: str = ""


def name_of(function: Callable[..., Any]) -> str:
    """The `module:name` by which workers import a function."""
    name = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', '')}"
    try:
        found = find_function(name)
    except (ImportError, AttributeError, ValueError):
        found = None
    if found is not function:
        raise BadValue("function", "one that can be imported by its name", function)
    return name


def find_function(name: str) -> Callable[..., Any]:
    """The function of a `module:name`."""
    module, _, steps = name.partition(":")
    found: Any = sys.modules.get(module) or import_module(module)
    for step in steps.split("."):
        found = getattr(found, step)
    return found  # type: ignore[no-any-return]


def work(
    connection: Connection,
    name: str,
    options: Mapping[str, Any],
    memory: float | None,
    *,
    parent: int | None = None,
    idle: float | None = None,
) -> None:
    """Answer with a `Result` for each (path, output, folder), until the connection closes.

    `parent` becomes readable when the process ends that started this one; by default it is known
    to `multiprocessing`. Without a task for `idle` seconds, this one ends as well.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the coordinator handles Ctrl-C
    os.dup2(2, 1)  # what functions print must not get between the lines of the command's output
    threading.Thread(target=_end_with_parent, args=(parent,), daemon=True).start()
    try:
        function = find_function(name)
        if memory is not None:
            _limit_memory(memory)
    except Exception as error:
        connection.send(Ready(one_line(error)))
        return
    connection.send(Ready())
    while True:
        try:
            if not connection.poll(idle):
                return
            path, output, folder = connection.recv()
        except EOFError:
            return
        connection.send(_run(function, path, output, folder, options, memory))


def one_line(error: BaseException) -> str:
    """An error as one line for people."""
    if isinstance(error, ArcwrightError):
        text = str(error)
    elif isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        text = f"{type(error).__name__}: {error}"
    text = " ".join(text.split()).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= LONGEST_ERROR else text[: LONGEST_ERROR - 1] + "…"


def is_disk_full(error: BaseException | None) -> bool:
    """Whether a full disk caused an error."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _FULL:
            return True
        error = error.__cause__ or error.__context__
    return False


def _run(
    function: Callable[..., Any],
    path: Path,
    output: str,
    folder: Path | None,
    options: Mapping[str, Any],
    memory: float | None,
) -> Result:
    start = time.perf_counter()
    files, own = {}, None
    try:
        if folder is None:
            value = function(path, **options)
        else:
            folder.mkdir(exist_ok=True)
            own = Path(mkdtemp(dir=folder))  # an earlier attempt may have left files
            out = own / PurePosixPath(output).name
            value = function(path, out, **options)
            files = _written(out)
        text = None if value is None else json.dumps(value, allow_nan=False)
        return Result(time.perf_counter() - start, value=text, files=files, folder=own)
    except MemoryError:
        limit = "there is" if memory is None else f"its limit of {memory:g} MB"
        error = f"needs more memory than {limit}"
        return Result(time.perf_counter() - start, error, out_of_memory=True)
    except (Exception, SystemExit) as error:
        seconds = time.perf_counter() - start
        return Result(seconds, one_line(error) or "failed", disk_full=is_disk_full(error))


def _written(output: Path) -> dict[str, str]:
    """The files beside and including `output`, now on the disk itself, with their hashes."""
    names = sorted(each.name for each in output.parent.iterdir())
    if output.name not in names:
        raise ArcwrightError("the function wrote no output")
    for name in names:
        with (output.parent / name).open("rb") as file:
            os.fsync(file.fileno())
    return {name: content_hash(output.parent / name) for name in names}


def _end_with_parent(sentinel: int | None) -> None:
    """End this process, in the middle of a task too, when the one that started it has gone."""
    parent = parent_process()
    if parent is not None:
        sentinel = parent.sentinel
    if sentinel is not None:
        wait([sentinel])
        os._exit(1)


def check_memory_limit(memory: float) -> None:
    """Refuse a memory limit where the system has none."""
    if not memory > 0:
        raise BadValue("memory", "megabytes above 0", memory)
    if not sys.platform.startswith("linux"):
        raise BadValue("memory", "no limit on this system; only Linux has one", memory)


def _limit_memory(megabytes: float) -> None:
    """Let this process allocate so much more than it has now."""
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[5])
        limit = pages * resource.getpagesize() + int(megabytes * MEGABYTE)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
