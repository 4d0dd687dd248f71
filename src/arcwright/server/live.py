"""Live: what windows are told while a hand moves, small enough to follow it."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

import numpy as np

from arcwright.curves.excerpt import excerpt
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server import numbers
from arcwright.server.audience import Audience, TakeKey, spot_key
from arcwright.server.differences import differences
from arcwright.server.hands import Hand, ToolHand
from arcwright.server.model import Body, Model, actors
from arcwright.server.wire import encode
from arcwright.tools.redrawn import redrawn
from arcwright.tools.tool import Preview

MOST = 48_000  # bytes of one answer
MOST_OWED = 4_000_000  # bytes of poses that are told only now and then
PAUSE = 0.1  # s between these; longer where they take long
MANY_KEYS = 2000


def tell_preview(audience: Audience, hand: ToolHand, preview: Preview, model: Model) -> int:
    """The held pose, and where the hand got; the bytes it took."""
    actor = hand.scene.actor(hand.target.character)
    x, y, z = preview.reached.tolist()
    told = m.Preview(
        hand=hand.number,
        character=actor.name,
        take=hand.target.clip,
        time=hand.held.time,
        span=preview.span,
        reached=(x, y, z),
        short=preview.short,
    )
    pose = model.bodies[actor.name].poses(actor.rig, preview.pose[None])[0]
    data = encode(told, pose=pose)
    audience.send(data, topic=("preview", hand.number))
    return len(data)


def tell_live(audience: Audience, hand: Hand, after: Scene, model: Model, spent: int = 0) -> None:
    """Curves, then poses and keys as far as they are small, of what a hand would make."""
    for each in differences(hand.scene, after):
        hand.live.add((each.character, each.take.name), each.frames, each.channels)
    spent += _curves(audience, hand, after)
    hand.live.owed = False
    for key, frames in hand.live.frames.items():
        take, body = _take(after, key), model.bodies.get(key[0])
        if take is None or body is None:  # taken away, by the hand or under it
            continue
        size = 4 * body.width * len(frames)
        if size <= MOST - spent:
            spent += _frames(audience, hand, take, key, frames, body)
        else:
            hand.live.owed |= size <= MOST_OWED
        spent += _keys(audience, hand, take, key, MOST - spent)
    if hand.live.owed and len(audience.windows) == 1 and isinstance(hand, ToolHand):
        hand.live.due = monotonic() + PAUSE  # the pose in the hand is told: the rest may wait
    elif hand.live.owed and monotonic() >= hand.live.due:
        tell_owed(audience, hand, after, model)


def tell_owed(audience: Audience, hand: Hand, after: Scene, model: Model) -> None:
    """The poses that are too many for every answer: windows that play see them now and then."""
    began = monotonic()
    for key, frames in hand.live.frames.items():
        take, body = _take(after, key), model.bodies.get(key[0])
        if take is not None and body is not None and 4 * body.width * len(frames) <= MOST_OWED:
            _frames(audience, hand, take, key, frames, body)
    hand.live.owed = False
    hand.live.due = monotonic() + max(PAUSE, 4 * (monotonic() - began))


def _frames(
    audience: Audience, hand: Hand, take: Take, key: TakeKey, frames: range, body: Body
) -> int:
    last = min(frames.stop - 1, numbers.last_frame(take))
    if last < frames.start:
        return 0
    near = _near(take, frames.start, last)
    data = numbers.frames(body, near, key[0], frames.start, last, hand.number)
    audience.send(data, topic=("frames", hand.number, *key))
    return len(data)


def _keys(audience: Audience, hand: Hand, take: Take, key: TakeKey, most: int) -> int:
    channels = hand.live.channels[key]
    watching = [window for window in audience.windows if key in window.keyed]
    curves = take.base.curves if isinstance(take.base, Clip) else ()
    size = sum(36 * len(curve) for c in channels if curves and (curve := curves[c]) is not None)
    if not watching or not channels or not curves or size > most:
        return 0
    for data in numbers.keys(take, key[0], sorted(channels), hand.number):
        audience.send(data, watching, topic=("keys", hand.number, *key))
    return size


def _curves(audience: Audience, hand: Hand, after: Scene) -> int:
    """The parts of shown curves that are not as they were."""
    live = {
        key: dict(zip(group, redrawn(list(group.values()), after), strict=True))
        for key, group in audience.curves.items()
        if key in hand.live.frames and _take(after, key) is not None
    }
    spent = 0
    for window in audience.windows:
        for key, spot, still in audience.drawn_by(window):
            own = spot_key(spot)
            if key not in live:
                continue
            told = own in hand.live.curves
            data = numbers.curve(live[key][own], still, spot, key[0], hand.number, always=told)
            if data is not None:
                hand.live.curves.add(own)
                window.tell(data, ("curve", hand.number, own))
                spent += len(data)
    return spent


def _take(scene: Scene, key: TakeKey) -> Take | None:
    for actor in actors(scene):
        if actor.name == key[0]:
            return next((take for take in actor.takes if take.name == key[1]), None)
    return None


def _near(take: Take, first: int, last: int) -> Take:
    """The take without the keys that do not matter for these frames, where that saves work."""
    if not isinstance(take.base, Clip) or take.base.key_count < MANY_KEYS:
        return take
    every = np.arange(len(take.rig.channels))
    span = first / take.rate, last / take.rate
    return replace(take, base=excerpt(take.base, every, span))
