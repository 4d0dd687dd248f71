"""What a page holds after all that it was sent: poses, keys and curves of the document."""

import numpy as np

from arcwright.server import messages as m


class Page:
    """Puts messages together as the studio's page does; previews end with their interaction."""

    def __init__(self, received=()):
        self.poses = {}  # (character, take): {frame: pose}
        self.keys = {}  # (character, take): {channel: rows}
        self.curves = {}  # point: (character, take, arrays)
        for message, arrays in received:
            self.wait_for(message, arrays)

    def wait_for(self, message, arrays):
        if getattr(message, "preview_of", None) is not None:
            return
        match message:
            case m.Frames(without_layers=False):
                own = self.poses.setdefault((message.character, message.take), {})
                own.update(enumerate(arrays["poses"], message.first))
            case m.Keys():
                self._put_keys(message, arrays["keys"])
            case m.Curve():
                self._put_curve(message, arrays)

    def _put_keys(self, message, rows):
        own = self.keys.setdefault((message.character, message.take), {})
        first = 0
        for channel, count in zip(message.channels, message.counts, strict=True):
            own.pop(channel, None)
            if count:
                own[channel] = rows[first : first + count]
            first += count

    def _put_curve(self, message, arrays):
        point = message.point.joint, message.point.offset, message.point.character
        at = message.character, message.take
        whole = len(arrays["times"]) == message.total
        known = self.curves.get(point)
        assert whole or (known is not None and known[0] == at), "a part of a curve nobody knows"
        patched = {}
        for name, part in arrays.items():
            patched[name] = np.array(part if whole else known[1][name])
            patched[name][message.first : message.first + len(part)] = part
        self.curves[point] = at, patched


def assert_alike(held, fresh, takes, points):
    """Two pages hold the same of these takes (their last frames by name) and points."""
    for at, last in takes.items():
        assert (at in held.keys) == (at in fresh.keys)
        if at in fresh.keys:
            assert held.keys[at].keys() == fresh.keys[at].keys(), f"channels with keys of {at}"
            for channel, rows in fresh.keys[at].items():
                np.testing.assert_array_equal(held.keys[at][channel], rows)
        for frame in range(last + 1) if at in fresh.poses else ():
            np.testing.assert_allclose(held.poses[at][frame], fresh.poses[at][frame], atol=1e-5)
    for point in points:
        assert (point in held.curves) == (point in fresh.curves)
        if point in fresh.curves:
            assert held.curves[point][0] == fresh.curves[point][0], "the take of a curve"
            for name, array in fresh.curves[point][1].items():
                np.testing.assert_allclose(held.curves[point][1][name], array, atol=1e-5)
