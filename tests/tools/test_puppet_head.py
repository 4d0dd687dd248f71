"""Two devices hold one puppet: the first leads its body, the second its head."""

import json

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.cli import main
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import sample
from arcwright.open import read
from arcwright.scene.target import Target
from arcwright.tools.gesture import Performance
from arcwright.tools.overlay import CurveOverlay
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession

RATE = 60


@pytest.fixture(scope="module")
def scene():
    return built_in("biped")


def two_devices(seconds, head=None, body=None, holds=lambda t: True, turn=lambda t: 0.0):
    """Both move as functions of time say, m from where they begin; `turn` is a yaw, rad."""
    times = np.arange(round(seconds * RATE) + 1) / RATE
    still = np.zeros(3)
    poses = np.zeros((len(times), 2, 7))
    for row, t in enumerate(times.tolist()):
        poses[row, 0, :3] = [0, 1.0, -1.5] + (body(t) if body else still)
        poses[row, 1, :3] = [0.3, 1.6, -1.0] + (head(t) if head else still)
        poses[row, 0, 3:] = [1, 0, 0, 0]
        poses[row, 1, 3:] = [np.cos(turn(t) / 2), 0, np.sin(turn(t) / 2), 0]
    down = np.array([[True, holds(t)] for t in times.tolist()])
    return Performance(times, poses, buttons=down, button_names=("held", "head"))


def performed(scene, performance, grip="Hips", chunk=None):
    session = PuppetSession(scene, Target(), PuppetOptions(), grip=grip)
    size = chunk or len(performance)
    for at in range(0, len(performance), size):
        session.update(part(performance, slice(at, at + size)))
    return session


def part(whole, which):
    own = (getattr(whole, name)[which] for name in ("times", "poses", "axes", "buttons"))
    return Performance(*own, whole.axis_names, whole.button_names, whole.device)


def joints(session, *names):
    """(T, J, 3) m, where joints are at each tick."""
    rig = session.scene.characters[0].rig
    values = np.array([tick.values for tick in session.ticks])
    return forward(rig, values, [rig.joint(name) for name in names])[:, :, :3, 3]


def toward(x=0.0, y=0.0, z=0.0, start=0.5, seconds=0.5):
    """Moves there smoothly."""
    return lambda t: np.array([x, y, z]) * np.clip((t - start) / seconds, 0, 1)


def test_the_head_goes_where_its_stick_goes_and_the_hips_stay(scene):
    bent = performed(scene, two_devices(1.6, head=toward(x=0.1, y=-0.08, z=0.06)))
    alone = performed(scene, two_devices(1.6, holds=lambda t: False))
    moved = joints(bent, "Head", "Hips") - joints(alone, "Head", "Hips")
    assert np.linalg.norm(moved[-1, 1]) < 0.002
    first = joints(alone, "Head")[0, 0]
    assert joints(bent, "Head")[-1, 0] - first == pytest.approx([0.1, -0.08, 0.06], abs=0.012)


def test_the_head_turns_with_its_device(scene):
    def facing(session):
        rig = scene.characters[0].rig
        world = forward(rig, session.ticks[-1].values[None], [rig.joint("Head")])[0, 0]
        return np.degrees(np.arctan2(world[0, 2], world[2, 2]))

    turned = performed(scene, two_devices(1.5, turn=lambda t: 0.6 * min(t, 1.0)))
    straight = performed(scene, two_devices(1.5))
    assert facing(turned) - facing(straight) > 20


def test_both_are_led_together_over_the_ground(scene):
    walk = toward(z=1.5, start=0.3, seconds=1.5)
    session = performed(scene, two_devices(2.2, head=walk, body=walk))
    found = joints(session, "Head", "Hips")
    assert found[-1, :, 2] - found[0, :, 2] == pytest.approx([1.5, 1.5], abs=0.05)
    off = found[:, 0] - (found[0, 0] + np.array([walk(i / RATE) for i in range(len(found))]))
    assert np.sqrt(np.square(off).sum(axis=1).mean()) < 0.06, "the head is at its stick's end"


def test_a_released_head_goes_back_without_a_jump(scene):
    performance = two_devices(2.4, head=toward(x=0.12), holds=lambda t: t < 1.5)
    session, alone = (
        performed(scene, each) for each in (performance, two_devices(2.4, holds=lambda t: False))
    )
    away = np.linalg.norm(joints(session, "Head") - joints(alone, "Head"), axis=2)[:, 0]
    assert away[85] > 0.09
    assert away[-1] < 1e-6
    assert np.abs(np.diff(away)).max() < 0.02


def test_a_head_that_is_pulled_too_far_stays_on_its_body(scene):
    session = performed(scene, two_devices(2.0, head=toward(x=3.0, seconds=1.0)))
    found = joints(session, "Head", "Hips")
    assert np.isfinite(found).all()
    assert np.linalg.norm(found[-1, 0] - found[-1, 1]) < 0.9
    assert np.linalg.norm(np.diff(found[:, 0], axis=0), axis=1).max() < 0.06


def test_chunks_of_any_size_give_the_same_take(scene):
    performance = two_devices(1.2, head=toward(x=0.1), turn=lambda t: 0.3 * t)
    whole, cut = performed(scene, performance), performed(scene, performance, chunk=7)
    assert all(
        np.array_equal(one.values, other.values)
        for one, other in zip(whole.ticks, cut.ticks, strict=True)
    )


def test_a_kept_recording_of_two_devices_is_made_again_alike(scene):
    session = performed(scene, two_devices(1.2, head=toward(x=0.1)))
    edited = session.finish().apply(scene)
    kept = edited.recordings[0]
    assert kept.poses.shape[1] == 2
    target = Target("biped", kept.take, kept.point, recording=kept)
    again = PuppetSession(edited, target, PuppetOptions(), grip="Hips")
    assert np.array_equal(again.ticks[-1].values, session.ticks[-1].values)


def test_the_second_stick_is_drawn(scene):
    session = PuppetSession(scene, Target(), PuppetOptions())
    shown = session.update(two_devices(0.5))
    assert sum(isinstance(each, CurveOverlay) for each in shown.overlays) == 2


def test_a_path_file_holds_head_and_hips(tmp_path):
    samples = [
        {
            "time": i / 30,
            "position": [0, 1.0, -1.5],
            "head": {"position": [0.3 + 0.1 * min(i / 30, 1.0), 1.6, -1.0]},
        }
        for i in range(45)
    ]
    for each in samples[:3]:
        del each["head"]  # it is grabbed a little later
    file, out = tmp_path / "path.json", tmp_path / "take.arc.glb"
    file.write_text(json.dumps({"grip": "Hips", "samples": samples}))
    assert main(["puppet", str(file), "--out", str(out), "--json"]) == 0
    actor = read(out).characters[0]
    take = actor.takes[-1]
    values = sample(take, np.array([0.0, take.duration])).values
    head = forward(actor.rig, values, [actor.rig.joint("Head")])[:, 0, 0, 3]
    assert head[1] - head[0] == pytest.approx(0.09, abs=0.02)
