from hostile_clients import Hostile, planted
from running import Running


def test_whatever_strangers_send_is_refused_and_the_studio_goes_on(tmp_path):
    home, opened = planted(tmp_path)
    with Running(home, opened) as studio:
        hostile = Hostile(studio, tmp_path, seed=1)
        hostile.requests(80)
        hostile.handshakes(20)
        hostile.messages(300)
        hostile.contents(12)
        hostile.oversized(1)
        hostile.still_edits()
        assert not hostile.faults()
