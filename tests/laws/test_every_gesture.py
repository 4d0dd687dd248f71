"""The laws of all gestures, passed by a dummy tool of each and by the tools there are."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arcwright
from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.camera import Camera
from arcwright.scene.point import Point
from arcwright.scene.target import Target
from arcwright.server import messages as m
from arcwright.tools.catalogue import TOOLS
from arcwright.tools.gesture import Drag, Performance, Setting, Stroke, ToolHandle, chunks, joined
from arcwright.tools.interaction import Interaction
from arcwright.tools.replay.gesture_file import parse_gesture_file
from arcwright.tools.replay.replay import replay
from arcwright.tools.tool import Runs
from chains import TIP, chain_scene
from dummy_tools import DUMMIES, dummies_in_catalogue
from flow_scenes import seen_from_the_side
from local_clients import LocalClient, worker_with
from take_tools import TAKE_TOOLS

VIEW = Camera([4, 1, 0.5], [np.sqrt(0.5), 0, np.sqrt(0.5), 0], 0.7, 640, 480)  # from the side
ALL = [*TOOLS, *DUMMIES]
USES = [(tool, kind) for tool in ALL for kind in tool.gestures]


def cases(uses):
    """A test for each tool and kind of gesture."""
    named = [f"{tool.name}-{kind.__name__}" for tool, kind in uses]
    return pytest.mark.parametrize(("tool", "kind"), uses, ids=named)


EACH = cases(USES)
SAMPLED = cases([(tool, kind) for tool, kind in USES if kind in (Stroke, Performance)])
REPLACED = cases([(tool, kind) for tool, kind in USES if kind in (Drag, Setting)])


def start(scene):
    return trail(scene.characters[0].takes[0], TIP, [0.3]).position[0]


def sampled(kind, count=90, seed=0):
    """A stroke, or a performance that goes round in circles."""
    random = np.random.default_rng(seed)
    times = np.cumsum(random.uniform(0.02, 0.04, count))
    if kind is Stroke:  # along the ground
        places = np.stack([np.linspace(60, 600, count), 400 + random.random(count)], axis=1)
        return Stroke(VIEW, places, times, random.random(count))
    angle = 2 * np.pi * times / 0.8
    circle = 0.2 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=-1)
    place = circle[:, None] + random.normal(0, 0.004, (count, 2, 3))
    poses = np.concatenate([place, np.tile([1.0, 0, 0, 0], (count, 2, 1))], axis=-1)
    axes, buttons = random.random((count, 1)), random.random((count, 1)) > 0.5
    return Performance(times, poses, axes, buttons, ("trigger",), ("a",), "glove")


def gesture_of(tool, kind, scene, size=1.0):
    """A gesture of this kind that changes something."""
    if tool.name == "flow" and kind is Drag:
        by = size * np.array([0.0, 0.1, 0.05])
        return Drag(Point("bar", character="bar"), 0.0, position=by)
    if kind is Drag:
        return Drag(TIP, 0.3, position=start(scene) + size * np.array([0.05, 0.02, 0.01]))
    if kind is Setting:
        given = tool.Options()
        loops = hasattr(given, "loop_period")
        own = {"loop_period": 2 + 0.1 * size} if loops else {"gain": 1 + size}
        own = {"tolerance": 0.002 * size + 0.002} if tool.name == "autocomplete" else own
        own = {"strength": 0.5 + 0.1 * size} if tool.name == "flow" else own
        return Setting(replace(given, **own))
    return sampled(kind)


def scene_for(tool, kind):
    """A chain, or a walk to which the ground of a stroke is near."""
    if tool.name == "flow":
        shot = seen_from_the_side(VIEW)
        return composed(shot) if kind is Setting else shot
    walks = kind is Stroke and tool.name == "cycle"
    return arcwright.read("biped:walk") if walks else chain_scene()


def composed(scene):
    """The scene bent along a stroke."""
    interaction = arcwright.begin("flow", scene)
    interaction.update(sampled(Stroke))
    return interaction.finish().apply(scene)


def state_of(scene):
    """Channel values of a character over time, and how flow moves the vertices of props."""
    values = values_at(scene.characters[0].takes[0], np.linspace(0, 2, 9)).ravel()
    parts = [part for prop in scene.props for shape in prop.shapes for part in shape.parts]
    moved = [part.morphs[-1]["POSITION"].ravel() for part in parts if part.morphs]
    return np.concatenate([values, *moved])


def begun(tool, scene):
    return Interaction(tool, scene, Target(), tool.Options())


@EACH
def test_a_gesture_leaves_its_scene_untouched_and_undo_is_exact(tool, kind):
    scene, untouched = scene_for(tool, kind), scene_for(tool, kind)
    interaction = begun(tool, scene)
    preview = interaction.update(gesture_of(tool, kind, scene))
    edit = interaction.finish()
    assert same(scene, untouched)
    assert not edit.empty
    assert preview.poses or preview.overlays
    after = edit.apply(scene)
    assert same(edit.inverse().apply(after), scene)


@EACH
def test_an_interaction_without_a_gesture_changes_nothing(tool, kind):
    assert begun(tool, scene_for(tool, kind)).finish().empty


@EACH
def test_other_gestures_are_refused_and_lose_nothing(tool, kind):
    scene = scene_for(tool, kind)
    interaction = begun(tool, scene)
    interaction.update(gesture_of(tool, kind, scene))
    before = interaction.finish()
    others = [gesture_of(each, *each.gestures, chain_scene()) for each in DUMMIES]
    after_setting = tool.gestures if kind is Setting else ()  # options may be set before a gesture
    for other in others:
        if not isinstance(other, (Setting, kind, *after_setting)):
            with pytest.raises(BadValue, match=f"gesture of {tool.name}"):
                interaction.update(other)
    assert same(interaction.finish(), before)


@REPLACED
def test_the_last_of_gestures_that_replace_each_other_counts(tool, kind):
    scene = scene_for(tool, kind)
    moved, direct = begun(tool, scene), begun(tool, scene)
    for size in (3.0, -0.5, 2.0, 1.0):
        moved.update(gesture_of(tool, kind, scene, size))
    direct.update(gesture_of(tool, kind, scene))
    state, other = (state_of(each.finish().apply(scene)) for each in (moved, direct))
    assert state == pytest.approx(other, abs=2e-3)


@SAMPLED
@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=12), seed=st.integers(0, 99))
@settings(max_examples=10, derandomize=True, deadline=None)
def test_samples_cut_into_other_chunks_give_the_same_edit(tool, kind, sizes, seed):
    scene, whole = scene_for(tool, kind), sampled(kind, sum(sizes), seed)
    at_once, in_chunks = begun(tool, scene), begun(tool, scene)
    at_once.update(whole)
    ends = np.cumsum([0, *sizes])
    single = chunks(whole, 1)
    parts = [joined(single[a:b]) for a, b in pairwise(ends)]
    for part in parts:
        in_chunks.update(part)
    assert same(joined(parts), whole)
    assert same(at_once.finish(), in_chunks.finish())


@SAMPLED
def test_no_sample_is_lost_when_the_scene_changes_meanwhile(tool, kind):
    scene, whole = scene_for(tool, kind), sampled(kind)
    interaction = begun(tool, scene)
    for part in chunks(whole, 4):
        interaction.update(part)
        interaction.begin(replace(scene, name="renamed"))
    direct = begun(tool, scene)
    direct.update(whole)
    assert same(interaction.finish(), direct.finish())


def other_options(tool):
    """Options that differ from the default in a number or a switch."""
    given = tool.Options()
    if hasattr(given, "gain"):
        return replace(given, gain=2.0)
    if hasattr(given, "strength") and hasattr(given, "abstraction"):
        return replace(given, strength=0.4)
    name = "body_follows" if hasattr(given, "body_follows") else "whole_body"
    return replace(given, **{name: 1.0 if name == "body_follows" else True})


@EACH
def test_options_set_during_an_interaction_are_those_it_could_have_begun_with(tool, kind):
    scene, options = scene_for(tool, kind), other_options(tool)
    changed = begun(tool, scene)
    gesture = gesture_of(tool, kind, scene)
    changed.update(gesture)
    changed.set_options(options)
    direct = Interaction(tool, scene, Target(), options)
    direct.update(Setting(options) if isinstance(gesture, Setting) else gesture)
    state, other = (state_of(each.finish().apply(scene)) for each in (changed, direct))
    assert state == pytest.approx(other, abs=1e-6)


@EACH
def test_a_fork_stands_where_the_session_does_and_goes_its_own_way(tool, kind):
    scene = scene_for(tool, kind)
    interaction = begun(tool, scene)
    interaction.update(gesture_of(tool, kind, scene))
    fork = interaction.session.fork()
    edit = fork.finish()
    assert same(interaction.finish(), edit)
    if kind is Drag:
        interaction.update(gesture_of(tool, kind, scene, 2.0))
        assert same(fork.finish(), edit)


def test_a_session_with_a_clock_depends_on_the_time_alone():
    scene = chain_scene()
    fall = next(each for each in DUMMIES if each.name == "fall")
    once, often = begun(fall, scene), begun(fall, scene)
    assert isinstance(once.session, Runs)
    once.advance(0.5)
    for time in np.linspace(0.01, 0.5, 37):
        often.advance(float(time))
    assert same(once.finish(), often.finish())
    assert begun(TOOLS[0], scene).advance(0.5) is None


def test_a_handle_of_an_overlay_can_be_dragged():
    scene = chain_scene()
    interaction = begun(DUMMIES[0], scene)
    shown = interaction.update(gesture_of(DUMMIES[0], Drag, scene)).overlays[0]
    goal = shown.position + [0.2, 0, 0]
    preview = interaction.update(Drag(ToolHandle(shown.name), 0.3, position=goal))
    assert preview.drag.remaining == pytest.approx(0, abs=1e-9)
    for tool in TAKE_TOOLS:
        with pytest.raises(BadValue, match="a point of a character"):
            begun(tool, scene).update(Drag(ToolHandle("root"), 0.3, position=goal))


# The same gestures from a gesture file and from a client.


def written(gesture):
    """A gesture as a gesture file has it."""
    match gesture:
        case Drag():
            point = {"joint": gesture.point.joint, "offset": gesture.point.offset.tolist()}
            by = {"to": gesture.position.tolist(), "steps": 3}
            return {"kind": "drag", "point": point, "frame": gesture.time * 24, **by}
        case Setting():
            return {"kind": "setting", "options": {"gain": gesture.options.gain}}
        case Stroke():
            view = {name: np.asarray(getattr(VIEW, name)).tolist() for name in vars(VIEW)}
            lists = {n: getattr(gesture, n).tolist() for n in ("points", "times", "pressure")}
            return {"kind": "stroke", "camera": view, "chunk": 5, **lists}
    lists = {n: getattr(gesture, n).tolist() for n in ("times", "poses", "axes", "buttons")}
    names = {"axis_names": ["trigger"], "button_names": ["a"], "device": "glove"}
    return {"kind": "performance", "chunk": 5, **lists, **names}


def sent(gesture):
    """A gesture as a client sends it."""
    match gesture:
        case Drag():
            point = m.PointRef(gesture.point.joint, tuple(gesture.point.offset.tolist()))
            return m.UpdateInteraction(1, point, gesture.time, tuple(gesture.position.tolist()))
        case Setting():
            return m.SetOptions(1, {"gain": gesture.options.gain})
        case Stroke():
            view = m.CameraInfo(
                tuple(VIEW.position.tolist()),
                tuple(VIEW.orientation.tolist()),
                VIEW.field_of_view,
                VIEW.width,
                VIEW.height,
            )
            pixels = [tuple(each) for each in gesture.points.tolist()]
            lists = gesture.times.tolist(), gesture.pressure.tolist()
            return m.AppendStroke(1, view, pixels, *lists)
    return m.AppendPerformance(1, gesture)


@pytest.mark.parametrize("tool", DUMMIES[:4], ids=lambda tool: tool.name)
def test_a_gesture_file_does_what_the_gesture_does(tool):
    scene = chain_scene()
    gesture = gesture_of(tool, *tool.gestures, scene)
    direct = begun(tool, scene)
    direct.update(gesture)
    case = {"tool": tool.name, "gestures": [written(gesture)]}
    with dummies_in_catalogue():
        after, (outcome,) = replay(parse_gesture_file(json.loads(json.dumps(case))), scene)
    assert (outcome.hit_m is None) == (Drag not in tool.gestures)
    times = np.linspace(0, 2, 9)
    other = direct.finish().apply(scene).characters[0].takes[0]
    take = after.characters[0].takes[0]
    assert values_at(take, times) == pytest.approx(values_at(other, times), abs=1e-9)


@pytest.mark.parametrize("tool", DUMMIES[:4], ids=lambda tool: tool.name)
def test_a_client_does_what_the_gesture_does(tool):
    with dummies_in_catalogue(), worker_with("biped:walk") as worker:
        client = LocalClient(worker)
        scene = client.worker.opened.scene
        hips = Point("Hips")
        gesture = gesture_of(tool, *tool.gestures, chain_scene())
        if isinstance(gesture, Drag):
            gesture = Drag(hips, 0.3, position=[0.1, 1.2, 0.3])
        direct = begun(tool, scene)
        direct.update(gesture)
        parts = chunks(gesture, 6) if isinstance(gesture, Stroke | Performance) else [gesture]
        client.send(m.BeginInteraction(1, tool.name, "biped", "walk", {}))
        client.send(*map(sent, parts))
        preview = client.wait(m.Preview)[-1][0]
        assert [
            each.name for each in preview.overlays if each.__class__.__name__ == "HandleOverlay"
        ]
        client.send(m.CommitInteraction(1))
        assert client.wait(m.InteractionEnded)[-1][0].committed
        after = client.worker.opened.scene
    expected = direct.finish().apply(scene)
    times = np.linspace(0, 1, 9)
    take, other = (each.characters[0].takes[0] for each in (after, expected))
    assert values_at(take, times) == pytest.approx(values_at(other, times), abs=1e-6)


def test_a_session_with_a_clock_goes_on_while_its_client_waits():
    with dummies_in_catalogue(), worker_with("biped:walk") as worker:
        client = LocalClient(worker)
        client.send(m.BeginInteraction(1, "fall", "biped", "walk", {}))
        heights = {client.wait(m.Preview)[-1][0].overlays[0].position[1] for _ in range(3)}
        assert len(heights) == 3


def test_long_samples_may_lie_beside_the_file(tmp_path):
    from arcwright.files.array_file import read_arrays

    scene, tool = chain_scene(), DUMMIES[3]
    whole = sampled(Performance, 400)
    given = written(whole)
    arrays = {name: given.pop(name) for name in ("times", "poses", "axes", "buttons")}
    np.savez_compressed(tmp_path / "act.npz", **arrays)
    case = {"tool": tool.name, "gestures": [given | {"arrays": "act.npz"}]}
    parsed = parse_gesture_file(case, lambda name: read_arrays(tmp_path, name))
    assert same(parsed.gestures[0].samples, whole)
    with pytest.raises(BadValue, match="samples in the file itself"):
        parse_gesture_file(case)
    with dummies_in_catalogue():
        replay(parsed, scene)


def test_gestures_continue_an_interaction():
    scene = chain_scene()
    drag = written(gesture_of(DUMMIES[0], Drag, scene))
    setting = {"kind": "setting", "options": {"gain": 0.5}, "continues": True}
    case = {"tool": "shift", "gestures": [drag, setting]}
    with dummies_in_catalogue():
        after, outcomes = replay(parse_gesture_file(case), scene)
    assert len(outcomes) == 1
    direct = begun(DUMMIES[0], scene)
    direct.update(gesture_of(DUMMIES[0], Drag, scene))
    direct.set_options(replace(DUMMIES[0].Options(), gain=0.5))
    times = np.linspace(0, 2, 9)
    take, other = (each.characters[0].takes[0] for each in (after, direct.finish().apply(scene)))
    assert values_at(take, times) == pytest.approx(values_at(other, times), abs=1e-9)
    with pytest.raises(BadValue, match="nothing comes before"):
        parse_gesture_file({"gestures": [setting]})
