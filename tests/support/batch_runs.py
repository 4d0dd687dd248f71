"""Runs of batch in processes of their own, to be interrupted, killed or doubled."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parent
SCRIPT = """
import signal, sys, batch_tasks
from arcwright.batch import map_files
from pathlib import Path

if __name__ == "__main__":
    # Shells ignore Ctrl-C in what they start in the background, tests included.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder, out, workers, cluster = sys.argv[1:]
    files = sorted(Path(folder).glob("*.txt"))
    report = map_files(
        batch_tasks.obey,
        files,
        out=out,
        template="{stem}.out",
        workers=int(workers) or None,
        cluster=cluster or None,
    )
    print(report.done, report.skipped, report.failed)
"""


@pytest.fixture
def start(tmp_path):
    """Start a run in a process of its own."""
    script = tmp_path / "run.py"
    script.write_text(SCRIPT)
    started = []

    def go(folder, out, workers=1, cluster=""):
        command = [sys.executable, str(script), str(folder), str(out), str(workers), cluster]
        environment = os.environ | {"PYTHONPATH": str(SUPPORT)}
        process = subprocess.Popen(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield go
    for process in started:
        process.kill()
        process.communicate()


def made(folder, count, text):
    """Files with a text that says what `batch_tasks.obey` does with them."""
    folder.mkdir(exist_ok=True)
    for at in range(count):
        (folder / f"f{at:02}.txt").write_text(text)
    return sorted(folder.glob("*.txt"))


def wait_for(condition, seconds=60):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def outputs(out):
    """Names of the outputs."""
    return sorted(path.name for path in out.glob("*.out"))


def children_of(pid):
    """Processes that a process has started, by the files of Linux."""
    paths = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in paths for child in path.read_text().split()]


def workers_of(pid):
    """Workers of a coordinator."""
    return [
        child
        for child in children_of(pid)
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def running(pid):
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
