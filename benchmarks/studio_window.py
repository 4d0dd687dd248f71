"""A studio of its own and a Chromium to look at it with, for measuring and for pictures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from chromium import FLAGS as FLAGS
from chromium import found_chromium

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "gltf"
PAGES = Path(__file__).resolve().parents[1] / "src" / "arcwright" / "server" / "pages"


@dataclass(frozen=True)
class Studio:
    """A running server."""

    address: str
    process: int


@contextmanager
def studio(scene: str) -> Iterator[Studio]:
    """A server with a state folder and a working folder that are forgotten afterwards."""
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "arcwright", "studio", "--no-browser", scene],
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "ARCWRIGHT_HOME": home, "PYTHONUNBUFFERED": "1"},
        )
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            found = re.search(r"http://\S+", line)
            if found is None:
                raise SystemExit(f"the studio did not start: {line}")
            yield Studio(found[0], server.pid)
        finally:
            server.terminate()
            server.wait()


def chromium() -> str:
    """Where Chromium is, once the page is built; ends in plain words where either is missing."""
    pages = Path(os.environ.get("ARCWRIGHT_PAGES", PAGES))
    if not (pages / "index.html").exists():
        raise SystemExit("the studio's page is not built: make page")
    found = found_chromium()
    if found is None:
        raise SystemExit("no Chromium: make browser, or set CHROMIUM")
    return found


def memory(process: int) -> float:
    """MB that a process holds; NaN where the system does not say."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return float("nan")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else float("nan")


def load() -> str:
    """How busy the machine is with everything: a figure's small print."""
    cores = os.cpu_count() or 1
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return f"{time.strftime('%H:%M')}, load {busy:.1f} on {cores} cores"
