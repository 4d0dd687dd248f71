"""Presence: who is connected, and which character each client edits."""

from __future__ import annotations

from collections.abc import Mapping

from arcwright.server import messages as m
from arcwright.server.document.subscriptions import Client, Subscriptions


class Presence:
    """Tells every client who else is there, whenever that changes."""

    def __init__(self, subscriptions: Subscriptions) -> None:
        self._subscriptions = subscriptions
        self._kinds: dict[Client, m.ClientKind] = {}
        self._sent: list[m.ClientInfo] = []

    def introduce(self, client: Client, message: m.Introduce) -> None:
        """A client says what it is; it is sent the others."""
        self._kinds[client] = message.kind
        client.send(m.Clients(clients=self._sent))

    def remove(self, client: Client) -> None:
        """A client has gone."""
        self._kinds.pop(client, None)

    def update(self, editing: Mapping[Client, str]) -> None:
        """Broadcast the clients, if they changed; `editing` names the character of each."""
        now = [
            m.ClientInfo(client.number, kind, client.role, editing.get(client, ""))
            for client, kind in self._kinds.items()
        ]
        if now != self._sent:
            self._sent = now
            self._subscriptions.broadcast(m.Clients(clients=now), topic="clients")
