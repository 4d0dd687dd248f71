"""Presence: who is connected, and which character each client edits."""

from __future__ import annotations

from arcwright.server import messages as m
from arcwright.server.document.subscriptions import Client, Subscriptions


class Presence:
    """Sends clients who is there, whenever that changes: those who introduced themselves."""

    def __init__(self, subscriptions: Subscriptions) -> None:
        self._subscriptions = subscriptions
        self._clients: dict[Client, m.ClientInfo] = {}

    def introduce(self, client: Client, message: m.Introduce) -> None:
        """A client says what it is."""
        self._clients[client] = m.ClientInfo(client.number, message.kind, client.role, "")
        self._broadcast()

    def remove(self, client: Client) -> None:
        """A client has gone."""
        if self._clients.pop(client, None) is not None:
            self._broadcast()

    def set_editing(self, client: Client, character: str) -> None:
        """A client has begun to edit a character, or, with "", ended it."""
        info = self._clients.get(client)
        if info is not None and info.editing != character:
            info.editing = character
            self._broadcast()

    def _broadcast(self) -> None:
        message = m.Clients(clients=list(self._clients.values()))
        self._subscriptions.broadcast(message, topic="clients")
