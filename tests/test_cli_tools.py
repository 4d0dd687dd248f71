"""Tools on the command line: every option has a flag, and a drag does what it does in Python."""

import json
from dataclasses import dataclass, replace

import pytest

import arcwright
from acting import triggers
from arcwright import Contact, Point, Stroke, same
from arcwright.cli import build_parser, main
from arcwright.tools.catalogue import TOOLS
from arcwright.tools.options import Options, described, option
from take_tools import TAKE_TOOLS

EACH_TOOL = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
DRAGGED = TAKE_TOOLS
DRAG = ["--point", "LeftHand", "--frame", "10", "--by", "0", "0.03", "-0.01"]
PINS = ["--pin", "LeftFoot", "--pin", "RightFoot"]


def texts(value):
    return [str(value)] if value is not None else ["none"]


@EACH_TOOL
def test_every_option_has_a_flag_with_its_help(tool, capsys):
    with pytest.raises(SystemExit):
        build_parser().parse_args([tool.name, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for each in described(tool.Options):
        flag = "--" + each.name.replace("_", "-")
        assert flag in shown
        assert each.help.split()[0] in shown
        given = [flag] if each.kind == "bool" else [flag, *texts(each.default)]
        assert build_parser().parse_args([tool.name, "biped:walk", *given])


@pytest.mark.parametrize("tool", DRAGGED, ids=lambda tool: tool.name)
def test_a_drag_writes_the_edited_scene(tool, tmp_path, capsys):
    out = tmp_path / "out.arc.glb"
    assert main([tool.name, "biped:walk", *DRAG, *PINS, "--out", str(out)]) == 0
    walk = arcwright.read("biped:walk")
    feet = ["LeftFoot", "RightFoot"]
    edit = arcwright.drag(
        walk, "LeftHand", frame=10, by=(0, 0.03, -0.01), pins=feet, tool=tool.name
    )
    assert same(arcwright.read(out).characters[0].takes, edit.apply(walk).characters[0].takes)
    assert capsys.readouterr().out == f"{edit.summary(walk)}\nwrote {out}\n"


def test_options_are_those_of_the_tool(capsys):
    flags = ["--time-reach", "2", "--no-plant-feet", "--rotate", "keep ends", "--body-follows", "1"]
    assert main(["pose", "biped:walk", *DRAG, *flags, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["changed"]
    assert report["remaining_m"] < 1e-3
    assert (report["out"], report["warnings"]) == (None, [])


def test_notes_go_to_standard_error_or_into_the_json(capsys):
    far = ["--point", "LeftHand", "--frame", "10", "--by", "0", "3", "0"]
    assert main(["pose", "biped:walk", *far]) == 0
    output = capsys.readouterr()
    assert output.err.startswith("note: ")
    assert "note" not in output.out
    assert main(["pose", "biped:walk", *far, "--json"]) == 0
    note = json.loads(capsys.readouterr().out)["notes"][0]
    assert note["text"] in output.err
    assert note["amount"] > 1


def test_a_joint_is_turned_about_an_axis_and_at_a_time(capsys):
    turn = ["--point", "Head", "--time", "0.5", "--turn", "0", "0.2", "0"]
    assert main(["pose", "biped:walk", *turn]) == 0
    assert capsys.readouterr().out.startswith("Rotate Head at frame 12\n")
    assert main(["tangent", "biped:walk", *DRAG, "--axis", "0", "1", "0"]) == 0


def test_a_prop_is_dragged_by_its_name(capsys):
    box = ["--prop", "Box", "--point", "Box", "--frame", "32", "--by", "0.1", "0", "0"]
    assert main(["spacetime", "biped:carry", *box]) == 0
    assert "Box, take carry" in capsys.readouterr().out


def test_constraints_are_solved_without_a_drag(tmp_path, capsys):
    file, out = tmp_path / "in.arc.glb", tmp_path / "out.arc.glb"
    scene = arcwright.read("biped:walk")
    foot = Contact(Point("LeftFoot"), 0.2, 0.9)
    arcwright.write(replace(scene, constraints=(foot,)), file)
    given = [str(file), "--out", str(out)]
    assert main(["spacetime", *given, "--json", "--no-detect-footplants"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["changed"]
    assert report["used"]["knot_spacing"] > 0
    assert len(arcwright.read(out).characters[0].takes[0].layers) == 1


def test_a_gesture_file_is_used_with_the_scene_and_options_given(tmp_path, capsys):
    gesture = tmp_path / "drags.json"
    drag = {"point": {"joint": "LeftHand"}, "frame": 10, "by": [0, 0.02, 0], "steps": 2}
    gesture.write_text(json.dumps({"options": {"reach": 1}, "drags": [drag]}))
    given = ["biped:walk", "--gesture", str(gesture), "--json"]
    assert main(["pose", *given]) == 0
    assert json.loads(capsys.readouterr().out)["interactions"][0]["hit_m"] < 1e-3
    assert main(["pose", *given, "--time-reach", "99"]) == 2
    assert "time_reach: expected" in capsys.readouterr().err
    assert main(["pose", *given, "--take", "walk"]) == 2
    assert "--gesture: expected no drag, pin, take" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["pose", "biped:walk"], "expected --point and --by"),
        (["pose", "biped:walk", "--frame", "1"], "--point"),
        (["pose", "biped:walk", "--point", "LeftHand", "--by", "0", "0", "0"], "a frame or a time"),
        (["pose", "biped:walk", "--point", "LeftHnd", *DRAG[2:]], "there is LeftHand"),
        (["pose", "biped:walk", *DRAG, "--take", "wlk"], "there is walk"),
        (["pose", "biped:walk", *DRAG, "--pin", "Foot"], "no joint named 'Foot'"),
        (["pose", "nowhere.bvh", *DRAG], "nowhere.bvh"),
    ],
)
def test_bad_input_ends_with_2_and_one_line(given, said, capsys):
    assert main(given) == 2
    output = capsys.readouterr()
    assert said in output.err
    assert output.err.count("\n") == 1
    assert not output.out


def test_the_file_that_is_read_is_not_written_over(tmp_path, capsys):
    file = tmp_path / "in.arc.glb"
    arcwright.write(arcwright.read("biped:walk"), file)
    assert main(["pose", str(file), *DRAG, "--out", str(file)]) == 2
    assert "another file than IN" in capsys.readouterr().err


@dataclass(frozen=True)
class DrawOptions(Options):
    width: float = option(1.0, "Width", "of the line", unit="m", low=0.0, high=2.0)


class DrawTool:
    """Draw a line."""

    name, label, gestures, Options, one_frame = "draw", "Draw", (Stroke,), DrawOptions, False


def test_a_new_tool_has_a_command_with_the_flags_that_it_understands(monkeypatch, capsys):
    monkeypatch.setattr("arcwright.tools.catalogue.TOOLS", [*TOOLS, DrawTool()])
    with pytest.raises(SystemExit):
        main(["draw", "--help"])
    shown = capsys.readouterr().out
    assert "--width N" in shown
    assert "of the line (0 to 2 m; default 1.0)" in shown
    assert "--gesture FILE" in shown
    assert "--point" not in shown
    assert main(["draw", "biped:walk"]) == 2
    assert "draw: expected --gesture, got none" in capsys.readouterr().err
    assert main(["draw", "biped:walk", "--width", "3"]) == 2
    assert "width: expected a number, 0 to 2, got 3" in capsys.readouterr().err


def test_tools_are_not_loaded_for_other_commands():
    assert "inspect" in build_parser("inspect").format_help()
    assert "tangent" not in build_parser("inspect").format_help()
    assert "tangent" in build_parser().format_help()


def test_a_kept_recording_is_made_again_by_its_number(tmp_path, capsys):
    scene = arcwright.read("biped:stand")
    acted = triggers(1.0)
    scene = arcwright.perform(scene, ["Head.rotate.x"], acted).apply(scene)
    source, out = tmp_path / "nod.arc.glb", tmp_path / "best.arc.glb"
    arcwright.write(scene, source)
    assert main(["inspect", str(source)]) == 0
    assert "recording 0: Head.rotate.x of biped" in capsys.readouterr().out
    given = ["cycle", str(source), "--recording", "0", "--shape", "best", "--out", str(out)]
    assert main([*given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["changed"]
    assert dict(arcwright.read(out).recordings[0].options) == {"shape": "best"}
    assert main(["cycle", str(source), "--recording", "3"]) == 2
    assert "expected 0 to 0" in capsys.readouterr().err


def test_complete_fills_in_between_keys_and_says_how_well(tmp_path, capsys):
    out = str(tmp_path / "completed.arc.glb")
    words = ["complete", "lamp:hop", "--keys", "0,8,17,26,36", "--model", "none"]
    assert main([*words, "--out", out, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["changed"]
    assert report["used"]["deviation_m"] < 0.005
    assert report["used"]["per_second"] < 8
    take = arcwright.read(out).characters[0].takes[0]
    assert {0, 8, 17, 26, 36} <= set((take.base.curves[1].time * 24).round(6))
    for bad, says in (("3", "two keys or more"), ("0,99", "frames from 0 to 36")):
        assert main(["complete", "lamp:hop", "--keys", bad]) == 2
        assert says in capsys.readouterr().err
