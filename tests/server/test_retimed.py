"""A release that moves frames in time tells every window where they went."""

import numpy as np
import pytest

from arcwright import read
from arcwright.server import messages as m
from local_clients import LocalClient, lift, worker_with


def released(idle, by=0.2, **options):
    """The end of a drag of the hips in a jump, and the duration of the take before and after."""
    with worker_with(read("biped:jump"), idle=idle) as worker:
        client = LocalClient(worker)
        before = client.document.scene.characters[0].takes[0].duration
        client.send(
            m.BeginInteraction(1, "spacetime", "biped", "jump", options),
            lift(client, by, time=20 / 24),
        )
        if idle:
            client.wait(m.Notes)
        client.send(m.CommitInteraction(1))
        ended = client.wait(m.InteractionEnded)[-1][0]
        return ended, before, client.document.scene.characters[0].takes[0].duration


@pytest.mark.parametrize("idle", [False, True])
def test_a_longer_jump_tells_how_its_frames_move(idle):
    ended, before, after = released(idle)
    moved = ended.retimed
    assert (moved.character, moved.take) == ("biped", "jump")
    assert after - before == pytest.approx(moved.after[-1] - moved.before[-1])
    assert after > before + 0.05
    assert (np.diff(moved.after) > 0).all()


def test_a_release_that_keeps_its_timing_tells_nothing():
    ended, before, after = released(False, adapt_timing="off")
    assert ended.committed
    assert ended.retimed is None
    assert after == before
