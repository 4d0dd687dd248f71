"""Files of strokes, and the command that bends a scene with them."""

import json

import numpy as np
import pytest

import arcwright
from arcwright.cli import main
from arcwright.errors import BadFile, BadValue
from arcwright.flow_file import compose, flow_of, list_curves, read_flow_file, with_new_meshes
from flow_scenes import arc_over, pole, standing


@pytest.fixture
def shot(tmp_path):
    scene = standing(pole())
    path = tmp_path / "shot.arc.glb"
    arcwright.write(scene, path)
    strokes = tmp_path / "strokes.json"
    strokes.write_text(json.dumps({"strokes": [{"points": arc_over(scene).tolist()}]}))
    return scene, path, strokes


def test_a_file_of_strokes_bends_a_scene(shot, tmp_path, capsys):
    _, path, strokes = shot
    out = tmp_path / "bent.arc.glb"
    assert main(["flow", str(path), "--strokes", str(strokes), "--out", str(out), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (piece,) = report["pieces"]
    assert piece["objects"] == ["pole"]
    assert piece["angle_after_deg"] < 0.1 * piece["angle_before_deg"]
    assert report["contact_drift_px"] <= 0.5
    assert report["flips"] == 0
    after = arcwright.read(out)
    assert after.actor("pole").shapes[0].morph_names == ("Flow",)
    assert main(["flow", str(path), "--list-curves", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in listed["curves"]] == ["pole"]


def test_new_meshes_have_the_flow_in_their_vertices(shot):
    scene, _, strokes = shot
    edit, _ = compose(scene, read_flow_file(strokes))
    after = edit.apply(scene)
    part = with_new_meshes(after).actor("pole").shapes[0].parts[0]
    bent = after.actor("pole").shapes[0].parts[0]
    assert part.morphs == ()
    expected = bent.attributes["POSITION"] + bent.morphs[0]["POSITION"]
    assert part.attributes["POSITION"] == pytest.approx(expected)


def test_a_centre_point_and_drawn_curves_are_read():
    scene = standing(pole(x=-0.6), pole("other", 0.6))
    file = flow_of(
        {
            "centre": [480, 120],
            "curves": [{"points": [[1, 1], [50, 60]], "objects": ["other"], "name": "mine"}],
        }
    )
    assert [each["name"] for each in list_curves(scene, file)["curves"]][-1] == "mine"
    edit, report = compose(scene, file)
    assert not edit.empty
    assert {each["layer"] for each in report["pieces"]} == {"Centre point 1"}


def test_a_camera_is_read():
    view = {"eye": [0, 1, 5], "target": [0, 1, 0], "fov_degrees": 30, "width": 640, "height": 360}
    camera = flow_of({"camera": view}).camera
    assert camera.field_of_view == pytest.approx(np.radians(30))
    assert (camera.width, camera.height) == (640, 360)


@pytest.mark.parametrize(
    "bad",
    [
        [],
        {"stroke": []},
        {"strokes": {}},
        {"strokes": [{"points": [[1, 2, 3]]}]},
        {"strokes": [{"points": [[1, "x"]]}]},
        {"strokes": [{"points": [[1, 2]], "strength": -1}]},
        {"camera": {"eye": [0, 0, 0]}},
        {"camera": {"eye": [0, 0, 0], "target": [0, 0, 0]}},
        {"centre": [1]},
    ],
)
def test_bad_files_are_refused(bad):
    with pytest.raises(BadValue):
        flow_of(bad)


def test_other_mistakes_end_in_one_line(shot, tmp_path, capsys):
    _, path, _ = shot
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    with pytest.raises(BadFile):
        read_flow_file(broken)
    assert main(["flow", str(path)]) == 2
    assert "--strokes" in capsys.readouterr().err
    with pytest.raises(BadValue, match="camera"):
        compose(arcwright.Scene(), flow_of({}))
