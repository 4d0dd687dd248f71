"""The document worker: one thread that handles every message of every client, in order."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Condition, Thread
from typing import Any, NamedTuple

import msgspec

from arcwright.errors import ArcwrightError, BadValue
from arcwright.server import messages as m
from arcwright.server.document import changes, info
from arcwright.server.document.constraints import kind_infos
from arcwright.server.document.document import Document
from arcwright.server.document.open_document import OpenDocument
from arcwright.server.document.presence import Presence
from arcwright.server.document.subscriptions import CallSoon, Client, call_now
from arcwright.server.interactions.interactions import Interactions
from arcwright.server.jobs.file_commands import FileCommands
from arcwright.server.jobs.footplant_requests import FootplantRequests
from arcwright.server.jobs.further_solves import FurtherSolves
from arcwright.server.jobs.jobs import Jobs
from arcwright.server.jobs.questions import QUESTIONS, Questions
from arcwright.server.jobs.reductions import Reductions
from arcwright.server.jobs.replacements import REPLACEMENTS
from arcwright.server.jobs.slow_changes import SlowChanges, is_slow
from arcwright.server.messages.common import MOST_KEYS, VIEW_ONLY
from arcwright.server.messages.encoding import AnyClientMessage, decode_client
from arcwright.server.storage.folder import Folder
from arcwright.version import __version__

log = logging.getLogger("arcwright.studio")

GESTURES = m.UpdateInteraction, m.AppendStroke, m.AppendPerformance
MAX_QUEUED = 4000  # messages; more than any person sends

_UNCHANGED = "That failed because of an internal error. The document is unchanged."
_NOT_SHOWN = "The step was applied, but could not be shown: reload the page to see it."


@dataclass(frozen=True, eq=False)
class QueuedMessage:
    """A message of a client, or an action of the server without a client."""

    message: AnyClientMessage | Callable[[], None]
    client: Client | None = None


class MessageQueue:
    """First in, first out; but of messages on the same topic only the last one waits.

    A message never overtakes one that changes the document or ends an interaction, nor one of its
    own client. Apart from that clients take turns: under load each is served as often as others.
    """

    def __init__(self) -> None:
        self._queue: list[tuple[Hashable | None, QueuedMessage]] = []  # with their topics
        self._changed = Condition()
        self._turns = count(1)

    def put(self, queued: QueuedMessage) -> bool:
        """Add a message; False when too many wait."""
        topic = _topic(queued)
        with self._changed:
            older = self._superseded(topic)
            if older is not None:
                del self._queue[older]
            elif len(self._queue) >= MAX_QUEUED and queued.client is not None:
                return False
            self._queue.append((topic, queued))
            self._changed.notify()
            return True

    def take(self, timeout: float | None = None) -> QueuedMessage | None:
        """The next message, or None when there was none for `timeout` seconds."""
        with self._changed:
            if not self._queue:
                self._changed.wait_for(lambda: self._queue, timeout)
            return self._queue.pop(self._next())[1] if self._queue else None

    def __len__(self) -> int:
        return len(self._queue)

    def _next(self) -> int:
        """The first message of the client that was served least recently."""
        best, chosen, least = 0, None, float("inf")
        for place, (topic, queued) in enumerate(self._queue):
            if topic is None or queued.client is None:
                break
            if queued.client.last_served < least:
                best, chosen, least = place, queued.client, queued.client.last_served
        if chosen is not None:
            chosen.last_served = next(self._turns)
        return best

    def _superseded(self, topic: Hashable | None) -> int | None:
        if topic is None:
            return None
        for place in range(len(self._queue) - 1, -1, -1):
            other = self._queue[place][0]
            if other is None:
                return None
            if other == topic:
                return place
        return None


def _topic(queued: QueuedMessage) -> Hashable | None:
    """The topic of messages that a later one may replace; None for all others."""
    number = queued.client.number if queued.client is not None else 0
    match queued.message:
        case m.UpdateInteraction(interaction, point, time, handle=handle):
            return "update", number, interaction, point or handle, time
        case m.AppendStroke() | m.AppendPerformance():
            return queued  # samples are appended: none replaces another
        case m.PreviewChange(interaction):
            return "change", number, interaction
        case m.SetOptions(interaction):
            return "options", number, interaction
        case m.Subscribe():
            return "subscribe", number
        case m.RequestFrames(character, take, first, last, without_layers):
            return "frames", number, character, take, first, last, without_layers
        case m.RequestKeys(character, take):
            return "keys", number, character, take
        case m.RequestFootplants() | m.RequestProposedEvents() | m.RequestRestOverlays():
            return type(queued.message), number
        case _:
            return None


class Command(NamedTuple):
    """How a kind of message is handled, and whether clients that may only view can send it."""

    handle: Callable[[Client, Any], None]
    for_viewers: bool = False


class DocumentWorker:
    """Owns the open document. `start` it, then `join` clients and `receive` their messages."""

    def __init__(self, document: Document, folder: Folder, state: Path) -> None:
        self._queue = MessageQueue()
        self.opened = OpenDocument(document)
        self.presence = Presence(self.opened.subscriptions)
        self.interactions = Interactions(self.opened, self.post, self.presence)
        self.jobs = Jobs(self.opened, self.post)
        self.files = FileCommands(self.opened, self.jobs, self.post, folder, state)
        self.footplants = FootplantRequests(self.opened, self.post)
        self.questions = Questions(self.opened, self.post)
        self.reductions = Reductions(self.opened, self.post)
        self.slow_changes = SlowChanges(self.opened, self.jobs, self.reductions)
        self.further_solves = FurtherSolves(
            self.opened, self.jobs, lambda: self.interactions.committed
        )
        self.phone: m.PhoneLink | None = None  # set before the first client joins
        self.commands = self._commands()
        self._client_numbers = count(1)
        self._ended = False
        self._thread = Thread(target=self._run, name="document worker", daemon=True)

    def _commands(self) -> dict[type[Any], Command]:
        """Every message a client can send, and its handler."""
        interactions, files, reductions = self.interactions, self.files, self.reductions
        return {
            m.Introduce: Command(self.presence.introduce, for_viewers=True),
            m.Subscribe: Command(self._subscribe, for_viewers=True),
            m.RequestFrames: Command(self._send_frames, for_viewers=True),
            m.RequestKeys: Command(self._send_keys, for_viewers=True),
            m.RequestPose: Command(self.opened.send_pose),
            m.RequestFootplants: Command(self.footplants.request, for_viewers=True),
            **dict.fromkeys(QUESTIONS, Command(self.questions.request, for_viewers=True)),
            m.RequestReduction: Command(reductions.request),
            m.CancelReduction: Command(lambda client, _: reductions.cancel(client)),
            m.BeginInteraction: Command(interactions.begin),
            **dict.fromkeys(GESTURES, Command(interactions.update)),
            m.SetOptions: Command(interactions.set_options),
            m.PreviewChange: Command(interactions.preview_change),
            m.CommitInteraction: Command(interactions.commit),
            m.CancelInteraction: Command(interactions.cancel),
            m.AcceptOffer: Command(interactions.accept_offer),
            m.SolveFurther: Command(self.further_solves.start),
            m.ApplyChange: Command(self._apply_change),
            m.ApplyChanges: Command(self._apply_changes),
            m.Undo: Command(lambda client, _: self._travel(client, self.opened.undo)),
            m.Redo: Command(lambda client, _: self._travel(client, self.opened.redo)),
            m.GoToStep: Command(self._go_to_step),
            m.Open: Command(files.open),
            m.DiscardRecovered: Command(files.discard_recovered),
            m.ImportUpload: Command(files.import_upload),
            **dict.fromkeys(REPLACEMENTS, Command(files.replace)),
            m.Save: Command(files.save),
            m.Export: Command(files.export),
            m.ListFolder: Command(files.list_folder),
            m.CancelJob: Command(lambda _, message: self.jobs.cancel(message.job)),
        }

    # Called from any thread.

    def start(self) -> None:
        """Start the threads."""
        self.interactions.start()
        self._thread.start()

    def stop(self) -> None:
        """Handle what is queued, then end; jobs are cancelled."""
        self.post(self._end)
        self._thread.join()
        self.interactions.stop()
        for each in (self.jobs, self.footplants, self.questions, self.reductions, self.files):
            each.close()

    def post(self, action: Callable[[], None]) -> None:
        """Run an action on the worker's thread."""
        self._queue.put(QueuedMessage(action))

    def join(
        self, wake: Callable[[], None], call_soon: CallSoon = call_now, role: m.Role = "edit"
    ) -> Client:
        """Add a client; it is sent the document first."""
        client = Client(next(self._client_numbers), wake, call_soon, role)
        self.post(lambda: self._welcome(client))
        return client

    def leave(self, client: Client) -> None:
        """Remove a client; its interactions are cancelled."""
        self.post(lambda: self._remove(client))

    def receive_data(self, client: Client, data: str | bytes) -> None:
        """Queue an encoded message; what is not understood is answered and ignored."""
        try:
            self.receive(client, decode_client(data))
        except (msgspec.DecodeError, BadValue, UnicodeError, RecursionError) as error:
            log.warning("client %d: message refused: %s", client.number, error)
            client.send(m.Failure(text=_explained(error)))

    def receive(self, client: Client, message: AnyClientMessage) -> None:
        """Queue a message of a client."""
        if client.role == "view" and not self.commands[type(message)].for_viewers:
            client.send(m.Failure(text=VIEW_ONLY))
        elif not self._queue.put(QueuedMessage(message, client)):
            client.send(m.Failure(text="Too many requests at once; the last one was ignored."))

    # All that follows runs on the worker's thread.

    def _run(self) -> None:
        while not self._ended:
            queued = self._queue.take(self.interactions.timeout())
            if queued is None:
                self.interactions.idle()
                continue
            before = self.opened.document.history
            try:
                self._handle(queued)
            except ArcwrightError as error:
                self._fail(queued, str(error))
            except Exception:
                log.exception("document worker")
                unchanged = self.opened.document.history is before
                self._fail(queued, _UNCHANGED if unchanged else _NOT_SHOWN)

    def _handle(self, queued: QueuedMessage) -> None:
        message, client = queued.message, queued.client
        if client is None or callable(message):
            assert callable(message)
            message()
        else:
            self.commands[type(message)].handle(client, message)

    def _fail(self, queued: QueuedMessage, text: str) -> None:
        log.info("refused: %s", text)
        send = queued.client.send if queued.client else self.opened.subscriptions.broadcast
        send(m.Failure(text=text))

    def _end(self) -> None:
        self._ended = True
        self.opened.close()

    def _welcome(self, client: Client) -> None:
        client.send(
            m.Welcome(
                version=__version__,
                window=client.number,
                tools=info.tool_infos(),
                constraint_kinds=kind_infos(),
                built_ins=info.built_ins(),
                recent=self._recent() if client.role == "edit" else [],
                folder=self.files.folder.displayed_name if client.role == "edit" else "",
                role=client.role,
                phone=self.phone if client.role == "edit" else None,
            )
        )
        self.opened.add_client(client)

    def _recent(self) -> list[m.RecentInfo]:
        """A state folder that cannot be read must not keep a client from the document."""
        try:
            return self.files.recent()
        except Exception:
            log.exception("recent documents")
            return []

    def _remove(self, client: Client) -> None:
        self.interactions.remove_client(client)
        self.presence.remove(client)
        self.opened.subscriptions.remove(client)

    def _subscribe(self, client: Client, message: m.Subscribe) -> None:
        self.opened.subscriptions.subscribe(client, message, self.opened.scene)
        self.interactions.subscriptions_changed()

    def _send_frames(self, client: Client, request: m.RequestFrames) -> None:
        layouts = self.opened.document.model.layouts
        self.opened.subscriptions.send_frames(client, request, self.opened.scene, layouts)
        self.interactions.subscriptions_changed()

    def _send_keys(self, client: Client, request: m.RequestKeys) -> None:
        self.opened.subscriptions.send_keys(client, request, self.opened.scene)
        self.interactions.subscriptions_changed()

    def _apply_change(self, client: Client, message: m.ApplyChange) -> None:
        if is_slow(message.change):
            self.slow_changes.start(client, message.change)
        else:
            self.opened.apply(changes.edit_of(self.opened.scene, message.change))

    def _apply_changes(self, _: Client, message: m.ApplyChanges) -> None:
        slow = [type(each).__name__ for each in message.changes if is_slow(each)]
        if slow:
            raise BadValue("changes", "quick ones; apply a slow one on its own", slow[0])
        self.opened.apply(changes.edit_of_all(self.opened.scene, message.changes))

    def _go_to_step(self, client: Client, message: m.GoToStep) -> None:
        self._travel(client, lambda: self.opened.go_to_step(message.step))

    def _travel(self, client: Client, act: Callable[[], None]) -> None:
        """Undo or redo; first the client's own drags are cancelled, and recordings go on."""
        self.interactions.cancel_drags(client)
        act()


def _explained(error: Exception) -> str:
    if "`array` of length <=" in str(error):
        return f"Too many keys for one step: select at most {MOST_KEYS:,} keys."
    return f"A message was not understood and was ignored: {error}"
