from dataclasses import replace

import numpy as np
import pytest

from arcwright import files
from arcwright.edits.frame_rate import correct_rate
from arcwright.kinematics.frame_rate import check_rate, flights
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from data import DATA, needs_data

BODY = [
    ("Hips", "", (0, 1.0, 0)),
    ("Spine", "Hips", (0, 1.3, 0)),
    ("Head", "Spine", (0, 1.7, 0)),
    *(
        (f"{side}{name}", parent, (x, y, z))
        for side, x in (("Left", 0.1), ("Right", -0.1))
        for name, parent, y, z in (
            ("UpLeg", "Hips", 0.95, 0.0),
            ("Leg", f"{side}UpLeg", 0.5, 0.0),
            ("Foot", f"{side}Leg", 0.08, 0.0),
            ("ToeBase", f"{side}Foot", 0.02, 0.14),
        )
    ),
]


def body():
    names = [name for name, _, _ in BODY]
    parents = [names.index(parent) if parent else -1 for _, parent, _ in BODY]
    place = np.array([at for _, _, at in BODY], float)
    return Rig(
        names=tuple(names),
        parents=parents,
        offset=[place[j] - place[p] if p >= 0 else place[j] for j, p in enumerate(parents)],
        rest=np.tile([1.0, 0, 0, 0], (len(names), 1)),
        scale=np.ones((len(names), 3)),
        modes=("XYZ",) * len(names),
        channels=ChannelTable.of([0, 0, 0], [Kind(axis) for axis in range(3)]),
    )


def jumps(rate=120.0, labelled=120.0, seconds=(0.4, 0.5, 0.45), gravity=9.81):
    """A stiff body that jumps forward, recorded at one rate and labelled with another."""
    heights, ways = [np.zeros(int(0.5 * rate))], [np.zeros(int(0.5 * rate))]
    for air in seconds:
        time = np.arange(int(air * rate)) / rate
        heights += [gravity / 2 * time * (air - time), np.zeros(int(0.5 * rate))]
        end = ways[-1][-1]
        ways += [end + 1.5 * time, np.full(int(0.5 * rate), end + 1.5 * air)]
    values = np.zeros((sum(map(len, heights)), 3))
    values[:, 1] = 1.0 + np.concatenate(heights)
    values[:, 2] = np.concatenate(ways)
    return Take(body(), Motion("jumps", np.arange(len(values)) / labelled, values, labelled))


def test_a_body_in_flight_falls_with_gravity():
    found = flights(jumps())
    assert len(found) == 3
    assert [each.gravity for each in found] == pytest.approx([9.81] * 3, rel=0.01)


def test_a_right_frame_rate_is_left_alone():
    for rate in (30.0, 60.0, 120.0):
        assert check_rate(jumps(rate, rate)) is None


@pytest.mark.parametrize(
    ("rate", "labelled"), [(60, 120), (30, 60), (30, 120), (24, 60), (120, 60)]
)
def test_falls_tell_a_wrong_frame_rate(rate, labelled):
    found = check_rate(jumps(float(rate), float(labelled)))
    assert found is not None
    assert found.true == rate
    assert f"about {rate} fps, not {labelled}" in found.text


def test_a_foot_that_rests_high_up_stands_on_something():
    take = jumps(gravity=1.0)
    slow = replace(take.base, values=take.base.values * [1, 1, 0])
    assert flights(Take(take.rig, slow)) == ()


def test_keyed_jumps_are_as_the_animator_wants_them():
    from arcwright import read

    assert check_rate(read("biped:jump").characters[0].takes[0]) is None


def test_one_edit_corrects_the_rate_and_undo_brings_it_back():
    take = jumps(60.0, 120.0)
    scene = Scene("s", (Character("body", take.rig, (take,)),))
    edit = correct_rate(scene)
    after = edit.apply(scene)
    corrected = after.characters[0].takes[0]
    assert corrected.rate == 60
    assert corrected.frame_count == take.frame_count
    assert check_rate(corrected) is None
    assert correct_rate(after).changes == ()
    assert edit.inverse().apply(after).characters[0].takes[0].rate == 120


@needs_data
@pytest.mark.parametrize(
    ("clip", "rate"),
    [
        ("143_05_jump_distances", 60),
        ("143_35_macarena", 60),
        ("16_05_forward_jump", None),
        ("22_16_jumping_jacks", None),
        ("02_03_run", None),
        ("02_01_walk", None),
    ],
)
def test_captures_that_are_labelled_wrongly_are_noticed(clip, rate):
    take = files.read(DATA / "bvh" / "cmu" / f"{clip}.bvh").characters[0].takes[0]
    found = check_rate(take)
    assert (found and found.true) == rate
