"""Chosen model: the trained model that completes motions of a rig, if there is one."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from arcwright.errors import BadValue
from arcwright.scene.rig import Rig
from arcwright.tools.autocomplete.network.completion_model import CompletionModel, shipped
from arcwright.tools.autocomplete.options import AUTOMATIC, NO_MODEL

WITHOUT = "No model knows this character: splines and contacts complete the motion"


def choose_model(rig: Rig, name: str) -> tuple[CompletionModel | None, str]:
    """The model of an option, and why there is none."""
    if name.strip() == NO_MODEL:
        return None, ""
    if name.strip() == AUTOMATIC:
        for each in shipped():
            model = _shipped(each)
            if not model.problem_with(rig):
                return model.bound_to(rig), ""
        return None, WITHOUT
    model = _shipped(name) if name in shipped() else _from_file(name, _changed(name))
    if problem := model.problem_with(rig):
        raise BadValue("model", "one that knows this character", problem)
    return model.bound_to(rig), ""


@lru_cache(maxsize=8)
def _shipped(name: str) -> CompletionModel:
    return CompletionModel.load(name)


@lru_cache(maxsize=4)
def _from_file(name: str, _: float) -> CompletionModel:
    """A file is read again once it has changed: options are read at every move of a slider."""
    return CompletionModel.load(name)


def _changed(name: str) -> float:
    try:
        return Path(name).stat().st_mtime
    except OSError:
        return 0.0
