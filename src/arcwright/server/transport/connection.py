"""A connection: one WebSocket and the client behind it."""

from __future__ import annotations

import asyncio
import logging

from starlette.websockets import WebSocket, WebSocketDisconnect

from arcwright.server.document.subscriptions import Client
from arcwright.server.messages import Role
from arcwright.server.worker import DocumentWorker

log = logging.getLogger("arcwright.studio")

TOO_SLOW = 1013  # "try again later": the page connects again and is sent everything


async def connect(socket: WebSocket, worker: DocumentWorker, role: Role) -> None:
    """Serve one WebSocket client until it disconnects."""
    await socket.accept()
    loop, queued = asyncio.get_running_loop(), asyncio.Event()
    client = worker.join(queued.set, loop.call_soon_threadsafe, role)
    sending = asyncio.create_task(_send(socket, client, queued))
    try:
        await _receive(socket, client, worker)
    finally:
        worker.leave(client)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _receive(socket: WebSocket, client: Client, worker: DocumentWorker) -> None:
    while True:
        try:
            received = await socket.receive()
        except RuntimeError:  # closed from this side
            return
        if received["type"] == "websocket.disconnect":
            return
        worker.receive_data(client, received.get("text") or received.get("bytes") or b"")


async def _send(socket: WebSocket, client: Client, queued: asyncio.Event) -> None:
    """Send queued messages one after the other, as fast as the socket takes them."""
    try:
        while not client.too_slow:
            await queued.wait()
            queued.clear()
            while (data := client.next_message()) is not None:
                await socket.send_bytes(data)
        log.warning("client %d is too slow and was disconnected", client.number)
        await socket.close(TOO_SLOW)
    except (WebSocketDisconnect, RuntimeError):
        return
