"""A client's interaction with a tool, with the clock of its samples."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from arcwright.scene.recording import recording_at
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target, target_of
from arcwright.server import messages as m
from arcwright.server.document.subscriptions import Client
from arcwright.server.interactions.preview_stream import PreviewState
from arcwright.server.messages.encoding import point_of
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Performance
from arcwright.tools.interaction import Interaction
from arcwright.tools.options import options_from
from arcwright.tools.tool import Runs

TICK = 1 / 60  # s between two advances of a session with a clock
LATE = 0.1  # s without samples, after which the clock of a performance goes on without them


class ToolInteraction(Interaction):
    """A client's interaction with a tool."""

    def __init__(self, client: Client, scene: Scene, message: m.BeginInteraction) -> None:
        self.number = message.interaction
        self.client = client
        self.previews = PreviewState()
        self.solved = True  # whether the idle solver has been asked since the last update
        self._clock = 0.0, monotonic()  # a time of the session, and when it was that, s
        self._first_sample: float | None = None  # s
        chosen = tool(message.tool)
        point = None if message.point is None else point_of(message.point, message.character)
        target = Target(
            message.character, message.take, point, tuple(message.channels), time=message.time
        )
        if message.recording is not None:
            target = target_of(recording_at(scene.recordings, message.recording))
        options = options_from(chosen.Options, message.options)
        super().__init__(chosen, scene, target, options, detect=message.accept_footplants)
        self.runs = isinstance(self.session, Runs)  # whether it goes on without a gesture

    @property
    def has_recorded(self) -> bool:
        """Whether it has samples of a performance, which are not acted again at will."""
        return Performance in self._samples and not self.runs

    @property
    def due(self) -> float:
        """When a session with a clock has to go on, s: samples that are on their way come first."""
        patience = 0.0 if self._first_sample is None else LATE
        return max(self.updated + TICK, self._clock[1] + patience)

    @property
    def session_time(self) -> float:
        """Seconds since the first sample, or since the beginning, at this moment."""
        time, at = self._clock
        return time + monotonic() - at

    def note_samples(self, times: Sequence[float]) -> None:
        """Set the clock by samples that have come, however late."""
        if times:
            self._first_sample = times[0] if self._first_sample is None else self._first_sample
            self._clock = times[-1] - self._first_sample, monotonic()
