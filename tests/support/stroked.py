"""A contact stroke through the low part of a loop, and the take that it makes."""

import numpy as np

from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.trail import trail
from arcwright.scene.target import Target
from arcwright.tools.cycle.contact.contact_stroke import ContactStroke
from arcwright.tools.cycle.options import CycleOptions
from stepping import beside, drawn


class Made:
    """A stroke through the low part of what may touch the ground, and the take it makes."""

    def __init__(self, scene, depth=0.15, slope=0.0, bulge=0.0, pitch=0.0, target=None, **options):
        self.scene, target = scene, target or Target()
        self.session = ContactStroke(scene, target, CycleOptions(**options))
        loop = self.session.loop
        self.loop, low = loop, loop.curves.place[..., 1].min()
        high = low + depth * np.ptp(loop.curves.place[..., 1])
        middle, wide = loop.curves.place[..., 2].mean(), np.ptp(loop.curves.place[..., 2])
        share = np.linspace(-1, 1, 21)
        beside_it = np.full_like(share, loop.curves.place[..., 0].mean())
        line = np.stack([beside_it, high + slope * wide * share, middle + wide * share], axis=1)
        line[:, 1] += bulge * np.ptp(loop.curves.place[..., 1]) * (1 - share**2)
        self.stroke = drawn(beside(scene, pitch), line, 40)
        self.preview = self.session.update(self.stroke)
        self.edit = self.session.finish()
        self.take = self.edit.apply(scene).characters[0].takes[0]
        self.touch = self.session._now.touch

    @property
    def touches(self):
        """(M, P) whole frames in contact."""
        return self.touch.touches[:: self.loop.fine]

    def path(self, item, times):
        return trail(self.take, self.loop.points[self.touch.items[item]], times).position

    def slide(self, loops=3):
        """The longest way, m, of a point from one frame in contact to the next one."""
        frames, worst = self.loop.frames, 0.0
        times = np.arange(loops * frames) / frames * self.loop.duration
        for item in range(len(self.touch.items)):
            steps = np.linalg.norm(np.diff(self.path(item, times), axis=0), axis=1)
            own = np.tile(self.touches[:, item], loops)
            worst = max(worst, steps[own[1:] & own[:-1]].max(initial=0.0))
        return worst

    def stride(self):
        """(3,) m, the travel of the root in one loop."""
        root = analyse(self.scene.characters[0], self.take).root
        ends = trail(self.take, root, np.array([0.0, self.loop.duration])).position
        return ends[1] - ends[0]

    def said(self):
        return " ".join(note.text for note in self.session.notes())
