"""Kept recordings: their samples as a performance again, and the options that they keep."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from arcwright.scene.recording import OptionValue, Recording
from arcwright.tools.gesture import Performance


def performance_of(recording: Recording) -> Performance:
    """The samples of a recording, as they were acted."""
    return Performance(
        recording.times,
        recording.poses.astype(np.float64),
        recording.axes.astype(np.float64),
        np.zeros((0, 0), np.bool_) if recording.buttons is None else recording.buttons,
        recording.axis_names,
        recording.button_names,
        recording.device,
    )


def chosen_options(options: Any) -> dict[str, OptionValue]:
    """Options other than by default."""
    return {
        each.name: getattr(options, each.name)
        for each in fields(options)
        if getattr(options, each.name) != each.default
    }
