import numpy as np
import pytest

from arcwright.errors import ArcwrightError, BadFile
from arcwright.files import bvh
from arcwright.kinematics.forward import forward
from arcwright.scene.rig import QUATERNION
from bvh_text import HIPS, chain, end, joint, motion, root
from data import DATA, needs_data


@pytest.fixture
def read(tmp_path):
    """Read a text as a BVH file, in metres by default."""

    def read_text(text, **options):
        path = tmp_path / "clip.bvh"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return bvh.read(path, **({"unit": 1.0, "up": "Y"} | options))

    return read_text


@pytest.fixture
def fault(read):
    """The one line with which a text is refused."""

    def fault_text(text):
        with pytest.raises(BadFile) as caught:
            read(text)
        message = str(caught.value)
        assert "\n" not in message
        assert "clip.bvh: " in message
        return message.split("clip.bvh: ")[1]

    return fault_text


def only(scene):
    (character,) = scene.characters
    return character


def test_joints_and_channels_come_in_the_order_of_the_file(read):
    rig = only(read(chain())).rig
    assert rig.names == ("Hips", "Chest", "Head", "Head_End")
    assert rig.parents.tolist() == [-1, 0, 1, 2]
    assert rig.channel_names[:4] == (
        "Hips.translate.x",
        "Hips.translate.y",
        "Hips.translate.z",
        "Hips.rotate.z",
    )
    assert rig.modes[:3] == ("ZXY", "ZXY", "ZXY")


def test_angles_become_radians_and_positions_metres(read):
    rows = [[100, 200, 300, 90, 0, 0, 0, 0, 0, 0, 0, 180]]
    values = only(read(chain(rows), unit=0.01)).takes[0].base.values
    assert values[0] == pytest.approx([1, 2, 3, np.pi / 2, 0, 0, 0, 0, 0, 0, 0, np.pi])


def test_times_are_multiples_of_the_frame_time(read):
    take = only(read(chain())).takes[0]
    assert take.base.time.tolist() == [0, 0.04, 0.08, 0.12]
    assert take.rate == 25


def test_a_position_replaces_the_offset(read):
    text = "HIERARCHY\n" + root(end(), offset="0 5 0") + motion([[1, 2, 3, 0, 0, 0]])
    character = only(read(text))
    assert character.rig.offset[0].tolist() == [0, 0, 0]
    assert character.rig.channels.default.tolist() == [0, 5, 0, 0, 0, 0]
    world = forward(character.rig, character.takes[0].base.values)
    assert world[0, 0, :3, 3].tolist() == [1, 2, 3]


def test_a_single_position_channel_replaces_only_its_axis(read):
    text = "HIERARCHY\n" + root(end(), "1 2 3", "Yposition Xrotation") + motion([[9, 0]])
    rig = only(read(text)).rig
    assert rig.offset[0].tolist() == [1, 0, 3]
    assert rig.channels.default.tolist() == [2, 0]


def test_rotations_may_stand_before_positions_and_orders_may_differ(read):
    first = "Yrotation Xrotation Zrotation Xposition Yposition Zposition"
    text = "HIERARCHY\n" + root(
        joint("A", channels="Xrotation Zrotation Yrotation"), channels=first
    )
    rig = only(read(text + motion([[0] * 9]))).rig
    assert rig.modes == ("YXZ", "XZY")
    assert rig.channel_names[0] == "Hips.rotate.y"


@pytest.mark.parametrize(
    ("channels", "mode"),
    [("Zrotation", "ZXY"), ("Yrotation Xrotation", "YXZ"), ("Xrotation", "XYZ"), ("", "XYZ")],
)
def test_a_joint_with_few_rotations_has_the_other_axes_at_the_end(read, channels, mode):
    text = "HIERARCHY\n" + root(joint("A", channels=channels, inside=end()))
    rig = only(read(text + motion([[0] * (6 + len(channels.split()))]))).rig
    assert rig.modes[1] == mode


def test_a_joint_that_looks_like_an_end_site_is_marked(read):
    text = "HIERARCHY\n" + root(joint("Hips_End", channels="")) + motion([[0] * 6])
    assert only(read(text)).rig.modes == ("ZXY", QUATERNION)


def test_end_sites_get_unused_names(read):
    inside = end() + end() + joint("Hips_End_2")
    rig = only(read("HIERARCHY\n" + root(inside) + motion([[0] * 9]))).rig
    assert len(set(rig.names)) == 4
    assert rig.names[3] == "Hips_End_2"
    assert all(name.startswith("Hips_End") for name in rig.names[1:])


def test_two_roots_are_two_characters(read):
    text = "HIERARCHY\n" + root(end()) + root(joint("A"), name="Ball")
    scene = read(text + motion([list(range(15)), list(range(15))]))
    assert [each.name for each in scene.characters] == ["Hips", "Ball"]
    assert scene.characters[1].takes[0].base.values[0, 0] == 6


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace("\n", " "),
        lambda text: text.replace("\n", "\n\n\t"),
        lambda text: text.lower(),
        lambda text: text.upper(),
        lambda text: "\ufeff" + text,
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("Frames: 4", "Frames:4").replace("Time: ", "Time:\t"),
    ],
)
def test_the_same_file_written_in_other_ways_is_the_same(read, change):
    plain, other = only(read(chain())), only(read(change(chain())))
    assert (plain.takes[0].base.values == other.takes[0].base.values).all()
    assert [name.lower() for name in plain.rig.names] == [name.lower() for name in other.rig.names]
    assert plain.takes[0].rate == other.takes[0].rate


def test_exponents_and_minus_zero_are_numbers(read):
    values = only(read(chain([["1e2", "-0", "+1.5E-1"] + [0] * 9]))).takes[0].base.values
    assert values[0, :3].tolist() == [100, 0, 0.15]
    assert np.signbit(values[0, 1])


@pytest.mark.parametrize("frames", [0, 3, 5000, 2_000_000_000, "many", "-1", ""])
def test_a_wrong_number_of_frames_is_reported_and_the_rows_count(read, frames):
    scene = read(chain().replace("Frames: 4", f"Frames: {frames}"))
    assert len(only(scene).takes[0].base.time) == 4
    assert "but there are 4 frames" in scene.source.warnings[0]


@pytest.mark.parametrize("seconds", ["0", "-0.1", "nan", "inf", "1e-300", "1e300", "x", ""])
def test_an_impossible_frame_time_becomes_30_frames_a_second(read, seconds):
    scene = read(chain().replace("Time: 0.04", f"Time: {seconds}"))
    assert only(scene).takes[0].rate == 30
    assert "30 frames per second" in scene.source.warnings[0]


@pytest.mark.parametrize("text", [chain([]), chain()[: chain().index("MOTION")]])
def test_without_frames_the_rest_pose_is_the_motion(read, text):
    scene = read(text.replace("OFFSET 0 0 0", "OFFSET 0 7 0"))
    take = only(scene).takes[0]
    assert take.base.values.tolist() == [[0, 7, 0] + [0] * 9]
    assert "rest pose" in scene.source.warnings[-1]


def test_a_last_frame_cut_short_is_left_out(read):
    text = chain()
    scene = read(text[: text.rindex(" ")])
    assert len(only(scene).takes[0].base.time) == 3
    assert scene.source.warnings[0].startswith("line 27: the last frame has 11 of 12 numbers")


def test_a_short_frame_in_the_middle_is_refused_by_line(fault):
    lines = chain().splitlines()
    lines[-3] = lines[-3].rpartition(" ")[0]
    assert fault("\n".join(lines)) == "line 25: 11 numbers where a frame has 12"


def test_a_short_frame_made_up_for_by_a_long_one_is_refused(fault):
    lines = chain().splitlines()
    lines[-3], lines[-2] = lines[-3].rpartition(" ")[0], lines[-2] + " 1"
    assert "11 numbers where a frame has 12" in fault("\n".join(lines))


def test_frames_may_be_broken_over_lines(read):
    rows = [f"{n} 1 2 3\n4 5 6 7\n8 9 10 11" for n in range(3)]
    values = only(read("HIERARCHY\n" + root(joint("A", inside=joint("B"))) + motion(rows)))
    assert values.takes[0].base.values[:, 0].tolist() == [0, 1, 2]


def test_values_that_are_no_numbers_are_bridged(read):
    rows = [[0] * 12, ["nan"] * 12, [2] * 12, ["inf"] + [0] * 11]
    scene = read(chain(rows))
    values = only(scene).takes[0].base.values
    assert values[:, 0].tolist() == [0, 1, 2, 2]
    assert "13 values that are no numbers (first in line 25)" in scene.source.warnings[0]


def test_decimal_commas_are_read_and_reported(read):
    scene = read(chain([["0,5"] * 12, ["1.5"] * 12]))
    assert only(scene).takes[0].base.values[:, 0].tolist() == [0.5, 1.5]
    assert "decimal commas (first in line 24)" in scene.source.warnings[0]


def test_commas_between_numbers_are_refused(fault):
    assert fault(chain(["1.5,2.5,3.5"])).startswith("line 24: expected a number, found '1.5,2.5")


def test_a_missing_offset_is_taken_as_none_and_reported(read):
    scene = read(chain().replace("OFFSET 0 1 0\n", "", 1))
    assert only(scene).rig.offset[1].tolist() == [0, 0, 0]
    assert "Chest has no OFFSET" in scene.source.warnings[0]


def test_a_name_used_twice_is_changed_and_reported(read):
    scene = read(chain().replace("JOINT Head", "JOINT Chest"))
    assert only(scene).rig.names[:3] == ("Hips", "Chest", "Chest_2")
    assert "renamed to Chest_2" in scene.source.warnings[0]


def test_names_may_have_blanks(read):
    assert only(read(chain().replace("Chest", "Upper  Chest"))).rig.names[1] == "Upper Chest"


@pytest.mark.parametrize(
    ("change", "fault_text"),
    [
        (("Chest\n", "\n"), "line 6: a joint without a name"),
        (("Yrotation\nJOINT", "Wrotation\nJOINT"), "line 5: unknown channel 'wrotation' of"),
        (("CHANNELS 6", "CHANNELS 5"), "line 5: CHANNELS of Hips says '5' but lists 6"),
        (("CHANNELS 6", "CHANNELS x"), "line 5: CHANNELS of Hips says 'x' but lists 6"),
        (("Xposition", "Yposition"), "line 5: channel yposition of joint Hips twice"),
        (("OFFSET 0 0 0", "OFFSET 0 nan 0"), "line 4: expected a number in OFFSET, found 'nan'"),
        (("OFFSET 0 0 0", "OFFSET 0 0"), "line 5: expected a number in OFFSET, found 'CHANNELS'"),
        (("}\nMOTION", "MOTION"), "line 20: Hips is still open where the hierarchy ends"),
        (("}\nMOTION", "}\n}\nMOTION"), "line 21: expected ROOT or MOTION, found '}'"),
        (("End Site\n{", "End Site"), "line 15: expected { after End Site"),
        (("OFFSET 0 1 0", "SIZE 3"), "line 8: expected OFFSET, CHANNELS, JOINT, End Site or }"),
        (("HIERARCHY", "HIERARCHIE"), "not a BVH file: it does not begin with HIERARCHY"),
        (("OFFSET 0 0 0", "OFFSET 0 0 0\nOFFSET 1 1 1"), "line 5: 'OFFSET' twice in Hips"),
    ],
)
def test_damage_is_named_by_line(fault, change, fault_text):
    assert fault(chain().replace(*change, 1)).startswith(fault_text)


@pytest.mark.parametrize("text", ["", "\0\0\0", "HIERARCHY", "HIERARCHY MOTION", "solid cube"])
def test_what_holds_no_skeleton_is_refused(fault, text):
    assert fault(text)


def test_a_very_deep_skeleton_is_read(read):
    depth = 3000
    text = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation "
    text += "JOINT a { OFFSET 0 1 0 CHANNELS 0 " * depth + "}" * (depth + 1)
    rig = only(read(text + " MOTION Frames: 1 Frame Time: 0.1 5", unit=None)).rig
    assert len(rig.names) == depth + 1


@pytest.mark.parametrize("joints", [400, 700, 701, 702, 703, 704, 705, 800, 1500])
def test_the_motion_is_found_wherever_the_hierarchy_ends(read, joints):
    inside = "".join(joint(f"MOTION{n}", channels="Xrotation") for n in range(joints))
    rows = [[0.5] * (6 + joints)] * 30
    values = only(read("HIERARCHY\n" + root(inside) + motion(rows), unit=None)).takes[0].base.values
    assert values.shape == (30, 6 + joints)
    assert values[:, 6:] == pytest.approx(np.radians(0.5))


def test_a_large_file_is_read_whole_and_faults_far_in_are_found(read, fault):
    rows = [[n * 0.25, *range(11)] for n in range(20_000)]
    values = only(read(chain(rows))).takes[0].base.values
    assert (values[:, 0] == np.arange(20_000) * 0.25).all()
    rows[15_000][3] = "oops"
    assert fault(chain(rows)) == "line 15024: expected a number, found 'oops'"
    rows[15_000][3] = "1,5"
    assert "(first in line 15024)" in read(chain(rows)).source.warnings[0]


def test_too_many_joints_are_refused(fault):
    text = "HIERARCHY ROOT a { OFFSET 0 0 0 " + "JOINT a { OFFSET 0 1 0 } " * 21_000
    assert "more than 20000 joints" in fault(text)


def test_a_skeleton_without_channels_stands_still(read):
    text = "HIERARCHY\n" + root(end(), channels="") + motion(["", ""])
    assert only(read(text)).takes[0].base.values.shape == (1, 0)


def test_a_missing_file_is_an_error_of_ours(tmp_path):
    with pytest.raises(BadFile, match="No such file"):
        bvh.read(tmp_path / "none.bvh")


@pytest.mark.parametrize("wrong", [{"unit": 0}, {"unit": -1}, {"up": "W"}, {"unit": float("nan")}])
def test_a_unit_or_axis_that_cannot_be_is_refused(read, wrong):
    with pytest.raises(ArcwrightError):
        read(chain(), **wrong)


def test_z_up_rotates_the_root_and_changes_no_value(read):
    plain, turned = only(read(chain())), only(read(chain(), up="Z"))
    assert (plain.takes[0].base.values == turned.takes[0].base.values).all()
    before = forward(plain.rig, plain.takes[0].base.values)[:, :, :3, 3]
    after = forward(turned.rig, turned.takes[0].base.values)[:, :, :3, 3]
    assert after == pytest.approx(before[..., [0, 2, 1]] * [1, 1, -1])


@needs_data
def test_every_real_file_has_the_unit_and_up_axis_it_should():
    for path in sorted((DATA / "bvh").rglob("*.bvh")):
        scene = bvh.read(path)
        character = only(scene)
        values = character.takes[0].base.values
        places = forward(character.rig, values[:: max(1, len(values) // 20)])[:, :, :3, 3]
        assert scene.source.up == ("Z" if path.stem.startswith("fair") else "Y"), path
        if "cmu" in str(path):
            assert scene.source.unit == pytest.approx(0.056444, abs=1e-6), path
        elif path.stem.startswith(("rokoko", "pirouette")):
            assert scene.source.unit == 0.01
        height = np.ptp(places[..., 1], axis=1).max()
        assert 1.1 < height < 2.0, path


@needs_data
def test_real_frame_counts_and_rates_are_those_of_the_files():
    scene = bvh.read(DATA / "bvh" / "cmu" / "02_01_walk.bvh")
    take = only(scene).takes[0]
    assert take.base.values.shape == (344, 96)
    assert take.rate == pytest.approx(120, rel=1e-4)
    assert HIPS.split()[0] == "Xposition"
    assert len(only(scene).rig.names) == 31 + 7
