from crashing import Crashes


def test_a_killed_studio_has_lost_nothing_that_it_said_was_done(tmp_path):
    crashes = Crashes(tmp_path, seed=1)
    for _ in range(4):
        crashes.round()
    assert crashes.acknowledged > 0
