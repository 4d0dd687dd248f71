"""One drag on a motion curve: update while the hand moves, finish when it lets go."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats, same
from arcwright.errors import BadValue
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.solve.descent import Descent
from arcwright.solve.threads import on_one_thread
from arcwright.tools.gesture import Drag, Gesture
from arcwright.tools.hold import drag_wish, hold
from arcwright.tools.tangent.edited import edited
from arcwright.tools.tangent.grip import EVERYTHING, LIMITS, Grip, grip, quarter_frames
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.offer import key_offer
from arcwright.tools.tangent.settle import (
    SHORT,
    TORN,
    farthest,
    from_elsewhere,
    settled,
    sharpened,
    timed,
)
from arcwright.tools.tool import Note, Offer, Preview, Target
from arcwright.tools.wishes import Wish, WishList

if TYPE_CHECKING:
    from arcwright.tools.tangent.tool import TangentOptions

SLIP = 4e-5  # m; a wish missed by more between its samples gets another one
LOOK_EVERY = 4  # moves from one look between samples to the next; the last look is in finish
MOST_LOOKS = 3  # rounds of that in one update
MOST_MORE = 24  # samples added in a session
MOST_SUSPECTS = 4
STILL = 1e-9  # m
KEY_POSES = "key poses"
_Held = tuple[str, bytes, float]


class TangentSession:
    """Keeps the scene it began with; every answer is worked out from there."""

    def __init__(self, scene: Scene, target: Target, options: TangentOptions) -> None:
        self.scene = scene
        self.hold = hold(scene, target)
        self.options = options
        self._drags: dict[_Held, Drag] = {}
        self._hand: tuple[Wish, ...] = ()  # what the drags wish
        self._moves = 0
        self._grip: Grip | None = None
        self._x = np.zeros(0)
        self._preview: Preview | None = None
        self._more: list[float] = []  # s, where wishes are sampled besides
        self._models: dict[Grip, TangentModel] = {}
        self._between: Grip | None = None  # wishes midway between samples, to check with

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with the hand where it now is."""
        if not isinstance(gesture, Drag):
            raise BadValue("gesture", "a Drag", type(gesture).__name__)
        held = (gesture.point.joint, gesture.point.offset.tobytes(), gesture.time)
        if self._preview is not None and held in self._drags and same(self._drags[held], gesture):
            return self._preview
        new = held not in self._drags
        self._drags[held] = gesture
        self._hand = tuple(
            drag_wish(drag, index, index)
            for index, drag in enumerate(self._drags.values())
            if drag.position is not None or drag.orientation is not None
        )
        if new or self._grip is None:
            self._more = []
            self._take_hold()
            assert self._grip is not None
            self._x = np.zeros(len(self._grip.handles.stiffness))
        found = self._solve(self._grip, self._x)
        self._moves += 1
        if self._moves % LOOK_EVERY == 1:
            found = self._look(self._solve_closely(found, None))
        self._x = found.x
        index = list(self._drags).index(held)
        model = self._model(self._grip)
        made = partial(edited, self.hold, self._grip.handles, found.x, self._label())
        self._preview = Preview(
            made,
            partial(self._notes, found, self._grip, self._hand),
            short=farthest(found.wishes, self._hand),
            reached=model.position(found.x)[index, index],
            pose=model.pose(found.x, index),
            span=self._grip.span,
        )
        return self._preview

    def _look(self, found: Descent) -> Descent:
        """Where the hand is not met, see whether another way comes nearer."""
        assert self._grip is not None
        if farthest(found.wishes, self._hand) <= SHORT or not len(found.x):
            return found
        rest = timed(self._grip.handles, self._drags.values())
        return from_elsewhere(self._model(self._grip), found, rest, self._hand)

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step; wishes are looked at once more, at every quarter frame."""
        if self._preview is None or self._grip is None:
            return Edit("Drag")
        if self._x.any() and self._grip.kept:
            check = self._gripped(at=quarter_frames(self._grip.span, self.hold.take.rate))
            self._x = self._solve_closely(self._solve(self._grip, self._x), check).x
            self._sharpen()
            for _ in range(MOST_LOOKS):  # what is sharpened may slip where it did not before
                model = self._model(self._grip)
                found = Descent(self._x, model.wishes(self._x), 1, settled=True)
                slipped = self._slips(self._grip, found, check)
                if not slipped:
                    break
                self._more += slipped
                self._take_hold()
                self._sharpen()
        elif self._x.any():
            self._sharpen()
        return edited(self.hold, self._grip.handles, self._x, self._label())

    def _sharpen(self) -> None:
        assert self._grip is not None
        rest = timed(self._grip.handles, self._drags.values())
        self._x = sharpened(self._model(self._grip), self._x, rest, self._hand)

    def _take_hold(self) -> None:
        self._grip = self._gripped()
        self._models, self._between = {}, None

    def _gripped(self, without: str = "", at: Floats | None = None) -> Grip:
        return grip(
            self.scene,
            self.hold.actor,
            self.hold.take,
            [(drag.point, drag.time) for drag in self._drags.values()],
            reach=self.options.reach,
            unified=self.options.tangents == "unified",
            floor=self.options.floor,
            without=without,
            more=self._more,
            at=at,
        )

    def _model(self, held: Grip) -> TangentModel:
        """The model of a grip, wishing what the hand wishes now."""
        model = self._models.get(held)
        if model is None:
            smooth = bool(self._hand) and self.options.tangents != "broken"
            model = TangentModel(self.hold.take.rig, held, smoothness=1.0 if smooth else 0.0)
            self._models[held] = model
        if model.wish_list.own is not self._hand:
            model.wish_list = WishList(self._hand, model.kept)
        return model

    def _solve_closely(self, found: Descent, check: Grip | None) -> Descent:
        """Where a wish is missed between its samples, sample there too and solve again."""
        assert self._grip is not None
        for _ in range(MOST_LOOKS):
            slipped = self._slips(self._grip, found, check)
            if not slipped:
                break
            self._more += slipped
            self._take_hold()
            found = self._solve(self._grip, found.x)
        return found

    def _slips(self, held: Grip, found: Descent, check: Grip | None) -> list[float]:
        """The times between samples where a wish is missed by too much, one for each wish.

        Looks midway between samples, or at the times of another grip.
        """
        if not held.kept or len(self._more) >= MOST_MORE:
            return []
        if check is None:
            if self._between is None:
                times = np.unique(held.times[len(held.held) :])
                self._between = self._gripped(at=0.5 * (times[1:] + times[:-1]))
            check = self._between
        model = self._model(check)
        rows = model.kept.rows(model.places_at(model.values(found.x)[0]))
        first = len(self._model(held).wish_list.own)
        missed: list[float] = []
        assert found.wishes.wish is not None
        for wish in np.unique(rows.wish):
            own = np.flatnonzero(rows.wish == wish)
            worst = own[np.argmax(np.abs(rows.miss[own]))]
            sampled = found.wishes.miss[found.wishes.wish == wish + first]
            if abs(rows.miss[worst]) > SLIP + 2 * np.abs(sampled).max(initial=0.0):
                missed.append(float(check.times[rows.time[worst]]))
        return missed

    def _solve(self, held: Grip, start: Floats) -> Descent:
        model = self._model(held)
        if self._still(model):
            nothing = np.zeros(len(held.handles.stiffness))
            return Descent(nothing, model.wishes(nothing), 1, settled=True)
        return settled(model, start, timed(held.handles, self._drags.values()), self._hand)

    def _still(self, model: TangentModel) -> bool:
        """Whether the hand is where everything began: then nothing is to be done."""
        if any(drag.time_scale for drag in self._drags.values()):
            return False
        for wish in self._hand:
            if wish.position is not None and wish.axes is None:
                away = wish.position - model.at_start.position[wish.samples, wish.place]
                if np.abs(away).max() >= STILL:
                    return False
        rows = WishList(self._hand).rows(model.at_start)
        return bool(np.abs(rows.miss).max(initial=0.0) < STILL)

    @on_one_thread
    def _notes(self, found: Descent, held: Grip, hand: tuple[Wish, ...]) -> tuple[Note, ...]:
        """What was missed and what is in the way; that only while the hand is still there."""
        short = farthest(found.wishes, hand)
        if short <= SHORT:
            return ()
        point = next(iter(self._drags.values())).point.joint
        if hand is not self._hand:
            return (Note(f"{point} stays {short * 100:.1f} cm short", "short", short),)
        blocker = self._blocker(found, held)
        several = blocker in (KEY_POSES, LIMITS) or " and " in blocker
        verb = "keep" if several else "keeps"
        text = f"{blocker} {verb} {point} {short * 100:.1f} cm short"
        return (Note(text, "short", short, blocker),)

    def _blocker(self, found: Descent, held: Grip) -> str:
        """The wish without which the point comes closer, the hardest pulling tried first.

        Where no single one is in the way, all of them together may be.
        """
        short = farthest(found.wishes, self._hand)
        suspects = self._suspects(found, held)
        for name in suspects:
            if self._freed(name, held) < short - max(1e-3, 0.02 * short):
                return name
        kept = [name for name in suspects if name != LIMITS]
        if len(kept) > 1 and self._freed(EVERYTHING, held) < short - max(1e-3, 0.02 * short):
            return " and ".join(kept[:3])
        return KEY_POSES

    def _freed(self, without: str, held: Grip) -> float:
        """How far the point ends from the hand without a wish; infinite if others are torn.

        Sampled densely, since a hand this far away makes use of every gap between samples.
        """
        half = quarter_frames(held.span, self.hold.take.rate / 2)
        other = self._gripped(without=without, at=half)
        found = self._solve(other, np.zeros(len(other.handles.stiffness)))
        if not found.settled:
            found = self._solve(other, found.x)
        rest = timed(other.handles, self._drags.values())
        found = from_elsewhere(self._model(other), found, rest, self._hand)
        assert found.wishes.wish is not None
        others = found.wishes.miss[found.wishes.wish >= len(self._hand)]
        torn = np.abs(others).max(initial=0.0) > TORN
        return float("inf") if torn else farthest(found.wishes, self._hand)

    def _suspects(self, found: Descent, held: Grip) -> list[str]:
        model = self._model(held)
        rows = model.kept.rows(model.places_at(model.values(found.x)[0]))
        pull = np.bincount(rows.wish, rows.weight * np.abs(rows.miss), len(held.kept))
        names = [wish.name.removesuffix(" floor") for wish in held.kept]
        order = sorted(range(len(names)), key=lambda index: -pull[index])
        suspects = dict.fromkeys(names[index] for index in order if pull[index] > 0)
        return [*held.frozen, *list(suspects)[:MOST_SUSPECTS], LIMITS]

    def offer(self) -> Offer | None:
        """What one key at the held time would buy; None where the point is already there."""
        if self._grip is None or len(self._drags) != 1:
            return None
        drag = next(iter(self._drags.values()))
        if drag.position is None:
            return None
        return key_offer(self.scene, self.hold, self.finish(), drag)

    def _label(self) -> str:
        drag = next(iter(self._drags.values()))
        frame = drag.time * self.hold.take.rate
        return f"Drag {drag.point.joint} at frame {frame:g}"
