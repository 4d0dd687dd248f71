"""The preview stream: what clients are sent during an interaction, small enough to keep up.

The dragging client is served first. Observers are sent previews less often the more of them there
are, and large numbers of poses only now and then.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic
from typing import Protocol

import numpy as np

from arcwright.curves.pack import excerpt
from arcwright.kinematics.motion_curve import refresh_curves
from arcwright.kinematics.take_difference import last_frame, take_differences
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.document import array_messages
from arcwright.server.document.array_messages import Layouts, PoseLayout, actors
from arcwright.server.document.overlays import overlay_info
from arcwright.server.document.subscriptions import (
    Client,
    Delivery,
    ShownCurve,
    Subscriptions,
    TakeKey,
    deliver,
)
from arcwright.server.messages.encoding import Single, encode, vec
from arcwright.tools.interaction import Interaction
from arcwright.tools.tool import DragStatus, Preview

log = logging.getLogger("arcwright.studio")

MAX_BYTES = 48_000  # of the answer to one update
MAX_DEFERRED = 4_000_000  # bytes of poses that are sent only now and then
POSES_INTERVAL = 0.1  # s between these; longer where they take long
OBSERVER_INTERVAL = 0.003  # s between previews for observers, for each of them and each interaction
MAX_OBSERVER_INTERVAL = 1.0  # s
OBSERVERS_LATEST = 0.05  # s without an update after which observers are sent it all the same
MANY_KEYS = 2000


@dataclass
class PreviewState:
    """What clients have been sent as previews of one interaction, and what they still miss."""

    frames: dict[TakeKey, range] = field(default_factory=dict)  # that differ from the document
    channels: dict[TakeKey, set[int]] = field(default_factory=dict)
    curves: set[m.PointRef] = field(default_factory=set)
    pose: bytes = b""  # the last pose preview
    poses_deferred: bool = False  # poses too large for one answer are out of date
    poses_due: float = 0.0  # s, when these may be sent next
    observers_behind: bool = False
    observers_due: float = 0.0  # s, when they are sent it without another update
    observers_next: float = 0.0  # s, when an update is sent to them again

    def add(self, key: TakeKey, frames: range, channels: list[int]) -> None:
        """A take differs in these frames and channels."""
        own = self.frames.get(key, frames) or frames
        if frames:
            own = range(min(own.start, frames.start), max(own.stop, frames.stop))
        self.frames[key] = own
        self.channels.setdefault(key, set()).update(channels)

    @property
    def deadline(self) -> float:
        """When something has to be sent without another update, s."""
        poses = self.poses_due if self.poses_deferred else inf
        return min(poses, self.observers_due if self.observers_behind else inf)

    def send_all_soon(self) -> None:
        """A client subscribed to something else: it is also sent the previews of that."""
        if self.frames and not self.observers_behind:
            self.observers_behind, self.observers_due = True, monotonic()


class Previewed(Protocol):
    """An interaction as far as its previews are concerned."""

    number: int
    client: Client
    scene: Scene  # from which it began
    previews: PreviewState

    def preview_scene(self) -> Scene:
        """The scene as it would be after committing now."""
        ...


def preview_message(
    of: Interaction, number: int, preview: Preview, layouts: Layouts
) -> tuple[m.Preview, dict[str, Single]]:
    """A preview with its poses and meshes, as the acting client is sent it at once."""
    arrays = {
        f"mesh{index}": np.column_stack([each.vertices, each.offsets]).astype(np.float32)
        for index, each in enumerate(preview.meshes)
    }
    for index, pose in enumerate(preview.poses):
        rig = pose.rig or of.scene.actor(pose.target.character).rig
        layout = layouts[pose.target.character]
        arrays[f"pose{index}"] = layout.poses(rig, pose.values[None])[0]
    message = m.Preview(
        interaction=number,
        poses=[
            m.PoseInfo(each.target.character, each.target.take, each.time, each.acted)
            for each in preview.poses
        ],
        meshes=[m.MeshInfo(each.actor, each.shape, each.part) for each in preview.meshes],
        span=preview.span,
        drag=None if preview.drag is None else _drag_info(preview.drag),
        overlays=[overlay_info(each) for each in preview.overlays],
    )
    return message, arrays


def send_poses(of: Previewed, message: m.Preview, poses: Mapping[str, Single]) -> None:
    """Send the poses of a preview to the acting client at once."""
    of.previews.pose = encode(message, **poses)
    of.client.send_data(of.previews.pose, ("preview", of.number))


def send_preview(
    subscriptions: Subscriptions, of: Previewed, after: Scene, layouts: Layouts, count: int
) -> None:
    """Send curves, then poses and keys as far as they are small; `count` interactions are active.

    What observers miss is sent by `send_overdue`.
    """
    state = of.previews
    for each in take_differences(of.scene, after):
        state.add((each.character, each.take.name), each.frames, each.channels)
    now, observers = monotonic(), len(subscriptions.clients) - 1
    if observers > 0 and now < state.observers_next:
        state.observers_behind, state.observers_due = True, now + OBSERVERS_LATEST
        _send(subscriptions, [of.client], of, after, layouts)
    else:
        interval = OBSERVER_INTERVAL * observers * count
        state.observers_next = now + min(interval, MAX_OBSERVER_INTERVAL)
        _send_to_all(subscriptions, of, after, layouts)
    if state.poses_deferred and not observers and state.pose:
        state.poses_due = monotonic() + POSES_INTERVAL  # the dragged pose was sent: others can wait
    elif state.poses_deferred and monotonic() >= state.poses_due:
        _send_deferred_poses(subscriptions, of, after, layouts)


def send_overdue(subscriptions: Subscriptions, of: Previewed, layouts: Layouts) -> None:
    """Send what clients miss and what is due by now."""
    state, now = of.previews, monotonic()
    try:
        if state.observers_behind and now >= state.observers_due:
            _send_to_all(subscriptions, of, of.preview_scene(), layouts)
        if state.poses_deferred and now >= state.poses_due:
            _send_deferred_poses(subscriptions, of, of.preview_scene(), layouts)
    except Exception:
        state.poses_deferred = state.observers_behind = False  # until the next update
        log.exception("preview")


def _send_to_all(
    subscriptions: Subscriptions, of: Previewed, after: Scene, layouts: Layouts
) -> None:
    """Send a preview to all clients, the dragging one first."""
    observers = [client for client in subscriptions.clients if client is not of.client]
    _send(subscriptions, [of.client, *observers], of, after, layouts)
    of.previews.observers_behind = False


def _send_deferred_poses(
    subscriptions: Subscriptions, of: Previewed, after: Scene, layouts: Layouts
) -> None:
    """Send the poses that are too large for every answer."""
    began = monotonic()
    deliveries: list[Delivery] = []
    for key, frames in of.previews.frames.items():
        take, layout = _take(after, key), layouts.get(key[0])
        if take is None or layout is None:
            continue
        if 4 * layout.width * len(frames) <= MAX_DEFERRED:
            deliveries += _frames(subscriptions.clients, of, take, key, frames, layout)
    deliver(deliveries)
    of.previews.poses_deferred = False
    of.previews.poses_due = monotonic() + max(POSES_INTERVAL, 4 * (monotonic() - began))


def _send(
    subscriptions: Subscriptions,
    clients: Sequence[Client],
    of: Previewed,
    after: Scene,
    layouts: Layouts,
) -> None:
    state = of.previews
    deliveries = _curves(subscriptions, clients, of, after)
    spent = len(state.pose) + _size(deliveries)
    if state.pose:  # the dragging client has it already
        observers = [client for client in clients if client is not of.client]
        deliveries.append(Delivery(observers, state.pose, ("preview", of.number)))
    state.poses_deferred = False
    for key, frames in state.frames.items():
        take, layout = _take(after, key), layouts.get(key[0])
        if take is None or layout is None:  # removed, by this interaction or another edit
            continue
        size = 4 * layout.width * len(frames)
        more: list[Delivery] = []
        if size <= MAX_BYTES - spent:
            more += _frames(clients, of, take, key, frames, layout)
        else:
            state.poses_deferred |= size <= MAX_DEFERRED
        more += _keys(clients, of, take, key, MAX_BYTES - spent - _size(more))
        spent += _size(more)
        deliveries += more
    deliver(deliveries)


def _size(deliveries: Sequence[Delivery]) -> int:
    return sum(len(each.data) for each in deliveries)


def _frames(
    clients: Sequence[Client],
    of: Previewed,
    take: Take,
    key: TakeKey,
    frames: range,
    layout: PoseLayout,
) -> list[Delivery]:
    watching = [client for client in clients if key in client.known_poses and client.shows(key)]
    last = min(frames.stop - 1, last_frame(take))
    if last < frames.start or not watching:
        return []
    near = _near(take, frames.start, last)
    data = array_messages.frames(layout, near, key[0], frames.start, last, of.number)
    return [Delivery(watching, data, ("frames", of.number, *key))]


def _keys(
    clients: Sequence[Client], of: Previewed, take: Take, key: TakeKey, most: int
) -> list[Delivery]:
    channels = of.previews.channels[key]
    watching = [client for client in clients if key in client.known_keys and client.shows(key)]
    curves = take.base.curves if isinstance(take.base, Clip) else ()
    size = sum(36 * len(curve) for c in channels if curves and (curve := curves[c]) is not None)
    if not watching or not channels or not curves or size > most:
        return []
    parts = array_messages.keys(take, key[0], sorted(channels), of.number)
    return [Delivery(watching, data, ("keys", of.number, *key)) for data in parts]


def _curves(
    subscriptions: Subscriptions, clients: Sequence[Client], of: Previewed, after: Scene
) -> list[Delivery]:
    """The parts of shown curves that differ from the document."""
    groups: dict[TakeKey, list[ShownCurve]] = {}
    for shown in subscriptions.shown_curves(clients):
        if shown.key in of.previews.frames and _take(after, shown.key) is not None:
            groups.setdefault(shown.key, []).append(shown)
    deliveries: list[Delivery] = []
    for key, group in groups.items():
        previews = refresh_curves([shown.curve for shown in group], after)
        for (_, ref, sent, watching), curve in zip(group, previews, strict=True):
            always = ref in of.previews.curves
            data = array_messages.curve(curve, sent, ref, key[0], of.number, always=always)
            if data is not None:
                of.previews.curves.add(ref)
                deliveries.append(Delivery(watching, data, ("curve", of.number, ref)))
    return deliveries


def _take(scene: Scene, key: TakeKey) -> Take | None:
    for actor in actors(scene):
        if actor.name == key[0]:
            return next((take for take in actor.takes if take.name == key[1]), None)
    return None


def _near(take: Take, first: int, last: int) -> Take:
    """The take without keys that do not matter for these frames, where that saves work."""
    if not isinstance(take.base, Clip) or take.base.key_count < MANY_KEYS:
        return take
    every = np.arange(len(take.rig.channels))
    span = first / take.rate, last / take.rate
    return replace(take, base=excerpt(take.base, every, span))


def _drag_info(status: DragStatus) -> m.DragInfo:
    return m.DragInfo(
        vec(status.position),
        None if status.target is None else vec(status.target),
        status.remaining,
    )
