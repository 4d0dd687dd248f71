"""A connection: one WebSocket and the window behind it."""

from __future__ import annotations

import asyncio
import logging

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from arcwright.server import messages as m
from arcwright.server.document.client import Window
from arcwright.server.messages.common import MOST_KEYS
from arcwright.server.messages.encoding import said
from arcwright.server.transport.access import VIEW_ONLY, Role, may_say
from arcwright.server.worker import Desk

log = logging.getLogger("arcwright.studio")

TOO_SLOW = 1013  # "try again later": the page comes back and is told everything anew


async def connect(socket: WebSocket, desk: Desk, role: Role) -> None:
    """Serve one client until it disconnects."""
    await socket.accept()
    loop, news = asyncio.get_running_loop(), asyncio.Event()
    window = desk.join(news.set, loop.call_soon_threadsafe, role)
    sending = asyncio.create_task(_send(socket, window, news))
    try:
        await _listen(socket, window, desk)
    finally:
        desk.leave(window)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _listen(socket: WebSocket, window: Window, desk: Desk) -> None:
    while True:
        try:
            heard = await socket.receive()
        except RuntimeError:  # closed from this side
            return
        if heard["type"] == "websocket.disconnect":
            return
        try:
            message = said(heard.get("text") or heard.get("bytes") or b"")
            if may_say(window.role, message):
                desk.hear(window, message)
            else:
                window.say(m.Failure(text=VIEW_ONLY))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            log.warning("window %d: message refused: %s", window.number, error)
            window.say(m.Failure(text=_explained(error)))


def _explained(error: Exception) -> str:
    if "`array` of length <=" in str(error):
        return f"That is too much for one step: select less, at most {MOST_KEYS:,} keys at once."
    return f"A message was not understood and left out: {error}"


async def _send(socket: WebSocket, window: Window, news: asyncio.Event) -> None:
    """What waits is sent one after the other; the socket says when it can take more."""
    try:
        while not window.lost:
            await news.wait()
            news.clear()
            while (data := window.next()) is not None:
                await socket.send_bytes(data)
        log.warning("window %d is too slow and is let go", window.number)
        await socket.close(TOO_SLOW)
    except (WebSocketDisconnect, RuntimeError):
        return
