"""Workers, runs and clusters that are killed or doubled: nothing lost, nothing done twice."""

import os
import signal

import pytest

import batch_tasks
from arcwright.batch import map_files, read_manifest
from arcwright.errors import ArcwrightError
from batch_runs import linux, made, outputs, running, wait_for

pytestmark = linux


def obey(files, out, cluster, **given):
    given = {"template": "{stem}.out", "cluster": cluster.address} | given
    return map_files(batch_tasks.obey, files, out=out, **given)


def test_a_worker_of_the_cluster_that_is_killed_is_replaced(own_cluster, start, tmp_path):
    out = tmp_path / "out"
    made(tmp_path / "in", 4, "sleep 1.5")
    run = start(tmp_path / "in", out, 0, own_cluster.address)
    wait_for(lambda: len(list(out.glob(".batch/*/*/*"))) == 2)
    processes = own_cluster.task_processes()
    os.kill(own_cluster.pids()[0], signal.SIGKILL)
    said, errors = run.communicate(timeout=60)
    assert said.split() == ["4", "0", "0"], errors
    assert len(outputs(out)) == 4
    assert sum(not running(pid) for pid in processes) == 1, "its process ended with it"
    assert not (out / ".batch").exists()


def test_a_worker_with_two_threads_has_a_process_for_each(threaded_cluster, start, tmp_path):
    out = tmp_path / "out"
    made(tmp_path / "in", 4, "sleep 3")
    run = start(tmp_path / "in", out, 0, threaded_cluster.address)
    wait_for(lambda: len(list(out.glob(".batch/*/*/*"))) == 2)
    assert len(threaded_cluster.task_processes()) == 2
    said, errors = run.communicate(timeout=60)
    assert said.split() == ["4", "0", "0"], errors


def test_tasks_of_a_killed_worker_are_counted(own_cluster, tmp_path):
    killed = []

    def kill(progress):
        if not killed and list((tmp_path / "out").glob(".batch/*/*/*")):
            killed.append(own_cluster.pids()[0])
            os.kill(killed[0], signal.SIGKILL)

    files = made(tmp_path / "in", 6, "sleep 1.5")
    report = obey(files, tmp_path / "out", own_cluster, progress=kill)
    assert (report.done, report.failed, report.retried) == (6, 0, 1)


def test_a_file_that_kills_workers_of_the_cluster_fails_and_stops_no_other(own_cluster, tmp_path):
    """Dask counts a death against tasks that only waited on the same worker, too."""
    files = made(tmp_path / "in", 12, "good")
    files[1].write_text("die-with-parent")
    report = obey(files, tmp_path / "out", own_cluster)
    (failure,) = report.failures
    assert failure.file == str(files[1])
    assert failure.error == "the worker of the cluster died, 4 times"
    assert report.done == 11


def test_short_tasks_beside_one_that_kills_workers_are_all_done(own_cluster, tmp_path):
    files = made(tmp_path / "in", 150, "good")
    files[100].write_text("die-with-parent")
    report = obey(files, tmp_path / "out", own_cluster)
    (failure,) = report.failures
    assert failure.file == str(files[100])
    assert failure.error == "the worker of the cluster died, 4 times"
    assert report.done == 149
    assert len(outputs(tmp_path / "out")) == 149
    assert not (tmp_path / "out" / ".batch").exists()


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_goes_on_from_where_it_was(cluster, start, tmp_path, sign):
    log, out = tmp_path / "log", tmp_path / "out"
    files = made(tmp_path / "in", 40, f"log {log}")
    first = start(tmp_path / "in", out, 0, cluster.address)
    wait_for(lambda: len(outputs(out)) >= 3)
    os.killpg(first.pid, sign)
    _, said = first.communicate()
    assert first.returncode != 0
    assert said.count("Traceback") == (sign == signal.SIGINT), said
    before = outputs(out)
    assert 3 <= len(before) < 40
    report = obey(files, out, cluster)
    assert (report.done + report.skipped, report.failed) == (40, 0)
    assert len(outputs(out)) == 40
    ran = log.read_text().split()
    assert len(set(ran)) == 40
    assert len(ran) <= 48, "only what was in flight is run again"
    assert not (out / ".batch").exists()


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_tasks_of_a_run_that_ended_are_ended_on_the_workers(cluster, start, tmp_path, sign):
    out = tmp_path / "out"
    made(tmp_path / "in", 4, "hang")
    run = start(tmp_path / "in", out, 0, cluster.address)
    wait_for(lambda: len(list(out.glob(".batch/*/*/*"))) == 2)
    processes = cluster.task_processes()
    assert len(processes) == 2
    os.killpg(run.pid, sign)
    run.communicate()
    wait_for(lambda: not any(running(pid) for pid in processes))


def test_ctrl_c_stops_a_cluster_on_this_machine(start, tmp_path):
    out = tmp_path / "out"
    made(tmp_path / "in", 4, "sleep 20")
    run = start(tmp_path / "in", out, 1, "local")
    wait_for(lambda: list(out.glob(".batch/*/*/*")))
    os.killpg(run.pid, signal.SIGINT)
    _, said = run.communicate(timeout=30)
    assert said.count("Traceback") == 1, said
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert {record.outcome for record in read_manifest(out)} == {"stopped"}


def test_two_runs_on_one_folder_share_the_work(cluster, start, tmp_path):
    log, out = tmp_path / "log", tmp_path / "out"
    made(tmp_path / "in", 99, f"log {log}")
    runs = [start(tmp_path / "in", out, 0, cluster.address) for _ in range(2)]
    counts = [[int(word) for word in run.communicate(timeout=120)[0].split()] for run in runs]
    assert all(sum(each) == 99 and each[2] == 0 for each in counts)
    assert sum(done for done, _, _ in counts) == 99
    assert min(done for done, _, _ in counts) > 0, "both had some"
    assert sorted(log.read_text().split()) == [f"f{at:02}.txt" for at in range(99)]
    assert {record.outcome for record in read_manifest(out)} == {"done"}


def test_a_scheduler_that_dies_is_named_and_the_run_goes_on_elsewhere(own_cluster, tmp_path):
    files, out = made(tmp_path / "in", 20, "sleep 0.2"), tmp_path / "out"

    def kill(progress):
        if progress.done >= 2:
            own_cluster.scheduler.kill()

    with pytest.raises(ArcwrightError, match="scheduler of the cluster has gone"):
        obey(files, out, own_cluster, progress=kill)
    report = map_files(batch_tasks.obey, files, out=out, template="{stem}.out", workers=1)
    assert (report.done + report.skipped, report.failed) == (20, 0)
    assert report.skipped >= 2
