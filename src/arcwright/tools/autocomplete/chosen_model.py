"""Chosen model: the trained model that completes motions of a rig, if there is one."""

from __future__ import annotations

from arcwright.errors import UnknownName
from arcwright.scene.rig import Rig
from arcwright.tools.autocomplete.model import CompletionModel
from arcwright.tools.autocomplete.options import AUTOMATIC, NO_MODEL


def choose_model(rig: Rig, name: str) -> tuple[CompletionModel | None, str]:
    """The model of an option, and why there is none."""
    if name == NO_MODEL:
        return None, ""
    if name == AUTOMATIC:
        return None, "No model knows this character: splines and contacts complete the motion"
    raise UnknownName("model", name, ())
