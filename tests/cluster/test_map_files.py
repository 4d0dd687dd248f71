"""Files are worked on by a cluster: the same bytes, limits and errors as with local processes."""

import json
import subprocess
import sys

import pytest

import batch_tasks
from arcwright import open as opened
from arcwright.batch import cluster as cluster_module
from arcwright.batch import map_files, read_manifest, verbs
from arcwright.cli import main
from arcwright.errors import ArcwrightError, BadValue
from batch_runs import made, outputs
from builders import arm_scene

LOG_LENGTH = "distributed.admin.low-level-log-length"


def contents(out):
    return {path.name: path.read_bytes() for path in sorted(out.glob("*.out"))}


def errors(report):
    return {failure.file.rpartition("/")[2]: failure.error for failure in report.failures}


def obey(files, out, cluster, **given):
    given = {"template": "{stem}.out", "cluster": cluster.address} | given
    return map_files(batch_tasks.obey, files, out=out, **given)


def test_the_cluster_gives_the_same_bytes_as_local_processes(cluster, tmp_path):
    (tmp_path / "in").mkdir()
    for at in range(6):
        opened.write(arm_scene(), tmp_path / "in" / f"arm{at}.arc.glb")
    files = sorted((tmp_path / "in").iterdir())
    given = {"template": "{stem}.arc.glb", "options": {"tolerance": 0.01}}
    local = map_files(verbs.fit, files, out=tmp_path / "local", workers=1, **given)
    there = map_files(verbs.fit, files, out=tmp_path / "there", cluster=cluster.address, **given)
    assert local.done == there.done == 6
    for file in files:
        assert (tmp_path / "local" / file.name).read_bytes() == (
            tmp_path / "there" / file.name
        ).read_bytes()
    rows = [
        [(row.input, row.files, row.value) for row in read_manifest(tmp_path / name)]
        for name in ("local", "there")
    ]
    assert rows[0] == rows[1]


def test_one_bad_file_of_each_kind_stops_no_other(cluster, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    texts = {
        "a_hang": "hang",
        "b_eat": "eat",
        "c_die": "die",
        "d_once": f"die-once {tmp_path / 'died'}",
        "e_fail": "fail",
        "f_silent": "silent",
        "g_good": "good",
    }
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    files = [*sorted(folder.iterdir()), folder / "missing.txt"]
    report = obey(files, tmp_path / "out", cluster, timeout=2, memory=300)
    assert errors(report) == {
        "a_hang.txt": "took longer than its limit of 2 s",
        "b_eat.txt": "needs more memory than its limit of 300 MB",
        "c_die.txt": "the worker was ended by SIGKILL, twice",
        "missing.txt": f"{folder / 'missing.txt'}: cannot be read: No such file or directory",
        "e_fail.txt": "ValueError: as it was asked to",
        "f_silent.txt": "the function wrote no output",
    }
    assert (report.done, report.failed, report.retried) == (2, 6, 2)
    assert contents(tmp_path / "out").keys() == {"d_once.out", "g_good.out"}
    assert not (tmp_path / "out" / ".batch").exists()


def test_a_second_run_does_only_what_is_missing_or_changed(cluster, tmp_path):
    files, out = made(tmp_path / "in", 3, "one"), tmp_path / "out"
    assert obey(files, out, cluster).done == 3
    assert obey(files, out, cluster).skipped == 3
    (out / "f00.out").unlink()
    files[1].write_text("two")
    report = obey(files, out, cluster)
    assert (report.done, report.skipped) == (2, 1)
    (out / "f02.out").write_text("edited by hand")
    files[2].write_text("three")
    report = obey(files, out, cluster)
    assert "exists and was not written by this task" in errors(report)["f02.txt"]
    assert (out / "f02.out").read_text() == "edited by hand"


def test_a_full_disk_stops_the_run_and_is_named(cluster, tmp_path):
    files = made(tmp_path / "in", 40, "sleep 0.05")
    files[0].write_text("full")
    report = obey(files, tmp_path / "out", cluster)
    assert "disk is full" in report.stopped
    assert "No space left on device" in errors(report)["f00.txt"]
    assert report.done + report.failed < 40
    files[0].write_text("good")
    assert obey(files, tmp_path / "out", cluster).failed == 0
    assert len(outputs(tmp_path / "out")) == 40


def test_values_and_threads_for_linear_algebra(cluster, tmp_path):
    files = made(tmp_path / "in", 2, "")
    report = map_files(batch_tasks.threads, files, cluster=cluster.address)
    assert list(report.values.values()) == ["1", "1"]


def test_files_are_streamed(cluster, tmp_path):
    """Few tasks are in flight: a million files need no list and no futures of a million."""
    files, asked, ahead = made(tmp_path / "in", 200, ""), [], []

    def stream():
        for file in files * 3:
            asked.append(file)
            yield file

    def watch(progress):
        ahead.append(len(asked) - progress.done - progress.skipped)

    report = map_files(batch_tasks.nothing, stream(), cluster=cluster.address, progress=watch)
    assert report.done + report.skipped == 600
    assert 2 <= max(ahead) <= 2 * (2 + cluster_module.AHEAD_TASKS) + 1


@pytest.fixture
def submitted(monkeypatch):
    """What was submitted to the engine: each time a number of tasks."""
    from distributed import Client

    sizes, submit = [], Client.submit

    def count(client, function, *given, **options):
        sizes.append(len(given[-1]))
        return submit(client, function, *given, **options)

    monkeypatch.setattr(Client, "submit", count)
    return sizes


def test_short_tasks_travel_together_and_long_ones_alone(cluster, tmp_path, submitted):
    """The engine keeps some memory for each submission, and each takes some milliseconds."""
    files = made(tmp_path / "in", 600, "")
    assert map_files(batch_tasks.nothing, files, cluster=cluster.address).done == 600
    assert len(submitted) < 200
    assert max(submitted) <= cluster_module.CHUNK_TASKS
    submitted.clear()
    long = made(tmp_path / "long", 4, "sleep 0.2")
    assert obey(long, tmp_path / "out", cluster).done == 4
    assert submitted == [1] * 4


def test_tasks_that_travel_together_have_outcomes_of_their_own(cluster, tmp_path, submitted):
    files = made(tmp_path / "in", 200, "good")
    bad = {100: "hang", 120: "fail", 140: "eat", 160: "die", 180: "silent"}
    for at, text in bad.items():
        files[at].write_text(text)
    report = obey(files, tmp_path / "out", cluster, timeout=2, memory=300)
    assert errors(report) == {
        files[100].name: "took longer than its limit of 2 s",
        files[120].name: "ValueError: as it was asked to",
        files[140].name: "needs more memory than its limit of 300 MB",
        files[160].name: "the worker was ended by SIGKILL, twice",
        files[180].name: "the function wrote no output",
    }
    assert (report.done, report.failed) == (195, 5)
    assert max(submitted) > 1
    assert not (tmp_path / "out" / ".batch").exists()


def test_a_cluster_on_this_machine_keeps_no_logs_of_tasks(tmp_path):
    """They are for the dashboard of a long-lived cluster; here they grow the coordinator."""
    with cluster_module.connected("local", 1) as client:
        for at in range(50):
            client.submit(abs, at, pure=False).result()
        scheduler = client.cluster.scheduler
        assert len(scheduler.transition_log) <= cluster_module.LOCAL_SETTINGS[LOG_LENGTH]
        assert all(
            len(events) <= cluster_module.LOCAL_SETTINGS[LOG_LENGTH]
            for events in scheduler.get_events().values()
        )
        kept = client.run(lambda dask_worker: len(dask_worker.state.log))
        assert max(kept.values()) <= cluster_module.LOCAL_SETTINGS[LOG_LENGTH]


def test_a_cluster_on_this_machine_by_a_word(tmp_path, capsys):
    folder = tmp_path / "in"
    folder.mkdir()
    opened.write(arm_scene(), folder / "arm.arc.glb")
    (folder / "damaged.bvh").write_text("HIERARCHY\nROOT")
    flags = ["--out", str(tmp_path / "out"), "--cluster", "local", "--workers", "1", "--json"]
    assert main(["batch", "inspect", str(folder), *flags]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert (printed["done"], printed["failed"]) == (1, 1)
    (folder / "damaged.bvh").unlink()
    assert main(["batch", "inspect", str(folder), *flags]) == 0


def test_another_version_on_the_workers_is_named(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "__version__", "0.0.1")
    with pytest.raises(ArcwrightError, match="has Arcwright .*, this is 0.0.1: install the same"):
        obey(made(tmp_path / "in", 1, ""), tmp_path / "out", cluster)


def test_a_function_that_workers_cannot_import_is_named(cluster, tmp_path, monkeypatch):
    (tmp_path / "here_only.py").write_text("def length(path):\n    return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    import here_only

    with pytest.raises(ArcwrightError, match="No module named 'here_only'"):
        map_files(here_only.length, made(tmp_path / "in", 1, ""), cluster=cluster.address)
    files = made(tmp_path / "in", 4, "")
    assert map_files(batch_tasks.length, files, cluster=cluster.address).done == 4


def test_a_function_of_a_script_is_refused(cluster, monkeypatch):
    import __main__

    def script(path):
        pass

    script.__module__, script.__qualname__ = "__main__", "script"
    monkeypatch.setattr(__main__, "script", script, raising=False)
    with pytest.raises(BadValue, match="module that workers of the cluster import"):
        map_files(script, [], cluster=cluster.address)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:1", "a Dask scheduler that answers"),
        ("nonsense", "missing port number"),
        ("", "a Dask scheduler that answers"),
        ("http://nowhere:1", "unknown address scheme"),
        ("missing.json", "no such scheduler file"),
    ],
)
def test_an_address_where_nobody_answers_ends_with_2(tmp_path, capsys, monkeypatch, address, words):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1)
    (tmp_path / "a.bvh").touch()
    flags = ["--out", str(tmp_path / "out"), "--cluster", address]
    assert main(["batch", "inspect", str(tmp_path / "a.bvh"), *flags]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_bad_address_is_one_line_until_the_process_has_ended(tmp_path):
    (tmp_path / "a.bvh").touch()
    command = [sys.executable, "-m", "arcwright", "batch", "inspect", "a.bvh", "--out", "out"]
    said = subprocess.run(
        [*command, "--cluster", "nowhere"], cwd=tmp_path, capture_output=True, text=True
    )
    assert said.returncode == 2
    assert len(said.stderr.splitlines()) == 1, said.stderr


def test_a_number_of_workers_beside_an_address_is_refused(cluster, tmp_path):
    with pytest.raises(BadValue, match="workers of its own"):
        obey([], tmp_path / "out", cluster, workers=2)
