"""A Dask cluster of two workers on this machine, as users start it; skipped without Dask."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import batch_tasks
from batch_runs import children_of, running, start, wait_for

__all__ = ["start"]  # a fixture


def pytest_ignore_collect():
    """Without Dask there is nothing to test here."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        return True
    return None


class DaskCluster:
    """A scheduler and workers with two threads in all, in processes of their own."""

    def __init__(self, folder, workers=2):
        self.address = str(folder / "scheduler.json")
        environment = os.environ | {"PYTHONPATH": str(Path(batch_tasks.__file__).parent)}
        self.log = (folder / "log").open("wb")

        def dask(*arguments):
            command = [
                sys.executable,
                "-m",
                "dask",
                *arguments,
                "--dashboard-address",
                "127.0.0.1:0",
            ]
            where = ["--scheduler-file", self.address]
            return subprocess.Popen(
                [*command, *where], env=environment, stdout=self.log, stderr=self.log, cwd=folder
            )

        self.scheduler = dask("scheduler", "--host", "127.0.0.1", "--port", "0")
        wait_for(Path(self.address).exists)
        threads = 2 // workers
        self.workers = dask("worker", "--nworkers", str(workers), "--nthreads", str(threads))
        wait_for(lambda: sum(self.threads().values()) == 2)

    def ask(self, question):
        from distributed import Client

        with Client(scheduler_file=self.address, set_as_default=False) as client:
            return question(client)

    def threads(self):
        return self.ask(lambda client: client.nthreads())

    def pids(self):
        """Process numbers of the workers that Dask started."""
        return list(self.ask(lambda client: client.run(os.getpid)).values())

    def task_processes(self):
        """Processes in which tasks run."""
        found = [child for pid in self.pids() for child in children_of(pid)]
        return [pid for pid in found if b"cluster_worker" in _command(pid) and running(pid)]

    def stop(self):
        for process in (self.workers, self.scheduler):
            process.terminate()
            process.wait()
        self.log.close()


def _command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


@pytest.fixture
def own_cluster(tmp_path):
    """A cluster for one test, which may break it."""
    (tmp_path / "dask").mkdir()
    cluster = DaskCluster(tmp_path / "dask")
    yield cluster
    cluster.stop()


@pytest.fixture
def threaded_cluster(tmp_path):
    """A cluster of one worker with two threads."""
    (tmp_path / "dask").mkdir()
    cluster = DaskCluster(tmp_path / "dask", workers=1)
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def cluster():
    """A cluster that tests share."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = DaskCluster(Path(folder))
        yield cluster
        cluster.stop()
