"""A client without a WebSocket: it posts its messages and polls for those of the server.

Messages are those of the socket. Both sides number theirs from 1 on and repeat what was not
confirmed, so that a request that is lost, or made twice, loses and doubles nothing. A body is the
u32 number of its first message, then for each message its u32 length and bytes; little-endian.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import struct
from collections.abc import AsyncIterator
from contextlib import suppress

from arcwright.errors import ArcwrightError
from arcwright.server import messages as m
from arcwright.server.document.subscriptions import Client
from arcwright.server.transport.rate_limit import TokenBucket
from arcwright.server.worker import DocumentWorker

log = logging.getLogger("arcwright.studio")

MAX_CONNECTIONS = 16
MAX_BODY = 2 << 20  # bytes of one request, as of one message over a socket
MAX_MESSAGES = 4000  # of one request, as the worker queues
ANSWER_BYTES = 1 << 20  # a poll is answered with about this much; the next one gets the rest
HOLD = 10.0  # s that a poll waits for a message
PATIENCE = 15.0  # s without a request, after which the client has gone


class Refused(ArcwrightError):
    """A request that cannot be answered, with its HTTP status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class PostConnection:
    """One client that posts and polls; used by the event loop it was opened on only."""

    def __init__(self, posts: Posts, role: m.Role) -> None:
        self.key = secrets.token_urlsafe(24)
        self.role = role
        self.loop = asyncio.get_running_loop()
        self._posts = posts
        self._queued = asyncio.Event()
        self._turn = asyncio.Lock()
        self._bucket = TokenBucket()
        self._polls = 0  # so far; only the last one is answered
        self._received = 0  # messages of the client
        self._confirmed = 0  # messages to the client
        self._sent: list[bytes] = []  # after those
        self.client: Client = posts.worker.join(
            self._queued.set, self.loop.call_soon_threadsafe, role
        )
        self._expiry = self.loop.call_later(PATIENCE, self.close)

    async def receive(self, body: bytes) -> int:
        """Take the messages of a post that are new; how many have come in all."""
        self._keep()
        first, messages = unpacked(body)
        async with self._turn:  # a repeated post may come before the first one is done
            if first > self._received + 1:
                raise Refused(409, f"Message {self._received + 1} was expected, not {first}.")
            for data in messages[self._received + 1 - first :]:
                await self._bucket.take()
                self._received += 1
                self._posts.worker.receive_data(self.client, data)
        return self._received

    async def poll(self, after: int) -> bytes:
        """Messages after one that was received; waits for the first of them."""
        self._keep()
        self._confirm(after)
        self._polls += 1
        own = self._polls
        self._queued.set()  # an older poll ends
        if not self._sent:
            await self._fill(own)
        if own != self._polls:
            return packed(after + 1, [])
        self._keep()
        if self.client.too_slow:
            log.warning("client %d is too slow and was disconnected", self.client.number)
            self.close()
            raise Refused(410, "Too slow: connect again.")
        return packed(self._confirmed + 1, self._sent)

    async def _fill(self, own: int) -> None:
        """Wait for messages, then take them off the queue."""
        with suppress(TimeoutError):
            async with asyncio.timeout(HOLD):
                while own == self._polls and not self.client.too_slow:
                    self._queued.clear()
                    if self._taken():
                        return
                    await self._queued.wait()

    def _taken(self) -> bool:
        size = 0
        while size < ANSWER_BYTES and (data := self.client.next_message()) is not None:
            self._sent.append(data)
            size += len(data)
        return size > 0

    def _confirm(self, after: int) -> None:
        if not self._confirmed <= after <= self._confirmed + len(self._sent):
            raise Refused(409, f"No message {after} was sent that is not confirmed.")
        self._sent = self._sent[after - self._confirmed :]
        self._confirmed = after

    def _keep(self) -> None:
        self._expiry.cancel()
        self._expiry = self.loop.call_later(PATIENCE, self.close)

    def close(self) -> None:
        """The client has gone: its interactions are cancelled."""
        self._expiry.cancel()
        if self._posts.connections.pop(self.key, None) is not None:
            self._posts.worker.leave(self.client)


class Posts:
    """All clients that post and poll."""

    def __init__(self, worker: DocumentWorker) -> None:
        self.worker = worker
        self.connections: dict[str, PostConnection] = {}

    def open(self, role: m.Role) -> PostConnection:
        """A new client."""
        if len(self.connections) >= MAX_CONNECTIONS:
            raise Refused(503, "Too many clients are connected.")
        made = PostConnection(self, role)
        self.connections[made.key] = made
        return made

    def find(self, key: str, role: m.Role) -> PostConnection:
        """The client of a key, for whoever has the role that it was opened with."""
        found = self.connections.get(key)
        if found is None or found.role != role or found.loop is not asyncio.get_running_loop():
            raise Refused(410, "This connection has ended: connect again.")
        return found


async def body_of(stream: AsyncIterator[bytes]) -> bytes:
    """The body of a request, unless it is too large."""
    parts, size = [], 0
    async for part in stream:
        size += len(part)
        if size > MAX_BODY:
            raise Refused(413, f"At most {MAX_BODY:,} bytes can be posted at once.")
        parts.append(part)
    return b"".join(parts)


def packed(first: int, messages: list[bytes]) -> bytes:
    """A body with messages, of which the first one has a number."""
    framed = [part for each in messages for part in (struct.pack("<I", len(each)), each)]
    return b"".join([struct.pack("<I", first), *framed])


def unpacked(body: bytes) -> tuple[int, list[bytes]]:
    """The number of the first message of a body, and the messages."""
    try:
        (first,), at, messages = struct.unpack_from("<I", body), 4, []
        while at < len(body):
            (length,) = struct.unpack_from("<I", body, at)
            messages.append(body[at + 4 : at + 4 + length])
            at += 4 + length
    except struct.error as error:
        raise Refused(400, "This is no list of messages.") from error
    if at != len(body) or first < 1 or not 1 <= len(messages) <= MAX_MESSAGES:
        raise Refused(400, f"This is no list of 1 to {MAX_MESSAGES} numbered messages.")
    return first, messages
