"""Run attacks on the command line, each command in a process of its own, and judge how it ends."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

MEGABYTES, SECONDS = 512.0, 5.0  # what a command may take
SECONDS_TO_FIT = 60.0  # fitting keys is asked for, and takes as long as the motion is wild
CAP_MEGABYTES, CAP_SECONDS = 6000, 90  # where a command is stopped
CANARY = b"canary-that-must-not-sing"  # in every private file
PNG = b"\x89PNG\r\n\x1a\n"

Made = tuple[str, list[list[str]]]
Attack = Callable[[Path], Made]
"""Makes files in a folder; returns the one to open (FILE) and the commands to run on it."""


def plant(folder: Path) -> Path:
    """Private files around and in the opened folder, which is returned."""
    opened = folder / "opened"
    (opened / ".ssh").mkdir(parents=True)
    (opened / ".ssh" / "id_rsa").write_bytes(CANARY)
    for private in (folder / "private", opened / ".ssh" / "key", opened / ".hidden"):
        private.with_suffix(".png").write_bytes(PNG + CANARY)
        private.with_suffix(".bin").write_bytes(PNG + CANARY)
    (opened / "notes.txt").write_bytes(PNG + CANARY)
    return opened


def run_all(attacks: Sequence[Attack]) -> int:
    """Run attacks and print a table; 1 where any does harm."""
    faults = 0
    for each in attacks:
        with tempfile.TemporaryDirectory() as name:
            faults += report(each, Path(name))
    print(f"{faults} faults" if faults else "no attack does harm")
    return 1 if faults else 0


def report(each: Attack, folder: Path) -> int:
    """Run the commands of one attack, a line for each; how many do harm."""
    opened = plant(folder)
    document, commands = each(opened)
    faults = 0
    for command in commands:
        named = [str(opened / document) if word == "FILE" else word for word in command]
        named = [
            str(folder / "output" / word) if word.startswith("OUT.") else word for word in named
        ]
        ended = run(named, folder)
        faults += bool(ended.fault)
        verb = " ".join(command).replace(str(opened) + "/", "")
        outcome = ended.outcome.replace(str(opened) + "/", "")
        figures = f"{ended.seconds:6.2f} s {ended.megabytes:6.0f} MB"
        print(
            f"{each.__name__:42} {verb:34} {figures} {ended.fault.upper():10} {outcome[:110]}",
            flush=True,
        )
    return faults


@dataclass
class Ended:
    """How a command ended."""

    outcome: str
    seconds: float  # of work
    megabytes: float
    fault: str


def run(command: list[str], folder: Path) -> Ended:
    """Run one command of the command line and judge it; what it wrote is searched and removed."""
    output = folder / "output"
    output.mkdir(exist_ok=True)
    with (output / "said").open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "arcwright", *command],
            stdout=said,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            preexec_fn=_capped,
        )
        status, usage = _waited(process)
    said_text = (output / "said").read_bytes()
    lines = said_text.decode("utf-8", "replace").splitlines()
    leaked = any(CANARY in path.read_bytes() for path in output.rglob("*") if path.is_file())
    for path in output.iterdir():
        path.unlink()
    seconds, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    may_take = SECONDS_TO_FIT if "--fit" in command else SECONDS
    slow = "time" if seconds > may_take else ""
    return Ended(*_judged(status, lines, leaked, seconds, megabytes, slow))


def _capped() -> None:
    cap = CAP_MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (cap, cap))
    resource.setrlimit(resource.RLIMIT_CPU, (CAP_SECONDS, CAP_SECONDS))


def _waited(process: subprocess.Popen[bytes]) -> tuple[int, resource.struct_rusage]:
    """Wait, but not for longer than the cap: a process may hang without work."""
    end = time.monotonic() + 2 * CAP_SECONDS
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage
        if time.monotonic() > end:
            os.kill(process.pid, signal.SIGKILL)
        time.sleep(0.01)


def _judged(
    status: int, lines: list[str], leaked: bool, seconds: float, megabytes: float, slow: str
) -> tuple[str, float, float, str]:
    fault = "leaks" if leaked else ""
    if status == 0:
        outcome = "done"
    elif status == 2 and len(lines) == 1:
        outcome = "refused: " + lines[0].removeprefix("arcwright: ")
    elif status < 0:
        outcome, fault = f"stopped by signal {-status}", fault or "does not end"
    else:
        outcome, fault = (lines or ["ended"])[-1], fault or "traceback"
    if megabytes > MEGABYTES:
        fault = fault or "memory"
    return outcome, seconds, megabytes, fault or slow
