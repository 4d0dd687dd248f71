"""A capture that is labelled with twice its frame rate: the studio offers the right one."""

import shutil

import pytest

from data import DATA, needs_data
from places import done, undo

CLIP = "143_05_jump_distances.bvh"


@pytest.mark.slow
@needs_data
def test_a_wrong_frame_rate_is_offered_to_be_corrected(studio_of, window_of, folder):
    shutil.copy(DATA / "bvh" / "cmu" / CLIP, folder / CLIP)
    window = window_of(studio_of(folder / CLIP))
    offer = window.page.get_by_role("button", name="Set 60 fps")
    offer.wait_for()
    assert window.page.get_by_text("falls at 3.9 g in 3 flights").count() == 1
    offer.click()
    done(window, 1)
    offer.wait_for(state="detached")
    undo(window, 0)
    window.page.get_by_role("button", name="Keep 120 fps").click()
    offer.wait_for(state="detached")
