"""Interactions: every drag or slider of every client, from begin to commit or cancel."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from time import monotonic
from typing import Any

import numpy as np

from arcwright.errors import ArcwrightError, BadValue
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.document import info
from arcwright.server.document.committed import (
    CommittedInteraction,
    is_unfinished,
    retimed_info,
)
from arcwright.server.document.open_document import OpenDocument, Post
from arcwright.server.document.presence import Presence
from arcwright.server.document.subscriptions import Client
from arcwright.server.interactions.change_interaction import ChangeInteraction, Interaction
from arcwright.server.interactions.preview_stream import (
    preview_message,
    send_overdue,
    send_poses,
    send_preview,
)
from arcwright.server.interactions.tool_interaction import ToolInteraction
from arcwright.server.messages.encoding import GestureMessage, gesture_of
from arcwright.tools.idle_solver import IdleResult, IdleSolver, notes_and_offer
from arcwright.tools.options import options_from
from arcwright.tools.tool import Preview

log = logging.getLogger("arcwright.studio")

STEERING = m.UpdateInteraction | m.SetOptions  # refused, they change nothing
IDLE_AFTER = 0.15  # s without an update, after which an interaction is solved in the background


def _command(
    handler: Callable[[Interactions, Any, Any], None],
) -> Callable[[Interactions, Client, Any], None]:
    """Find the interaction of a message: late messages have none, and an error ends it.

    A recording stays open, so that its samples are not lost.
    """

    @wraps(handler)
    def handle(self: Interactions, client: Client, message: Any) -> None:
        interaction = self._find(client, message)
        if interaction is None:
            return
        try:
            handler(self, interaction, message)
        except Exception:
            if interaction.number not in self._active:
                raise
            if isinstance(message, m.CommitInteraction) and message.if_changed:
                self._leave_open(interaction)
            elif not (interaction.has_recorded and isinstance(message, STEERING)):
                self._end(interaction, committed=False)
            raise

    return handle


class Interactions:
    """All interactions with the open document; used by the worker's thread only."""

    def __init__(self, opened: OpenDocument, post: Post, presence: Presence) -> None:
        self._opened = opened
        self._presence = presence
        self._post = post
        self._active: dict[int, Interaction] = {}
        self._cancelled: set[tuple[Client, int]] = set()  # whose clients do not know it yet
        self.committed: CommittedInteraction | None = None  # the last one
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
            begun = ToolInteraction(client, self._opened.scene, message)
        except Exception:  # whatever it is: the client must not wait
            client.send(m.InteractionEnded(interaction=number, committed=False, label=""))
            raise
        self._active[number] = begun
        self._presence.set_editing(client, begun.target.character)

    @_command
    def update(self, interaction: Interaction, message: GestureMessage) -> None:
        """The pointer of a drag moved, or samples were added.

        Samples that are refused do not end the interaction: those before them are kept.
        """
        if not isinstance(interaction, ToolInteraction):
            return
        try:
            gesture = gesture_of(message, interaction.target.character)
            preview = interaction.update(gesture)
            if isinstance(message, m.AppendPerformance):
                interaction.note_samples(message.performance.times.tolist())
        except ArcwrightError as error:
            if interaction.preview is None or isinstance(message, m.UpdateInteraction):
                raise
            interaction.client.send(m.Failure(text=str(error)))
            return
        self._show(interaction, preview)

    @_command
    def set_options(self, interaction: Interaction, message: m.SetOptions) -> None:
        """Other options for a drag."""
        if isinstance(interaction, ToolInteraction):
            options = options_from(interaction.tool.Options, message.options)
            self._show(interaction, interaction.set_options(options))

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
    def commit(self, interaction: Interaction, message: m.CommitInteraction) -> None:
        """Apply the result as one undo step."""
        if isinstance(interaction, ToolInteraction) and interaction.result is None:
            interaction.result = self._idle_solver.edit_of(interaction)
        solved_here = isinstance(interaction, ToolInteraction) and interaction.result is None
        edit = interaction.finish()
        if message.if_changed and edit.empty:
            self._show_result(interaction, edit)
            self._leave_open(interaction)
            return
        if isinstance(interaction, ToolInteraction) and (
            interaction.last_drag is None or (solved_here and is_unfinished(interaction))
        ):  # other notes on a drag follow its remaining distance
            self._send_notes(interaction)
        timed = isinstance(interaction, ToolInteraction) and interaction.warp is not None
        self._apply(interaction, edit, retimed_info(interaction) if timed else None)
        if isinstance(interaction, ToolInteraction):
            document = self._opened.document
            after = document, document.history
            self.committed = CommittedInteraction(interaction.number, interaction, *after)

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
                self._cancel(interaction)

    def cancel_drags(self, client: Client) -> None:
        """Cancel the interactions of a client, except recordings: these begin again."""
        for interaction in list(self._active.values()):
            if interaction.client is client and not interaction.has_recorded:
                self._cancel(interaction)

    def _cancel(self, interaction: Interaction) -> None:
        self._end(interaction, committed=False)
        self._cancelled.add((interaction.client, interaction.number))

    def remove_client(self, client: Client) -> None:
        """A client has gone: its interactions are cancelled."""
        self.cancel_all(client)
        self._cancelled = {each for each in self._cancelled if each[0] is not client}

    def document_changed(self) -> None:
        """Begin again on the changed document."""
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
        times += [each.due for each in self._running()]
        times += [each.previews.deadline for each in self._active.values()]
        first = min(times, default=np.inf)
        return None if first == np.inf else max(0.0, first - monotonic())

    def idle(self) -> None:
        """Solve interactions whose pointer rests, and send previews that are due."""
        for interaction in self._unsolved():
            if monotonic() - interaction.updated >= IDLE_AFTER:
                interaction.solved = True
                self._idle_solver.solve(interaction)
        for interaction in self._running():
            if monotonic() >= interaction.due:
                self._advance(interaction)
        layouts = self._opened.document.model.layouts
        for each in self._active.values():
            send_overdue(self._opened.subscriptions, each, layouts)

    def _unsolved(self) -> list[ToolInteraction]:
        return [each for each in self._used() if not each.solved and not each.runs]

    def _running(self) -> list[ToolInteraction]:
        return [each for each in self._used() if each.runs]

    def _used(self) -> list[ToolInteraction]:
        return [each for each in self._active.values() if isinstance(each, ToolInteraction)]

    def _advance(self, interaction: ToolInteraction) -> None:
        """Let a session with a clock go on to now."""
        try:
            preview = interaction.advance(interaction.session_time)
            if preview is not None:
                self._show(interaction, preview)
        except Exception:
            self._end(interaction, committed=False)
            raise

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

    def _show(self, interaction: ToolInteraction, preview: Preview) -> None:
        """Send a preview that follows a gesture."""
        interaction.solved = False
        self._send_preview(interaction, preview)

    def _send_preview(self, interaction: ToolInteraction, preview: Preview) -> None:
        layouts = self._opened.document.model.layouts
        message, poses = preview_message(interaction, interaction.number, preview, layouts)
        send_poses(interaction, message, poses)
        self._stream(interaction, preview.edit.apply(interaction.scene))

    def _stream(self, interaction: Interaction, after: Scene) -> None:
        layouts, count = self._opened.document.model.layouts, len(self._active)
        send_preview(self._opened.subscriptions, interaction, after, layouts, count)

    def _send_notes(self, interaction: ToolInteraction) -> None:
        message = info.notes_message(interaction.number, interaction.notes(), None)
        self._opened.subscriptions.broadcast(message)

    def _show_result(self, interaction: Interaction, edit: Edit) -> None:
        """Send what committing gives, and why it is no more."""
        if isinstance(interaction, ToolInteraction) and interaction.preview is not None:
            overlays = interaction.result_overlays()
            self._send_preview(interaction, interaction.preview_result(edit, overlays))
            self._send_notes(interaction)

    def _leave_open(self, interaction: Interaction) -> None:
        interaction.client.send(m.InteractionUnchanged(interaction=interaction.number))

    def _apply(
        self, interaction: Interaction, edit: Edit, retimed: m.RetimedInfo | None = None
    ) -> None:
        """Apply one step, then end the interaction."""
        self._active.pop(interaction.number)
        before = self._opened.document.history
        try:
            self._opened.apply(edit)
        finally:
            committed = self._opened.document.history is not before
            label, moved = (edit.label, retimed) if committed else ("", None)
            self._end(interaction, label, moved, committed=committed)

    def _end(
        self,
        interaction: Interaction,
        label: str = "",
        retimed: m.RetimedInfo | None = None,
        *,
        committed: bool,
    ) -> None:
        self._active.pop(interaction.number, None)
        self._presence.set_editing(interaction.client, "")
        self._opened.subscriptions.broadcast(
            m.InteractionEnded(
                interaction=interaction.number, committed=committed, label=label, retimed=retimed
            )
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
                self._send_preview(
                    interaction, interaction.preview_result(result.edit, result.overlays)
                )

        self._post(send)
