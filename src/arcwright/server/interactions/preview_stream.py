"""Live: what windows are told while a hand moves, small enough to follow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic

import numpy as np

from arcwright.curves.excerpt import excerpt
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.document import array_messages as numbers
from arcwright.server.document.client import TakeKey, Window
from arcwright.server.document.differences import differences
from arcwright.server.document.display_model import Body, Model, actors
from arcwright.server.document.subscriptions import Audience, Parcel, Shown, deliver, spot_key
from arcwright.server.interactions.interaction import Hand, ToolHand
from arcwright.server.messages.encoding import encode
from arcwright.tools.redrawn import redrawn
from arcwright.tools.tool import Preview

MOST = 48_000  # bytes of one answer
MOST_OWED = 4_000_000  # bytes of poses that are told only now and then
PAUSE = 0.1  # s between these; longer where they take long
SHARE = 0.003  # s between two previews of a hand for onlookers, for each of them and each hand
MOST_SHARE = 1.0  # s between these, at most
LATE = 0.05  # s without a move after which onlookers are told all the same
MANY_KEYS = 2000


def tell_preview(hand: ToolHand, preview: Preview, model: Model) -> int:
    """The held pose, and where the hand got, at once to who drags; the bytes it took."""
    actor = hand.scene.actor(hand.target.character)
    x, y, z = preview.reached.tolist()
    told = m.Preview(
        interaction=hand.number,
        character=actor.name,
        take=hand.target.clip,
        time=hand.held.time,
        span=preview.span,
        reached=(x, y, z),
        remaining=preview.short,
    )
    pose = model.bodies[actor.name].poses(actor.rig, preview.pose[None])[0]
    hand.live.preview = encode(told, pose=pose)
    hand.window.tell(hand.live.preview, ("preview", hand.number))
    return len(hand.live.preview)


def tell_live(
    audience: Audience, hand: Hand, after: Scene, model: Model, spent: int = 0, hands: int = 1
) -> None:
    """Curves, then poses and keys as far as they are small, of what a hand would make.

    Who drags comes first: onlookers are told less often the more of them and the more `hands`
    there are. What they are behind with is told by `tell_behind`.
    """
    for each in differences(hand.scene, after):
        hand.live.add((each.character, each.take.name), each.frames, each.channels)
    now, onlookers = monotonic(), len(audience.windows) - 1
    if onlookers > 0 and now < hand.live.turn:
        hand.live.behind, hand.live.late = True, now + LATE
        _tell(audience, [hand.window], hand, after, model, spent)
    else:
        hand.live.turn = now + min(SHARE * onlookers * hands, MOST_SHARE)
        tell_behind(audience, hand, after, model, spent)
    if hand.live.owed and not onlookers and isinstance(hand, ToolHand):
        hand.live.due = monotonic() + PAUSE  # the pose in the hand is told: the rest may wait
    elif hand.live.owed and monotonic() >= hand.live.due:
        tell_owed(audience, hand, after, model)


def tell_behind(audience: Audience, hand: Hand, after: Scene, model: Model, spent: int = 0) -> None:
    """All windows are told what a hand would make now, who drags first."""
    onlookers = [window for window in audience.windows if window is not hand.window]
    _tell(audience, [hand.window, *onlookers], hand, after, model, spent)
    hand.live.behind = False


def tell_owed(audience: Audience, hand: Hand, after: Scene, model: Model) -> None:
    """The poses that are too many for every answer: windows that play see them now and then."""
    began = monotonic()
    parcels: list[Parcel] = []
    for key, frames in hand.live.frames.items():
        take, body = _take(after, key), model.bodies.get(key[0])
        if take is not None and body is not None and 4 * body.width * len(frames) <= MOST_OWED:
            parcels += _frames(audience.windows, hand, take, key, frames, body)
    deliver(parcels)
    hand.live.owed = False
    hand.live.due = monotonic() + max(PAUSE, 4 * (monotonic() - began))


def _tell(
    audience: Audience,
    windows: Sequence[Window],
    hand: Hand,
    after: Scene,
    model: Model,
    spent: int,
) -> None:
    parcels = _curves(audience, windows, hand, after)
    spent += _size(parcels)
    if hand.live.preview:  # who drags has it already
        onlookers = [window for window in windows if window is not hand.window]
        parcels.append(Parcel(onlookers, hand.live.preview, ("preview", hand.number)))
    hand.live.owed = False
    for key, frames in hand.live.frames.items():
        take, body = _take(after, key), model.bodies.get(key[0])
        if take is None or body is None:  # taken away, by the hand or under it
            continue
        size = 4 * body.width * len(frames)
        more: list[Parcel] = []
        if size <= MOST - spent:
            more += _frames(windows, hand, take, key, frames, body)
        else:
            hand.live.owed |= size <= MOST_OWED
        more += _keys(windows, hand, take, key, MOST - spent - _size(more))
        spent += _size(more)
        parcels += more
    deliver(parcels)


def _size(parcels: Sequence[Parcel]) -> int:
    return sum(len(each.data) for each in parcels)


def _frames(
    windows: Sequence[Window], hand: Hand, take: Take, key: TakeKey, frames: range, body: Body
) -> list[Parcel]:
    watching = [window for window in windows if key in window.posed and window.plays(key)]
    last = min(frames.stop - 1, numbers.last_frame(take))
    if last < frames.start or not watching:
        return []
    near = _near(take, frames.start, last)
    data = numbers.frames(body, near, key[0], frames.start, last, hand.number)
    return [Parcel(watching, data, ("frames", hand.number, *key))]


def _keys(
    windows: Sequence[Window], hand: Hand, take: Take, key: TakeKey, most: int
) -> list[Parcel]:
    channels = hand.live.channels[key]
    watching = [window for window in windows if key in window.keyed and window.plays(key)]
    curves = take.base.curves if isinstance(take.base, Clip) else ()
    size = sum(36 * len(curve) for c in channels if curves and (curve := curves[c]) is not None)
    if not watching or not channels or not curves or size > most:
        return []
    told = numbers.keys(take, key[0], sorted(channels), hand.number)
    return [Parcel(watching, data, ("keys", hand.number, *key)) for data in told]


def _curves(
    audience: Audience, windows: Sequence[Window], hand: Hand, after: Scene
) -> list[Parcel]:
    """The parts of shown curves that are not as they were."""
    groups: dict[TakeKey, list[Shown]] = {}
    for shown in audience.showing(windows):
        if shown.key in hand.live.frames and _take(after, shown.key) is not None:
            groups.setdefault(shown.key, []).append(shown)
    parcels: list[Parcel] = []
    for key, group in groups.items():
        drawn = redrawn([shown.curve for shown in group], after)
        for (_, spot, still, watching), live in zip(group, drawn, strict=True):
            own = spot_key(spot)
            told = own in hand.live.curves
            data = numbers.curve(live, still, spot, key[0], hand.number, always=told)
            if data is not None:
                hand.live.curves.add(own)
                parcels.append(Parcel(watching, data, ("curve", hand.number, own)))
    return parcels


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
