"""What a worker of a cluster does with one task, tried without a cluster."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arcwright.batch import cluster_worker
from arcwright.batch.cluster_worker import Unable, run_tasks
from arcwright.batch.executor import Died, OverTime
from arcwright.batch.run_lock import LOCK
from arcwright.version import __version__

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="passes on a file descriptor")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a file with this text, in a folder that is one of a run."""
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "support")
    monkeypatch.setattr(cluster_worker, "_is_wanted", lambda: lambda: True)
    (tmp_path / LOCK).touch()

    def go(text, version=__version__, folder=tmp_path, function="batch_tasks:obey", count=1):
        path = tmp_path / "a.txt"
        path.write_text(text)
        job = function, "{}", 1.0, 300.0
        given = str(path), "b/a.out", str(tmp_path / "1")
        outcomes = run_tasks(version, job, str(folder), [given] * count)
        return outcomes[0] if count == 1 and isinstance(outcomes, list) else outcomes

    yield go
    for pool in vars(cluster_worker._here).pop("pools", {}).values():
        pool.close()


def test_a_task_runs_in_a_process_with_limits_and_is_named(run):
    good = run("good")
    assert (good.folder / "a.out").read_text() == "good"
    again = run("good")
    assert replace(again, seconds=0, folder=None) == replace(good, seconds=0, folder=None)
    assert again.folder != good.folder, "each attempt has a folder of its own"
    assert run("eat").error == "needs more memory than its limit of 300 MB"
    assert run("die") == Died("the worker was ended by SIGKILL")
    assert isinstance(run("hang"), OverTime)
    assert run("good").error == ""


def test_tasks_that_come_together_are_given_back_where_they_take_long(run, monkeypatch):
    monkeypatch.setattr(cluster_worker, "LONGEST_CHUNK", 60)
    assert [each.error for each in run("good", count=5)] == [""] * 5
    monkeypatch.setattr(cluster_worker, "LONGEST_CHUNK", 0)
    assert len(run("good", count=5)) == 1, "the others have not begun"


def test_dask_s_setting_of_memory_is_not_passed_on(run, monkeypatch):
    """Memory that is given back after each array has to be asked for again: page faults."""
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    seen = run("environment MALLOC_TRIM_THRESHOLD_")
    assert (seen.folder / "a.out").read_text() == "not set"


def test_a_worker_that_cannot_run_any_task_says_why(run, tmp_path):
    another = run("good", version="0.0.1").reason
    assert f"has Arcwright {__version__}, this is 0.0.1" in another
    unseen = run("good", folder=tmp_path / ".batch" / "1").reason
    assert f"does not see {tmp_path}: inputs and outputs must be on a file system" in unseen
    unknown = run("good", function="no_such_module:obey")
    assert isinstance(unknown, Unable)
    assert "No module named 'no_such_module'" in unknown.reason
    assert run("good").error == "", "other runs go on"


def test_a_task_that_nobody_waits_for_is_ended(run, monkeypatch):
    looks = iter([True, True, False])
    monkeypatch.setattr(cluster_worker, "_is_wanted", lambda: lambda: next(looks, False))
    monkeypatch.setattr(cluster_worker, "POLL_SECONDS", 0.1)
    assert run("sleep 600") == Died("the cluster took the task back")
