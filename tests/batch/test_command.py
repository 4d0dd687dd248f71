"""`arcwright batch`: which files it takes, what it writes and prints, how it ends."""

import json
import sys

import pytest

from arcwright import open as opened
from arcwright.batch import InputFile, Progress, find_files, read_manifest
from arcwright.batch.inputs import output_name
from arcwright.cli import main
from arcwright.cli.batch import VERBS, ProgressLine
from arcwright.errors import BadFile
from builders import arm_scene


@pytest.fixture
def folder(tmp_path):
    """A folder with two project files, one of them further down, and a damaged one."""
    (tmp_path / "in" / "below").mkdir(parents=True)
    opened.write(arm_scene(), tmp_path / "in" / "arm.arc.glb")
    opened.write(arm_scene(), tmp_path / "in" / "below" / "arm.arc.glb")
    (tmp_path / "in" / "damaged.bvh").write_text("HIERARCHY\nROOT")
    (tmp_path / "in" / "notes.txt").write_text("not a scene")
    return tmp_path / "in"


def run(*arguments):
    return main(["batch", *map(str, arguments), "--workers", "1"])


def test_a_folder_is_converted_and_the_damaged_file_is_listed(folder, tmp_path, capsys):
    out = tmp_path / "out"
    template = "{folder}/{stem}.bvh"
    assert run("convert", folder, "--out", out, "--template", template, "--take", "wave") == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith(f"failed: {folder / 'damaged.bvh'}: ")
    assert printed[1].startswith("2 done, 0 done before, 1 failed in ")
    assert (out / "arm.bvh").read_bytes() == (out / "below" / "arm.bvh").read_bytes()
    main(["convert", str(folder / "arm.arc.glb"), str(tmp_path / "one.bvh"), "--take", "wave"])
    assert (out / "arm.bvh").read_bytes() == (tmp_path / "one.bvh").read_bytes()
    (folder / "damaged.bvh").unlink()
    assert run("convert", folder, "--out", out, "--template", template, "--take", "wave") == 0


def test_json_for_machines(folder, tmp_path, capsys):
    assert run("inspect", folder, "--out", tmp_path / "out", "--json") == 1
    printed = json.loads(capsys.readouterr().out)
    assert (printed["done"], printed["skipped"], printed["failed"]) == (2, 0, 1)
    assert printed["failures"][0]["file"] == str(folder / "damaged.bvh")
    summary = json.loads((tmp_path / "out" / "below" / "arm.json").read_text())
    assert summary["characters"][0]["joints"] == 3


def test_a_list_file_names_files(folder, tmp_path, capsys):
    names = tmp_path / "names.txt"
    names.write_text(f"{folder / 'arm.arc.glb'}\n\n{folder / 'missing.bvh'}\n")
    assert run("fit", "--list", names, "--out", tmp_path / "out", "--tolerance", 0.01) == 1
    assert "missing.bvh: cannot be read" in capsys.readouterr().out
    done = [record for record in read_manifest(tmp_path / "out") if record.outcome == "done"]
    assert [record.output for record in done] == ["arm.arc.glb"]
    assert done[0].options["tolerance"] == 0.01
    assert "key poses" in done[0].value["notes"][0]


def test_detect_cycle_and_replay_write_what_the_commands_write(folder, tmp_path, capsys):
    arm = folder / "arm.arc.glb"
    assert run("detect", arm, "--out", tmp_path / "out") == 0
    capsys.readouterr()
    assert main(["detect", str(arm), "--json"]) == 0
    assert json.loads((tmp_path / "out" / "arm.json").read_text()) == json.loads(
        capsys.readouterr().out
    )
    assert run("cycle", arm, "--out", tmp_path / "cycles") == 0
    assert json.loads((tmp_path / "cycles" / "arm.json").read_text())["period"] is None
    loops = "--template", "{stem}.arc.glb"
    assert run("cycle", arm, "--out", tmp_path / "loops", *loops) == 1
    assert "a movement that repeats" in capsys.readouterr().out
    gestures = folder / "drag.json"
    drag = {"point": {"joint": "LeftHand"}, "frame": 12, "by": [0, 0.05, 0], "steps": 3}
    case = {"scene": "biped:stand", "tool": "tangent", "drags": [drag]}
    gestures.write_text(json.dumps(case))
    assert run("replay", gestures, "--out", tmp_path / "edited") == 0
    assert main(["replay", str(gestures), "--out", str(tmp_path / "one.arc.glb")]) == 0
    edited = (tmp_path / "edited" / "drag.arc.glb").read_bytes()
    assert edited == (tmp_path / "one.arc.glb").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.bvh"], "no such file"),
        (["*.nothing"], "no such file"),
        ([], "at least one file"),
        (["--list", "missing.txt"], "no such list file"),
        (["IN", "--template", "{take}.glb"], "no field of a template named 'take'"),
        (["IN", "--template", "{stem}.fbx"], "--template: expected a name that ends in"),
        (["IN", "--template", "{stem}"], "--template: expected a name that ends in"),
    ],
)
def test_bad_input_ends_with_2(folder, tmp_path, capsys, arguments, words):
    arguments = [folder if word == "IN" else word for word in arguments]
    assert run("convert", *arguments, "--out", tmp_path / "out") == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_description_never_gets_the_name_of_a_scene(folder, tmp_path, capsys):
    assert run("inspect", folder, "--out", tmp_path / "out", "--template", "{name}") == 2
    assert "a name that ends in .json, got {name}" in capsys.readouterr().err


def test_every_verb_is_a_function_of_batch():
    from arcwright.batch import verbs

    assert all(callable(getattr(verbs, verb.name)) for verb in VERBS)


def test_folders_and_patterns_find_files_of_the_given_kinds(folder):
    def found(*given, **more):
        files = find_files(given, (".glb", ".bvh"), **more)
        listed = [(file.path.relative_to(folder).as_posix(), file.folder) for file in files]
        assert len(files) == len(listed)
        return sorted(listed)

    everything = [("arm.arc.glb", "."), ("below/arm.arc.glb", "below"), ("damaged.bvh", ".")]
    assert found(folder) == everything
    assert found(f"{folder}/**/*") == everything
    assert found(f"{folder}/*.bvh") == [("damaged.bvh", ".")]
    assert found(folder, exclude=folder / "below") == [everything[0], everything[2]]
    assert found(f"{folder}/**/*.glb", exclude=folder / "below") == [everything[0]]
    assert found(folder / "notes.txt") == [("notes.txt", ".")], "a file that is named is taken"
    with pytest.raises(BadFile):
        found(folder, exclude=folder)


def test_output_names_follow_the_template(tmp_path):
    file = InputFile(tmp_path / "walk.arc.glb", "a/b")
    assert output_name("{folder}/{stem}.bvh", file) == "a/b/walk.bvh"
    assert output_name("{stem}-{suffix}", file) == "walk-.arc.glb"
    assert output_name("{folder}/{name}", InputFile(tmp_path / "walk.bvh")) == "walk.bvh"


def test_a_progress_bar_fits_into_its_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    line = ProgressLine()
    for done, total in ((120, 120), (7, None)):
        line.next = 0.0
        line(Progress(done=done, skipped=0, failed=0, total=total, seconds=20))
    full, unknown = capsys.readouterr().err.split("\r")[1:]
    assert full == "[====================] 120 of"
    assert unknown == "7, 0 failed, 0.35/s".ljust(29)


def test_progress_has_rate_remaining_time_and_failures(monkeypatch, capsys):
    progress = Progress(done=30, skipped=10, failed=10, total=120, seconds=20)
    assert str(progress) == "50 of 120, 10 done before, 10 failed, 2/s, 0:35 to go"
    assert str(Progress(0, 0, 0, None, 0.0)) == "0, 0 failed, 0/s"
    for terminal in (True, False):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        line = ProgressLine()
        line(progress)
        assert not capsys.readouterr().err, "not before a moment has passed"
        line.next = 0.0
        line(progress)
        line.end()
        said = capsys.readouterr().err
        bar = "\r[========            ] 50 of 120"
        assert said.startswith(bar if terminal else "50 of 120")
        assert said.endswith("\r" if terminal else "to go\n")
