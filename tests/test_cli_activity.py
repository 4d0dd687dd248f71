"""`arcwright activity edit` and `vary` on a file about a tea that is poured."""

import json

import pytest

import arcwright
from arcwright.cli import main

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
