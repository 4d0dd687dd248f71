"""Drawing: the picture of a take, made by a process of its own so that no drag waits for it.

The process is this module run as a program: it reads what to draw from standard input, and tells
of bad input as the command line does: exit code 2 and one line on standard error.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from arcwright import files
from arcwright.errors import ArcwrightError
from arcwright.scene.scene import Scene

EVERY = 0.1  # s between two looks at whether the picture is still wanted
BAD_INPUT = 2
KINDNESS = 10  # by how much the process gives way to others, as `nice` counts
_one = Lock()  # a picture takes a core and some hundred megabytes: they are made in turn


def draw(
    scene: Scene, path: Path, character: str, clip: str | None, still: Callable[[], None]
) -> None:
    """Write the picture of a take; `still` is called meanwhile and stops it by raising."""
    while not _one.acquire(timeout=EVERY):
        still()
    given = path.with_name(f"{path.stem} drawn.arc.glb")
    try:
        files.write(scene, given)
        words = {"scene": str(given), "out": str(path), "character": character, "clip": clip}
        _run(json.dumps(words).encode(), still)
    finally:
        given.unlink(missing_ok=True)
        _one.release()


def _run(words: bytes, still: Callable[[], None]) -> None:
    # -P: nothing is imported from the folder in which the studio happens to run
    command = [sys.executable, "-P", "-m", "arcwright.server.jobs.rendering"]
    paths = os.pathsep.join(each for each in sys.path if each)
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | one_thread | {"PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"},
        start_new_session=True,  # Ctrl-C is for the studio, which ends it in its own way
        creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
    ) as process:
        try:
            output = _outcome(process, words, still)
        finally:
            process.kill()
    if process.returncode == BAD_INPUT:
        raise ArcwrightError(output.strip())
    if process.returncode:
        raise RuntimeError(f"drawing ended with {process.returncode}: {output}")


def _outcome(process: subprocess.Popen[bytes], words: bytes, still: Callable[[], None]) -> str:
    given: bytes | None = words  # once; the calls after the first go on with it
    while True:
        try:
            return process.communicate(given, timeout=EVERY)[1].decode(errors="replace")
        except subprocess.TimeoutExpired:
            given = None
            still()


def main() -> int:
    """Draw what standard input asks for."""
    from arcwright.picture.strobe import strobe

    if hasattr(os, "nice"):
        os.nice(KINDNESS)
    words = json.load(sys.stdin.buffer)
    try:
        scene = files.read(words["scene"])
        strobe(scene, words["out"], character=words["character"], clip=words["clip"])
    except ArcwrightError as error:
        sys.stderr.write(f"{error}\n")
        return BAD_INPUT
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
