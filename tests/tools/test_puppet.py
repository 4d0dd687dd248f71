"""Puppets: the stick, the states, and performances that become takes."""

import json
from dataclasses import replace

import numpy as np
import pytest

import arcwright
from arcwright.arrays import same
from arcwright.characters import built_in
from arcwright.cli import main
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.scene.target import Target
from arcwright.scene.terrain import Block, Terrain
from arcwright.tools.gesture import Performance
from arcwright.tools.puppet.airborne import Airborne
from arcwright.tools.puppet.jump import parabola, share_done
from arcwright.tools.puppet.measures import measures
from arcwright.tools.puppet.motion_stick import MotionStick, shortened
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.puppet_character import puppet_character
from arcwright.tools.puppet.roles import find_roles
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.puppet.state_machine import Signals, State, StateMachine, Thresholds
from arcwright.tools.puppet.stick_follower import StickFollower
from arcwright.tools.puppet.tick import Tick
from arcwright.tools.puppet.tick_log import TickLog
from data import DATA, needs_data

RATE = 60


@pytest.fixture(scope="module")
def scene():
    return built_in("biped")


def path(seconds, height=1.6, held=None, **along):
    """A device that moves as functions of time say: x, y, z in m from where it begins."""
    time = np.arange(round(seconds * RATE) + 1) / RATE
    poses = np.zeros((len(time), 1, 7))
    poses[:, 0, 3] = 1
    poses[:, 0, :3] = [0, height, -1.5]
    for axis, name in enumerate("xyz"):
        if name in along:
            poses[:, 0, axis] += [along[name](t) for t in time.tolist()]
    down = np.array([[True if held is None else held(t)] for t in time.tolist()])
    return Performance(time, poses, buttons=down, button_names=("held",))


def performed(scene, performance, terrain=None):
    scene = replace(scene, ground=terrain or Terrain())
    session = PuppetSession(scene, Target(), PuppetOptions())
    session.update(performance)
    return session


def names(session):
    return [state.value for _, state in session.states]


def after(start, speed):
    return lambda t: speed * max(t - start, 0.0)


def test_a_stick_keeps_distance_and_rotation():
    device = np.array([0.0, 1.5, -2.0, 1, 0, 0, 0])
    stick = MotionStick.grabbed(device, np.array([0.0, 1.0, 0.0]))
    assert stick.end(device) == pytest.approx([0, 1, 0])
    turned = np.array([0.0, 1.5, -2.0, np.cos(0.25), 0, np.sin(0.25), 0])  # half a radian of yaw
    assert np.linalg.norm(stick.end(turned) - turned[:3]) == pytest.approx(stick.length)
    assert stick.end(turned) == pytest.approx([2 * np.sin(0.5), 1, -2 + 2 * np.cos(0.5)])


def test_a_stick_shortens_at_the_ground():
    device = np.array([0.0, 1.0, 0.0])
    end = shortened(device, np.array([0.0, -1.0, 2.0]), 0.5)
    assert end == pytest.approx([0, 0.5, 0.5])
    assert shortened(device, np.array([0.0, 0.7, 2.0]), 0.5) == pytest.approx([0, 0.7, 2])


def test_the_parabola_goes_through_start_and_place_with_its_slope():
    found = parabola((1.0, 0.2), (2.0, 0.9), 0.3)

    def height(x):
        return found.height + found.slope * (x - found.at) + found.bend * (x - found.at) ** 2

    assert height(1.0) == pytest.approx(0.2)
    assert height(2.0) == pytest.approx(0.9)
    assert (height(2.0 + 1e-6) - height(2.0)) / 1e-6 == pytest.approx(0.3, abs=1e-5)
    assert parabola((1.0, 0.0), (1.01, 0.5), 3.0) is None


def test_a_thrown_body_is_half_through_at_its_apex():
    for ahead in (0.0, 2.0):
        shares = []
        for time in np.linspace(0.02, 0.58, 29):
            now = (ahead * time, 3 * time - 4.905 * time * time)
            shares.append(share_done((0.0, 0.0), now, (ahead, 3 - 9.81 * time)))
        assert (np.diff(shares) > 0).all()
        assert np.interp(3 / 9.81, np.linspace(0.02, 0.58, 29), shares) == pytest.approx(
            0.5, abs=0.02
        )


def test_a_jump_does_not_go_back_while_the_stick_is_shaken(scene):
    air = Airborne(puppet_character(scene.characters[0]), Terrain())
    air.begin_jump(np.zeros(3), np.array([0.0, 0.0, 1.5]), 0.4)
    shares = [0.0]
    for tick in range(30):
        air.place = np.array([0.0, 0.2, 0.02 * tick])
        air.jump_pose(0.0, np.array([0.0, 2.0 * (-1) ** tick, 1.5]), 1 / RATE)
        shares.append(air.jump_share)
    steps = np.diff(shares)
    assert steps.min() >= 0
    assert steps.max() <= 1 / (0.28 * RATE) + 1e-9
    assert shares[-1] > 0.5


def test_states_follow_each_other_as_drawn():
    at = Thresholds().sized(1.7)
    machine = StateMachine()

    def goes(seconds, seen):
        nonlocal machine
        for _ in range(round(seconds * RATE)):
            machine = machine.advance(seen, 1 / RATE, at)
        return machine.state

    assert goes(0.5, Signals(True, 0.0, 0.0, 1.0)) is State.LOCOMOTION
    assert goes(0.2, Signals(True, -0.3, 0.0, 0.5, crouch=0.9)) is State.CROUCH
    assert goes(0.2, Signals(True, 0.0, 0.0, 0.0)) is State.LOCOMOTION
    assert goes(0.05, Signals(True, 0.05, 2.0, 0.0)) is State.ANTICIPATION
    assert goes(0.2, Signals(True, 0.3, 1.0, 0.0)) is State.JUMP
    assert goes(0.1, Signals(True, 0.2, -1.0, 0.0)) is State.JUMP
    assert goes(0.05, Signals(True, 0.0, -1.0, 0.0)) is State.LANDING
    assert goes(0.5, Signals(True, 0.0, 0.0, 0.0)) is State.LOCOMOTION
    assert goes(0.3, Signals(True, 0.4, 0.5, 0.0)) is State.HELD
    assert goes(0.05, Signals(False, 0.0, 0.0, 0.0, on_ground=False)) is State.FALL
    assert goes(0.05, Signals(False, 0.0, 0.0, 0.0, depth=2.0)) is State.FALLEN
    assert goes(1.0, Signals(False, 0.0, 0.0, 0.0)) is State.GET_UP
    assert goes(0.1, Signals(False, 0.0, 0.0, 0.0, action_over=True)) is State.LOCOMOTION


@pytest.mark.parametrize(
    "seen",
    [
        Signals(True, 0.5, 1.5, 0.0),  # rises again
        Signals(True, 0.5, -0.2, 1.0, straight=0.0),  # turns
        Signals(True, 0.5, 0.0, 0.0),  # stops
        Signals(True, 0.5, 0.0, 1.0),  # goes on without coming down
    ],
)
def test_what_no_jump_does_makes_it_hang(seen):
    at = Thresholds().sized(1.7)
    machine = StateMachine(State.JUMP, seconds=0.2, descended=seen.rise > 0)
    for _ in range(RATE):
        machine = machine.advance(seen, 1 / RATE, at)
    assert machine.state is State.HELD


def test_a_walk_follows_the_stick_without_sliding(scene):
    session = performed(scene, path(5, z=after(0.5, 1.1)))
    found = measures(session.character, session.ticks, RATE, Terrain())
    assert names(session) == ["locomotion"]
    assert found["skate_cm_per_frame"] < 0.08
    assert found["skate_max_cm"] < 0.05
    assert found["lag_ms"] < 100
    assert found["distance_rms_m"] < 0.12


def test_a_flick_is_a_jump_and_lowering_the_stick_a_crouch(scene):
    flick = path(3, y=lambda t: max(3.2 * (t - 1) - 4.9 * (t - 1) ** 2, 0.0) if t > 1 else 0.0)
    assert names(performed(scene, flick)) == [
        *("locomotion", "anticipation", "jump", "landing", "locomotion")
    ]
    lower = path(3, y=lambda t: -0.35 * min(max(t - 1, 0.0), 1.0))
    assert names(performed(scene, lower)) == ["locomotion", "crouch"]


def test_a_lifted_puppet_hangs_and_falls_when_it_is_released(scene):
    lifted = path(4, y=lambda t: 0.5 * min(max(t - 0.5, 0.0), 1.0), held=lambda t: t < 2.5)
    session = performed(scene, lifted)
    assert names(session)[:3] == ["locomotion", "held", "fall"]
    heading = session._puppet._follower.heading
    assert heading == pytest.approx(0, abs=0.1), "lifting does not turn it"
    assert names(session)[-1] == "locomotion"
    assert np.isfinite([tick.values for tick in session.ticks]).all()


def test_what_follows_a_release_in_the_air_is_part_of_the_take(scene):
    lifted = path(2.5, y=lambda t: 0.6 * min(max(t - 0.5, 0.0), 1.0))
    session = performed(scene, lifted)
    assert session.ticks[-1].state is State.HELD
    take = session.finish().apply(scene).characters[0].takes[-1]
    assert take.duration > 2.6
    root = session.character.gaits.writer.read(take.base.values[-1])
    assert root[1] == pytest.approx(session.character.root[1], abs=0.05)


def test_a_flick_on_the_spot_does_not_turn_the_puppet(scene):
    flick = path(
        3,
        y=lambda t: max(3.2 * (t - 1) - 4.9 * (t - 1) ** 2, 0.0) if t > 1 else 0.0,
        x=lambda t: 0.03 * np.sin(9 * t),
    )
    session = performed(scene, flick)
    assert abs(session._puppet._follower.heading) < 0.1


@needs_data
@pytest.mark.parametrize("name", ["Fox.glb", "quaternius/Trex.glb", "RobotExpressive.glb"])
def test_characters_without_a_crouch_are_puppets(name):
    session = performed(arcwright.read(DATA / "gltf" / name), path(1.5, z=after(0.2, 0.4)))
    assert np.isfinite([tick.values for tick in session.ticks]).all()


def test_feet_stand_on_slopes_and_steps(scene):
    terrain = Terrain(
        (Block((-1, 1), (1.0, 3.0), (0.0, 0.4)), Block((-1, 1), (3.0, 9.0), (0.4, 0.4)))
    )
    up = path(6, z=after(0.5, 0.9), y=lambda t: min(max(0.2 * (0.9 * (t - 0.5) - 1.0), 0.0), 0.4))
    session = performed(scene, up, terrain)
    found = measures(session.character, session.ticks, RATE, terrain)
    assert found["skate_max_cm"] < 0.1
    root = session.character.gaits.writer.read(session.ticks[-1].values)
    assert root[1] == pytest.approx(session.character.root[1] + 0.4, abs=0.08)


def wall(height):
    return Terrain((Block((-5, 5), (1.2, 3.0), (height, height)),))


def feet_of(session):
    toes = session.character.gaits.legs.toes.joints.tolist()
    values = np.array([tick.values for tick in session.ticks])
    return forward(session.character.rig, values, toes)[..., :3, 3]


def test_a_wall_stops_a_puppet_and_its_feet(scene):
    session = performed(scene, path(5, z=after(0.5, 0.8)), wall(1.0))
    roots = [session.character.gaits.writer.read(tick.values)[2] for tick in session.ticks]
    assert 0.7 < max(roots) < 1.2
    feet = feet_of(session)
    assert feet[..., 2].max() < 1.25
    assert feet[..., 1].max() < 0.4  # none is put on top


def test_blocks_of_the_options_are_terrain(scene):
    ahead = path(5, z=after(0.5, 0.8))
    options = PuppetOptions(blocks="0 2.1 1.8 1.0; 5 5 1 0.2")
    blocked = PuppetSession(scene, Target(), options)
    blocked.update(ahead)
    root = blocked.character.gaits.writer.read(blocked.ticks[-1].values)
    assert 0.7 < root[2] < 1.2
    free = performed(scene, ahead)
    free.set_options(options)
    assert np.array_equal(free.ticks[-1].values, blocked.ticks[-1].values)
    with pytest.raises(BadValue, match="width and height"):
        PuppetOptions(blocks="0 1 wide 2")
    with pytest.raises(BadValue, match="from low to high"):
        PuppetOptions(blocks="0 1 -2 2")


def test_a_puppet_slides_along_a_wall(scene):
    session = performed(scene, path(5, z=after(0.5, 0.8), x=after(0.5, 0.5)), wall(1.0))
    root = session.character.gaits.writer.read(session.ticks[-1].values)
    assert root[0] == pytest.approx(0.5 * 4.5, abs=0.15)
    assert root[2] < 1.2


def test_a_low_step_is_stepped_onto(scene):
    up = path(3.4, z=after(0.5, 0.8), y=lambda t: 0.2 * np.clip((t - 1.9) / 0.5, 0, 1))
    session = performed(scene, up, wall(0.2))
    feet = feet_of(session)[-1]
    assert feet[:, 2].min() > 1.2
    assert feet[:, 1].min() > 0.19
    assert names(session) == ["locomotion"]


STAIRS = Terrain(tuple(Block((-2, 2), (1 + 0.3 * i, 9), (0.15 * (i + 1),) * 2) for i in range(5)))
HURDLE = Terrain((Block((-1, 1), (1.2, 1.35), (0.1, 0.1)),))


@pytest.mark.parametrize(("terrain", "rise"), [(STAIRS, 0.75), (HURDLE, 0.0)])
def test_feet_are_lifted_over_steps_before_they_are_above_them(scene, terrain, rise):
    def raised(t):
        return rise * np.clip((0.7 * (t - 0.5) - 0.9) / 1.5, 0, 1)

    session = performed(scene, path(4.5, z=after(0.5, 0.7), y=raised), terrain)
    speed = np.abs(np.diff(feet_of(session)[..., 1], axis=0)) * RATE
    assert speed.max() < 4.0  # a foot that is put on a step within a tick moves at 9 m/s
    found = measures(session.character, session.ticks, RATE, terrain)
    assert found["skate_max_cm"] < 0.1
    assert found["penetration_mm"] < 5.0


def test_a_flick_jumps_onto_what_is_too_high_to_step_on(scene):
    def high(t):
        since = t - 1.6
        if since < 0:
            return 0.0
        rise = 3.6 * since - 4.905 * since**2
        return rise if since < 3.6 / 9.81 else max(rise, 0.5)

    session = performed(scene, path(3.4, z=after(0.6, 0.9), y=high), wall(0.5))
    assert names(session) == ["locomotion", "anticipation", "jump", "landing", "locomotion"]
    feet = feet_of(session)[-1]
    assert feet[:, 1].min() > 0.49
    assert feet[:, 2].min() > 1.2


def test_a_performance_becomes_a_take_that_can_be_fitted_and_edited(scene, tmp_path):
    session = performed(scene, path(2, z=after(0.3, 1.0)))
    edit = session.finish()
    after_it = edit.apply(scene)
    take = after_it.characters[0].takes[-1]
    assert take.name == "performance"
    assert take.duration == pytest.approx(2)
    assert same(edit.inverse().apply(after_it), scene)
    arcwright.write(after_it, tmp_path / "performed.arc.glb")
    again = arcwright.read(tmp_path / "performed.arc.glb")
    assert same(again.characters[0].takes[-1].base.values, take.base.values)


def test_time_goes_on_while_the_device_rests(scene):
    session = performed(scene, path(0.5))
    assert session.advance(1.0).span[1] == pytest.approx(1.0, abs=0.02)
    assert session.advance(1.5).span[1] == pytest.approx(1.5, abs=0.02)


def test_roles_are_found_by_name():
    biped = find_roles([take.name for take in built_in("biped").characters[0].takes])
    assert biped["walk"] == "walk"
    knight = ["Idle", "Walking_A", "Running_A", "Jump_Idle", "Lie_StandUp", "Walking_Backwards"]
    found = find_roles(knight)
    assert (found["idle"], found["walk"], found["run"]) == ("Idle", "Walking_A", "Running_A")
    assert found["mid_jump"] == "Jump_Idle"
    wolf = find_roles(
        ["Armature|Gallop", "Armature|Walk", "Armature|Idle_2", "Armature|Gallop_Jump"]
    )
    assert wolf["run"] == "Armature|Gallop"
    assert find_roles(["x"], {"walk": "x"}) == {"walk": "x"}


PACKS = [
    (
        "Idle_Combat Idle Idle_B Walking_B Walking_A Walking_Backwards Walking_D_Skeletons "
        "Running_Strafe_Left Running_Strafe_Right Running_B Running_A 2H_Melee_Idle Sneaking "
        "Crouching Jump_Start Jump_Idle Jump_Land Lie_Idle Lie_StandUp Sit_Chair_StandUp",
        "Idle Walking_A Running_A Crouching Sneaking Jump_Idle Lie_StandUp",
    ),
    (
        "Idle_Loop Idle_Talking_Loop Walk_Formal_Loop Walk_Loop Jog_Fwd_Loop Sprint_Loop "
        "Crouch_Idle_Loop Crouch_Fwd_Loop Jump_Start Jump_Loop Jump_Land Death01",
        "Idle_Loop Walk_Loop Sprint_Loop Crouch_Idle_Loop Crouch_Fwd_Loop Jump_Loop -",
    ),
    (
        "CharacterArmature|Death CharacterArmature|Idle_Gun CharacterArmature|Idle_Neutral "
        "CharacterArmature|Run_Back CharacterArmature|Run CharacterArmature|Run_Left "
        "CharacterArmature|Walk CharacterArmature|Idle_Sword",
        "CharacterArmature|Idle_Neutral CharacterArmature|Walk CharacterArmature|Run - - - -",
    ),
    ("agree headShake idle run sad_pose sneak_pose walk", "idle walk run sneak_pose - - -"),
    ("Idle Run TPose Walk", "Idle Walk Run - - - -"),
    (
        "Walking Crouched_Walking Crouch_Idle Running_Jump Getting_Up Falling_Idle Left_Turn "
        "Breathing_Idle Fast_Run Walk_Backward Sitting_Idle",
        "Breathing_Idle Walking Fast_Run Crouch_Idle Crouched_Walking Falling_Idle Getting_Up",
    ),
    (
        "Dance Death Idle Jump No Punch Running Sitting Standing ThumbsUp Walking WalkJump Wave",
        "Idle Walking Running - - Jump Standing",
    ),
    ("A|Wasp_Attack A|Wasp_Death A|Wasp_Flying", "A|Wasp_Flying - - - - - -"),
    ("Attack Death Out_Of_Water Swimming_Fast Swimming_Normal", "Swimming_Normal - - - - - -"),
    ("Walk Swim", "- Walk - - - - -"),
]


@pytest.mark.parametrize(("takes", "expected"), PACKS)
def test_roles_of_common_packs_are_their_plain_takes(takes, expected):
    found = find_roles(takes.split())
    roles = ("idle", "walk", "run", "crouch", "crouch_walk", "mid_jump", "get_up_back")
    assert [found.get(role, "-") for role in roles] == expected.split()


def test_a_chosen_take_has_the_role_in_every_face(scene, tmp_path, capsys):
    options = PuppetOptions(walk="crouch_walk")
    session = PuppetSession(scene, Target(), options)
    assert session.character.roles["walk"] == "crouch_walk"
    session.set_options(PuppetOptions())
    assert session.character.roles["walk"] == "walk"
    session.set_options(PuppetOptions(walk="nothing"))
    session.update(path(0.2))
    assert session.character.roles["walk"] == "walk"
    assert "No take 'nothing' that can be its walk" in [note.text for note in session.notes()]
    file = tmp_path / "path.json"
    file.write_text(json.dumps({"samples": [{"time": 0, "position": [0, 1.6, -1.5]}]}))
    main(["puppet", str(file), "--walk", "crouch_walk", "--json"])
    assert json.loads(capsys.readouterr().out)["roles"]["walk"] == "crouch_walk"
    assert main(["puppet", str(file), "--walk", "nothing"]) == 2


@pytest.mark.parametrize("name", ["dinosaur", "spider", "robot", "lamp", "dragon", "car"])
def test_every_character_can_be_a_puppet(name):
    scene = built_in(name)
    moving = path(2.5, z=after(0.2, 0.5), y=lambda t: 0.6 * max(t - 1.5, 0.0))
    session = performed(scene, moving)
    assert np.isfinite([tick.values for tick in session.ticks]).all()
    assert names(session)[0] == "locomotion"


def test_a_log_gives_back_its_ticks_and_its_copies_go_their_own_way():
    log, ticks = TickLog(), []
    for number in range(300):
        end = None if number % 3 else np.full(3, float(number))
        state = State.JUMP if number % 2 else State.CROUCH
        locked = np.array([number % 2 == 0, True])
        ticks.append(
            Tick(np.full(5, number / 7), state, end, locked, (), "" if end is None else "x")
        )
        log.append(ticks[-1])
    other = log.fork()
    other.append(ticks[0])
    log.append(ticks[1])
    assert len(log) == len(other) == 301
    assert same(list(log), [*ticks, ticks[1]])
    assert same(other[-2:], [ticks[299], ticks[0]])
    with pytest.raises(IndexError):
        log[301]


def test_bad_samples_are_refused_and_lose_nothing(scene):
    session = performed(scene, path(0.5))
    count = len(session.ticks)
    with pytest.raises(BadValue, match="or later"):
        session.update(path(0.1))
    with pytest.raises(BadValue, match="a tracked device"):
        session.update(Performance([9.0], np.zeros((1, 0, 7))))
    assert len(session.ticks) == count


def test_the_command_replays_a_path(tmp_path, capsys):
    acted = path(2, z=after(0.3, 1.0))
    samples = [
        {"time": t, "position": pose[0, :3].tolist(), "rotation": pose[0, 3:].tolist()}
        for t, pose in zip(acted.times.tolist(), acted.poses, strict=True)
    ]
    file, out = tmp_path / "path.json", tmp_path / "take.arc.glb"
    file.write_text(json.dumps({"samples": samples}))
    assert main(["puppet", str(file), "--character", "biped", "--out", str(out), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["states"] == [[0.0, "locomotion"]]
    assert result["skate_cm_per_frame"] < 0.05
    assert arcwright.read(out).characters[0].takes[-1].name == "performance"
    samples[60]["pressed"] = ["punch"]
    file.write_text(json.dumps({"samples": samples}))
    assert main(["puppet", str(file), "--json"]) == 0
    states = json.loads(capsys.readouterr().out)["states"]
    assert [name for _, name in states] == ["locomotion", "action", "locomotion"]
    file.write_text(json.dumps({"samples": [{"time": 0}]}))
    assert main(["puppet", str(file)]) == 2
    assert "needs a time and a position" in capsys.readouterr().err


def test_a_chunk_without_samples_may_name_its_buttons(scene):
    empty = Performance(np.zeros(0), button_names=("punch",), axis_names=("x", "y"))
    assert empty.buttons.shape == (0, 1)
    session = PuppetSession(scene, Target(), PuppetOptions())
    session.update(empty)
    assert not session.ticks


def test_a_puppet_that_is_led_back_begins_to_turn_without_a_jolt():
    follower, tick, turned = StickFollower(np.zeros(3), 0.0, 0.9), 1 / 60, [0.0]
    for number in range(120):
        speed = 1.0 if number < 40 else -1.0
        place = np.array([0.0, 0.0, min(number, 80 - number) / 60])
        follower.see(place, tick)
        follower.follow(place, np.array([1e-3, 0.0, speed]), tick)
        turned.append(follower.heading)
    rate = np.diff(turned) / tick
    assert abs(abs(turned[-1]) - np.pi) < 0.15
    assert abs(np.diff(rate)).max() < 2.5  # rad/s in a tick; 7 where it turns at once
