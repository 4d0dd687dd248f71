"""Serving: uvicorn behind an accept loop that slow and hostile clients cannot block.

Connections are counted when they are accepted, before TLS, and those that keep the server waiting
are ended. asyncio's own accept loop logs thousands of tracebacks a second once a process runs out
of descriptors, and uvicorn has no timeouts but for idle connections.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import time
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from ssl import SSLContext
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import HANDLED_SIGNALS

from arcwright.server.transport.limits import HEAD_TIMEOUT, Connection, Limits

log = logging.getLogger("arcwright.studio")

SETTINGS: dict[str, Any] = {
    "http": "h11",
    "ws": "websockets-sansio",
    "lifespan": "off",
    "log_config": None,
    "access_log": False,
    "ws_per_message_deflate": False,
    "ws_max_size": 2 << 20,  # bytes
    "timeout_graceful_shutdown": 2,
    "server_header": False,
    "proxy_headers": False,
}
_TLS_END = 5.0  # s for the closing handshake
_TICKS_BETWEEN_CHECKS = 10  # of slow connections; a tick is a tenth of a second
_RETRY = 1.0  # s until the next try where the system has no room for a connection
_FULL = 0.1  # s until the next look whether there is room
_REFUSED = 0.005  # s, so that refusing costs little however fast they come


class Server(uvicorn.Server):
    """Serves an application on one listening socket, within limits."""

    def __init__(self, app: ASGIApp, limits: Limits, **own: Any) -> None:
        super().__init__(uvicorn.Config(app, **(SETTINGS | own)))
        self.limits = limits
        self.open: set[Connection] = set()
        self.ended_by: int | None = None  # a signal
        self._addresses: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until `should_exit`; on a selector loop, whose sockets count their bytes."""
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(self.serve(sockets))

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals end the server and nothing else: who started it cleans up and ends itself."""
        if current_thread() is not main_thread():
            yield
            return
        before = {each: signal.signal(each, self.handle_exit) for each in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, _: FrameType | None) -> None:
        """End; at a second signal at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self.ended_by = sig

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept."""
        self.servers = []
        for each in sockets or []:
            each.setblocking(False)
            self._start(self._accept(each))
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, then end what is open."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second; now and then slow connections are ended."""
        if counter % _TICKS_BETWEEN_CHECKS == 0:
            self._end_slow(time.monotonic())
        return await super().on_tick(counter)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            if len(self.open) >= self.limits.total:
                log.warning("%d connections are open: further ones have to wait", self.limits.total)
                while len(self.open) >= self.limits.total:
                    await asyncio.sleep(_FULL)
            try:
                accepted, address = await loop.sock_accept(listening)
            except OSError as error:
                log.warning("a connection could not be accepted: %s", error.strerror)
                await asyncio.sleep(_RETRY)
                continue
            if self._addresses[address[0]] >= self.limits.per_address:
                log.warning("refused: too many connections of one address (%s)", address[0])
                accepted.close()
                await asyncio.sleep(_REFUSED)
            else:
                self._start(self._take(self._counted(accepted, address[0])))

    def _counted(self, accepted: socket.socket, address: str) -> Connection:
        """Counted before anything is awaited: many may be accepted without a pause."""
        connection = Connection(accepted, address, self._closed)
        self.open.add(connection)
        self._addresses[address] += 1
        return connection

    async def _take(self, connection: Connection) -> None:
        tls: SSLContext | None = self.config.ssl
        timeouts = {"ssl_handshake_timeout": HEAD_TIMEOUT, "ssl_shutdown_timeout": _TLS_END}
        loop = asyncio.get_running_loop()
        http = H11Protocol(self.config, self.server_state, self.lifespan.state, loop)
        connection.http = http
        try:
            await loop.connect_accepted_socket(
                lambda: http, connection, ssl=tls, **(timeouts if tls else {})
            )
        except (OSError, EOFError) as error:  # TLS errors are of these, too
            log.info("refused: no TLS handshake (%s)", error)
            loop.call_soon(connection.close)  # after the transport, which has it in its loop

    def _closed(self, connection: Connection) -> None:
        if connection in self.open:
            self.open.remove(connection)
            self._addresses[connection.address] -= 1
            if not self._addresses[connection.address]:
                del self._addresses[connection.address]

    def _end_slow(self, now: float) -> None:
        for connection in list(self.open):
            what = connection.overdue(now)
            if what is not None and connection.http is not None:
                log.warning("closed: %s takes too long for %s", connection.address, what)
                connection.http.transport.abort()
