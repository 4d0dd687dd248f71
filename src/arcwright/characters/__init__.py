"""Built-in characters and clips, made by code."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from arcwright.arrays import AnyArray
from arcwright.characters.mesh import look, read_store, shape, unpacked
from arcwright.characters.recipe import Recipe, Stage
from arcwright.characters.skeleton import skeleton
from arcwright.characters.store import stored_names, unpacked_clip
from arcwright.errors import UnknownName
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take

_ASSETS = Path(__file__).parent / "assets"
_CAST = ("biped", "dinosaur", "dragon", "spider", "robot", "lamp", "car")


def names() -> tuple[str, ...]:
    """The built-in characters."""
    return tuple(name for name in _CAST if asset_path(name).exists())


def built_in(name: str) -> Scene:
    """The scene of `"biped"` (all clips, the props of the first) or of `"biped:walk"`.

    Constraints and activities belong to their clips; those with missing props are left out.
    """
    who, _, clip = name.partition(":")
    character = replace(_body(who), takes=(_take(who, clip),)) if clip else _character(who)
    stages = [_stage(who, take.name) for take in character.takes]
    props = stages[0].props if stages else ()
    present = {"", character.name, *(prop.name for prop in props)}
    return Scene(
        name,
        (character,),
        props,
        tuple(
            each
            for stage in stages
            for each in stage.constraints
            if all(point.character in present for point in each.points.values())
        ),
        activities=tuple(
            each
            for stage in stages
            for each in stage.activities
            if all(about.prop in present for about in each.objects)
        ),
    )


def clip_names(who: str) -> tuple[str, ...]:
    """The clips of a built-in character."""
    return (*stored_names(_stored(who)), *stored_names(_activity_clips(who)))


def recipe(name: str) -> Recipe:
    """How a character is made."""
    if name not in _CAST:
        raise UnknownName("character", name, names())
    made: Recipe = import_module(f"arcwright.characters.{name}").RECIPE
    return made


def asset_path(name: str) -> Path:
    """Where a character's mesh and clips are stored."""
    return _ASSETS / f"{name}.npz"


def activity_clips_path(name: str) -> Path:
    """Where clips with activities are stored: apart, as only those who ask for them read them."""
    return _ASSETS / f"{name}_activities.npz"


@cache
def _character(name: str) -> Character:
    return replace(_body(name), takes=tuple(_take(name, clip) for clip in clip_names(name)))


@cache
def _body(name: str) -> Character:
    """The character without takes: rig, mesh and materials."""
    made = recipe(name)
    rig = skeleton(made.joints)
    mesh = unpacked(_stored(name), asset_path(name))
    return Character(name, rig, (), (shape(name, mesh, rig),), look(made.palette, mesh.materials))


@cache
def _take(who: str, clip: str) -> Take:
    """One clip of a character; only those asked for are unpacked."""
    stored, path = _stored(who), asset_path(who)
    if clip not in stored_names(stored):
        stored, path = _activity_clips(who), activity_clips_path(who)
    if clip not in stored_names(stored):
        raise UnknownName("take", clip, clip_names(who))
    rig = _body(who).rig
    return Take(rig, unpacked_clip(stored, clip, len(rig.channels), path))


@cache
def _stored(name: str) -> dict[str, AnyArray]:
    recipe(name)  # an unknown name is refused before its file is looked for
    return read_store(asset_path(name))


@cache
def _activity_clips(name: str) -> dict[str, AnyArray]:
    return read_store(activity_clips_path(name)) if recipe(name).activity_clips else {}


@cache
def _stage(who: str, clip: str) -> Stage:
    make = recipe(who).stages.get(clip)
    stage = make() if make else Stage()
    return replace(
        stage,
        constraints=tuple(replace(each, take=clip) for each in stage.constraints),
    )
