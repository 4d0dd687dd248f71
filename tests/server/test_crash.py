import sys

import pytest

from crashing import Crashes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills and syncs differ there")


@pytest.mark.parametrize("kills", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_a_killed_studio_has_lost_no_acknowledged_step(tmp_path, kills):
    crashes = Crashes(tmp_path, seed=1)
    for _ in range(kills):
        crashes.round()
    assert crashes.acknowledged > 0


@pytest.mark.parametrize("synced", ["files", "nothing"])
def test_a_studio_that_does_not_wait_for_the_disk_is_found_out(tmp_path, synced):
    crashes = Crashes(tmp_path, seed=1, synced=synced)
    with pytest.raises(AssertionError, match="a power cut would have lost"):
        [crashes.round() for _ in range(6)]
