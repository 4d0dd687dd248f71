"""The path of a phone that only knows its orientation leads a puppet through all its states.

`studio/fixtures/phone_poses.json` is what the page makes of `phone_path.json`: its tests write it.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from arcwright.open import read
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Performance
from arcwright.tools.interaction import Interaction

PATH = Path(__file__).parents[2] / "studio" / "fixtures" / "phone_poses.json"


@pytest.fixture(scope="module")
def performed():
    """The session, and the take that it makes."""
    rows = json.loads(PATH.read_text())["samples"]
    times = np.array([row["time"] for row in rows])
    poses = np.array([[row["position"] + row["rotation"]] for row in rows])
    puppet, scene = tool("puppet"), read("biped")
    interaction = Interaction(puppet, scene, Target("biped"), puppet.Options())
    interaction.update(Performance(times, poses, device="phone"))
    return interaction.session, interaction.finish().apply(scene).characters[0].takes[-1]


def speed_between(session, first, last):
    """Metres a second over the ground, between two moments."""
    ends = [session.ticks[round(60 * at)].end[[0, 2]] for at in (first, last)]
    return np.linalg.norm(ends[1] - ends[0]) / (last - first)


def test_a_finger_leads_it_at_a_walk_and_at_a_run(performed):
    session, _ = performed
    assert 0.8 < speed_between(session, 1.2, 2.4) < 1.6
    assert 2.5 < speed_between(session, 3.0, 3.9) < 4.0


def test_pitch_makes_it_crouch_jump_and_hang(performed):
    session, _ = performed
    assert [str(state) for _, state in session.states] == [
        *["locomotion", "crouch", "locomotion", "anticipation", "jump", "landing"],
        *["locomotion", "held"],
    ]


def test_the_release_in_the_air_lets_it_fall_and_get_up(performed):
    session, take = performed
    after = session._after_release()
    assert {"fall", "fallen", "get-up"} <= {str(tick.state) for tick in after}
    assert take.duration > len(session.ticks) / 60
