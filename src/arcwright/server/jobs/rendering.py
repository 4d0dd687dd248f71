"""Rendering of a take as an image, in a process of its own so that no drag waits for it.

The process is this module run as a program: it reads what to render from standard input and
reports bad input as the command line does: exit code 2 and one line on standard error.
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

POLL_INTERVAL = 0.1  # s between two checks whether the job was cancelled
BAD_INPUT = 2
NICENESS = 10
_one = Lock()  # an image takes a core and some hundred megabytes: they are made in turn


def render(
    scene: Scene, path: Path, character: str, clip: str | None, check: Callable[[], None]
) -> None:
    """Write the image of a take; `check` is called meanwhile and stops it by raising."""
    while not _one.acquire(timeout=POLL_INTERVAL):
        check()
    given = path.with_name(f"{path.stem} rendered.arc.glb")
    try:
        files.write(scene, given)
        request = {"scene": str(given), "out": str(path), "character": character, "clip": clip}
        _run(json.dumps(request).encode(), check)
    finally:
        given.unlink(missing_ok=True)
        _one.release()


def _run(request: bytes, check: Callable[[], None]) -> None:
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
            output = _outcome(process, request, check)
        finally:
            process.kill()
    if process.returncode == BAD_INPUT:
        raise ArcwrightError(output.strip())
    if process.returncode:
        raise RuntimeError(f"rendering ended with {process.returncode}: {output}")


def _outcome(process: subprocess.Popen[bytes], request: bytes, check: Callable[[], None]) -> str:
    given: bytes | None = request  # once; the calls after the first go on with it
    while True:
        try:
            return process.communicate(given, timeout=POLL_INTERVAL)[1].decode(errors="replace")
        except subprocess.TimeoutExpired:
            given = None
            check()


def main() -> int:
    """Render what standard input describes."""
    from arcwright.picture.strobe import strobe

    if hasattr(os, "nice"):
        os.nice(NICENESS)
    request = json.load(sys.stdin.buffer)
    try:
        scene = files.read(request["scene"])
        strobe(scene, request["out"], character=request["character"], take=request["clip"])
    except ArcwrightError as error:
        sys.stderr.write(f"{error}\n")
        return BAD_INPUT
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
