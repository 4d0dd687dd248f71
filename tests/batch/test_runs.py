"""Runs that are interrupted, killed or doubled: nothing is lost, nothing is done twice."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import batch_tasks
from arcwright.batch import map_files, read_manifest
from arcwright.batch.manifest import Manifest
from batch_runs import SCRIPT, SUPPORT, linux, made, outputs, running, start, wait_for, workers_of

__all__ = ["start"]  # a fixture


@linux
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_goes_on_from_where_it_was(start, tmp_path, sign):
    log, out = tmp_path / "log", tmp_path / "out"
    files = made(tmp_path / "in", 20, f"log {log}")
    first = start(tmp_path / "in", out)
    wait_for(lambda: len(outputs(out)) >= 3)
    workers = workers_of(first.pid)
    os.killpg(first.pid, sign) if sign == signal.SIGINT else first.kill()
    _, said = first.communicate()
    assert first.returncode != 0
    assert said.count("Traceback") == (sign == signal.SIGINT), "workers are silent"
    wait_for(lambda: not any(running(pid) for pid in workers))
    before = outputs(out)
    assert 3 <= len(before) < 20
    report = map_files(batch_tasks.obey, files, out=out, template="{stem}.out", workers=1)
    assert report.failed == 0
    assert report.done + report.skipped == 20
    assert report.done <= 20 - len(before) + 1, "at most the one being recorded is done again"
    assert len(outputs(out)) == 20
    ran = log.read_text().split()
    assert len(set(ran)) == 20
    assert len(ran) <= 22, "only what was running is run again"
    assert not (out / ".batch").exists()


@linux
def test_a_worker_killed_from_outside_is_replaced(start, tmp_path):
    out = tmp_path / "out"
    made(tmp_path / "in", 2, "sleep 1.5")
    run = start(tmp_path / "in", out)
    wait_for(lambda: list(out.glob(".batch/*/1")))
    (worker,) = workers_of(run.pid)
    os.kill(worker, signal.SIGKILL)
    said, _ = run.communicate(timeout=60)
    assert said.split() == ["2", "0", "0"]
    assert outputs(out) == ["f00.out", "f01.out"]


def test_two_runs_on_one_folder_share_the_work(start, tmp_path):
    log, out = tmp_path / "log", tmp_path / "out"
    made(tmp_path / "in", 30, f"log {log}")
    runs = [start(tmp_path / "in", out) for _ in range(2)]
    counts = [[int(word) for word in run.communicate(timeout=120)[0].split()] for run in runs]
    assert all(sum(each) == 30 and each[2] == 0 for each in counts)
    assert sum(done for done, _, _ in counts) == 30
    assert min(done for done, _, _ in counts) > 0, "both had some"
    assert sorted(log.read_text().split()) == [f"f{at:02}.txt" for at in range(30)]
    assert {record.outcome for record in read_manifest(out)} == {"done"}


def test_files_are_streamed(tmp_path):
    """Files are asked for as workers come free, not all at once."""
    files = made(tmp_path / "in", 30, "text")
    asked = []

    def stream():
        for file in files:
            asked.append(file)
            yield file

    ahead = []

    def watch(progress):
        assert progress.total is None
        ahead.append(len(asked) - progress.done)

    report = map_files(
        batch_tasks.length, stream(), out=tmp_path / "out", workers=1, progress=watch
    )
    assert report.done == 30
    assert max(ahead) <= 3


@pytest.mark.parametrize("step", ["keep_files", "finish"])
def test_a_run_that_ends_while_files_are_moved_is_gone_on_with(tmp_path, monkeypatch, step):
    """After the files are announced, and after they are moved: they stay the task's own."""
    (file,) = made(tmp_path / "in", 1, "first")
    out, given = tmp_path / "out", {"template": "{stem}.out", "workers": 1}
    map_files(batch_tasks.obey, [file], out=out, **given)
    file.write_text("second")

    def end(manifest, *arguments):
        if step == "keep_files":
            keep_files(manifest, *arguments)
        raise KeyboardInterrupt

    keep_files = Manifest.keep_files
    with monkeypatch.context() as patch:
        patch.setattr(Manifest, step, end)
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                map_files(batch_tasks.obey, [file], out=out, **given)
            moved = "second" if step == "finish" else "first"
            assert (out / "f00.out").read_text() == moved
    assert [record.outcome for record in read_manifest(out)] == ["stopped"]
    report = map_files(batch_tasks.obey, [file], out=out, **given)
    assert (report.done, report.failed) == (1, 0)
    assert (out / "f00.out").read_text() == "second"


def test_the_example_of_the_docs_runs(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "batch.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "example.py").write_text(code)
    made(tmp_path / "notes", 2, "hello")
    command = [sys.executable, "example.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[0] == "2 0 ()"
    assert (tmp_path / "loud" / "f01.txt").read_text() == "HELLO!"


def test_a_script_without_a_main_guard_is_reported(tmp_path):
    lines = [line for line in SCRIPT.splitlines() if not line.startswith("if __name__")]
    made(tmp_path / "in", 1, "text")
    (tmp_path / "run.py").write_text("\n".join(line.removeprefix("    ") for line in lines))
    command = [sys.executable, "run.py", "in", "out", "1", ""]
    environment = os.environ | {"PYTHONPATH": str(SUPPORT)}
    said = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    assert said.returncode == 1
    assert "a script needs `if __name__ == '__main__':`" in said.stderr
