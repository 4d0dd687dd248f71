"""Slow clients: connections that begin something and never end it."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

# The begin of a TLS handshake: a record of 512 bytes is announced, 5 of them come.
HALF_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03"
Attack = Callable[["Slow"], Awaitable[None]]


class Slow:
    """Many connections to a shared studio, from this machine; `link` has the guest's token."""

    def __init__(self, link: str, count: int) -> None:
        parts = urlsplit(link)
        self.host, self.port, self.query = str(parts.hostname), int(parts.port or 443), parts.query
        self.count = count
        self.refused = 0  # connections that the studio ended
        self._writers: list[asyncio.StreamWriter] = []

    async def attack(self, kind: str, seconds: float) -> None:
        """Open all connections at once and hold them for so long."""
        begun = [asyncio.create_task(self._hold(ATTACKS[kind])) for _ in range(self.count)]
        await asyncio.sleep(seconds)
        for each in begun:
            each.cancel()
        await asyncio.gather(*begun, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()

    async def _hold(self, act: Attack) -> None:
        with contextlib.suppress(OSError, EOFError, asyncio.IncompleteReadError):
            await act(self)
        self.refused += 1

    async def connect(self, *, tls: bool = True) -> tuple[asyncio.StreamReader, Line]:
        """One connection, over TLS without a look at the certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, ssl=context if tls else None
        )
        self._writers.append(writer)
        return reader, Line(writer, f"{self.host}:{self.port}")


class Line:
    """What is sent over one connection."""

    def __init__(self, writer: asyncio.StreamWriter, host: str) -> None:
        self.writer, self.host = writer, host

    async def send(self, text: str | bytes) -> None:
        self.writer.write(text if isinstance(text, bytes) else text.encode())
        await self.writer.drain()

    def head(self, line: str, *headers: str) -> str:
        return "\r\n".join([f"{line} HTTP/1.1", f"Host: {self.host}", *headers])


async def silent(slow: Slow) -> None:
    reader, _ = await slow.connect(tls=False)
    await reader.readexactly(1)


async def half_handshake(slow: Slow) -> None:
    reader, line = await slow.connect(tls=False)
    await line.send(HALF_HELLO)
    await reader.readexactly(1)


async def silent_over_tls(slow: Slow) -> None:
    reader, _ = await slow.connect()
    await reader.readexactly(1)


async def half_request_line(slow: Slow) -> None:
    reader, line = await slow.connect()
    await line.send("GET /asse")
    await reader.readexactly(1)


async def half_headers(slow: Slow) -> None:
    reader, line = await slow.connect()
    await line.send(line.head("GET /") + "\r\nAccept: */*\r\nX-")
    await reader.readexactly(1)


async def a_byte_a_second(slow: Slow) -> None:
    reader, line = await slow.connect()
    ended = asyncio.create_task(reader.read(1))
    for letter in line.head("GET /" + "a" * 1000):
        await line.send(letter)
        if ended in (await asyncio.wait([ended], timeout=1.0))[0]:
            return


async def half_upload(slow: Slow) -> None:
    reader, line = await slow.connect()
    length = "Content-Length: 1000000"
    await line.send(line.head(f"POST /upload?name=a.bvh&{slow.query}", length) + "\r\n\r\nHIER")
    await reader.read()


async def half_websocket(slow: Slow) -> None:
    reader, line = await slow.connect()
    upgrade = "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"
    await line.send(line.head(f"GET /wire?{slow.query}", *upgrade) + "\r\nSec-")
    await reader.readexactly(1)


async def never_reads(slow: Slow) -> None:
    """A client that requests poses for ever and reads none of them."""
    _, line = await slow.connect()
    line.writer.transport.pause_reading()  # type: ignore[attr-defined]
    upgrade = "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    await line.send(line.head(f"GET /wire?{slow.query}", *upgrade, key) + "\r\n\r\n")
    while True:
        for first in range(40):  # different ones, so that they do not supersede each other
            about = '"character":"biped","take":"walk"'
            said = f'{{"type":"RequestFrames",{about},"first":{first},"last":99}}'
            await line.send(masked(said.encode()))
        await asyncio.sleep(0.2)


def masked(payload: bytes) -> bytes:
    """A text frame as clients send it, with a mask of zeros."""
    size = len(payload)
    head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
    return head + bytes(4) + payload


ATTACKS: dict[str, Attack] = {
    "silent": silent,
    "half a TLS handshake": half_handshake,
    "silent over TLS": silent_over_tls,
    "half a request line": half_request_line,
    "half the headers": half_headers,
    "a byte a second": a_byte_a_second,
    "half an upload": half_upload,
    "half a WebSocket handshake": half_websocket,
    "a window that never reads": never_reads,
}
