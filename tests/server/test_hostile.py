import pytest

from hostile_clients import Hostile, planted
from studio_process import Running


@pytest.mark.parametrize("much", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_whatever_hostile_clients_send_is_refused_and_the_studio_goes_on(tmp_path, much):
    home, opened = planted(tmp_path)
    with Running(home, opened) as studio:
        hostile = Hostile(studio, tmp_path, seed=1)
        hostile.requests(20 * much)
        hostile.handshakes(5 * much)
        hostile.messages(75 * much)
        hostile.posts(75 * much)
        hostile.contents(3 * much)
        hostile.oversized(1)
        hostile.still_edits()
        assert not hostile.faults()
