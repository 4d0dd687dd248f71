"""The key of a composition that an interaction edits: the one at the shown frame, or a new one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arcwright.scene.camera import Camera
from arcwright.scene.flow import Flow, FlowCurve, FlowKey, FlowLayer
from arcwright.scene.scene import Scene
from arcwright.scene.shot import Shot
from arcwright.scene.target import Target
from arcwright.tools.flow.options import FlowOptions, names_in
from arcwright.tools.flow.shot_keys import NEAR, key_at


@dataclass(frozen=True, eq=False)
class ActiveKey:
    """A composition and which of its keys is edited."""

    flow: Flow  # with the key, even where it is new
    index: int
    new: bool  # whether the composition of the scene lacks it

    @property
    def key(self) -> FlowKey:
        """As it was before the gestures."""
        return self.flow.all_keys[self.index]

    def edited(self, layers: tuple[FlowLayer, ...], curves: tuple[FlowCurve, ...]) -> Flow:
        """The composition with other layers and curves at this key."""
        keys = list(self.flow.all_keys)
        keys[self.index] = replace(self.key, layers=layers, curves=curves)
        return self.flow.with_keys(tuple(keys))

    def seen_through(self, camera: Camera) -> ActiveKey:
        """The key through another camera: it moves, so objects are bent in space."""
        keys = list(self.flow.all_keys)
        keys[self.index] = replace(self.key, shot=replace(self.key.shot, camera=camera))
        return replace(self, flow=replace(self.flow.with_keys(tuple(keys)), lift=True))

    def without(self) -> Flow | None:
        """The composition without this key; None where it was the only one."""
        keys = [each for n, each in enumerate(self.flow.all_keys) if n != self.index]
        return self.flow.with_keys(tuple(keys)) if keys else None


def active_key(
    scene: Scene, target: Target, options: FlowOptions, shot: Shot | None = None
) -> ActiveKey | None:
    """The key that is edited; None for a scene without camera, before the first stroke.

    `shot` is that of the first stroke. With `auto_key` or `add_key`, a frame without a key has a
    new one, which begins as the nearest one.
    """
    flow = scene.flow
    if flow is None:
        first = shot or (scene.cameras[0] if scene.cameras else None)
        if first is None:
            return None
        flow = Flow(first, takes=_takes(scene, target))
        return ActiveKey(_with_settings(flow, options, new=True), 0, new=True)
    if shot is not None and not flow.layers and not flow.keys:
        flow = replace(flow, shot=shot, takes=_takes(scene, target))
    flow = _with_settings(flow, options, new=False)
    index = key_at(flow, target.time)
    nearest = flow.all_keys[index]
    away = abs(nearest.shot.time - target.time)
    if away < NEAR or not (options.auto_key or options.add_key):
        return ActiveKey(flow, index, new=False)
    added = replace(nearest, shot=replace(nearest.shot, time=target.time))
    flow = flow.with_keys((*flow.all_keys, added))
    return ActiveKey(flow, key_at(flow, target.time), new=True)


def _takes(scene: Scene, target: Target) -> dict[str, str]:
    """The take that is shown, where it is not the first one of its actor."""
    if not target.take:
        return {}
    actor = scene.actor(target.character)
    take = actor.take(target.take)
    return {} if take is actor.takes[0] else {actor.name: take.name}


def _with_settings(flow: Flow, given: FlowOptions, *, new: bool) -> Flow:
    """The composition with what options say of its objects; as by default, it stays as it is."""
    plain = FlowOptions()
    split = given.split if new or given.split != plain.split else flow.split
    abstraction = flow.abstraction
    if new or given.abstraction != plain.abstraction:
        abstraction = given.abstraction
    included = names_in(given.include) or flow.included
    cut = tuple(dict.fromkeys((*flow.cut, *names_in(given.cut))))
    merged = flow.merged
    group = names_in(given.merge)
    if group and group not in merged:
        merged = (*merged, group)
    if given.regroup:
        cut, merged = (), ()
    lift = flow.lift if given.lift is None else given.lift
    return replace(
        flow, split=split, abstraction=abstraction, included=included, cut=cut, merged=merged,
        lift=lift,
    )  # fmt: skip


def shot_options(options: FlowOptions) -> tuple[object, ...]:
    """Those that decide what is prepared."""
    names = "split", "abstraction", "include", "merge", "cut", "regroup", "lift"
    return tuple(getattr(options, each) for each in (*names, "auto_key", "add_key"))
