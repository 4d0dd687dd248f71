"""Contact by one stroke: what touches the ground does not slide, and the root travels."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.characters import built_in
from arcwright.errors import BadValue
from arcwright.kinematics.feet import feet, rig_size
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.cycle.contact.contact_plane import LEVEL, StrokeLine, contact_plane, to_pixels
from arcwright.tools.cycle.contact.contact_stroke import ContactStroke
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.gesture import Drag, Stroke, chunks
from arcwright.tools.overlay import CurveOverlay, StrokeOverlay
from data import DATA, needs_data
from stepping import beside, biped_in_place, drawn, stepping
from stroked import Made

SLIDE = 1e-4  # m from one frame to the next
UP = np.array([0.0, 1.0, 0.0])
TOES = [Point("LeftToes"), Point("RightToes")]


@cache
def spider():
    points = {c.point.joint: c.point for c in built_in("spider:stride").contacts}
    phases = [0.5 * (("Left" in name) == (int(name[-7]) % 2)) for name in points]
    return stepping("spider:stride", list(points.values()), phases, stride=0.1, lift=0.05)


@cache
def loop_of(name):
    """A loop that steps in place, by name."""
    if name == "biped walk":
        return biped_in_place()
    if name == "dinosaur":
        return stepping("dinosaur:punch", feet(built_in("dinosaur").characters[0].rig), [0, 0.5])
    if name == "spider":
        return spider()
    if name == "lamp hop":
        return stepping("lamp:hop", [Point("Base")], [0])
    if name == "run":
        return stepping("biped:stand", TOES, [0, 0.5])
    return stepping("biped:stand", TOES, [0, 0])  # a hop


GROUND = {
    "level": {},
    "seen from above": {"pitch": 0.35},
    "slope": {"slope": 0.2},
    "steps": {"slope": 0.2, "surface": "steps"},
    "curve": {"bulge": 0.2, "surface": "curve"},
}


@pytest.mark.parametrize("name", ["biped walk", "dinosaur", "spider", "lamp hop", "run", "hop"])
@pytest.mark.parametrize("ground", GROUND)
def test_nothing_slides_and_the_root_goes_one_stride(name, ground):
    made = Made(loop_of(name), **GROUND[ground])
    assert made.touches.sum() >= 4
    assert made.slide() < SLIDE
    way = np.linalg.norm(made.touch.found.stride)
    assert way > 0.05 * rig_size(made.take.rig)
    assert made.stride() == pytest.approx(made.touch.found.stride, abs=1e-3 * way)
    for item in range(len(made.touch.items)):
        frame = int(np.argmax(made.touches[:, item])) / made.loop.frames * made.loop.duration
        prints = made.path(item, np.array([frame, frame + made.loop.duration]))
        assert prints[1] - prints[0] == pytest.approx(made.touch.found.stride, abs=1e-3 * way)


@pytest.mark.parametrize(("name", "count"), [("biped walk", 2), ("hop", 1), ("lamp hop", 1)])
def test_each_footprint_has_a_step(name, count):
    assert Made(loop_of(name), **GROUND["steps"]).touch.surface.steps == count


def test_all_legs_climb_a_slope():
    made = Made(loop_of("spider"), **GROUND["slope"])
    assert len(made.touch.items) == 8
    assert (made.touches.sum(axis=0) >= 3).all()


def test_contacts_lie_on_the_ground_that_was_drawn():
    for ground in ("level", "slope"):
        made = Made(loop_of("biped walk"), **GROUND[ground])
        plane, times = made.touch.plane, np.arange(24) / 24
        assert plane.level == (ground == "level")
        for item in range(2):
            path = made.path(item, times)[made.touches[:, item]]
            assert (path - plane.point) @ plane.normal == pytest.approx(0, abs=SLIDE)
    stepped = Made(loop_of("biped walk"), **GROUND["steps"])
    levels = [stepped.path(i, times)[stepped.touches[:, i]][:, 1] for i in range(2)]
    rise = stepped.stride()[1] / stepped.touch.surface.steps
    apart = (levels[0][:, None] - levels[1][None]) / rise
    assert apart == pytest.approx(np.round(apart), abs=1e-3)


def test_a_stroke_seen_from_above_is_level_all_the_same():
    planes = [Made(loop_of("biped walk"), pitch=pitch).touch.plane for pitch in (0, 0.2, 0.5)]
    for plane in planes:
        assert plane.normal == pytest.approx(UP)
        assert plane.point[1] == pytest.approx(planes[0].point[1], abs=2e-3)


def test_slopes_are_as_steep_as_they_were_drawn():
    camera = beside(loop_of("biped walk"))
    for angle in (0.05, 0.3, -0.7, 1.3):
        line = [[0, -np.sin(angle), -np.cos(angle)], [0, np.sin(angle), np.cos(angle)]]
        stroke = drawn(camera, line)
        plane = contact_plane(StrokeLine.of(camera, stroke.points), np.zeros(3))
        tilt = 0.0 if angle < LEVEL and angle > 0 else angle
        assert plane.normal == pytest.approx([0, np.cos(tilt), -np.sin(tilt)], abs=1e-9)


def test_pixels_are_those_of_the_rays():
    camera = beside(loop_of("biped walk"), 0.3)
    pixels = np.array([[10.0, 20.0], [790.0, 300.0], [400.0, 599.0]])
    stroke = Stroke(camera, pixels, np.arange(3.0))
    assert to_pixels(camera, camera.position + 3 * stroke.rays()) == pytest.approx(pixels)
    assert np.isnan(to_pixels(camera, camera.position - stroke.rays())).all()


def test_feet_leave_and_meet_the_ground_without_a_corner():
    """Twice the frames, about a quarter of the change from step to step; a corner leaves half."""
    bends = []
    for frames in (24, 48, 96):
        made = Made(stepping("biped:stand", TOES, [0, 0.5], frames=frames))
        times = np.arange(2 * frames) / frames * made.loop.duration
        path = made.path(0, times)
        bends.append(np.abs(np.diff(path, 2, axis=0)).max())
    assert bends[2] < 0.35 * bends[1] < 0.35**2 * bends[0]


@pytest.mark.parametrize("name", ["biped walk", "dinosaur", "spider"])
def test_a_stroke_drawn_high_leaves_swings_free(name):
    low, high = (Made(loop_of(name), depth=depth) for depth in (0.1, 0.5))
    assert np.linalg.norm(high.stride() - low.stride()) < 0.25 * np.linalg.norm(low.stride())
    moves = np.diff(high.loop.curves.place, axis=0)[:, high.touch.items]
    back = moves @ -high.touch.found.stride > 0
    assert back[high.touch.touches[1:] & high.touch.touches[:-1]].all()


def test_a_stroke_under_a_swing_alone_is_ground_as_it_is_drawn():
    scene = loop_of("biped walk")
    chosen = Made(scene, depth=0.5, target=Target(point=Point("LeftToes")))
    assert chosen.touches.any()
    assert chosen.slide() < SLIDE


def test_a_run_has_flight_and_a_note_says_so():
    made = Made(loop_of("run"), depth=0.05)
    flight = ~made.touches.any(axis=1)
    assert 4 < flight.sum() < 20
    assert f"Nothing touches the ground in {flight.sum()} frames." in made.said()


def test_notes_tell_what_touches_when_and_how_far_the_root_goes():
    made = Made(loop_of("biped walk"))
    said = made.said()
    for item, joint in enumerate(("LeftToes", "RightToes")):
        starts = np.flatnonzero(made.touches[:, item] & ~np.roll(made.touches[:, item], 1))
        assert f"{joint} touches the ground in frames {starts[0]} to " in said
    assert f"The root travels {np.linalg.norm(made.stride()):.3g} m in a loop." in said


def test_on_a_treadmill_the_root_stays_and_the_feet_share_one_velocity():
    made = Made(loop_of("biped walk"), travels=False)
    assert made.stride() == pytest.approx(np.zeros(3), abs=1e-9)
    times = np.arange(48) / 24
    steps = [np.diff(made.path(item, times), axis=0) for item in range(2)]
    travel = np.tile(made.touch.found.travel.reshape(24, made.loop.fine, 3).sum(axis=1), (2, 1))[
        :-1
    ]
    for item in range(2):
        own = np.tile(made.touches[:, item], 2)
        both = own[1:] & own[:-1]
        assert steps[item][both] == pytest.approx(-travel[both], abs=SLIDE)


def test_a_walk_that_travels_already_gets_the_travel_of_its_contacts():
    made = Made(built_in("biped:walk"))
    assert made.slide() < SLIDE
    assert np.linalg.norm(made.stride()) == pytest.approx(1.32, rel=0.1)


def test_only_the_chosen_point_is_planted():
    target = Target(point=Point("LeftToes"))
    made = Made(loop_of("biped walk"), target=target)
    assert [made.loop.points[item].joint for item in made.touch.items] == ["LeftToes"]
    assert made.slide() < SLIDE


def test_feet_keep_their_orientation():
    made = Made(loop_of("biped walk"))
    times, before = np.arange(24) / 24, made.scene.characters[0].takes[0]
    for joint in ("LeftFoot", "RightFoot"):
        was, now = (trail(take, joint, times).orientation for take in (before, made.take))
        assert np.abs((was * now).sum(axis=1)) == pytest.approx(1, abs=1e-4)


def test_keys_are_few_also_in_contact_and_yet_nothing_slides():
    scene = stepping("biped:stand", TOES, [0, 0.5])
    actor = scene.characters[0]
    take = actor.takes[0]
    often = replace(take, base=replace(take.base, rate=120.0))
    made = Made(replace(scene, characters=(replace(actor, takes=(often,)),)), depth=0.05)
    rig, clip, own = made.take.rig, made.take.base, made.touches[:, 0]
    leg = np.flatnonzero(rig.channels.joint == rig.joint("LeftLowerLeg")).tolist()
    changed = {change.address[-1] for change in made.edit.changes}
    assert changed.intersection(leg)
    assert made.slide() < SLIDE
    for channel in changed.intersection(leg):
        key = np.zeros(120, bool)
        key[np.round(clip.curves[channel].time * 120).astype(int) % 120] = True
        assert key[own].mean() < 0.7
        assert key[~own].mean() < 0.3


def test_the_take_loops_without_a_jump():
    made = Made(loop_of("dinosaur"))
    assert made.take.base.loops
    step, end = 1e-4, made.loop.duration
    for item in range(2):
        path = made.path(item, np.array([end - step, end, end + step]))
        assert path[2] - path[1] == pytest.approx(path[1] - path[0], abs=0.02 * step)


def test_chunks_make_no_difference_and_the_scene_stays_untouched():
    scene = loop_of("biped walk")
    whole = Made(scene)
    session = ContactStroke(scene, Target(), CycleOptions())
    for part in chunks(whole.stroke, 7):
        fork = session.fork()
        session.update(part)
        assert fork.finish() is not None
    edit = session.finish()
    assert same(edit, whole.edit)
    after = edit.apply(scene)
    assert same(edit.inverse().apply(after), scene)
    assert same(whole.preview.edit, edit)


def test_options_can_change_after_the_stroke():
    made = Made(loop_of("biped walk"))
    made.session.set_options(CycleOptions(travels=False))
    assert same(made.session.finish(), Made(loop_of("biped walk"), travels=False).edit)


def test_overlays_show_the_plane_and_the_sections_in_contact():
    made = Made(loop_of("biped walk"))
    drawn_lines = [each for each in made.preview.overlays if isinstance(each, CurveOverlay)]
    assert any(isinstance(each, StrokeOverlay) for each in made.preview.overlays)
    sections = [each for each in drawn_lines if each.style == "edit"]
    assert len(sections) == 2
    for each in sections:
        assert each.positions[:, 1] == pytest.approx(made.touch.plane.point[1])
    assert [len(each.positions) for each in drawn_lines if each.style == "guide"] == [4]
    assert made.preview.span == (0.0, made.loop.duration)


def empty(scene, stroke, **options):
    session = ContactStroke(scene, Target(), CycleOptions(**options))
    preview = session.update(stroke)
    assert session.finish().empty
    assert preview.span is None
    return " ".join(note.text for note in session.notes())


def test_strokes_that_touch_nothing_say_why():
    scene = loop_of("biped walk")
    camera = beside(scene)
    assert "near none of LeftToes, RightToes" in empty(
        scene, drawn(camera, [[0, 1.4, -0.5], [0, 1.4, 0.5]])
    )
    assert "too short" in empty(scene, drawn(camera, [[0, 0, 0], [0, 0, 0.001]]))
    under = drawn(camera, [[0, -0.005, -0.5], [0, -0.005, 0.5]])
    assert "stay above" in empty(scene, under, surface="curve")
    one = Stroke(camera, np.zeros((1, 2)), np.zeros(1))
    assert "too short" in empty(scene, one)
    wide = np.array([[0.0, 0.04, -2.0], [0.0, 0.04, -1.5]])
    assert "near none" in empty(scene, drawn(camera, wide))


@pytest.mark.parametrize("name", ["biped walk", "dinosaur", "spider"])
def test_a_line_under_the_soles_is_the_ground_on_which_feet_keep_their_height(name):
    made = Made(loop_of(name), depth=-0.1)
    assert made.touch is not None
    assert made.slide() < SLIDE
    low = made.loop.curves.place[..., 1].min()
    tall = np.ptp(made.loop.curves.place[..., 1])
    assert low <= made.touch.plane.point[1] <= low + 0.15 * tall
    assert made.touch.touches.any(axis=0).all()


@needs_data
def test_a_note_names_feet_that_stay_above_the_stroke():
    scene = arcwright.read(DATA / "gltf" / "Fox.glb")  # the ends of its front legs are wrists
    walk = Target(scene.characters[0].name, "Walk")
    low, high = Made(scene, depth=0.15, target=walk), Made(scene, depth=0.3, target=walk)
    assert len(low.touch.items) == 2
    assert "b_LeftHand_011 stays" in low.said()
    assert "above the stroke: draw it higher to plant it" in low.said()
    assert len(high.touch.items) == 4
    assert "above the stroke" not in high.said()


def test_a_take_that_is_no_loop_is_refused_with_advice():
    scene = built_in("biped:sit")
    camera = beside(scene)
    said = empty(scene, drawn(camera, [[0, 0.05, -1.0], [0, 0.05, 1.0]]))
    assert "no loop" in said
    assert "Make a loop first" in said


def test_steps_on_level_ground_stay_a_plane_with_a_note():
    made = Made(loop_of("biped walk"), surface="steps")
    assert made.touch.surface is None
    assert "draw a slope for steps" in made.said()
    assert made.slide() < SLIDE


def test_standing_feet_do_not_travel():
    scene = stepping("biped:stand", TOES, [0, 0.5], stride=0.0, lift=0.0)
    made = Made(scene, depth=0.5)
    assert "The root stays" in made.said()
    assert made.stride() == pytest.approx(np.zeros(3), abs=1e-9)


def test_a_contact_out_of_reach_is_reported():
    made = Made(loop_of("run"), depth=1.5, chain_length=1)
    short = [note for note in made.session.notes() if note.kind == "residual"]
    assert {note.text.split()[0] for note in short} == {"LeftToes", "RightToes"}
    assert all(note.amount > SLIDE for note in short)
    assert "mm from the ground" in made.said()


def test_other_gestures_and_empty_strokes():
    scene = loop_of("biped walk")
    session = ContactStroke(scene, Target(), CycleOptions())
    assert session.finish().empty
    assert session.notes() == ()
    with pytest.raises(BadValue, match="a Stroke"):
        session.update(Drag(Point("Hips"), 0.0, np.zeros(3)))
    nothing = Stroke(beside(scene), np.zeros((0, 2)), np.zeros(0))
    assert session.update(nothing).edit.empty


def test_a_loop_of_samples_is_refused():
    scene = loop_of("biped walk")
    baked = arcwright.sample(scene.characters[0].takes[0], np.arange(24) / 24)
    take = replace(scene.characters[0].takes[0], base=baked)
    motion = Scene("motion", (replace(scene.characters[0], takes=(take,)),))
    with pytest.raises(BadValue, match="keys"):
        ContactStroke(motion, Target(), CycleOptions())


@needs_data
@pytest.mark.parametrize("name", [pytest.param("02_01_walk", marks=pytest.mark.slow), "02_03_run"])
def test_a_captured_loop_in_place_walks_without_sliding(name):
    character = arcwright.read(DATA / "bvh" / "cmu" / f"{name}.bvh").characters[0]
    cycle = arcwright.cycle(character.takes[0], actor=character)
    take = replace(character.takes[0], base=cycle.loop().clip)
    made = Made(Scene("capture", (replace(character, takes=(take,)),)), depth=0.12)
    assert len(made.touch.items) == 2
    assert made.slide() < SLIDE
    captured = float(np.linalg.norm(cycle.travel.stride))
    assert np.linalg.norm(made.stride()) == pytest.approx(captured, rel=0.15)
