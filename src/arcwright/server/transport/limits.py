"""Limits on connections: how many there may be, and how long each may take."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HEAD_TIMEOUT = 10.0  # s from accept, TLS handshake included, to a complete request head
PROGRESS_TIMEOUT = 20.0  # s in which a body, or what waits for a reader, must go on
PROGRESS_BYTES = 4096  # by at least this much


@dataclass(frozen=True)
class Limits:
    """How many connections there may be at once."""

    total: int
    per_address: int


def descriptor_limit() -> int:
    """How many files and sockets this process may have open."""
    try:
        import resource
    except ImportError:  # Windows: as many as `select` takes
        return 512
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 4096 if soft == resource.RLIM_INFINITY else soft


def loopback_limits() -> Limits:
    """Half of the descriptors at most; all clients have the same address."""
    total = min(256, descriptor_limit() // 2)
    return Limits(total, total)


def network_limits() -> Limits:
    """A quarter of the descriptors at most, so that the owner can always connect."""
    total = min(128, descriptor_limit() // 4)
    return Limits(total, max(total // 4, 8))


@dataclass(frozen=True)
class _Wait:
    """Something that a client has to do."""

    what: str
    request: int  # which one of the connection
    bytes: int | None  # moved so far; None for a head, which must come whole
    since: float = 0.0


class Connection(socket.socket):
    """An accepted socket that counts its bytes and reports when it is closed."""

    def __init__(
        self, accepted: socket.socket, address: str, on_close: Callable[[Connection], None]
    ) -> None:
        family, kind, protocol = accepted.family, accepted.type, accepted.proto
        super().__init__(family, kind, protocol, accepted.detach())
        self.setblocking(False)
        self.address = address
        self.accepted_at = time.monotonic()
        self.http: H11Protocol | None = None
        self.bytes_in = self.bytes_out = 0
        self._on_close = on_close
        self._wait: _Wait | None = None

    def recv(self, *given: Any) -> bytes:
        """Receive and count."""
        data = super().recv(*given)
        self.bytes_in += len(data)
        return data

    def recv_into(self, *given: Any) -> int:
        """Receive and count."""
        count = super().recv_into(*given)
        self.bytes_in += count
        return count

    def send(self, *given: Any) -> int:
        """Send and count."""
        count = super().send(*given)
        self.bytes_out += count
        return count

    def sendmsg(self, *given: Any) -> int:
        """Send and count."""
        count = super().sendmsg(*given)
        self.bytes_out += count
        return count

    def close(self) -> None:
        """Close and report it."""
        super().close()
        self._on_close(self)

    def overdue(self, now: float) -> str | None:
        """What the client takes too long for, if anything."""
        awaited = self._awaited()
        if awaited is None:
            self._wait = None
            return None
        last = self._wait
        if last is None or (last.what, last.request) != (awaited.what, awaited.request):
            since = self.accepted_at if awaited.what == "its first request" else now
            last = self._wait = replace(awaited, since=since)
        if awaited.bytes is None:
            return awaited.what if now - last.since > HEAD_TIMEOUT else None
        if awaited.bytes - (last.bytes or 0) >= PROGRESS_BYTES:
            self._wait = replace(awaited, since=now)
            return None
        return awaited.what if now - last.since > PROGRESS_TIMEOUT else None

    def _awaited(self) -> _Wait | None:
        """What the client has to do next; None where the server has to."""
        http = self.http
        if http is None or http.transport is None:
            return None  # the TLS handshake, which has a timeout of its own
        if http.transport.is_closing():
            return _Wait("reading the end", 0, self.bytes_out)
        protocol, request = http.transport.get_protocol(), id(http.cycle)
        if isinstance(protocol, WebSocketsSansIOProtocol):
            reads = protocol.writable.is_set()
            return None if reads else _Wait("reading messages", 0, self.bytes_out)
        if http.flow.write_paused:
            return _Wait("reading a response", request, self.bytes_out)
        their = http.conn.their_state
        if their is h11.SEND_BODY and not http.flow.read_paused:
            return _Wait("the body of a request", request, self.bytes_in)
        answered = http.cycle is None or http.cycle.response_complete
        if their is h11.IDLE and answered and http.timeout_keep_alive_task is None:
            return _Wait("its next request" if http.cycle else "its first request", request, None)
        return None
