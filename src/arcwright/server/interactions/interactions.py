"""Interactions: every drag or slider of every client, from begin to commit or cancel."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import wraps
from time import monotonic
from typing import Any

import numpy as np

from arcwright.errors import ArcwrightError, BadValue
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.server import messages as m
from arcwright.server.document import info
from arcwright.server.document.footplants import accept_all
from arcwright.server.document.open_document import OpenDocument, Post
from arcwright.server.document.subscriptions import Client
from arcwright.server.interactions.change_interaction import ChangeInteraction, Interaction
from arcwright.server.interactions.idle_solver import IdleResult, IdleSolver, notes_and_offer
from arcwright.server.interactions.preview_stream import (
    PreviewState,
    send_overdue,
    send_pose,
    send_preview,
)
from arcwright.server.messages.encoding import point_of, quaternion_of
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from arcwright.tools.options import options_from
from arcwright.tools.tool import Offer, Preview, Session

log = logging.getLogger("arcwright.studio")

IDLE_AFTER = 0.15  # s without an update, after which an interaction is solved in the background


class ToolInteraction:
    """Drags given to one session of a tool."""

    def __init__(self, client: Client, scene: Scene, message: m.BeginInteraction) -> None:
        self.number = message.interaction
        self.client = client
        self.tool = tool(message.tool)
        actor = scene.actor(message.character)
        self.target = Target(actor.name, actor.take(message.take).name)
        self.options = options_from(self.tool.Options, message.options)
        self.accepts_footplants = message.accept_footplants
        self.previews = PreviewState()
        self.drags: dict[tuple[m.PointRef, float], Drag] = {}
        self.preview: Preview | None = None
        self.updated = 0.0  # s, when the last update was answered
        self.solved = True  # whether the idle solver has been asked since
        self.offer: Offer | None = None
        self.result: Edit | None = None  # what committing gives, once that is known
        self.begin(scene)

    def begin(self, scene: Scene) -> None:
        """Begin on a scene, and repeat the drags made so far."""
        self.scene, self.result = scene, None
        self.footplants = self._accepted(scene)
        with_footplants = self.footplants.apply(scene)
        self.session: Session = self.tool.begin(with_footplants, self.target, self.options)
        for drag in self.drags.values():
            self._update(drag)

    def set_options(self, options: Mapping[str, Any]) -> None:
        """Begin again on the same scene with other options."""
        self.options = options_from(self.tool.Options, options)
        self.begin(self.scene)

    def update(self, message: m.UpdateInteraction) -> Preview:
        """The pointer moved."""
        drag = Drag(
            point_of(message.point, self.target.character),
            message.time,
            None if message.position is None else np.array(message.position),
            None if message.orientation is None else quaternion_of(message.orientation),
            message.time_scale,
            None if message.axes is None else np.array(message.axes),
        )
        self.drags.pop((message.point, message.time), None)
        self.drags[message.point, message.time] = drag
        return self._update(drag)

    def finish(self) -> Edit:
        """The edit that committing applies, with the footplants that it accepts."""
        edit = self.session.finish() if self.result is None else self.result
        if edit.empty or self.footplants.empty:
            return edit
        return Edit(edit.label, (*self.footplants.changes, *edit.changes))

    def preview_scene(self) -> Scene:
        """The scene as previewed now."""
        return self.scene if self.preview is None else self.preview.edit.apply(self.scene)

    def preview_result(self, result: Edit) -> Preview:
        """Preview what committing gives, so that nothing jumps on release."""
        assert self.preview is not None
        self.result, drag, shown = result, self.last_drag, self.preview
        take = result.apply(self.scene).actor(self.target.character).take(self.target.take)
        reached, remaining = shown.reached, shown.remaining
        if drag.point.character in ("", self.target.character):
            reached = trail(take, drag.point, [drag.time]).position[0]
            if drag.position is not None:
                away = reached - drag.position
                remaining = float(np.linalg.norm(away if drag.axes is None else drag.axes @ away))
        pose = values_at(take, np.array([drag.time]))[0]
        self.preview = Preview(
            lambda: result, lambda: shown.notes, remaining, reached, pose, lambda: shown.span
        )
        return self.preview

    @property
    def last_drag(self) -> Drag:
        """The latest drag."""
        return list(self.drags.values())[-1]

    def _accepted(self, scene: Scene) -> Edit:
        if not self.accepts_footplants or not getattr(self.options, "find_plants", False):
            return Edit("")
        at = self.target.character, self.target.take
        return accept_all(scene, *at, heels=self.options.heels)

    def _update(self, drag: Drag) -> Preview:
        self.offer = self.result = None
        self.preview = self.session.update(drag)
        self.updated, self.solved = monotonic(), False
        return self.preview


def _command(
    handler: Callable[[Interactions, Any, Any], None],
) -> Callable[[Interactions, Client, Any], None]:
    """Find the interaction of a message: late messages have none, and an error ends it."""

    @wraps(handler)
    def handle(self: Interactions, client: Client, message: Any) -> None:
        interaction = self._find(client, message)
        if interaction is None:
            return
        try:
            handler(self, interaction, message)
        except Exception:
            if interaction.number in self._active:
                self._end(interaction, committed=False)
            raise

    return handle


class Interactions:
    """All interactions with the open document; used by the worker's thread only."""

    def __init__(self, opened: OpenDocument, post: Post) -> None:
        self._opened = opened
        self._post = post
        self._active: dict[int, Interaction] = {}
        self._cancelled: set[tuple[Client, int]] = set()  # whose clients do not know it yet
        self._idle_solver: IdleSolver[ToolInteraction] = IdleSolver(self._idle_solved)
        opened.listeners.append(self)

    def start(self) -> None:
        """Start the idle solver."""
        self._idle_solver.start()

    def stop(self) -> None:
        """Stop the idle solver."""
        self._idle_solver.stop()

    def begin(self, client: Client, message: m.BeginInteraction) -> None:
        """Begin an interaction with a tool."""
        number = message.interaction
        if number in self._active:
            raise BadValue("interaction", "a number that no other interaction has", number)
        self._cancelled.discard((client, number))
        try:
            self._active[number] = ToolInteraction(client, self._opened.scene, message)
        except ArcwrightError:
            client.send(m.InteractionEnded(interaction=number, committed=False, label=""))
            raise

    @_command
    def update(self, interaction: Interaction, message: m.UpdateInteraction) -> None:
        """The pointer of a drag moved."""
        if isinstance(interaction, ToolInteraction):
            self._send_preview(interaction, interaction.update(message))

    @_command
    def set_options(self, interaction: Interaction, message: m.SetOptions) -> None:
        """Other options for a drag."""
        if isinstance(interaction, ToolInteraction):
            interaction.set_options(message.options)
            if interaction.preview is not None:
                self._send_preview(interaction, interaction.preview)

    def preview_change(self, client: Client, message: m.PreviewChange) -> None:
        """A change followed the pointer; the first one begins an interaction."""
        number = message.interaction
        if number not in self._active and (client, number) not in self._cancelled:
            self._active[number] = ChangeInteraction(client, self._opened.scene, message)
        self._preview_change(client, message)

    @_command
    def _preview_change(self, interaction: Interaction, message: m.PreviewChange) -> None:
        if isinstance(interaction, ChangeInteraction):
            interaction.change = message.change
            self._stream(interaction, interaction.preview_scene())

    @_command
    def commit(self, interaction: Interaction, _: m.CommitInteraction) -> None:
        """Apply the result as one undo step."""
        if isinstance(interaction, ToolInteraction) and interaction.result is None:
            interaction.result = self._idle_solver.edit_of(interaction)
        self._apply(interaction, interaction.finish())

    @_command
    def accept_offer(self, interaction: Interaction, _: m.AcceptOffer) -> None:
        """Apply the offered edit instead of the result."""
        if isinstance(interaction, ToolInteraction):
            offer = interaction.offer or notes_and_offer(interaction.session)[1]
            self._apply(interaction, interaction.finish() if offer is None else offer.edit)

    @_command
    def cancel(self, interaction: Interaction, _: m.CancelInteraction) -> None:
        """End an interaction without a step."""
        self._end(interaction, committed=False)

    def cancel_all(self, client: Client | None = None) -> None:
        """Cancel the interactions of a client, or all."""
        for interaction in list(self._active.values()):
            if client is None or interaction.client is client:
                self._end(interaction, committed=False)
                self._cancelled.add((interaction.client, interaction.number))

    def remove_client(self, client: Client) -> None:
        """A client has gone: its interactions are cancelled."""
        self.cancel_all(client)
        self._cancelled = {each for each in self._cancelled if each[0] is not client}

    def document_changed(self) -> None:
        """Begin drags again on the changed document."""
        for interaction in list(self._active.values()):
            if isinstance(interaction, ToolInteraction):
                try:
                    interaction.begin(self._opened.scene)
                except ArcwrightError as error:
                    interaction.client.send(m.Failure(text=str(error)))
                    self._end(interaction, committed=False)

    def document_closing(self) -> None:
        """Cancel everything."""
        self.cancel_all()

    def subscriptions_changed(self) -> None:
        """A client subscribed to something else: send it the previews of that."""
        for interaction in self._active.values():
            interaction.previews.send_all_soon()

    def timeout(self) -> float | None:
        """Seconds until `idle` has something to do; None if nothing waits."""
        times = [each.updated + IDLE_AFTER for each in self._unsolved()]
        times += [each.previews.deadline for each in self._active.values()]
        first = min(times, default=np.inf)
        return None if first == np.inf else max(0.0, first - monotonic())

    def idle(self) -> None:
        """Solve interactions whose pointer rests, and send previews that are due."""
        for interaction in self._unsolved():
            if monotonic() - interaction.updated >= IDLE_AFTER:
                interaction.solved = True
                self._idle_solver.solve(interaction)
        layouts = self._opened.document.model.layouts
        for each in self._active.values():
            send_overdue(self._opened.subscriptions, each, layouts)

    def _unsolved(self) -> list[ToolInteraction]:
        dragged = [each for each in self._active.values() if isinstance(each, ToolInteraction)]
        return [each for each in dragged if not each.solved]

    def _find(self, client: Client, message: Any) -> Interaction | None:
        number = message.interaction
        if (client, number) in self._cancelled:
            if isinstance(message, m.CommitInteraction | m.CancelInteraction | m.AcceptOffer):
                self._cancelled.remove((client, number))
            return None
        interaction = self._active.get(number)
        if interaction is None or interaction.client is not client:
            log.info("client %d has no interaction %d", client.number, number)
            return None
        return interaction

    def _send_preview(self, interaction: ToolInteraction, preview: Preview) -> None:
        target, held = interaction.target, interaction.last_drag
        x, y, z = preview.reached.tolist()
        message = m.Preview(
            interaction=interaction.number,
            character=target.character,
            take=target.take,
            time=held.time,
            span=preview.span,
            reached=(x, y, z),
            remaining=preview.remaining,
        )
        rig = interaction.scene.actor(target.character).rig
        layout = self._opened.document.model.layouts[target.character]
        send_pose(interaction, message, layout.poses(rig, preview.pose[None])[0])
        self._stream(interaction, preview.edit.apply(interaction.scene))

    def _stream(self, interaction: Interaction, after: Scene) -> None:
        layouts, count = self._opened.document.model.layouts, len(self._active)
        send_preview(self._opened.subscriptions, interaction, after, layouts, count)

    def _apply(self, interaction: Interaction, edit: Edit) -> None:
        """Apply one step, then end the interaction."""
        self._active.pop(interaction.number)
        before = self._opened.document.history
        try:
            self._opened.apply(edit)
        finally:
            committed = self._opened.document.history is not before
            self._end(interaction, committed=committed, label=edit.label if committed else "")

    def _end(self, interaction: Interaction, *, committed: bool, label: str = "") -> None:
        self._active.pop(interaction.number, None)
        self._opened.subscriptions.broadcast(
            m.InteractionEnded(interaction=interaction.number, committed=committed, label=label)
        )

    def _idle_solved(
        self, interaction: ToolInteraction, updated: float, result: IdleResult
    ) -> None:
        """On the idle solver's thread: send a result if the pointer has not moved since."""

        def send() -> None:
            active = self._active.get(interaction.number) is interaction
            if active and interaction.updated == updated:
                interaction.offer = result.offer
                message = info.notes_message(interaction.number, result.notes, result.offer)
                self._opened.subscriptions.broadcast(message)
                self._send_preview(interaction, interaction.preview_result(result.edit))

        self._post(send)
