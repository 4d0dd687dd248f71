"""The command line as a person uses it: what it prints, what it writes, how it ends."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from arcwright import open as opened
from arcwright.cli import main
from arcwright.edits.lengths import set_lengths
from arcwright.picture import png
from arcwright.scene.scene import Scene
from builders import arm_constraints, arm_scene
from exported_rig import exported


@pytest.fixture
def project(tmp_path):
    """A small project file."""
    path = tmp_path / "arm.arc.glb"
    opened.write(arm_scene(), path)
    return path


def run(*arguments):
    return main([str(argument) for argument in arguments])


def test_inspect_tells_what_is_in_a_file(project, capsys):
    assert run("inspect", project) == 0
    output = capsys.readouterr().out
    assert "character arm: 3 joints, 7 channels" in output
    assert "wave: 25 frames at 24 fps" in output


def test_inspect_counts_constraints(project, tmp_path, capsys):
    assert run("inspect", project) == 0
    assert "constraints: 1 pins, 1 contacts\n" in capsys.readouterr().out
    scene = arm_scene()
    scene = replace(scene, constraints=(*scene.constraints, *arm_constraints()))
    opened.write(scene, tmp_path / "more.arc.glb")
    assert run("inspect", tmp_path / "more.arc.glb") == 0
    said = f"constraints: 1 pins, 1 contacts, {len(arm_constraints())} others\n"
    assert said in capsys.readouterr().out


def test_inspect_prints_json(project, capsys):
    assert run("inspect", project, "--json") == 0
    output = json.loads(capsys.readouterr().out)
    assert output["file"] == str(project)
    character = output["characters"][0]
    assert character["joints"] == 3
    assert character["channels"] == 7
    assert [clip["keys"] for clip in character["takes"]] == [18, 0]
    assert {"unit_m", "up", "warnings", "props", "pins", "contacts", "constraints"} <= output.keys()
    assert {"frames", "fps", "duration_s"} <= character["takes"][0].keys()


def test_a_built_in_is_accepted_where_a_file_is(capsys):
    assert run("inspect", "biped:stand", "--json") == 0
    output = json.loads(capsys.readouterr().out)
    clip = output["characters"][0]["takes"][0]
    assert clip["name"] == "stand"
    assert clip["frames"] == 25


def test_convert_writes_bvh_and_reads_it_again(project, tmp_path, capsys):
    out = tmp_path / "arm.bvh"
    assert run("convert", project, out, "--take", "recorded", "--fps", "48") == 0
    assert "wrote" in capsys.readouterr().out
    take = opened.read(out).characters[0].takes[0]
    assert take.rate == pytest.approx(48)
    assert take.duration == pytest.approx(4 / 24)


def test_convert_fits_samples_with_few_keys(project, tmp_path, capsys):
    out = tmp_path / "arm.glb"
    assert run("convert", project, out, "--take", "recorded", "--fit", "0.01", "--json") == 0
    output = json.loads(capsys.readouterr().out)
    assert "key poses" in output["notes"][0]
    assert "keys" in output["notes"][0]


def test_picture_draws_a_png(project, tmp_path):
    out = tmp_path / "arm.png"
    assert run("picture", project, out, "--points", "joint2", "--size", "200x120") == 0
    image = png.read(out)
    assert image.shape[:2] == (120, 200)
    assert len(np.unique(image.reshape(-1, image.shape[2]), axis=0)) > 50


def test_characters_are_listed_with_their_clips(capsys):
    assert run("characters") == 0
    output = capsys.readouterr().out
    for name in ("biped:stand", "biped:walk", "dinosaur:punch", "spider:walk", "robot:flight"):
        assert name in output
    assert run("characters", "--json") == 0
    assert set(json.loads(capsys.readouterr().out)) >= {"biped", "lamp"}


def test_replay_measures_each_drag(tmp_path, capsys):
    case = tmp_path / "case.json"
    drag = {"point": {"joint": "LeftHand"}, "frame": 12, "by": [0, 0.05, 0], "steps": 3}
    case.write_text(json.dumps({"scene": "biped:stand", "tool": "tangent", "drags": [drag]}))
    assert run("replay", case, "--json", "--out", tmp_path / "after.arc.glb") == 0
    outcome = json.loads(capsys.readouterr().out)["interactions"][0]
    assert outcome["hit_m"] < 1e-4
    assert outcome["keys_before"] == outcome["keys_after"]
    assert outcome["key_change"] == 0
    assert opened.read(tmp_path / "after.arc.glb").characters[0].takes[0].name == "stand"


def test_replay_solves_constraints_without_drags_and_reports_what_is_used(tmp_path, capsys):
    case, out = tmp_path / "case.json", tmp_path / "after.arc.glb"
    hands = {"point": {"joint": "LeftHand"}, "other": {"joint": "RightHand"}}
    apart = {"kind": "apart", **hands, "frames": [6, 18], "size": 0.4}
    output = {"scene": "biped:walk", "tool": "spacetime", "options": {"knot_spacing": 0.03}}
    case.write_text(json.dumps(output | {"constraints": [apart]}))
    assert run("replay", case, "--out", out) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "changed: added 1 layer"
    assert lines[-1].strip().startswith("knot_spacing: 0.03 s was requested, 0.0")
    case.write_text(json.dumps(output | {"scene": out.name, "constraints": [apart]}))
    assert run("replay", case, "--json") == 0
    applied = json.loads(capsys.readouterr().out)["applied"]
    assert not applied["changed"]
    assert applied["notes"] == []
    drag = {"point": {"joint": "Hips"}, "frame": 12, "by": [0, -0.02, 0], "steps": 2}
    case.write_text(json.dumps(output | {"drags": [drag]}))
    assert run("replay", case) == 0
    assert "  knot_spacing: 0.03 s was requested, 0.0" in capsys.readouterr().out


def test_replay_reads_scenes_beside_the_file_and_others_only_where_they_are_chosen(
    tmp_path, capsys
):
    folder = tmp_path / "gestures"
    folder.mkdir()
    case, elsewhere = folder / "case.json", tmp_path / "walk.arc.glb"
    opened.write(opened.read("biped:stand"), elsewhere)
    opened.write(opened.read("biped:stand"), folder / "walk.arc.glb")
    drag = {"point": {"joint": "LeftHand"}, "frame": 12, "by": [0, 0.01, 0], "steps": 1}
    for scene in ("../walk.arc.glb", str(elsewhere), "../gone.bvh", "/etc/passwd", ".x.bvh", ""):
        case.write_text(json.dumps({"scene": scene, "drags": [drag]}))
        assert run("replay", case) == 2
        assert "--scene FILE" in capsys.readouterr().err
        assert run("replay", case, "--scene", elsewhere) == 0
    case.write_text(json.dumps({"scene": "walk.arc.glb", "drags": [drag]}))
    assert run("replay", case) == 0


@pytest.mark.parametrize(
    "output",
    [
        {"drags": [{"steps": 10_001}]},
        {"drags": [{"steps": 6000}, {"steps": 6000}]},
        {"drags": [{}] * 1001},
        {"pins": [{"point": {"joint": "Hips"}, "frames": [0, 1]}] * 1001},
    ],
)
def test_a_gesture_file_that_asks_for_too_much_is_refused(tmp_path, capsys, output):
    drag = {"point": {"joint": "LeftHand"}, "frame": 12, "by": [0, 0.01, 0], "steps": 1}
    drags = [drag | each for each in output.get("drags", [])]
    (tmp_path / "case.json").write_text(json.dumps({"scene": "biped", **output, "drags": drags}))
    assert run("replay", tmp_path / "case.json") == 2
    assert "at most" in (line := capsys.readouterr().err) or "1 to 10000" in line


def test_a_pin_far_beyond_the_take_is_measured_inside_it(tmp_path, capsys):
    drag = {"point": {"joint": "LeftHand"}, "frame": 12, "by": [0, 0.01, 0], "steps": 1}
    pins = [{"point": {"joint": "Hips"}, "frames": frames} for frames in ([0, 1e9], [1e8, 1e9])]
    output = {"scene": "biped:stand", "drags": [drag], "pins": pins}
    (tmp_path / "case.json").write_text(json.dumps(output))
    assert run("replay", tmp_path / "case.json", "--json") == 0
    assert json.loads(capsys.readouterr().out)["interactions"][0]["pin_drift_m"] < 1e-3


def test_a_number_of_many_digits_in_a_gesture_file_is_refused_in_our_words(tmp_path, capsys):
    (tmp_path / "a.json").write_text('{"scene": ' + "9" * 5000 + "}")
    assert run("replay", tmp_path / "a.json") == 2
    assert capsys.readouterr().err.endswith("a.json: a number has too many digits\n")


def test_a_gesture_file_nested_too_deeply_is_refused_in_one_line(tmp_path, capsys):
    (tmp_path / "case.json").write_text("[" * 100_000)
    assert run("replay", tmp_path / "case.json") == 2
    assert "nested too deeply" in capsys.readouterr().err


def test_replay_says_nothing_of_ends_that_are_left_to_the_tool(tmp_path, capsys):
    case = tmp_path / "case.json"
    hands = {"point": {"joint": "LeftHand"}, "other": {"joint": "RightHand"}}
    apart = {"kind": "apart", **hands, "frames": [6, 18], "size": 0.4}
    output = {"scene": "biped:walk", "tool": "spacetime", "constraints": [apart]}
    case.write_text(json.dumps(output | {"options": {"start": 0, "end": 0}}))
    assert run("replay", case) == 0
    assert "was requested" not in capsys.readouterr().out
    case.write_text(json.dumps(output | {"options": {"end": 30}}))
    assert run("replay", case) == 0
    assert "  end: 30 s was requested, 1 s is used" in capsys.readouterr().out


def test_replay_says_what_cannot_be_met(tmp_path, capsys):
    case = tmp_path / "case.json"
    far = {"kind": "path", "point": {"joint": "LeftHand"}, "frames": [12], "places": [[9, 1, 0]]}
    hips = {"point": {"joint": "Hips"}, "frames": [0, 24]}
    output = {"scene": "biped:walk", "tool": "spacetime", "constraints": [far], "contacts": [hips]}
    case.write_text(json.dumps(output))
    assert run("replay", case) == 0
    assert "  LeftHand path is off by up to" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["inspect", "nobody.bvh"], "nobody.bvh: no such file"),
        (["inspect", "biped:swim"], "no take named 'swim'; there is"),
        (["convert", "biped:stand", "x.xyz"], "unsupported format to write"),
        (["convert", "biped:stand", "x.bvh", "--take", "swim"], "no take named 'swim'"),
        (["convert", "biped:stand", "x.bvh", "--fit", "-1"], "is not a number above 0"),
        (["picture", "biped:stand", "x.png", "--points", "Tail"], "no joint named 'Tail'"),
        (["picture", "biped:stand", "x.png", "--size", "9"], "is not WIDTHxHEIGHT"),
        (["replay", "nobody.json"], "nobody.json"),
        (["dance"], "invalid choice: 'dance'"),
        ([], "required"),
    ],
)
def test_bad_input_ends_with_two_and_one_clear_line(
    arguments, message, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    try:
        code = run(*arguments)
    except SystemExit as end:  # so argparse ends it
        code = end.code
    assert code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_a_process_ends_with_that_code_and_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "arcwright", "inspect", "nowhere.bvh"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1
    assert "nowhere.bvh" in done.stderr


def test_a_broken_gesture_file_is_named_with_its_fault(tmp_path, capsys):
    case = tmp_path / "case.json"
    for text, fault in (
        ("{", "Expecting"),
        ("[]", "a JSON object"),
        ('{"drags": [{"frame": 1}]}', "a point (or a handle) and a frame"),
        ('{"drags": [{"point": {"joint": "a"}, "frame": "x", "by": [0,0,0]}]}', "a number"),
        ('{"speed": 1}', "speed"),
    ):
        case.write_text(text)
        assert run("replay", case) == 2
        output = capsys.readouterr().err
        assert str(case) in output
        assert fault in output


def test_writing_where_one_may_not_is_one_line(project, tmp_path, capsys):
    assert run("convert", project, tmp_path / "no" / "such" / "folder.bvh") == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_file_is_not_written_over_itself(project, capsys):
    assert run("convert", project, project) == 2
    assert "another file than IN" in capsys.readouterr().err


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as ended:
        run("--help")
    assert ended.value.code == 0
    output = capsys.readouterr().out
    for name in ("inspect", "convert", "picture", "characters", "replay"):
        assert name in output


def test_inspect_says_what_each_joint_is_for_and_why(capsys):
    assert main(["inspect", "biped:walk"]) == 0
    assert "rig: root Hips, 51 deform" in capsys.readouterr().out
    assert main(["inspect", "biped:walk", "--joints"]) == 0
    (hips,) = [line for line in capsys.readouterr().out.splitlines() if " Hips " in line]
    assert hips.split() == ["Hips", "root", "rotates", "translates", "carries", "the", "body"]
    assert main(["inspect", "biped:walk", "--json"]) == 0
    joints = json.loads(capsys.readouterr().out)["characters"][0]["rig"]
    assert joints[1]["role"] == "deform"
    assert joints[1]["rotates"]
    assert not joints[1]["translates"]
    assert joints[1]["why"] == "keeps its length"


def test_inspect_names_freed_and_locked_joints(tmp_path, capsys):
    scene = Scene(characters=(exported(),))
    scene = set_lengths(scene, "", [2], "locked").apply(scene)
    scene = set_lengths(scene, "", [3], "free").apply(scene)
    opened.write(scene, tmp_path / "said.arc.glb")
    assert main(["inspect", str(tmp_path / "said.arc.glb")]) == 0
    said = capsys.readouterr().out
    assert "length free, freed: Hand" in said
    assert "length locked: Spine" in said
