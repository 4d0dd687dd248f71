"""One drag on a motion curve: update while the hand moves, finish when it lets go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats, Ints, same
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Handle, Interpolation
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene
from arcwright.solve.descent import Descent, Patience, descend
from arcwright.tools.gesture import Drag, Gesture
from arcwright.tools.hold import drag_wish, hold
from arcwright.tools.tangent.grip import LIMITS, Grip, grip
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.offer import key_offer
from arcwright.tools.tool import Note, Offer, Preview, Target
from arcwright.tools.wishes import WishList

if TYPE_CHECKING:
    from arcwright.tools.tangent.tool import TangentOptions

BRISK = Patience(steps=8, move=1e-4, gain=1e-3)
THOROUGH = Patience(steps=16, move=1e-5, gain=1e-5, bent=True)
SHORT = 5e-4  # m; a drag that ends further off than this is told
UNCHANGED = 1e-7  # steps; unknowns that moved less have not moved
SLIP = 4e-5  # m; a wish missed by more between its samples gets another one
MOST_LOOKS = 3  # rounds of that in one update
MOST_MORE = 24  # samples added in a session
LOOK_AGAIN = 0.02  # m; a blocker is looked for again when the hand has moved this far
MOST_SUSPECTS = 4
KEY_POSES = "key poses"
_Hold = tuple[str, bytes, float]


class TangentSession:
    """Keeps the scene it began with; every answer is worked out from there."""

    def __init__(self, scene: Scene, target: Target, options: TangentOptions) -> None:
        self.scene = scene
        self.hold = hold(scene, target)
        self.options = options
        self._drags: dict[_Hold, Drag] = {}
        self._grip: Grip | None = None
        self._x = np.zeros(0)
        self._edit = Edit("Drag")
        self._preview: Preview | None = None
        self._more: list[float] = []  # s, where wishes are sampled besides
        self._dense: Grip | None = None  # wishes at every quarter frame, to check with
        self._blocked: tuple[Floats, str] | None = None

    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with the hand where it now is."""
        if not isinstance(gesture, Drag):
            raise BadValue("gesture", "a Drag", type(gesture).__name__)
        hold = (gesture.point.joint, gesture.point.offset.tobytes(), gesture.time)
        if self._preview is not None and hold in self._drags and same(self._drags[hold], gesture):
            return self._preview
        new = hold not in self._drags
        self._drags[hold] = gesture
        if new or self._grip is None:
            self._more, self._dense = [], None
            self._grip = self._gripped()
            self._x = np.zeros(len(self._grip.handles.stiffness))
        found = self._solve_closely()
        self._x = found.x
        index = list(self._drags).index(hold)
        model = self._model(self._grip)
        reached = model.jacobian(model.values(found.x)[0]).position[index, index]
        self._edit = self._edited(self._grip, found.x)
        self._preview = Preview(self._edit, self._notes(found), reached, self._grip.span)
        return self._preview

    def finish(self) -> Edit:
        """One undo step."""
        return self._edit

    def _gripped(self, without: str = "", *, dense: bool = False) -> Grip:
        return grip(
            self.scene,
            self.hold.actor,
            self.hold.take,
            [(drag.point, drag.time) for drag in self._drags.values()],
            reach=self.options.reach,
            unified=self.options.tangents == "unified",
            floor=self.options.floor,
            without=without,
            more=() if dense else self._more,
            dense=dense,
        )

    def _model(self, held: Grip) -> TangentModel:
        dragged = [
            drag_wish(drag, index, index)
            for index, drag in enumerate(self._drags.values())
            if drag.position is not None or drag.orientation is not None
        ]
        wishes = WishList((*dragged, *held.kept))
        return TangentModel(
            self.hold.take.rig, held.places, held.handles, held.times, held.values, wishes
        )

    def _solve_closely(self) -> Descent:
        """Solve; where a wish is missed between its samples, sample there too and solve again."""
        assert self._grip is not None
        found = self._solve(self._grip, self._x)
        for _ in range(MOST_LOOKS):
            slipped = self._slips(self._grip, found)
            if not slipped:
                break
            self._more += slipped
            self._grip = self._gripped()
            found = self._solve(self._grip, found.x)
        return found

    def _slips(self, held: Grip, found: Descent) -> list[float]:
        """The times between samples where a wish is missed by too much, one for each wish."""
        if not held.kept or len(self._more) >= MOST_MORE:
            return []
        if self._dense is None:
            self._dense = self._gripped(dense=True)
        model = self._model(self._dense)
        rows = model.wish_list.rows(model.places_at(model.values(found.x)[0]))
        kept = rows.wish >= len(model.wish_list.wishes) - len(held.kept)
        times = []
        for wish in np.unique(rows.wish[kept]):
            own = np.flatnonzero(rows.wish == wish)
            worst = own[np.argmax(np.abs(rows.miss[own]))]
            at_samples = np.abs(found.wishes.miss[found.wishes.wish == wish]).max(initial=0.0)
            if abs(rows.miss[worst]) > SLIP + 2 * at_samples:
                times.append(float(self._dense.times[rows.time[worst]]))
        return times

    def _solve(self, held: Grip, start: Floats) -> Descent:
        model = self._model(held)
        pull = held.handles.stiffness**2
        rest = self._timed(held)
        box = held.handles.box
        found = descend(model, start, pull, rest, box, BRISK)
        if not found.settled and self._farthest(found) > SHORT:
            found = descend(model, found.x, pull, rest, box, THOROUGH)
        return found

    def _timed(self, held: Grip) -> Floats:
        """Where unknowns rest: at the beginning, or with the timing scaled there (eq. 12)."""
        handles = held.handles
        rest = np.zeros(len(handles.stiffness))
        for drag in self._drags.values():
            if not drag.time_scale:
                continue
            ends = handles.begin + handles.length
            for s in np.flatnonzero((handles.begin <= drag.time) & (drag.time <= ends)):
                away = drag.time - handles.begin[s], ends[s] - drag.time
                for side in (0, 1):
                    unknown = handles.unknown[2 * s + side, 0]
                    if unknown >= 0:
                        step = drag.time_scale * away[side] / handles.factor[2 * s + side, 0]
                        rest[unknown] += step
        return handles.box.clip(rest)

    def _farthest(self, found: Descent) -> float:
        """How far the worst drag is from its place, m."""
        return float(np.abs(found.wishes.miss[: 3 * len(self._drags)]).max(initial=0.0))

    def _notes(self, found: Descent) -> tuple[Note, ...]:
        """What was missed and what is in the way, looked for anew when the hand has moved on."""
        short = self._farthest(found)
        if short <= SHORT:
            self._blocked = None
            return ()
        hand = np.concatenate([_wanted(drag) for drag in self._drags.values()])
        if self._blocked is None or np.abs(hand - self._blocked[0]).max() > LOOK_AGAIN:
            self._blocked = hand, self._blocker(found)
        blocker = self._blocked[1]
        point = next(iter(self._drags.values())).point.joint
        text = f"{blocker} keeps {point} {short * 100:.1f} cm short"
        return (Note(text, "short", short, blocker),)

    def _blocker(self, found: Descent) -> str:
        """The wish without which the point comes closer, the hardest pulling tried first."""
        assert self._grip is not None
        short = self._farthest(found)
        for name in self._suspects(found):
            other = self._gripped(without=name)
            freed = self._solve(other, np.zeros(len(other.handles.stiffness)))
            if self._farthest(freed) < short - max(1e-3, 0.02 * short):
                return name
        return KEY_POSES

    def _suspects(self, found: Descent) -> list[str]:
        assert self._grip is not None
        model = self._model(self._grip)
        rows = model.wish_list.rows(model.jacobian(model.values(found.x)[0]))
        pull = np.bincount(rows.wish, rows.weight * np.abs(rows.miss), len(model.wish_list.wishes))
        names = [wish.name.removesuffix(" floor") for wish in model.wish_list.wishes]
        first = len(names) - len(self._grip.kept)
        order = sorted(range(first, len(names)), key=lambda index: -pull[index])
        suspects = dict.fromkeys(names[index] for index in order if pull[index] > 0)
        return [*self._grip.frozen, *list(suspects)[:MOST_SUSPECTS], LIMITS]

    def offer(self) -> Offer | None:
        """What one key at the held time would buy; None where the point is already there."""
        if self._grip is None or len(self._drags) != 1:
            return None
        drag = next(iter(self._drags.values()))
        if drag.position is None:
            return None
        return key_offer(self.scene, self.hold, self._edit, drag)

    def _edited(self, held: Grip, x: Floats) -> Edit:
        """The curves whose handles moved; keys are not touched."""
        handles = held.handles
        moved = np.abs(np.append(x, 0.0)[handles.unknown]).max(axis=1) > UNCHANGED
        now = handles.at(x).reshape(-1, 2, 2)  # per segment: out, in
        touched: dict[int, list[int]] = {}
        for s in np.flatnonzero(moved.reshape(-1, 2).any(axis=1)).tolist():
            touched.setdefault(int(handles.channel[s]), []).append(s)
        changes = []
        for channel, segments in sorted(touched.items()):
            before = self.hold.clip.curves[channel]
            assert before is not None
            after = _with_handles(before, handles.key[segments], now[segments])
            changes.append(Change((*self.hold.curves, channel), before, after))
        return Edit(self._label(), tuple(changes))

    def _label(self) -> str:
        drag = next(iter(self._drags.values()))
        frame = drag.time * self.hold.take.rate
        return f"Drag {drag.point.joint} at frame {frame:g}"


def _wanted(drag: Drag) -> Floats:
    return np.zeros(3) if drag.position is None else drag.position


def _with_handles(curve: Curve, keys: Ints, pairs: Floats) -> Curve:
    """The curve with other handles out of these keys and into the next ones.

    Touched keys become aligned where their handles have one direction, else free, so that
    they stay as they are.
    """
    tangent, handles = np.array(curve.tangent), np.array(curve.handles)
    interpolation = np.array(curve.interpolation)
    tangent[keys, 1], tangent[keys + 1, 0] = pairs[:, 0], pairs[:, 1]
    interpolation[keys] = Interpolation.BEZIER
    near = np.union1d(keys, keys + 1)
    into, out = tangent[near, 0], tangent[near, 1]
    across = np.abs(into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0])
    size = np.hypot(*into.T) * np.hypot(*out.T)
    smooth = (across <= 1e-9 * size) & (size > 0)
    handles[near] = np.where(smooth, Handle.ALIGNED, Handle.FREE)[:, None]
    return curve.with_handles(tangent, handles, interpolation)
