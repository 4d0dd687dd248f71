"""Slow clients are ended, many are kept out, and neither holds anybody else up."""

import asyncio
import errno
import socket
import threading
import time
from contextlib import contextmanager

import httpx
import pytest
from starlette.responses import PlainTextResponse
from websockets.sync.client import connect

from arcwright.server.transport import limits, serving
from arcwright.server.transport.limits import (
    Limits,
    descriptor_limit,
    loopback_limits,
    network_limits,
)
from arcwright.server.transport.serving import Server
from arcwright.server.transport.start import listen
from slow import masked

LONG = 60.0  # s; nothing here takes that long unless it is broken
FLOOD = 64 << 20  # bytes, more than the buffers of two sockets hold
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


async def app(scope, receive, send):
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            await send({"type": "websocket.send", "bytes": bytes(FLOOD)})
        return
    if scope["path"] == "/flood":
        await PlainTextResponse("a" * FLOOD)(scope, receive, send)
        return
    while scope["path"] == "/upload" and (await receive()).get("more_body"):
        pass
    await PlainTextResponse("inside")(scope, receive, send)


@contextmanager
def served(total=20, per_address=20, waiting=()):
    """A server within limits, and its address; lines may wait for it already."""
    server = Server(app, Limits(total, per_address), timeout_keep_alive=1)
    with listen("127.0.0.1", 0) as listening:
        address = listening.getsockname()
        for each in waiting:
            each.connect(address)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield server, address
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def short_timeouts(monkeypatch):
    """Nobody is waited for."""
    monkeypatch.setattr(limits, "HEAD_TIMEOUT", 0.2)
    monkeypatch.setattr(limits, "PROGRESS_TIMEOUT", 0.2)
    monkeypatch.setattr(serving, "_TICKS_BETWEEN_CHECKS", 1)


def line(address):
    return socket.create_connection(address, timeout=LONG)


def until(look):
    end = time.monotonic() + LONG
    while not look():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GE",
        b"GET / HTTP/1.1\r\nHost: a\r\nX-",
        b"GET /wire HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-",
        b"POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc",
        b"POST /other HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT",
    ],
)
def test_an_unfinished_request_is_disconnected(short_timeouts, begun):
    with served() as (server, address), line(address) as slow:
        slow.sendall(begun)
        while slow.recv(1000):
            pass
        until(lambda: not server.open)


def test_a_byte_now_and_then_does_not_help(short_timeouts):
    with served() as (_, address), line(address) as slow:
        slow.settimeout(0.05)
        ended = False
        end = time.monotonic() + LONG
        while not ended and time.monotonic() < end:
            try:
                slow.send(b"a")
                ended = not slow.recv(1)
            except TimeoutError:
                pass
            except ConnectionError:
                ended = True
        assert ended


def test_a_client_that_does_not_read_a_response_is_disconnected(short_timeouts):
    with served() as (server, address), line(address) as slow:
        slow.sendall(b"GET /flood HTTP/1.1\r\nHost: a\r\n\r\n")
        until(lambda: server.open)
        until(lambda: not server.open)


def test_a_client_that_does_not_read_messages_is_disconnected(short_timeouts):
    with served() as (server, address), line(address) as slow:
        slow.sendall(UPGRADE)
        assert b" 101 " in slow.recv(1000)
        slow.sendall(masked(b"flood"))
        until(lambda: not server.open)


def test_a_slow_upload_that_goes_on_is_waited_for(short_timeouts, monkeypatch):
    monkeypatch.setattr(limits, "PROGRESS_TIMEOUT", 4.0)
    with served() as (_, address), line(address) as slow:
        slow.sendall(b"POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 16384\r\n\r\n")
        for _ in range(4):
            slow.sendall(b"a" * 4096)
            time.sleep(0.25)  # longer than a head may take
        assert slow.recv(1000).startswith(b"HTTP/1.1 200")


def test_a_connected_client_may_be_silent(short_timeouts):
    with served() as (server, address), connect(f"ws://{address[0]}:{address[1]}/") as window:
        with line(address) as slow:  # ended by a look at all connections
            slow.recv(1)
        until(lambda: len(server.open) == 1)
        assert window.ping().wait(LONG)


def test_one_address_has_only_its_share():
    with served(total=20, per_address=3) as (server, address):
        held = [line(address) for _ in range(3)]
        until(lambda: len(server.open) == 3)
        with line(address) as refused:
            assert refused.recv(1) == b""
        held.pop().close()
        until(lambda: len(server.open) == 2)
        assert httpx.get(f"http://{address[0]}:{address[1]}/").text == "inside"
        for each in held:
            each.close()
        until(lambda: not server._addresses)


def test_those_who_come_all_at_once_are_counted_too():
    crowd = [socket.socket() for _ in range(40)]
    with served(total=20, per_address=5, waiting=crowd) as (server, _):
        for each in crowd[5:]:
            each.settimeout(LONG)
            assert each.recv(1) == b""
        assert len(server.open) == 5
    for each in crowd:
        each.close()


def test_where_all_places_are_taken_others_wait_until_one_is_free():
    with served(total=3) as (server, address):
        held = [line(address) for _ in range(3)]
        until(lambda: len(server.open) == 3)
        with line(address) as waits:
            waits.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            held[0].close()
            assert waits.recv(1000).startswith(b"HTTP/1.1 200")
        for each in held:
            each.close()


def test_without_a_free_descriptor_accepting_continues_later_and_logs_once(monkeypatch, caplog):
    tries = []

    async def scarce(self, listening, accept=asyncio.SelectorEventLoop.sock_accept):
        tries.append(1)
        if len(tries) <= 2:
            raise OSError(errno.EMFILE, "Too many open files")
        return await accept(self, listening)

    monkeypatch.setattr(serving, "_RETRY", 0.01)
    monkeypatch.setattr(asyncio.SelectorEventLoop, "sock_accept", scarce)
    with served() as (_, address):
        assert httpx.get(f"http://{address[0]}:{address[1]}/").text == "inside"
    message = [each for each in caplog.records if "Too many open files" in each.getMessage()]
    assert [each.exc_info for each in message] == [None, None]


@pytest.mark.parametrize("soft", [256, 1024, 1 << 20])
def test_the_network_never_gets_the_descriptors_of_the_owner(monkeypatch, soft):
    monkeypatch.setattr(limits, "descriptor_limit", lambda: soft)
    network, own = network_limits(), loopback_limits()
    assert network.total + own.total <= 0.75 * soft
    assert network.per_address <= network.total / 4
    assert network.per_address >= 16  # a browser with two windows, before it is let in


def test_the_limit_of_descriptors_is_known():
    assert descriptor_limit() >= 64
