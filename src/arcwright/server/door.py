"""The door: who may come in, what the page may do, and how fast anybody may talk.

Everybody needs the token, also on this machine: other users and other pages are here too. A page
has it in its address and says it with all it asks for. (A cookie would go to every other server of
this machine.) `Host` must be a name of ours, or a foreign name could be pointed here; `Origin`,
where there is one, must be us.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import time
from collections.abc import Iterable
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arcwright.server.names import spoken

log = logging.getLogger("arcwright.studio")

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MOST_WINDOWS = 32
RATE = 1000.0  # messages a second of one window that are heard at once
BURST = 2000.0
_PUBLIC = ("/assets/", "/favicon")  # the page's code, which is the same for everybody
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?")
_REFUSED = 1008  # "policy violation"
_ADVICE = "Open the address that was printed when the studio started; it ends in ?token=..."


class Door:
    """Stands before the application. `hosts` are the names by which it may be called."""

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str] = LOOPBACK) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = frozenset(hosts)
        self._windows = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through or send it away."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        fault = self._fault(_headers(scope), scope)
        if fault is not None:
            log.warning("refused: %s (%s)", fault, spoken(scope.get("path", "")))
            await _turn_away(fault, scope, receive, send)
        elif scope["type"] == "http":
            await self._app(scope, receive, _dressed(scope, send))
        else:
            await self._with_window(scope, receive, send)

    def _fault(self, headers: dict[str, list[str]], scope: Scope) -> str | None:
        """Why a request may not come in."""
        called = headers.get("host", [])
        if len(called) != 1 or _hostname(called[0]) not in self._hosts:
            return f"called by a foreign name: {spoken(', '.join(called))}"
        scheme = "https" if scope["scheme"] in ("https", "wss") else "http"
        for origin in headers.get("origin", []):
            if origin.lower() != f"{scheme}://{called[0]}".lower():
                return f"asked by another page: {spoken(origin)}"
        if not _public(scope) and not any(self._fits(word) for word in _words(scope)):
            return "without the right token"
        if scope["type"] == "websocket" and self._windows >= MOST_WINDOWS:
            return "too many windows"
        return None

    def _fits(self, word: str) -> bool:
        return hmac.compare_digest(word.encode("utf-8", "replace"), self._token)

    async def _with_window(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._windows += 1
        try:
            await self._app(scope, _Patient(receive).receive, send)
        finally:
            self._windows -= 1


class _Patient:
    """Hears no more messages a second than a hand can make; what comes faster has to wait."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._left, self._at = BURST, time.monotonic()

    async def receive(self) -> Message:
        now = time.monotonic()
        self._left = min(BURST, self._left + RATE * (now - self._at)) - 1.0
        self._at = now
        if self._left < 0:
            await asyncio.sleep(-self._left / RATE)
        return await self._receive()


def _dressed(scope: Scope, send: Send) -> Send:
    """Answers carry what the page may do."""
    secure = scope["scheme"] == "https"

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _RULES.items():
                headers[name] = value
            headers["content-security-policy"] = policy(_headers(scope)["host"][0], secure)
        await send(message)

    return sending


def policy(host: str, secure: bool) -> str:
    """What the page may load: itself only, and what it made itself (textures, pictures, films)."""
    wire = f"{'wss' if secure else 'ws'}://{host}"  # not every browser counts it as 'self'
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "style-src-attr 'unsafe-inline'",  # panels set widths and colours
            "img-src 'self' blob: data:",
            "media-src 'self' blob:",
            "font-src 'self'",
            f"connect-src 'self' blob: {wire}",  # textures of a GLB are fetched from blobs
            "worker-src 'self' blob:",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ]
    )


_RULES = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",  # the address holds the token
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _hostname(called: str) -> str:
    """`Host` without its port and the brackets of IPv6; "" for what is no such thing."""
    found = _HOST.fullmatch(called.lower())
    return found[1].strip("[]") if found else ""


def _public(scope: Scope) -> bool:
    path = scope["path"]
    return scope["type"] == "http" and path.startswith(_PUBLIC) and ".." not in path


def _words(scope: Scope) -> list[str]:
    """What a request offers as the token."""
    try:
        query = scope.get("query_string", b"").decode("latin-1")
        return parse_qs(query, max_num_fields=20).get("token", [])
    except ValueError:
        return []


async def _turn_away(fault: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": _REFUSED, "reason": fault[:100]})
        return
    advice = _ADVICE if "token" in fault else "This studio does not answer to that."
    await PlainTextResponse(advice + "\n", 403, headers=_RULES)(scope, receive, send)
