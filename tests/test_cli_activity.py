"""`arcwright activity edit`, `vary`, `retarget` and `detect` on a tea that is poured."""

import json
from dataclasses import replace

import pytest

import arcwright
from arcwright.cli import main
from arcwright.kinematics.scaled_limbs import scaled_limbs
from arcwright.scene.scene import Scene

FILE = {
    "scene": "biped:tea",
    "objects": [
        {"objectName": "pot", "actor": "Pot", "isModifiable": True, "isReplaceable": True},
        {"objectName": "cup", "actor": "Cup", "isModifiable": True},
    ],
    "effectors": [{"effectorName": "RightHand"}, {"effectorName": "LeftHand"}],
    "events": [
        {"keyframe": frame, "name": name, "modifiableEffectors": [], "constraints": pairs}
        for frame, name, pairs in (
            (38, "grab", [{"constrainedElement": "RightHand", "constrainingElement": "pot"}]),
            (
                86,
                "pour",
                [
                    {"constrainedElement": "RightHand", "constrainingElement": "pot"},
                    {"constrainedElement": "LeftHand", "constrainingElement": "cup"},
                ],
            ),
            (178, "release", [{"constrainedElement": "RightHand", "constrainingElement": "pot"}]),
        )
    ],
    "edits": [{"event": "pour", "object": "cup", "by": [0.08, 0, 0.03]}],
}


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "tea.json"
    made.write_text(json.dumps(FILE))
    return made


def test_edits_of_a_file_are_carried_out_with_their_residuals(path, capsys):
    out = path.with_name("edited.arc.glb")
    assert main(["activity", "edit", str(path), "--out", str(out), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["worst_m"] < 0.002
    assert {each["kind"] for each in report["residuals"]} == {"edit", "event", "pair"}
    assert arcwright.read(str(out)).characters[0].takes[0].layers


def test_a_grid_of_placements_gives_a_scene_each(path, capsys):
    folder = path.with_name("variations")
    words = ["activity", "vary", str(path), "--object", "cup", "--grid", "2x1", "--spacing", "0.1"]
    assert main([*words, "--out", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["variations"]
    assert [each["by"] for each in found] == [[-0.05, 0, 0], [0.05, 0, 0]]
    assert len(list(folder.iterdir())) == 2


def test_random_placements_are_those_of_their_seed(path, capsys):
    def placed(seed):
        words = ["--object", "cup", "--random", "2", "--seed", str(seed), "--json"]
        assert main(["activity", "vary", str(path), *words]) == 0
        return [each["by"] for each in json.loads(capsys.readouterr().out)["variations"]]

    assert placed(1) == placed(1) != placed(2)


def edited(path, capsys, *edits):
    path.write_text(json.dumps(FILE | {"edits": [*edits]}))
    assert main(["activity", "edit", str(path), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_residuals_are_measured_beside_a_retimed_event(path, capsys):
    report = edited(path, capsys, *FILE["edits"], {"event": "pour", "frame": 96})
    assert {each["kind"] for each in report["residuals"]} == {"edit", "event", "pair"}
    assert report["worst_m"] < 0.002
    assert report["notes"] == []


def test_an_event_that_cannot_come_so_far_is_noted(path, capsys):
    report = edited(path, capsys, {"event": "pour", "frame": 500})
    (note,) = [each for each in report["notes"] if "'pour'" in each]
    assert "not at 500" in note


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["vary", "{}"], "--object"),
        (["vary", "{}", "--object", "spoon"], "spoon"),
        (["vary", "{}", "--object", "cup", "--grid", "5"], "--grid"),
        (["edit", "nowhere.json"], "nowhere.json"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(path, words, reason, capsys):
    assert main(["activity", *[word.format(path) for word in words]]) == 2
    assert reason in capsys.readouterr().err


def detected(capsys, *words):
    assert main(["activity", "detect", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_detected_events_are_listed_with_time_elements_kind_and_confidence(capsys):
    report = detected(capsys, "biped:tea")
    assert (report["character"], report["take"]) == ("biped", "tea")
    grab = next(each for each in report["events"] if each["kind"] == "grab")
    assert {"right hand", "pot"} <= set(grab["elements"])
    assert abs(grab["frame"] - 38) <= 3
    assert grab["time"] == pytest.approx(grab["frame"] / 30, abs=0.002)
    assert 0.9 < grab["confidence"] <= 1
    assert grab["pairs"] == [["right hand", "pot"]]


def test_the_confidence_limits_what_is_listed(capsys):
    counts = [
        len(detected(capsys, "biped:tea", "--confidence", each)["events"])
        for each in ("0", "0.5", "0.9", "1")
    ]
    assert counts[0] > counts[1] > counts[2] > counts[3] == 0


def test_a_detected_activity_is_written_and_can_be_edited(tmp_path, capsys):
    out = tmp_path / "found.json"
    events = detected(capsys, "biped:tea", "--out", str(out))["events"]
    file = json.loads(out.read_text())
    assert [each["name"] for each in file["events"]] == [each["name"] for each in events]
    file["edits"] = [{"event": "pot stops", "element": "pot", "by": [0.05, 0, 0]}]
    out.write_text(json.dumps(file))
    assert main(["activity", "edit", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["worst_m"] < 0.002


def test_a_detected_activity_names_its_scene_where_it_can(tmp_path, capsys):
    scene = tmp_path / "scenes" / "tea.arc.glb"
    scene.parent.mkdir()
    arcwright.write(arcwright.read("biped:tea"), scene)
    near, far = tmp_path / "near.json", tmp_path / "far" / "far.json"
    far.parent.mkdir()
    assert detected(capsys, str(scene), "--out", str(near))["warnings"] == []
    assert json.loads(near.read_text())["scene"] == "scenes/tea.arc.glb"
    (warning,) = detected(capsys, str(scene), "--out", str(far))["warnings"]
    assert "--scene" in warning
    assert main(["activity", "edit", str(far), "--scene", str(scene)]) == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nowhere.bvh"], "nowhere.bvh"),
        (["biped:tea", "--take", "dance"], "dance"),
        (["biped:tea", "--confidence", "1.5"], "0 to 1"),
        (["biped:tea", "--out", "found.txt"], ".json"),
    ],
)
def test_what_cannot_be_detected_is_said_in_one_line(words, reason, capsys):
    assert main(["activity", "detect", *words]) == 2
    said = capsys.readouterr().err
    assert reason in said
    assert said.count("\n") == 1


def test_an_activity_is_retargeted_to_the_character_of_a_file(path, capsys):
    biped = arcwright.read("biped:tea").characters[0]
    other, out = path.with_name("short.arc.glb"), path.with_name("retargeted.arc.glb")
    short = replace(scaled_limbs(biped, arms=0.85, legs=0.75), name="short")
    arcwright.write(Scene("short", (short,)), other)
    words = ["activity", "retarget", str(path), "--character", str(other)]
    assert main([*words, "--out", str(out), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["worst_m"] < 0.002
    assert {each["event"] for each in report["residuals"]} == {"grab", "pour"}
    scene = arcwright.read(out)
    assert [each.name for each in scene.characters] == ["short"]
    assert scene.activities[0].character == "short"


@pytest.mark.parametrize(
    ("character", "reason"),
    [("", "--character"), ("lamp", "roles"), ("nowhere.glb", "nowhere.glb")],
)
def test_what_cannot_be_retargeted_is_said_in_one_line(path, character, reason, capsys):
    words = ["--character", character] if character else []
    assert main(["activity", "retarget", str(path), *words]) == 2
    said = capsys.readouterr().err
    assert reason in said
    assert said.count("\n") == 1
