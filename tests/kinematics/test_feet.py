"""Feet by name, and where names do not tell, by the shape of the rest pose."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arcwright import characters, files
from arcwright.errors import BadValue
from arcwright.kinematics.feet import feet, foot_joints, heels, planted_joints
from arcwright.kinematics.rig_analysis import analyse
from arcwright.scene.rig import ChannelTable, Rig

GLTF = Path(__file__).resolve().parents[3] / "shared" / "data" / "gltf"


def found(rig):
    try:
        return [point.joint for point in feet(rig)]
    except BadValue:
        return []


def without_names(rig):
    return replace(rig, names=tuple(f"joint_{j}" for j in range(len(rig.names))))


def figure(joints, lift=0.0):
    """A rig of (name, parent, place in the world)."""
    names = [name for name, _, _ in joints]
    parents = [names.index(parent) if parent else -1 for _, parent, _ in joints]
    place = np.array([at for _, _, at in joints], float) + [0, lift, 0]
    count = len(names)
    return Rig(
        names=tuple(names),
        parents=parents,
        offset=[place[j] - place[p] if p >= 0 else place[j] for j, p in enumerate(parents)],
        rest=np.tile([1.0, 0, 0, 0], (count, 1)),
        scale=np.ones((count, 3)),
        modes=("XYZ",) * count,
        channels=ChannelTable.of([], []),
    )


STANDING = [
    ("node", "", (0, 0, 0)),
    ("mesh", "node", (0, 0, 0)),
    ("a", "node", (0, 1, 0)),
    ("b", "a", (0, 1.4, 0)),
    ("c", "b", (0, 1.7, 0)),
    *((f"{side}{n}", parent, (x, y, z))
      for side, x in (("l", 0.1), ("r", -0.1))
      for n, parent, y, z in ((1, "a", 0.95, 0), (2, f"{side}1", 0.5, 0.02),
                              (3, f"{side}2", 0.08, 0), (4, f"{side}3", 0.02, 0.1))),
    *((f"{side}h{n}", parent, (n * x, y, 0))
      for side, x in (("l", 0.3), ("r", -0.3))
      for n, parent, y in ((1, "b", 1.35), (2, f"{side}h1", 1.2), (3, f"{side}h2", 1.0))),
]  # fmt: skip


def test_the_ends_of_a_pair_of_legs_are_feet():
    rig = figure(STANDING)
    assert found(rig) == ["l4", "r4"]
    assert np.flatnonzero(foot_joints(rig)).tolist() == sorted(
        rig.joint(name) for name in ("l3", "l4", "r3", "r4")
    )
    assert [point.joint for point in heels(rig)] == ["l3", "r3"]


def test_a_rig_that_hangs_from_its_root_stands_below_it():
    assert found(figure(STANDING, lift=-1.0)) == ["l4", "r4"]


def test_what_flies_has_no_feet():
    assert found(figure(STANDING, lift=1.5)) == []


def test_a_single_or_an_unlike_leg_is_none():
    assert found(figure([each for each in STANDING if not each[0].startswith("r")])) == []
    short = [(n, p, (at[0], at[1] + 0.3 * (n in ("r3", "r4")), at[2])) for n, p, at in STANDING]
    assert found(figure(short)) == []


def test_a_rig_without_legs_says_so():
    with pytest.raises(BadValue, match="no pair of legs"):
        feet(figure(STANDING[:5]))


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("biped", 2),
        ("dinosaur", 2),
        ("dragon", 4),
        ("spider", 0),
        ("robot", 0),
        ("lamp", 0),
        ("car", 0),
    ],
)
def test_feet_of_built_in_characters(name, count):
    assert len(found(characters.built_in(name).characters[0].rig)) == count


def test_a_biped_has_its_feet_without_names_too():
    rig = characters.built_in("biped").characters[0].rig
    ends = [rig.names[without_names(rig).joint(name)] for name in found(without_names(rig))]
    assert len(ends) == 2
    assert {name.removeprefix("Left").removeprefix("Right") for name in ends} <= {"Toes", "ToeEnd"}


@pytest.mark.parametrize(
    ("file", "ends"),
    [
        ("CesiumMan.glb", {"leg_joint_L_5", "leg_joint_R_5"}),
        ("RiggedFigure.glb", {"leg_joint_L_5", "leg_joint_R_5"}),
        ("RobotExpressive.glb", {"Foot.L", "Foot.R"}),
        (
            "Fox.glb",
            {"b_LeftFoot02_018", "b_RightFoot02_022", "b_LeftHand_011", "b_RightHand_08"},
        ),
        ("kaykit/Knight.glb", {"toes.l", "toes.r"}),
        ("quaternius/Wolf.glb", {"FF.L", "FF.R", "FFB.L", "FFB.R"}),
        ("quaternius/Trex.glb", {"BackFoot.L", "BackFoot.R"}),
        (
            "quaternius/Spider.glb",
            {
                *("FrontFoot.L", "MidFrontFoot.L", "BackFoot.L", "MidBackFoot.L"),
                *("FrontFoot2.R", "MidFrontFoot.R", "BackFoot.R", "MidBackFoot.R"),
            },
        ),
        ("kenney/character.glb", set()),
        ("RiggedSimple.glb", set()),
        ("quaternius/Wasp.glb", set()),
        ("quaternius/Clownfish.glb", set()),
    ],
)
def test_feet_of_real_characters(file, ends):
    if not (GLTF / file).exists():
        pytest.skip("no shared data")
    assert set(found(files.read(GLTF / file).characters[0].rig)) == ends


def test_where_the_first_joint_of_a_foot_is_a_hock_the_paw_below_it_stands():
    legs = [
        (name, parent, (x, height, 0))
        for side, x in (("Left", 0.1), ("Right", -0.1))
        for name, parent, height in (
            (f"{side}Leg", "Hips", 0.5),
            (f"{side}Foot01", f"{side}Leg", 0.16),
            (f"{side}Foot02", f"{side}Foot01", 0.01),
        )
    ]
    beast = figure([("Hips", "", (0, 0.6, 0)), ("Head", "Hips", (0, 0.7, 0.9)), *legs])
    assert found(beast) == ["LeftFoot02", "RightFoot02"]
    ankles = [(n, p, (*at[:1], 0.08 if n.endswith("01") else at[1], 0)) for n, p, at in legs]
    person = figure([("Hips", "", (0, 0.6, 0)), ("Head", "Hips", (0, 1.6, 0)), *ankles])
    assert found(person) == ["LeftFoot01", "RightFoot01"]


def test_a_high_ankle_stands_with_its_toes():
    rig = characters.built_in("dinosaur").characters[0].rig
    names = [rig.names[joint] for joint in np.flatnonzero(planted_joints(rig))]
    assert names == ["LeftFoot", "LeftToes", "RightFoot", "RightToes"]


@pytest.mark.parametrize(
    "file", ["kaykit/Knight.glb", "quaternius/Wolf.glb", "quaternius/Trex.glb", "Fox.glb"]
)
def test_feet_and_heels_of_real_characters_deform_a_mesh(file):
    if not (GLTF / file).exists():
        pytest.skip("no shared data")
    actor = files.read(GLTF / file).characters[0]
    deforms = analyse(actor).deforms
    for point in (*feet(actor.rig), *heels(actor.rig)):
        assert deforms[actor.rig.joint(point.joint)]


def test_controllers_beside_the_legs_are_no_feet():
    controls = [
        *(("IK-toe." + side, "node", (x, 0.0, 0.1)) for side, x in (("l", 0.1), ("r", -0.1))),
        *(("control-foot-roll." + s, "node", (x, 0.1, 0.0)) for s, x in (("l", 0.1), ("r", -0.1))),
    ]
    assert found(figure([*STANDING, *controls])) == ["l4", "r4"]


def test_a_detached_foot_belongs_to_the_leg_whose_end_it_lies_at():
    bare = [each for each in STANDING if each[0] not in ("l4", "r4")]
    feet_beside = [
        (f"{side}{name}", parent, (x, y, z))
        for side, x in (("l", 0.1), ("r", -0.1))
        for name, parent, y, z in (("x", "node", 0.08, 0.0), ("y", f"{side}x", 0.02, 0.12))
    ]
    assert found(figure([*bare, *feet_beside])) == ["ly", "ry"]
