"""A WebSocket client that costs next to nothing: it notes previews and skips everything else."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
import time
from collections import Counter
from typing import NamedTuple
from urllib.parse import urlsplit

from arcwright.server import messages as m
from arcwright.server.messages import encoding

_TYPE = b'{"type":"'
_NO_MASK = bytes(4)  # a key of zeros: masking changes nothing


class Seen(NamedTuple):
    """A preview, and when it came."""

    when: float  # s, time.perf_counter(), which all processes of a machine share
    interaction: int
    reached: tuple[float, float, float]


class LightClient(asyncio.Protocol):
    """One connection; `opening` is sent as soon as the document came.

    One that `reads` decodes every message as a whole: slower, more like a page.
    """

    def __init__(
        self, address: str, opening: list[m.ClientMessage], *, reads: bool = False
    ) -> None:
        self.seen: list[Seen] = []
        self.received: Counter[str] = Counter()  # messages by kind
        self.size = 0  # bytes of them
        self.last: dict[str, m.ServerMessage] = {}  # the last message of some kinds
        self._address = urlsplit(address)
        self._opening = opening
        self._reads = reads
        self._buffer = bytearray()
        self._upgraded = False
        self._news = asyncio.Event()

    async def connect(self) -> LightClient:
        """Come in, ask what a page asks for, and wait until all of it came."""
        host, port = self._address.hostname, self._address.port
        await asyncio.get_running_loop().create_connection(lambda: self, host, port)
        asked = Counter(type(message).__name__ for message in self._opening)
        shown = sum(
            len(message.points) for message in self._opening if isinstance(message, m.Subscribe)
        )
        await self.until(lambda: self.received["Document"] > 0)
        self.send(*self._opening)
        await self.until(
            lambda: (
                self.received["Keys"] >= asked["RequestKeys"]
                and self.received["Frames"] >= asked["RequestFrames"]
                and self.received["Curve"] >= shown
            )
        )
        return self

    async def until(self, holds, seconds: float = 60.0) -> None:
        """Wait until something holds; it is looked at whenever a message came."""
        async with asyncio.timeout(seconds):
            while not holds():
                self._news.clear()
                await self._news.wait()

    def send(self, *messages: m.ClientMessage) -> None:
        """Send messages."""
        for message in messages:
            self._send(0x1, encoding.encode_client(message))

    def close(self) -> None:
        """Leave."""
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        at = self._address
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /wire?{at.query} HTTP/1.1\r\nHost: {at.netloc}\r\nOrigin: http://{at.netloc}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Note what came."""
        self._buffer += data
        if not self._upgraded:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            status = bytes(self._buffer[: self._buffer.find(b"\r\n")])
            if b" 101 " not in status:
                raise SystemExit(f"the studio refused: {status.decode()}")
            self._upgraded = True
            del self._buffer[: end + 4]
        while self._frame():
            pass
        self._news.set()

    def _frame(self) -> bool:
        """Take one frame from the buffer, if it is there as a whole."""
        buffer = self._buffer
        if len(buffer) < 2:
            return False
        head, size = 2, buffer[1]
        if size >= 126:
            head, form = (4, ">H") if size == 126 else (10, ">Q")
            if len(buffer) < head:
                return False
            (size,) = struct.unpack_from(form, buffer, 2)
        if len(buffer) < head + size:
            return False
        kind = buffer[0] & 0xF
        if kind == 0x9:
            self._send(0xA, bytes(buffer[head : head + size]))
        elif kind == 0x2:
            self._note(head, size)
        del buffer[: head + size]
        return True

    def _note(self, head: int, size: int) -> None:
        start = head + 4 + len(_TYPE)
        kind = self._buffer[start : self._buffer.find(b'"', start)].decode()
        self.received[kind] += 1
        self.size += size
        if kind == "Preview":
            now = time.perf_counter()
            message, _ = encoding.decode(bytes(self._buffer[head : head + size]))
            assert isinstance(message, m.Preview)
            self.seen.append(Seen(now, message.interaction, message.drag.position))
        elif kind in ("Failure", "InteractionEnded", "Download"):
            self.last[kind], _ = encoding.decode(bytes(self._buffer[head : head + size]))
        elif self._reads:
            encoding.decode(bytes(self._buffer[head : head + size]))

    def _send(self, kind: int, data: bytes) -> None:
        size = len(data)
        head = struct.pack(">BB", 0x80 | kind, 0x80 | size) if size < 126 else None
        head = head or struct.pack(">BBH", 0x80 | kind, 0x80 | 126, size)
        self._transport.write(head + _NO_MASK + data)
