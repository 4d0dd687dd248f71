"""Kept samples: what a scene keeps of a performance, so that it can be made again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import same
from arcwright.scene.edit import Change
from arcwright.scene.recording import MOST_BYTES, Recording, beside
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Performance
from arcwright.tools.puppet.options import PuppetOptions
from arcwright.tools.puppet.start import Start
from arcwright.tools.shared.kept_recording import chosen_options

TOOL = "puppet"
NEAR = 1e-6  # s


def kept_samples(
    whole: Performance, target: Target, start: Start | None, options: PuppetOptions
) -> Recording | None:
    """The recording of all samples, for a take; None where they are too many."""
    if whole.times.nbytes + whole.poses.nbytes // 2 + whole.buttons.nbytes > MOST_BYTES:
        return None
    return Recording(
        times=whole.times,
        poses=whole.poses.astype(np.float32),
        axes=np.zeros((len(whole), 0), np.float32),
        device=whole.device,
        character=target.character,
        take=target.take,
        point=target.point,
        start=np.zeros(0) if start is None else start.stored,
        tool=TOOL,
        options=chosen_options(replace(options, show_blend=False)),
        buttons=whole.buttons if whole.button_names else None,
        button_names=whole.button_names,
    )


def recording_changes(
    scene: Scene, made: Recording | None, owner: tuple[str, str], start: float
) -> tuple[Change, ...]:
    """The change by which a scene keeps a recording; those that it replaces are gone.

    Of the take of its owner, a character and the name of its take, nothing after `start` s is left.
    """
    before = scene.recordings
    others = [
        each
        for each in before
        if (each.character, each.take) != owner or float(each.times[0]) <= start - NEAR
    ]
    after = tuple(others) if made is None else beside(others, made)
    return () if same(before, after) else (Change(("recordings",), before, after),)


def as_kept(gesture: Performance, offset: float) -> Performance:
    """Samples at times of the take, in 32 bits as a recording keeps them."""
    poses = gesture.poses.astype(np.float32).astype(np.float64)
    return replace(gesture, times=gesture.times + offset, poses=poses)
