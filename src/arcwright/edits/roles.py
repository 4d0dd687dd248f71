"""Edits of roles: which take of a character is its walk, its idle, …"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from arcwright.errors import BadValue
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Actor, Character, Scene

MOST = 64  # roles of a character, and letters of a role


def set_role(scene: Scene, character: str, role: str, take: str) -> Edit:
    """Give a role to a take, or with "" leave it to tools."""
    actor = scene.actor(character)
    if not isinstance(actor, Character):
        raise BadValue("character", "a character: props have no roles", actor.name)
    shown = role.replace("_", " ")
    if not 0 < len(role) <= MOST or (role not in actor.roles and len(actor.roles) >= MOST):
        raise BadValue("role", f"a name of at most {MOST} letters, at most {MOST} of them", role)
    roles = {each: name for each, name in actor.roles.items() if each != role}
    if take:
        roles[role] = actor.take(take).name
    label = f"Use {roles[role]} as {shown}" if take else f"Choose {shown} automatically"
    return Edit(label, _changes(scene, actor, roles))


def role_changes(scene: Scene, actor: Actor, name: Callable[[str], str]) -> tuple[Change, ...]:
    """The change of roles where takes are called otherwise; one without a `name` has none."""
    if not isinstance(actor, Character):
        return ()
    after = {role: name(take) for role, take in actor.roles.items()}
    return _changes(scene, actor, {role: take for role, take in after.items() if take})


def _changes(scene: Scene, actor: Character, roles: dict[str, str]) -> tuple[Change, ...]:
    if roles == dict(actor.roles):
        return ()
    address = "characters", scene.characters.index(actor), "roles"
    return (Change(address, actor.roles, MappingProxyType(roles)),)
