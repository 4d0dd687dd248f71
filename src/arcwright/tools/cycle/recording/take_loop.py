"""The loop that a take is: its period, and how far it travels in one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take

STILL = 1e-6  # m, rad or plain: a channel that changes less does not move
FAR = 0.25  # of the body's size: a root that goes further carries what is performed along
TRAVELS = 0.01  # of the body's size: a root that ends further from its start travels
SAME = 0.005  # of the body's size: joints that end this near to their start have come back


@dataclass(frozen=True, eq=False)
class TakeLoop:
    """A take that plays in a loop while something is performed."""

    take: Take
    period: float | None  # s; None where nothing moves: then the performance says how long it is
    loops: bool  # whether its end goes on as its start
    stride: Floats  # (3,) m, the way of the root in a period
    root: Floats | None = None  # (F, 3) m at every frame, of a take that goes elsewhere once
    replaceable: bool = False  # whether all that moves is performed anew
    ends_meet: bool = False  # whether a take that is not said to loop ends in the pose of its start

    def wrapped(self, times: Floats) -> Floats:
        """Times of the take for times of the playhead, which rise on while the loop repeats."""
        length = self.period or self.take.duration
        return np.zeros_like(times) if length <= 0 else np.asarray(times % length)

    def travelled(self, times: Floats) -> Floats:
        """(T, 3) m, what the root has travelled at times of the take."""
        if self.root is None:
            return np.outer(times / (self.period or 1.0), self.stride)
        frames = np.arange(len(self.root)) / self.take.rate
        way = [np.interp(times, frames, column) for column in (self.root - self.root[0]).T]
        return np.stack(way, axis=1)

    @property
    def travels(self) -> bool:
        """Whether what is performed is carried along."""
        return self.root is not None or bool(self.stride.any())


def take_loop(scene: Scene, actor: Actor, take: Take) -> TakeLoop:
    """The loop of a take; one in which nothing moves follows the first other actor that loops."""
    none = np.zeros(3)
    if moves(take):
        if isinstance(take.base, Clip) and take.base.loops:
            return TakeLoop(take, take.duration, True, _stride(actor, take))
        meet = _ends_meet(actor, take)
        return TakeLoop(take, take.duration, False, none, _way(actor, take), ends_meet=meet)
    for other in scene.actors:
        if other is not actor:
            for played in other.takes[:1]:
                if isinstance(played.base, Clip) and played.base.loops and moves(played):
                    return TakeLoop(take, played.duration, True, none)
    return TakeLoop(take, None, True, none)


def moves(take: Take) -> bool:
    """Whether anything in a take moves."""
    if isinstance(take.base, Clip) and not take.layers:
        curves = [curve for curve in take.base.curves if curve is not None]
        if all(len(curve) == 1 for curve in curves):
            return False
    return bool(moving_channels(take).any())


def moving_channels(take: Take) -> Bools:
    """(C,) channels of a take that move."""
    moving: Bools = np.ptp(values_at(take, take.frame_times()), axis=0) > STILL
    return moving


def _way(actor: Actor, take: Take) -> Floats | None:
    """(F, 3) m, the path of a root that goes far."""
    about = analyse(actor, take)
    place = forward(take.rig, values_at(take, take.frame_times()), [about.root])[:, 0, :3, 3]
    return place if np.ptp(place, axis=0).max() > FAR * about.size else None


def _ends_meet(actor: Actor, take: Take) -> bool:
    """Files such as .glb have no word for a loop: their idles and walks end as they start."""
    places = forward(take.rig, values_at(take, np.array([0.0, take.duration])))[..., :3, 3]
    apart = np.linalg.norm(places[1] - places[0], axis=-1).max()
    return bool(apart <= SAME * analyse(actor, take).size)


def _stride(actor: Actor, take: Take) -> Floats:
    about = analyse(actor, take)
    ends = values_at(take, np.array([0.0, take.duration]))
    place = forward(take.rig, ends, [about.root])[:, 0, :3, 3]
    stride: Floats = place[1] - place[0]
    return stride if np.linalg.norm(stride) > TRAVELS * about.size else np.zeros(3)
