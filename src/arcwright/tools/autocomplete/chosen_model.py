"""Chosen model: the trained model that completes motions of a rig, if there is one."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from weakref import WeakKeyDictionary

from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.humanoid import is_humanoid
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.body.body_file import FORMAT as BODY
from arcwright.tools.autocomplete.body.body_model import BodyModel
from arcwright.tools.autocomplete.key_poses import own_keys
from arcwright.tools.autocomplete.model import CompletionModel
from arcwright.tools.autocomplete.network.completion_model import SHIPPED, shipped
from arcwright.tools.autocomplete.network.completion_model import CompletionModel as ChannelModel
from arcwright.tools.autocomplete.network.npz_file import stored_format
from arcwright.tools.autocomplete.options import AUTOMATIC, NO_MODEL

WITHOUT = "No model knows this character: splines and contacts complete the motion"
Chosen = tuple[CompletionModel | None, str]


def choose_model(actor: Actor, take: Take, name: str) -> Chosen:
    """The model of an option, and why there is none."""
    if name.strip() == NO_MODEL:
        return None, ""
    if name.strip() == AUTOMATIC:
        known = _automatic.setdefault(take, {})
        if actor.name not in known:
            known[actor.name] = _fitting(actor, take)
        return known[actor.name]
    return _bound(load_model(name), actor, take), ""


_automatic: WeakKeyDictionary[Take, dict[str, Chosen]] = WeakKeyDictionary()


def load_model(name: str) -> ChannelModel | BodyModel:
    """A shipped model by name, or one from a file; a file is read again once it has changed."""
    if name in shipped():
        return _read(str(SHIPPED / f"{name}.npz"), 0.0)
    try:
        changed = Path(name).stat().st_mtime
    except (OSError, ValueError):
        raise UnknownName("completion model", name, shipped()) from None
    return _read(name, changed)


@lru_cache(maxsize=8)
def _read(path: str, _: float) -> ChannelModel | BodyModel:
    if stored_format(Path(path), "completion model") == BODY:
        return BodyModel.load(path)
    return ChannelModel.load(path)


def _bound(model: ChannelModel | BodyModel, actor: Actor, take: Take) -> CompletionModel:
    if isinstance(model, BodyModel):
        return model.bound_to(actor, _with_own_keys(take))
    if problem := model.problem_with(take.rig):
        raise BadValue("model", "one that knows this character", problem)
    return model.bound_to(take.rig)


def _with_own_keys(take: Take) -> Take:
    """The take before a completion, so that one that is done again begins alike."""
    clip = own_keys(take) if take.inbetweens else None
    return take if clip is None else replace(take, base=clip, inbetweens=())


def _fitting(actor: Actor, take: Take) -> Chosen:
    """The first shipped model that knows the channels of a rig, or the one of people."""
    for name in shipped():
        model = load_model(name)
        if isinstance(model, BodyModel):
            if not is_humanoid(actor):
                continue
        elif model.problem_with(take.rig):
            continue
        try:
            return _bound(model, actor, take), ""
        except BadValue:
            continue
    return None, WITHOUT
