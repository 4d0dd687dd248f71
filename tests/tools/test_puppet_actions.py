"""Actions of puppets: gestures that ask for them, buttons, and clips over locomotion."""

from dataclasses import replace

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.kinematics.forward import forward
from arcwright.scene.target import Target
from arcwright.scene.terrain import Terrain
from arcwright.tools.gesture import Performance, chunks
from arcwright.tools.puppet.actions.gesture_classifier import stored_classifier
from arcwright.tools.puppet.actions.stick_burst import PERSON, BurstFinder
from arcwright.tools.puppet.measures import measures
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.puppet.state_machine import Signals, State, StateMachine, Thresholds
from stick_gestures import ACTIONS, GESTURES, OTHERS, RATE, gesture, leading


@pytest.fixture(scope="module")
def scene():
    return built_in("biped")


def asked(path, heading=0.0):
    finder = BurstFinder(PERSON)
    found = [finder.see(place, heading, 1 / RATE) for place in path]
    return [name for each in found if each and (name := stored_classifier().action(each))]


def acted(path, **buttons):
    """A device along a path; each button is pressed from one time to another."""
    poses = np.zeros((len(path), 1, 7))
    poses[:, 0, :3] = [0.0, 1.6, -1.5] + path - path[0]
    poses[:, 0, 3] = 1.0
    times = np.arange(len(path)) / RATE
    down = [(times >= first) & (times < last) for first, last in buttons.values()]
    pressed = np.stack(down, axis=1) if down else np.zeros((len(path), 0), bool)
    return Performance(times, poses, buttons=pressed, button_names=tuple(buttons))


def performed(scene, performance, **options):
    session = PuppetSession(scene, Target(), PuppetOptions(**options))
    session.update(performance)
    return session


def names(session):
    return [state.value for _, state in session.states]


@pytest.mark.parametrize("kind", [*GESTURES, *OTHERS])
def test_gestures_that_nothing_was_learnt_from_are_recognised(kind):
    wanted = [kind] if kind in ACTIONS else []
    right = [asked(gesture(kind, seed).path) == wanted for seed in range(1, 61, 2)]
    assert np.mean(right) >= 0.95


def test_ordinary_leading_asks_for_no_action():
    assert sum(len(asked(leading(seed))) for seed in range(2001, 2011, 2)) <= 1  # in five minutes


def test_a_gesture_is_seen_from_the_puppet():
    path = gesture("punch", 1).path
    aside = path[:, [2, 1, 0]] * [1, 1, -1]  # the same to the puppet's left, for one that heads +z
    assert asked(path) == ["punch"]
    assert asked(aside) == []
    assert asked(aside, heading=np.pi / 2) == ["punch"]


@pytest.mark.parametrize("kind", ACTIONS)
def test_a_gesture_plays_its_action_and_the_puppet_goes_on(scene, kind):
    session = performed(scene, acted(gesture(kind, 3).path))
    assert names(session) == ["locomotion", "action", "locomotion"]
    found = measures(session.character, session.ticks, RATE, Terrain())
    assert found["skate_max_cm"] < 0.1, "feet that stand do not slide"
    off = performed(scene, acted(gesture(kind, 3).path), gestures=False)
    assert "action" not in names(off)


def test_a_kick_lifts_one_foot_and_stands_on_the_other(scene):
    session = performed(scene, acted(np.zeros((150, 3)), kick=(0.5, 0.6)))
    assert names(session) == ["locomotion", "action", "locomotion"]
    locked = np.array([tick.locked for tick in session.ticks if tick.state is State.ACTION])
    assert locked.all(axis=0).tolist().count(True) == 1
    assert (~locked).any(axis=0).tolist().count(True) == 1


def test_a_walking_puppet_punches_and_walks_on(scene):
    ahead = np.arange(240)[:, None] / RATE * [0.0, 0.0, 0.9]
    session = performed(scene, acted(ahead, punch=(2.0, 2.1)))
    assert names(session) == ["locomotion", "action", "locomotion"]
    roots = np.array([session.character.gaits.writer.read(t.values) for t in session.ticks])
    acts = np.array([tick.state is State.ACTION for tick in session.ticks])
    speed = np.gradient(roots[:, 2]) * RATE
    assert speed[acts].min() > 0.5
    hand = session.character.rig.joint("RightHand")
    hands = forward(session.character.rig, np.array([t.values for t in session.ticks]), [hand])
    reach = hands[:, 0, 2, 3] - roots[:, 2]
    assert reach[acts].max() > reach[~acts].max() + 0.2
    found = measures(session.character, session.ticks, RATE, Terrain())
    assert found["skate_max_cm"] < 0.1


def test_a_press_between_two_ticks_is_not_lost(scene):
    times = np.arange(0, 2, 0.004)
    poses = np.zeros((len(times), 1, 7))
    poses[:, 0, :4] = [0.0, 1.6, -1.5, 1.0]
    down = np.zeros((len(times), 2), bool)
    down[:, 1] = True
    down[126, 0] = True
    whole = Performance(times, poses, buttons=down, button_names=("throw", "held"))
    for size in (1, 3, len(times)):
        session = PuppetSession(scene, Target(), PuppetOptions())
        for part in chunks(whole, size):
            session.update(part)
        assert names(session) == ["locomotion", "action", "locomotion"]


def test_buttons_of_actions_do_not_hold_the_puppet(scene):
    lifted = np.linspace(0, 1, 60)[:, None] * [0.0, 0.6, 0.0]
    session = performed(scene, acted(lifted, punch=(5.0, 6.0)))
    assert session.ticks[-1].state is State.HELD


def test_a_character_without_the_clip_ignores_the_button(scene):
    few = tuple(take for take in scene.characters[0].takes if take.name != "punch")
    without = replace(scene, characters=(replace(scene.characters[0], takes=few),))
    session = performed(without, acted(np.zeros((60, 3)), punch=(0.3, 0.4)))
    assert names(session) == ["locomotion"]


def test_an_undecided_gesture_holds_off_jumps_and_lifts():
    at = Thresholds().sized(1.7)
    risen = Signals(True, 0.3, 2.0, 0.0)
    assert StateMachine(lifted=1.0).advance(risen, 0.02, at).state is State.ANTICIPATION
    undecided = replace(risen, undecided=True)
    assert StateMachine(lifted=1.0).advance(undecided, 0.02, at).state is State.LOCOMOTION
    asks = replace(risen, action=True)
    acts = StateMachine(lifted=1.0).advance(asks, 0.02, at)
    assert acts.state is State.ACTION
    assert acts.advance(replace(risen, lift=0.0, action_over=True), 0.02, at).state is (
        State.LOCOMOTION
    )


@pytest.mark.parametrize("gap", [-0.1, 0.0, 0.12])
def test_a_flick_beside_the_moment_at_which_a_walk_stops_is_a_jump(scene, gap):
    """A gamepad's stick stops at once; its flick is a parabola."""
    time = np.arange(round(3.0 * RATE)) / RATE
    poses = np.zeros((len(time), 1, 7))
    poses[:, 0, :4] = [0.0, 1.6, -1.5, 1.0]
    poses[:, 0, 2] += np.clip(time - 0.5, 0.0, 1.2)
    since = np.clip((time - 1.7 - gap) / 0.45, 0.0, 1.0)
    poses[:, 0, 1] += 2.0 * since * (1 - since)
    session = PuppetSession(scene, Target(), PuppetOptions(rate=RATE))
    session.update(Performance(time, poses))
    found = [state for _, state in session.states]
    assert State.JUMP in found
    assert State.ACTION not in found
