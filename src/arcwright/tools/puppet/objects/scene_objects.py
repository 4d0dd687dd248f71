"""Scene objects: the props around a puppet, what it does with them, and where that brings them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply
from arcwright.tools.puppet.fade import left_of_fade
from arcwright.tools.puppet.objects.hands_on import Arms, HandsOn, holding, pushing, rolling
from arcwright.tools.puppet.objects.hold_machine import Event, Hold, HoldMachine, HoldSignals
from arcwright.tools.puppet.objects.loose_motion import loose_step
from arcwright.tools.puppet.objects.movable import Movable, Placement, extent, radius, support
from arcwright.tools.puppet.terrain import Ground

PUSHES = 0.07  # of the body's size, farther from it than what it carries or rolls
REACH = 0.12  # of the body's size, farther than that: a prop that is nearer is within reach
ASIDE = np.cos(np.radians(55.0))  # of its heading: a prop farther to the side is not before it
WIDEST, TALLEST = 0.42, 0.5  # of the body's size: anything larger is pushed, not carried
CARRIED = 0.9  # of the height of the grip: where the middle of what it carries is
TOUCHED = 0.05  # m: hands that are nearer are on a prop
LOWERED = 0.8  # of the deepest crouch at which what it carries is on the ground
FADE = 0.35  # s in which a prop comes to where it is held
SUNK = 0.88  # of both radii, between the middles of balls of snow
THROWN = np.array([0.0, 2.2, 3.6])  # m/s, for a body of 1 m: left, up, ahead
KICKED = np.array([0.0, 0.7, 3.0])  # m/s
UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Frame:
    """Where a puppet is, and what it does with its body."""

    place: Floats  # (3,) m
    heading: float  # rad
    velocity: Floats  # (3,) m/s at which it is led
    crouch: float = 0.0  # 0 standing to 1 crouching as low as it can
    leans: float = 0.0  # m, how much farther ahead its chest is than when it stands
    on_feet: bool = True
    action: str = ""  # that it plays
    strikes: bool = False  # whether the hand or foot of its action strikes at this tick

    @property
    def throws(self) -> bool:
        """Whether it is in a throw."""
        return self.action == "throw"

    @property
    def ahead(self) -> Floats:
        """(3,) unit direction in which it heads."""
        return np.array([np.sin(self.heading), 0.0, np.cos(self.heading)])

    @property
    def left(self) -> Floats:
        """(3,) unit direction to its left."""
        return np.array([np.cos(self.heading), 0.0, -np.sin(self.heading)])


@dataclass(frozen=True)
class Body:
    """Sizes of a puppet that say what it can reach and lift."""

    size: float  # m
    depth: float  # m, from its frame to what it carries or rolls
    height: float  # m, of its grip when it stands


class SceneObjects:
    """Props, and the hands of one puppet on them."""

    def __init__(
        self,
        movables: Sequence[Movable],
        arms: Arms | None,
        body: Body,
        ground: Ground,
        snow: float,
    ) -> None:
        self.movables, self._body, self._ground, self._snow = tuple(movables), body, ground, snow
        self.placements = [each.start for each in movables]
        self._velocities = [np.zeros(3) for _ in movables]
        self._arms = arms
        self._hands = None if arms is None else HandsOn(arms)
        self.machine = HoldMachine()
        self.index = -1  # the prop that is held, reached for, or near; -1 for none
        self._angle = 0.0  # rad, of its orientation against the heading
        self._offset, self._passed = np.zeros(3), 0.0  # m by which it is off at first, s since
        self._released: set[int] = set()  # props that fall or roll
        self._fading: dict[int, tuple[Floats, Floats, float]] = {}  # settling: from, to, s

    def fork(self) -> SceneObjects:
        """Props that are where these are."""
        other = copy.copy(self)
        other.placements, other._velocities = list(self.placements), list(self._velocities)
        other._hands, other._fading = copy.copy(self._hands), dict(self._fading)
        other._released = set(self._released)
        return other

    @property
    def carries(self) -> bool:
        """Whether something is in its hands, off the ground."""
        return self.machine.hold is Hold.CARRYING

    @property
    def attention(self) -> Floats | None:
        """(3,) m, the prop that it looks at: the one it holds, else the one before it."""
        return self.placements[self.index].position if self.index >= 0 else None

    def step(self, values: Floats, frame: Frame, seconds: float) -> tuple[Floats, str]:
        """(C,) the pose with its hands where they belong, and what happened to which prop."""
        if self._hands is None:
            self._fall(seconds)
            return values, ""
        if self.machine.hold is Hold.FREE:
            self.index = self._before(frame)
        self.machine = self.machine.advance(self._signals(frame), seconds)
        event = self._begin(frame)
        if self.index >= 0 and self.machine.hold in (Hold.CARRYING, Hold.MOVING):
            self._carry_along(values, frame, seconds)
        self._fall(seconds)
        targets = None if self._throwing(frame) else self._targets(frame)
        return self._hands.applied(values, targets, frame.crouch, seconds), event

    # What is around

    def _before(self, frame: Frame) -> int:
        """The nearest prop before the puppet within reach, -1 for none."""
        best, found = self._reach(frame), -1
        for index, (movable, placed) in enumerate(zip(self.movables, self.placements, strict=True)):
            gap, ahead = self._gap(frame, movable, placed)
            if self._loaded(index):
                continue
            if ahead > ASIDE and gap < best:
                best, found = gap, index
        return found

    def _reach(self, frame: Frame) -> float:
        return self._body.depth + REACH * self._body.size + max(frame.leans, 0.0)

    def _distance(self, near: bool) -> float:
        """m, from the frame to a prop that is carried or rolled, or else pushed."""
        return self._body.depth + (0.0 if near else PUSHES * self._body.size)

    def _gap(self, frame: Frame, movable: Movable, placed: Placement) -> tuple[float, float]:
        """m from the puppet's frame to a prop's surface, and cosine of its angle to the heading."""
        away = (placed.position - frame.place) * [1, 0, 1]
        far = float(np.linalg.norm(away))
        direction = away / max(far, 1e-9)
        return far - extent(movable, placed, direction), float(direction @ frame.ahead)

    def _signals(self, frame: Frame) -> HoldSignals:
        if self.index < 0 or self._hands is None:
            return HoldSignals(on_feet=frame.on_feet, crouch=frame.crouch)
        movable, placed = self.movables[self.index], self.placements[self.index]
        gap, cosine = self._gap(frame, movable, placed)
        away = (placed.position - frame.place) * [1, 0, 1]
        direction = away / max(float(np.linalg.norm(away)), 1e-9)
        return HoldSignals(
            on_feet=frame.on_feet,
            near=gap < 1.3 * self._reach(frame) and cosine > ASIDE,
            light=self._light(movable, placed),
            crouch=frame.crouch,
            towards=float(direction @ frame.velocity),
            touched=self._hands.error < TOUCHED,
            blocked=gap < self._distance(movable.round),
            rests=self.carries and self._bottom() <= self._under()[0] + 0.01,
            thrown=frame.throws and frame.strikes,
        )

    def _loaded(self, index: int) -> bool:
        """Whether another prop lies on this one."""
        movable, placed = self.movables[index], self.placements[index]
        for _, other in self._others(index):
            aside = (other.position - placed.position) * [1, 0, 1]
            away = float(np.linalg.norm(aside))
            direction = aside / away if away > 1e-9 else np.array([1.0, 0.0, 0.0])
            above = other.position[1] > placed.position[1] + 1e-6
            if above and away < 0.7 * extent(movable, placed, direction):
                return True
        return False

    def _light(self, movable: Movable, placed: Placement) -> bool:
        sides = [2 * extent(movable, placed, axis) for axis in np.eye(3)]
        size = self._body.size
        return max(sides[0], sides[2]) < WIDEST * size and sides[1] < TALLEST * size

    def _others(self, index: int) -> list[tuple[Movable, Placement]]:
        pairs = enumerate(zip(self.movables, self.placements, strict=True))
        return [pair for at, pair in pairs if at != index]

    def _under(self) -> tuple[float, Floats | None]:
        """What lies under the prop that is carried."""
        x, _, z = self.placements[self.index].position.tolist()
        return support(self._others(self.index), x, z, self._ground(x, z))

    def _bottom(self) -> float:
        placed = self.placements[self.index]
        return float(placed.position[1]) - extent(self.movables[self.index], placed, UP)

    # What changes

    def _begin(self, frame: Frame) -> str:
        """Prepare what the last tick has brought; its name."""
        event, index = self.machine.event, self.index
        kicks = frame.action == "kick" and frame.strikes and self.machine.hold is Hold.FREE
        if kicks and index >= 0 and self.movables[index].round:
            self._velocities[index] = self._launched(frame, KICKED)
            self._released.add(index)
            event = Event.KICKED
        if event is None or index < 0:
            return ""
        placed = self.placements[index]
        if event in (Event.PICKED, Event.PUSHED):
            self._velocities[index] = np.zeros(3)
            self._fading.pop(index, None)
            self._released.discard(index)
            self._angle, self._passed = frame.heading, 0.0
            self._offset = placed.position - self._held_at(frame)
        elif event in (Event.THROWN, Event.DROPPED):
            thrown = THROWN if event is Event.THROWN else np.zeros(3)
            self._velocities[index] = self._launched(frame, thrown)
            self._released.add(index)
        elif event is Event.PUT_DOWN:
            height, under = self._under()
            rests = placed.position.copy()
            rests[1] = height + extent(self.movables[index], placed, UP)
            if under is not None and self.movables[index].round:
                rests[[0, 2]] = under[[0, 2]]
                if self._snow > 0:  # balls of snow sink into each other
                    rests[1] = SUNK * (rests[1] - under[1]) + under[1]
            self._fading[index] = (placed.position, rests, 0.0)
        return f"{event.value} {self.movables[index].name}"

    def _launched(self, frame: Frame, speeds: Floats) -> Floats:
        left, up, ahead = speeds * self._body.size**0.5
        return np.asarray(left * frame.left + up * UP + ahead * frame.ahead + frame.velocity)

    def _held_at(self, frame: Frame) -> Floats:
        """(3,) m, where the middle of the prop belongs while it is carried or moved."""
        movable, placed = self.movables[self.index], self.placements[self.index]
        near = movable.round or self.machine.hold is not Hold.MOVING
        far = self._distance(near) + extent(movable, placed, frame.ahead)
        place = frame.place + far * frame.ahead
        ground = self._ground(float(place[0]), float(place[2]))
        rests = extent(movable, placed, UP)
        high = rests
        if self.carries:
            share = min(frame.crouch / LOWERED, 1.0)
            high = (1 - share) * max(CARRIED * self._body.height, rests) + share * rests
        place[1] = ground + high
        return place

    def _carry_along(self, values: Floats, frame: Frame, seconds: float) -> None:
        movable, placed = self.movables[self.index], self.placements[self.index]
        self._passed += seconds
        place = self._held_at(frame) + left_of_fade(self._passed / FADE) * self._offset
        if self._throwing(frame):
            place = self._in_throwing_hand(values, placed, seconds)
        moved = place - placed.position
        if self.machine.hold is Hold.MOVING:  # nothing is pulled
            moved = moved - min(float(moved @ frame.ahead), 0.0) * frame.ahead
        if self.machine.hold is Hold.MOVING and movable.round:
            self.placements[self.index] = self._rolled(movable, placed, moved * [1, 0, 1])
            return
        turn = quaternion_from_vector((frame.heading - self._angle) * UP)
        self._angle = frame.heading
        rotation = np.asarray(quaternion_multiply(turn, placed.rotation))
        self.placements[self.index] = placed.moved(placed.position + moved, rotation)

    def _rolled(self, movable: Movable, placed: Placement, by: Floats) -> Placement:
        """A ball rolled over the ground; on snow its volume grows with the distance."""
        rolled = placed.rolled(by, radius(movable, placed))
        if self._snow > 0 and len(movable.scaled):
            volume = radius(movable, placed) ** 3
            volume += self._snow * float(np.linalg.norm(by)) * 3 / (4 * np.pi)
            rolled = replace(rolled, scale=volume ** (1 / 3) / float(movable.half.min()))
        place = rolled.position.copy()
        place[1] = self._ground(float(place[0]), float(place[2])) + radius(movable, rolled)
        return rolled.moved(place)

    def _throwing(self, frame: Frame) -> bool:
        return self.carries and frame.throws

    def _in_throwing_hand(self, values: Floats, placed: Placement, seconds: float) -> Floats:
        """(3,) m, on its way to the higher hand."""
        assert self._arms is not None
        palms = point_jacobian(self._arms.rig, values[None], self._arms.palms, []).position[0]
        hand = palms[int(np.argmax(palms[:, 1]))]
        return np.asarray(placed.position + min(seconds / 0.08, 1.0) * (hand - placed.position))

    def _fall(self, seconds: float) -> None:
        """Move what nothing holds."""
        for index, (movable, placed) in enumerate(zip(self.movables, self.placements, strict=True)):
            if index in self._fading:
                start, end, passed = self._fading.pop(index)
                left = left_of_fade((passed + seconds) / FADE)
                self.placements[index] = placed.moved(left * start + (1 - left) * end)
                if left > 0:
                    self._fading[index] = start, end, passed + seconds
            elif index in self._released:
                others = self._others(index)
                moved, velocity = loose_step(
                    movable, placed, self._velocities[index], others, self._ground, seconds
                )
                if not velocity.any() and (moved.position == placed.position).all():
                    self._released.discard(index)
                self.placements[index], self._velocities[index] = moved, velocity

    def _targets(self, frame: Frame) -> Floats | None:
        """(2, 3) m, where the palms belong; None for hands that are free."""
        hold, index = self.machine.hold, self.index
        if hold is Hold.FREE or index < 0:
            return None
        movable, placed = self.movables[index], self.placements[index]
        if hold is Hold.CARRYING or (hold is Hold.REACHING and self._light(movable, placed)):
            return holding(movable, placed, frame.left, below=0.35 if self.carries else 0.0)
        if movable.round:
            return rolling(movable, placed, frame.ahead, frame.left)
        height, wide = 0.8 * self._body.height, 0.25 * self._body.size
        return pushing(movable, placed, frame.ahead, frame.left, height, wide)
