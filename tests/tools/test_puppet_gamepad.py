"""A gamepad's flick, sampled as unevenly as a page draws, is a jump whenever it is asked for."""

import numpy as np
import pytest

from arcwright.characters import built_in
from arcwright.scene.target import Target
from arcwright.tools.gesture import Performance
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.session import PuppetSession

SIZE = 1.4  # m, of the biped
STOPS = 1.5  # s


@pytest.fixture(scope="module")
def scene():
    return built_in("biped")


def flicked(seed, *, button=True):
    """A walk that stops, and a flick about then, as `gamepadStick.ts` makes them."""
    random = np.random.default_rng(seed)
    rate, speed = random.uniform(8, 60), random.uniform(0.3, 1.0) * 2 * SIZE
    angle, at = random.uniform(0, 2 * np.pi), STOPS + random.uniform(-0.1, 0.15)
    times = np.cumsum(random.uniform(0.6, 1.4, round(3.2 * rate)) / rate)
    times = np.append(0.0, times)
    seen = times[times >= at][0]  # the button is seen at the next sample
    way = speed * np.clip(times, 0, STOPS)
    share = np.clip((times - seen) / 0.45, 0, 1)
    high = SIZE * 4 * 0.35 * share * (1 - share)
    poses = np.zeros((len(times), 1, 7))
    poses[:, 0, :3] = np.stack([way * np.sin(angle), 1.0 + high, way * np.cos(angle)], axis=1)
    poses[:, 0, 3] = 1
    down = np.stack([times >= 0, (times >= seen) & (times < seen + 0.2) & button], axis=1)
    return Performance(times, poses, buttons=down, button_names=("held", "jump"))


def jumps(scene, performance):
    session = PuppetSession(scene, Target(), PuppetOptions())
    session.update(performance)
    return any(state.value == "jump" for _, state in session.states)


@pytest.mark.parametrize("count", [4, pytest.param(40, marks=pytest.mark.slow)])
def test_a_flick_while_a_walk_stops_jumps(scene, count):
    assert [jumps(scene, flicked(seed)) for seed in range(count)] == [True] * count
