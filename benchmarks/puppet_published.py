"""The published way to walk a puppet, for comparison: Shepard's inverse of the speed, no foot lock.

The puppet's frame follows the stick as ours does; the blend is the one that Shepard's mean of the
probes gives (eqs. 6.1 and 6.2), and feet are where it has them. A foot stands while the gaits say
that it carries.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.puppet.locomotion.root_frame import in_world
from arcwright.tools.puppet.locomotion.speed_map import shepard
from arcwright.tools.puppet.locomotion.walker import PoseOffset, Step, Walker
from arcwright.tools.puppet.session import PuppetSession
from arcwright.tools.puppet.terrain import Ground


class PublishedWalker(Walker):
    """Poses of the blend as they are."""

    def step(
        self,
        seconds: float,
        place: Floats,
        heading: float,
        speed: float,
        height: float,
        ground: Ground,
        *,
        may_stand: bool = True,
        added: PoseOffset | None = None,
    ) -> Step:
        """The blended pose, with the puppet's frame at a place of the ground."""
        del ground, added  # feet are where the blend has them, and nothing is played over it
        space, probes = self.gaits.space, self.gaits.speeds.probes
        self.walks = True
        weights = space.weights(shepard(probes, speed, height))
        fastest = float(probes.measured[:, 0].max())
        rate = space.cycles_per_second(weights) * max(speed / fastest, 1.0)
        self.phase = (self.phase + seconds * rate) % 1.0
        self.times += seconds
        pose = space.pose(weights, self.phase, self.times)
        values = self.gaits.writer.written(pose.values, in_world(pose.root, place, heading))
        stands = (space.planted(weights, self.phase) >= 0.5) & may_stand
        return Step(values, np.asarray(stands), 0.0)


def published_session(prepared: PuppetSession) -> PuppetSession:
    """A session, from the start of a prepared one, whose puppet walks the published way."""
    session = prepared.fork()
    session._puppet._walker = PublishedWalker(session.character.gaits)
    return session
