"""Functions for the tests of batch, importable by workers: each does what a file's text says."""

import os
import signal
import time
from pathlib import Path


def upper(path, out, *, mark=""):
    """Write the text in capitals; return its length."""
    text = Path(path).read_text()
    out.write_text(text.upper() + mark)
    return len(text)


def length(path):
    """The number of bytes, without an output."""
    return Path(path).stat().st_size


def nothing(path):
    """An empty task."""


def obey(path, out):
    """Do what the first word of the file says, then write the whole text."""
    text = Path(path).read_text()
    word, _, argument = text.partition(" ")
    if word == "hang":
        time.sleep(600)
    elif word == "eat":
        eaten = []
        while True:
            eaten.append(bytes(10_000_000))  # zeros, no page touched: quick on a busy machine
    elif word == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif word == "die-with-parent":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)
    elif word == "die-once":
        if not Path(argument).exists():
            Path(argument).touch()
            os.kill(os.getpid(), signal.SIGKILL)
    elif word == "fail":
        raise ValueError("as it\nwas asked to")
    elif word == "full":
        Path("/dev/full").write_text("x")
    elif word == "sleep":
        time.sleep(float(argument))
    elif word == "silent":
        return
    elif word == "print":
        print("printed by a task")
    elif word == "environment":
        text = os.environ.get(argument, "not set")
    elif word == "log":
        log_run(path, argument)
    out.write_text(text)


def log_run(path, log):
    """Add a line to a log: who ran what, so that a test sees what was done twice."""
    with Path(log).open("a") as file:
        file.write(f"{Path(path).name}\n")
    time.sleep(0.05)


def threads(path):
    """What limits the threads of linear algebra, as the worker sees it."""
    return os.environ["OPENBLAS_NUM_THREADS"]


def with_beside(path, out):
    """Write two files, as a .gltf with its .bin."""
    out.with_suffix(".bin").write_bytes(b"buffer")
    out.write_text(Path(path).read_text())


def unkeepable(path):
    """Return what JSON cannot hold."""
    return {1, 2}
