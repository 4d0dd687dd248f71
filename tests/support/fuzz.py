"""The one law for hostile files: a result or an error of ours, in time, and nothing private."""

from __future__ import annotations

import random
import signal
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from arcwright.errors import ArcwrightError
from arcwright.files import read, write
from arcwright.picture.strobe import strobe
from arcwright.scene.scene import Scene
from arcwright.summary import format_summary
from hostile import CANARY

SECONDS = 5.0  # of work for reading a file or for one use of it, however busy the machine is
HANGS = 120  # s; reading a pipe takes no work and does not end
FINE = ("loaded", "refused")
USES = (".glb", ".gltf", ".arc.glb", ".bvh", ".png")


class _TooSlow(BaseException):
    """Something took too long; no reader catches this."""


def outcome(path: Path, chance: float = 1.0) -> str:
    """ "loaded" or "refused", or what went wrong; warnings of NumPy count as wrong.

    What is read is summarised as by `inspect`, and with some chance each, chosen by the file's
    bytes, written in every format and drawn.
    """
    scene: list[Scene] = []
    fault = _within_law(lambda: scene.append(read(path)), path.name)
    if fault != "loaded":
        return fault
    lines: list[str] = []
    fault = _within_law(lambda: lines.append(format_summary(scene[0])))
    if fault != "loaded":
        return f"inspect {fault}"
    if CANARY.decode() in lines[0]:
        return "inspect leaks a private file"
    rng = random.Random(path.read_bytes())
    for use in USES:
        if rng.random() < chance * (0.2 if use == ".png" else 1):
            fault = _used(scene[0], path.parent / "written", use)
            if fault not in FINE:
                return f"{use} {fault}"
    return "loaded"


def _used(scene: Scene, folder: Path, suffix: str) -> str:
    """What comes of one use; what it writes must hold nothing private, and is removed."""
    folder.mkdir(exist_ok=True)
    target = folder / f"out{suffix}"
    if suffix == ".png":
        fault = _within_law(lambda: strobe(scene, target, size=(96, 64)))
    else:
        fault = _within_law(lambda: write(scene, target))
    leaks = any(CANARY in path.read_bytes() for path in folder.iterdir())
    for path in folder.iterdir():
        path.unlink()
    return "leaks a private file" if leaks else fault


def _within_law(work: Callable[[], object], name: str = "") -> str:
    """How some work ends."""

    def too_slow(*_: object) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGPROF, too_slow), signal.signal(signal.SIGALRM, too_slow)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(HANGS)
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            work()
        return "loaded"
    except ArcwrightError as error:
        line = str(error)
        clear = "\n" not in line and name in line and CANARY.decode() not in line
        return "refused" if clear else f"unclear: {line!r}"
    except _TooSlow:
        return f"slow: {time.process_time() - start:.1f} s"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        signal.signal(signal.SIGPROF, before[0])
        signal.signal(signal.SIGALRM, before[1])
