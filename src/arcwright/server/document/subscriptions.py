"""The audience: all windows on the document, and what each has to be told when it changes."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools
from arcwright.errors import ArcwrightError
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.server import messages as m
from arcwright.server.document import array_messages as numbers
from arcwright.server.document.client import TakeKey, Window, wake
from arcwright.server.document.differences import Difference
from arcwright.server.document.display_model import Model
from arcwright.server.document.points import point_of
from arcwright.server.messages.encoding import encode
from arcwright.tools.curve import MotionCurve, motion_curve
from arcwright.tools.redrawn import redrawn

log = logging.getLogger("arcwright.studio")

MOST_POINTS = 64  # curves of one window
FRAMES_AT_ONCE = 960  # of one message
FRAMES_ASKED = 9600  # at most, of one question

SpotKey = tuple[str, tuple[float, float, float], str]  # joint, offset, character as it was said


class Parcel(NamedTuple):
    """A message for some windows; one that waits there and has the same topic is superseded."""

    windows: Sequence[Window]
    data: bytes
    topic: Hashable | None = None


class Shown(NamedTuple):
    """A curve that is shown, and in which windows."""

    key: TakeKey
    spot: m.PointRef
    curve: MotionCurve
    windows: list[Window]


class Audience:
    """Who watches, and which curves they draw; what each knows is kept by its window.

    What several windows show alike is encoded once, and sent to those that show it alone.
    """

    def __init__(self) -> None:
        self.windows: list[Window] = []
        self.curves: dict[TakeKey, dict[SpotKey, MotionCurve]] = {}

    def tell(self, message: m.ServerMessage, topic: Hashable | None = None) -> None:
        """Something for everyone."""
        self.send(encode(message), topic)

    def send(self, data: bytes, topic: Hashable | None = None) -> None:
        """A message that is encoded already, for everyone."""
        deliver([Parcel(self.windows, data, topic)])

    def leave(self, window: Window) -> None:
        """A window is gone, and with it the curves that nobody else shows."""
        if window in self.windows:
            self.windows.remove(window)
        window.forget()
        shown = {(key, spot_key(spot)) for each in self.windows for key, spot in each.drawn}
        for key in list(self.curves):
            group = {own: each for own, each in self.curves[key].items() if (key, own) in shown}
            self.curves[key] = group
            if not group:
                del self.curves[key]

    def forget(self) -> None:
        """Another document: nobody knows anything of it."""
        self.curves = {}
        for window in self.windows:
            window.forget()

    def show(self, window: Window, show: m.Subscribe, scene: Scene) -> None:
        """A window wants these curves and no others."""
        show.points = show.points[:MOST_POINTS]
        window.shown = show
        self._draw(scene)
        for key, spot, drawn, _ in self.showing([window]):
            data = numbers.curve(drawn, None, spot, key[0])
            if data is not None:
                window.tell(data)

    def showing(self, windows: Iterable[Window]) -> list[Shown]:
        """The curves that windows show, each once, with those of them that show it."""
        found: dict[tuple[TakeKey, SpotKey], Shown] = {}
        for window in windows:
            for key, spot in window.drawn:
                own = spot_key(spot)
                new = Shown(key, spot, self.curves[key][own], [])
                found.setdefault((key, own), new).windows.append(window)
        return list(found.values())

    def frames(self, window: Window, ask: m.RequestFrames, scene: Scene, model: Model) -> None:
        """A window wants poses; of a take that grows it is told those it asked for when they come.

        Frames beyond the end are none.
        """
        actor, take = actor_and_take(scene, ask.character, ask.take)
        if ask.without_layers:
            take = replace(take, layers=())
        first, end = max(ask.first, 0), numbers.last_frame(take)
        asked = min(ask.last, first + FRAMES_ASKED - 1)
        last = min(asked, end)
        for start in range(first, last + 1, FRAMES_AT_ONCE):
            stop = min(last, start + FRAMES_AT_ONCE - 1)
            body = model.bodies[actor.name]
            window.tell(
                numbers.frames(body, take, actor.name, start, stop, bare=ask.without_layers)
            )
        if first <= last and not ask.without_layers:
            window.knows_poses((actor.name, take.name), first, asked)

    def keys(self, window: Window, ask: m.RequestKeys, scene: Scene) -> None:
        """A window wants all keys of a take."""
        actor, take = actor_and_take(scene, ask.character, ask.take)
        window.keyed.add((actor.name, take.name))
        for data in numbers.keys(take, actor.name):
            window.tell(data)

    def changed(self, found: list[Difference], scene: Scene, model: Model) -> None:
        """The document has changed: each window is told again what it knows of these takes."""
        parcels: list[Parcel] = []
        for each in found:
            key = each.character, each.take.name
            watching = [window for window in self.windows if key in window.keyed]
            if watching and each.channels:
                told = numbers.keys(each.take, each.character, each.channels)
                parcels += [Parcel(watching, data) for data in told]
            for (first, last), knowing in self._knowing(key, each.frames).items():
                body = model.bodies[each.character]
                data = numbers.frames(body, each.take, each.character, first, last)
                parcels.append(Parcel(knowing, data))
        deliver(parcels + self._redrawn(scene))

    def _redrawn(self, scene: Scene) -> list[Parcel]:
        """Bring the curves up to date: the parts that changed, or all where a window has none."""
        before, parcels = self.curves, list[Parcel]()
        known = {each: {(key, spot_key(spot)) for key, spot in each.drawn} for each in self.windows}
        self._draw(scene)
        for key, spot, drawn, watching in self.showing(self.windows):
            own = spot_key(spot)
            still = before.get(key, {}).get(own)
            for old, group in (
                (still, [window for window in watching if (key, own) in known[window]]),
                (None, [window for window in watching if (key, own) not in known[window]]),
            ):
                part = (
                    numbers.curve(drawn, old, spot, key[0]) if group and old is not drawn else None
                )
                if part is not None:
                    parcels.append(Parcel(group, part))
        return parcels

    def _knowing(self, key: TakeKey, frames: range) -> dict[tuple[int, int], list[Window]]:
        """First and last of each run of these frames, with the windows that know its poses."""
        found: dict[tuple[int, int], list[Window]] = {}
        for window in self.windows:
            for run in _runs(window.posed.get(key), frames):
                found.setdefault(run, []).append(window)
        return found

    def _draw(self, scene: Scene) -> None:
        """Work out the curves that windows show; those that are there are only brought up to date.

        Points of one take are drawn together, so that they share the work.
        """
        wanted: dict[TakeKey, dict[SpotKey, Point]] = {}
        there: dict[Window, list[tuple[TakeKey, m.PointRef]]] = {}
        for window in self.windows:
            found = [(spot, _on_take(window, spot, scene)) for spot in window.shown.points]
            there[window] = [(at[0], spot) for spot, at in found if at is not None]
            for spot, at in found:
                if at is not None:
                    wanted.setdefault(at[0], {})[spot_key(spot)] = at[1]
        drawn: dict[TakeKey, dict[SpotKey, MotionCurve]] = {}
        for key, points in wanted.items():
            known = self.curves.get(key, {})
            if known.keys() >= points.keys():
                curves = redrawn([known[own] for own in points], scene)
            else:
                sampling = numbers.sampling(scene.actor(key[0]).take(key[1]))
                curves = motion_curve(scene, list(points.values()), key[1], sampling)
            drawn[key] = dict(zip(points, curves, strict=True))
        self.curves = drawn
        for window, spots in there.items():
            window.drawn = spots


def deliver(parcels: Sequence[Parcel]) -> None:
    """Hand messages to windows, and wake those that have to be woken once, at the end."""
    idle: dict[Window, None] = {}
    for windows, data, topic in parcels:
        idle |= {window: None for window in windows if window.put(data, topic)}
    wake(idle)


def _runs(known: Bools | None, frames: range) -> list[tuple[int, int]]:
    """First and last of each run of these frames that is known."""
    if known is None or not frames:
        return []
    held = np.zeros(frames.stop - frames.start + 2, bool)
    own = known[frames.start : frames.stop]
    held[1 : 1 + len(own)] = own
    edges = np.flatnonzero(held[1:] != held[:-1]) + frames.start
    return [
        (start, min(int(stop) - 1, start + FRAMES_AT_ONCE - 1))
        for first, stop in zip(edges[::2], edges[1::2], strict=True)
        for start in range(int(first), int(stop), FRAMES_AT_ONCE)
    ]


def actor_and_take(scene: Scene, character: str, name: str) -> tuple[Actor, Take]:
    """An actor and the take of this name, or errors that name what there is."""
    actor = scene.actor(character)
    return actor, actor.take(name)


def spot_key(spot: m.PointRef) -> SpotKey:
    """A spot as a name."""
    return spot.joint, spot.offset, spot.character


def _on_take(window: Window, spot: m.PointRef, scene: Scene) -> tuple[TakeKey, Point] | None:
    """The take on which a window draws a spot; None where it is not there (any more)."""
    show = window.shown
    try:
        actor = scene.actor(spot.character or show.character)
        actor.rig.joint(spot.joint)
        point = point_of(spot, actor.name)
    except ArcwrightError as error:
        log.info("window %d shows what is not there: %s", window.number, error)
        return None
    if not actor.takes:
        return None
    named = [take for take in actor.takes if take.name == show.take]
    return (actor.name, (named or actor.takes)[0].name), point
