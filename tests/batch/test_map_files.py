"""Files are worked on by processes: limits hold, deaths are survived, nothing is done twice."""

import pytest

import batch_tasks
from arcwright.batch import manifest, map_files, read_manifest
from arcwright.errors import ArcwrightError, BadFile, BadValue, UnknownName


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


def made(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    return [folder / f"{name}.txt" for name in texts]


def contents(out):
    return {path.name: path.read_bytes() for path in sorted(out.glob("*.out"))}


def obey(files, out, **given):
    given = {"workers": 1, "template": "{stem}.out"} | given
    return map_files(batch_tasks.obey, files, out=out, **given)


def errors(report):
    return {failure.file.rpartition("/")[2]: failure.error for failure in report.failures}


def test_one_and_two_workers_give_the_same_bytes(folder, tmp_path):
    files = made(folder, **{f"f{at}": f"text {at}" for at in range(9)})
    outs = [tmp_path / "one", tmp_path / "two"]
    for workers, out in enumerate(outs, 1):
        report = map_files(
            batch_tasks.upper, files, out=out, template="{stem}.out", workers=workers
        )
        assert (report.done, report.skipped, report.failed) == (9, 0, 0)
    assert contents(outs[0]) == contents(outs[1])
    assert contents(outs[0])["f3.out"] == b"TEXT 3"
    assert sorted(path.name for path in outs[0].iterdir())[0] == "f0.out", "work files are left"
    records = list(read_manifest(outs[0]))
    assert [record.value for record in records] == [6] * 9
    assert all(record.outcome == "done" and record.seconds > 0 for record in records)


def test_one_bad_file_of_each_kind_stops_no_other(folder, tmp_path):
    files = made(
        folder,
        a_hang="hang",
        b_eat="eat",
        c_die="die",
        d_once=f"die-once {tmp_path / 'died'}",
        e_fail="fail",
        f_silent="silent",
        g_good="good",
    )
    files.insert(3, folder / "missing.txt")
    report = obey(files, tmp_path / "out", workers=2, timeout=2, memory=300)
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
    outcomes = {record.error for record in read_manifest(tmp_path / "out")}
    assert outcomes == {None, *errors(report).values()}


def test_a_second_run_does_only_what_is_missing_or_changed(folder, tmp_path):
    files = made(folder, a="one", b="two", c="three")
    out = tmp_path / "out"

    def run(mark=""):
        report = map_files(
            batch_tasks.upper,
            files,
            out=out,
            template="{stem}.out",
            workers=1,
            options={"mark": mark},
        )
        return report.done, report.skipped, report.failed

    assert run() == (3, 0, 0)
    assert run() == (0, 3, 0)
    (out / "a.out").unlink()
    files[1].write_text("changed")
    assert run() == (2, 1, 0)
    assert contents(out) == {"a.out": b"ONE", "b.out": b"CHANGED", "c.out": b"THREE"}
    assert run(mark="!") == (3, 0, 0)
    assert contents(out)["c.out"] == b"THREE!"


def test_a_failed_file_is_tried_again_by_the_next_run(folder, tmp_path):
    files = made(folder, a="fail")
    assert obey(files, tmp_path / "out").failed == 1
    assert obey(files, tmp_path / "out").failed == 1
    made(folder, a="good")
    report = obey(files, tmp_path / "out")
    assert (report.done, report.failed) == (1, 0)
    (record,) = read_manifest(tmp_path / "out")
    assert (record.outcome, record.error) == ("done", None)


def test_nothing_is_overwritten_unless_asked(folder, tmp_path):
    files, out = made(folder, a="new", b="other"), tmp_path / "out"
    out.mkdir()
    (out / "a.out").write_text("precious")
    report = obey(files, out)
    assert errors(report).keys() == {"a.txt"}
    assert "exists and was not written by this task" in errors(report)["a.txt"]
    assert contents(out)["a.out"] == b"precious"
    assert obey(files, out, overwrite=True).done == 1
    assert contents(out)["a.out"] == b"new"
    (out / "b.out").write_text("edited by hand")
    made(folder, b="changed")
    assert errors(obey(files, out)).keys() == {"b.txt"}
    assert contents(out)["b.out"] == b"edited by hand"


def test_an_input_is_never_written_over(folder):
    files = made(folder, a="text")
    report = obey(files, folder, template="{name}", overwrite=True)
    assert "is the input itself" in errors(report)["a.txt"]
    assert files[0].read_text() == "text"


def test_two_inputs_with_one_output_are_kept_apart(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    files = [*made(folder, a="first"), *made(other, a="second")]
    report = obey(files, tmp_path / "out", overwrite=True)
    assert (report.done, report.failed) == (1, 1)
    assert f"is also the output of {files[0]}" in report.failures[0].error
    assert contents(tmp_path / "out") == {"a.out": b"first"}


def test_a_file_listed_twice_is_done_once(folder, tmp_path):
    files = made(folder, a="text")
    report = obey(files * 3, tmp_path / "out")
    assert (report.done, report.skipped) == (1, 2)


def test_files_written_beside_the_output_come_with_it(folder, tmp_path):
    files, out = made(folder, a="text"), tmp_path / "out"
    for done in (1, 0):
        report = map_files(
            batch_tasks.with_beside, files, out=out, template="{stem}.out", workers=1
        )
        assert report.done == done
    assert (out / "a.bin").read_bytes() == b"buffer"
    (record,) = read_manifest(out)
    assert record.files.keys() == {"a.bin", "a.out"}


def test_a_full_disk_stops_the_run_and_is_named(folder, tmp_path):
    files = made(folder, a="full", **{f"f{at}": "good" for at in range(20)})
    report = obey(files, tmp_path / "out")
    assert "disk is full" in report.stopped
    assert "No space left on device" in errors(report)["a.txt"]
    assert report.done + report.failed < 21
    made(folder, a="good")
    assert obey(files, tmp_path / "out").failed == 0
    assert len(contents(tmp_path / "out")) == 21


def test_a_manifest_without_space_stops_the_run_and_is_named(folder, tmp_path, monkeypatch):
    files = made(folder, **{f"f{at}": f"text {at}" for at in range(60)})

    def cramped(path):
        connection = connect(path)
        connection.execute("PRAGMA max_page_count = 8")
        return connection

    connect = manifest._connect
    with monkeypatch.context() as patch:
        patch.setattr(manifest, "_connect", cramped)
        report = obey(files, tmp_path / "out")
    assert "disk is full" in report.stopped
    assert 0 < report.done < 60
    report = obey(files, tmp_path / "out")
    assert (report.done + report.skipped, report.failed) == (60, 0)


def test_values_without_an_output_folder_are_in_the_report(folder):
    files = made(folder, a="1", b="22")
    report = map_files(batch_tasks.length, files, workers=1)
    assert report.values == {str(files[0]): 1, str(files[1]): 2}
    assert report.manifest is None


def test_values_with_an_output_folder_are_in_its_manifest(folder, tmp_path):
    files = made(folder, a="1", b="22")
    for skipped in (0, 2):
        report = map_files(batch_tasks.length, files, out=tmp_path / "out", workers=1)
        assert report.skipped == skipped
    assert [record.value for record in read_manifest(tmp_path / "out")] == [1, 2]


def test_workers_use_one_thread_for_linear_algebra(folder):
    report = map_files(batch_tasks.threads, made(folder, a=""), workers=1)
    assert list(report.values.values()) == ["1"]


def test_a_value_that_json_cannot_hold_fails_its_file(folder):
    report = map_files(batch_tasks.unkeepable, made(folder, a=""), workers=1)
    assert "not JSON serializable" in report.failures[0].error


def test_a_name_that_is_no_text_is_worked_on(folder, tmp_path):
    file = folder / b"odd\xff.txt".decode("utf-8", "surrogateescape")
    file.write_text("odd")
    for done in (1, 0):
        assert obey([file], tmp_path / "out").done == done


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"workers": 0}, BadValue),
        ({"timeout": -1}, BadValue),
        ({"memory": 0}, BadValue),
        ({"template": "../{stem}"}, BadValue),
        ({"template": "/tmp/{stem}"}, BadValue),
        ({"template": "{stem"}, BadValue),
        ({"template": "{stem.__class__}"}, UnknownName),
        ({"template": "manifest.sqlite"}, BadValue),
        ({"options": {"a": object()}}, BadValue),
    ],
)
def test_bad_arguments_are_refused_before_anything_runs(folder, tmp_path, given, error):
    with pytest.raises(error):
        obey(made(folder, a="text"), tmp_path / "out", **given)
    assert not (tmp_path / "out").exists()


def test_a_function_without_a_name_is_refused(folder):
    with pytest.raises(BadValue, match="can be imported"):
        map_files(lambda path: path, [])


def test_a_manifest_that_is_none_is_refused(folder, tmp_path):
    (tmp_path / "manifest.sqlite").write_text("not a database " * 100)
    with pytest.raises(BadFile, match="manifest"):
        obey(made(folder, a="text"), tmp_path)


def test_an_output_folder_that_is_a_file_is_refused(folder):
    (file,) = made(folder, a="text")
    with pytest.raises(ArcwrightError, match="output folder"):
        obey([file], file)
