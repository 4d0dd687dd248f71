import numpy as np
import pytest

from arcwright.characters import (
    _activity_clips,
    _stored,
    activity_clips_path,
    asset_path,
    biped_lamp,
    built_in,
    clip_names,
    recipe,
)
from arcwright.characters import biped_point as pointing
from arcwright.characters import biped_tea as pouring
from arcwright.characters.biped_gaze import gaze_error
from arcwright.characters.biped_reach import Table, held
from arcwright.characters.lantern import GRIP
from arcwright.characters.posing import point_position
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from cast import check_limits, check_mesh, clip_of

RATE = 30.0
NAMES = ("tea", "point_right", "lamp")
HOLDS = {
    "tea": ("Pot", pouring.POT.anchors["handle"], pouring.GRAB, pouring.RELEASE),
    "lamp": ("Lantern", np.array(GRIP), biped_lamp.GRAB, biped_lamp.RELEASE),
}
STANDS = {"tea": (pouring.LIFT, pouring.DOWN), "lamp": (biped_lamp.LIFT, biped_lamp.DOWN)}


def scene(name) -> Scene:
    return built_in(f"biped:{name}")


def take(name):
    return scene(name).characters[0].takes[0]


def quarters(start, end):
    return np.arange(start, end + 1e-9, 0.25) / RATE


def pose_of(name, frame):
    played = take(name)
    values = values_at(played, np.array([frame / RATE]))[0]
    return dict(zip(played.rig.channel_names, values.tolist(), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_clips_are_short_smooth_and_within_limits(name):
    clip = clip_of(take(name))
    assert clip.rate == RATE
    assert clip.duration * RATE <= (90 if name == "point_right" else 240)
    check_limits(take(name))
    first, last = (pose_of(name, frame) for frame in (0, clip.duration * RATE))
    assert first == pytest.approx(last, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_props_are_sound_and_feet_stay(name):
    for prop in scene(name).props:
        check_mesh(prop)
    for side in ("Left", "Right"):
        path = trail(take(name), f"{side}Foot", quarters(0, take(name).duration * RATE)).position
        assert np.linalg.norm(path - path[0], axis=1).max() < 1e-3


@pytest.mark.parametrize("name", HOLDS)
def test_the_hand_stays_on_what_it_holds(name):
    prop, anchor, start, end = HOLDS[name]
    times = quarters(start, end)
    hand = trail(take(name), held("Right"), times).position
    bar = trail(scene(name).actor(prop).takes[0], Point(prop, anchor), times).position
    assert np.linalg.norm(hand - bar, axis=1).max() < 2e-3


@pytest.mark.parametrize("name", STANDS)
def test_what_is_carried_stands_on_the_table_before_and_after(name):
    prop, lift, down = HOLDS[name][0], *STANDS[name]
    played = scene(name).actor(prop).takes[0]
    for span in (quarters(0, lift), quarters(down, played.duration * RATE)):
        heights = trail(played, prop, span).position[:, 1]
        assert np.abs(heights - Table().top).max() < 1e-3
    assert trail(played, prop, quarters(lift, down)).position[:, 1].max() > Table().top + 0.08


def test_the_spout_stays_over_the_cup_while_tea_is_poured():
    times = quarters(pouring.POUR, pouring.POUR_END)
    assert np.ptp(times) >= 1.5
    spout = Point("Pot", pouring.POT.anchors["spout"])
    tip = trail(scene("tea").actor("Pot").takes[0], spout, times).position
    off = tip - np.array(pouring.CUP_AT) - pouring.CUP.anchors["rim"]
    assert np.linalg.norm(off[:, [0, 2]], axis=1).max() < 2e-3
    assert off[:, 1].min() > 0.03
    assert off[:, 1].max() < 0.06
    handle = trail(scene("tea").actor("Pot").takes[0], "Pot", times).position[:, 1]
    assert (tip[:, 1] < handle + 0.09).all()  # below where the pot is filled


def test_the_left_hand_stays_at_the_cup():
    path = trail(take("tea"), held("Left", pouring.TOUCH), quarters(pouring.STEADY, pouring.LEAVE))
    assert np.linalg.norm(path.position - path.position[0], axis=1).max() < 1e-3


def test_the_index_points_at_the_target_for_a_third_of_a_second():
    target = np.array(pointing.TARGET)
    for frame in np.linspace(pointing.SHOOT, pointing.HOLD_END, 5):
        posed, rig = pose_of("point_right", frame), take("point_right").rig
        shoulder = point_position(rig, posed, "RightUpperArm")
        tip = point_position(rig, posed, "RightIndexDistal", (-0.026, 0, 0))
        ways = [(each - shoulder) / np.linalg.norm(each - shoulder) for each in (tip, target)]
        assert np.degrees(np.arccos(ways[0] @ ways[1])) < 8
        assert np.linalg.norm(tip - shoulder) > 0.6
    assert pointing.HOLD_END - pointing.SHOOT >= 0.3 * RATE


@pytest.mark.parametrize("name", NAMES)
def test_the_eyes_are_on_what_an_event_looks_at(name):
    about = scene(name).activities[0]
    for event in about.events:
        frame = event.time * RATE
        prop = scene(name).actor(about.object(event.look_at).prop)
        if event.name in ("reach", "steady"):
            continue  # the eyes are on their way
        values = (
            values_at(prop.takes[0], np.array([event.time]))
            if prop.takes
            else prop.rig.channels.default[None]
        )
        place = forward(prop.rig, values)[0, 0, :3, 3] + [0, 0.05, 0]
        errors = gaze_error(take(name).rig, pose_of(name, frame), place.tolist())
        assert np.degrees(np.linalg.norm(errors)) < 15, event.name


@pytest.mark.parametrize("name", STANDS)
def test_the_body_stays_out_of_the_table(name):
    biped, table = scene(name).characters[0], Table()
    low = np.array([-table.wide / 2, table.top - 0.035, table.ahead - table.deep / 2])
    high = np.array([table.wide / 2, table.top, table.ahead + table.deep / 2])
    for frame in range(0, int(take(name).duration * RATE), 3):
        values = values_at(biped.takes[0], np.array([frame / RATE]))
        skin = deform(biped, values[0], forward(biped.rig, values)[0])
        deep = max(
            np.minimum(part.positions - low, high - part.positions).min(axis=1).max()
            for part in skin
        )
        assert deep < 5e-3, frame


def test_activities_name_what_their_scenes_have():
    assert [each.name for each in scene("tea").activities] == ["tea"]
    assert [each.name for each in scene("lamp").activities] == list(biped_lamp.NAMES)
    for name in NAMES:
        for about in scene(name).activities:
            assert about.take == name
            assert all(scene(name).actor(each.prop) for each in about.objects)
            assert about.events[-1].time < take(name).duration


def test_the_pot_leads_the_hand_and_the_cup_the_spout_while_tea_is_poured():
    about = scene("tea").activity()
    pour = next(each for each in about.events if each.name == "pour")
    pairs = {(each.constrained, each.constraining) for each in pour.pairs}
    wanted = {("right hand", "pot.handle"), ("pot.spout", "cup.rim"), ("left hand", "cup")}
    assert pairs == wanted
    assert {"pot", "cup"} <= set(pour.replaceable)
    assert [each.name for each in about.events_of("cup")] == [
        "steady",
        "pour",
        "pour end",
        "leave",
    ]


def test_one_take_has_two_activities_in_which_hand_and_lantern_lead():
    first, second = scene("lamp").activities
    assert {each.movable for each in first.events} == {("right hand",)}
    assert {each.movable for each in second.events} == {("lamp",)}
    assert {pair.constrained for each in first.events for pair in each.pairs} == {"lamp.grip"}
    assert {pair.constrained for each in second.events for pair in each.pairs} == {"right hand"}


def test_activities_whose_props_are_not_there_are_left_out():
    assert built_in("biped").activities == ()
    assert built_in("biped:walk").activities == ()


def test_their_asset_is_small_and_other_clips_do_not_read_it():
    assert activity_clips_path("biped").stat().st_size < 64 * 1024
    assert asset_path("biped").stat().st_size < 300 * 1024
    for each in (_stored, _activity_clips):
        each.cache_clear()
    built_in("biped:walk")
    assert _activity_clips.cache_info().currsize == 0
    assert set(NAMES) <= set(clip_names("biped"))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_stored_clips_are_what_the_script_makes(name):
    make = recipe("biped").activity_clips
    assert make is not None
    made = next(each for each in make(take(name).rig) if each.name == name)
    for fresh, kept in zip(made.curves, clip_of(take(name)).curves, strict=True):
        assert (fresh is None) == (kept is None)
        if fresh is not None and kept is not None:
            assert np.array_equal(fresh.time, kept.time)
            assert np.allclose(fresh.value, kept.value, rtol=0, atol=1e-6)
