"""Authentication: who may connect, what the page may load, and how fast clients may send.

Every client needs a link, also on this machine, where other users and other pages run, too. Opening
a link exchanges its token for a session cookie and redirects to an address without the token;
scripts may send the token itself. `Host` must be a name of this server, which prevents DNS
rebinding; `Origin`, where there is one, must be this server.
"""

from __future__ import annotations

import hmac
import logging
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arcwright.server.messages import Role
from arcwright.server.messages.common import VIEW_ONLY
from arcwright.server.storage.names import displayed
from arcwright.server.transport.rate_limit import TokenBucket

log = logging.getLogger("arcwright.studio")

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MAX_CLIENTS = 32
PHONE = "/phone"
STAGES = "/stages"
AUTHORITY = "/authority.crt"  # of a shared studio, for browsers that do not trust it
PAGES = ("/", PHONE, STAGES)  # the same page: its path says what it shows
_PUBLIC = ("/assets/", "/favicon")  # the page's code, which is the same for every client
_VIEWER_PATHS = (AUTHORITY, "/assets/", "/favicon", "/model/", "/posts", "/wire")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?")
_REFUSED = 1008  # "policy violation"
_NO_SESSION = "without a session"
_ADVICE = (
    "Open the link that the studio printed when it started (it ends in ?token=...). "
    "If the studio was restarted, open the new link."
)


def _secret() -> str:
    return secrets.token_urlsafe(24)


@dataclass(frozen=True)
class Pass:
    """A role and its secrets, valid as long as the process lives.

    The token of the link is exchanged for a session, which the browser keeps in a cookie: whoever
    learns the cookie does not learn the link.
    """

    role: Role = "edit"
    token: str = field(default_factory=_secret, repr=False)
    session: str = field(default_factory=_secret, repr=False)

    def has_token(self, given: str) -> bool:
        """Compare with the token of the link, in constant time."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def has_session(self, given: str) -> bool:
        """Compare with the session, in constant time."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.session.encode())


def may_fetch(role: Role, path: str) -> bool:
    """Whether a client of this role may request a path."""
    return role == "edit" or path in PAGES or path.startswith(_VIEWER_PATHS)


class Authentication:
    """Middleware in front of the application. `hosts` are the names by which it may be called."""

    def __init__(
        self, app: ASGIApp, passes: Sequence[Pass], hosts: Iterable[str] = LOOPBACK
    ) -> None:
        self._app = app
        self._passes = tuple(passes)
        self._hosts = frozenset(hosts)
        self._clients = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        fault = self._foreign(headers, scope)
        found = None if fault else self._pass(headers, scope)
        fault = fault or self._forbidden(found, scope)
        if fault is not None:
            log.warning("refused: %s (%s)", fault, displayed(scope.get("path", "")))
            await _refuse(fault, scope, receive, send)
            return
        scope["role"] = "view" if found is None else found.role
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        elif found is not None and _is_link(scope):
            await _exchange(found, headers, scope)(scope, receive, _with_headers(scope, send))
        else:
            await self._app(scope, receive, _with_headers(scope, send))

    def _foreign(self, headers: dict[str, list[str]], scope: Scope) -> str | None:
        """Why a request is refused, whatever its pass."""
        called = headers.get("host", [])
        if len(called) != 1 or _hostname(called[0]) not in self._hosts:
            return f"foreign host name: {displayed(', '.join(called))}"
        for origin in headers.get("origin", []):
            if origin.lower() != f"{_scheme(scope)}://{called[0]}".lower():
                return f"foreign origin: {displayed(origin)}"
        return None

    def _forbidden(self, found: Pass | None, scope: Scope) -> str | None:
        """Why a request is refused with the pass that it has."""
        if found is None:
            return None if _public(scope) else _NO_SESSION
        if not may_fetch(found.role, scope["path"]):
            return VIEW_ONLY
        if scope["type"] == "websocket" and self._clients >= MAX_CLIENTS:
            return "too many clients"
        return None

    def _pass(self, headers: dict[str, list[str]], scope: Scope) -> Pass | None:
        """The pass that a request shows: a token, or a session in a cookie.

        A token wins over a cookie, so that another link opened in the same browser counts.
        """
        tokens, sessions = _tokens(headers, scope), _cookies(headers, cookie_name(headers, scope))
        for found in self._passes:
            if any(found.has_token(token) for token in tokens):
                return found
        for found in self._passes if not tokens else ():
            if any(found.has_session(each) for each in sessions):
                return found
        return None

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._clients += 1
        try:
            await self._app(scope, _rate_limited(receive), send)
        finally:
            self._clients -= 1


def cookie_name(headers: dict[str, list[str]], scope: Scope) -> str:
    """The name of the session's cookie; cookies are shared by ports, so it has the port in it."""
    secure = _scheme(scope) == "https"
    found = _HOST.fullmatch(headers["host"][0].lower())
    port = found[2] if found and found[2] else (":443" if secure else ":80")
    return f"{'__Host-' if secure else ''}arcwright-{port[1:]}"


def _exchange(found: Pass, headers: dict[str, list[str]], scope: Scope) -> Response:
    """The response to a link: a session cookie, and the same address without the token."""
    query = urlencode([(name, value) for name, value in _query(scope) if name != "token"])
    there = f"{scope['path']}?{query}" if query else scope["path"]
    cookie = f"{cookie_name(headers, scope)}={found.session}; Path=/; HttpOnly; SameSite=Strict"
    answer = Response(status_code=303, headers={"location": there, "cache-control": "no-store"})
    if headers.get("sec-fetch-site") == ["cross-site"]:
        # After a link on another site a redirect would be sent without the cookie, as it is
        # SameSite=Strict; a page that goes on by itself is not.
        answer = Response(headers={"refresh": f"0;url={there}", "cache-control": "no-store"})
    answer.headers["set-cookie"] = cookie + ("; Secure" if _scheme(scope) == "https" else "")
    return answer


def _rate_limited(receive: Receive) -> Receive:
    """Delays messages that come faster than any pointer sends them."""
    bucket = TokenBucket()

    async def receiving() -> Message:
        await bucket.take()
        return await receive()

    return receiving


def _with_headers(scope: Scope, send: Send) -> Send:
    """Add the security headers to responses."""
    secure = scope["scheme"] == "https"

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _SECURITY_HEADERS.items():
                headers[name] = value
            headers["content-security-policy"] = policy(_headers(scope)["host"][0], secure)
        await send(message)

    return sending


def policy(host: str, secure: bool) -> str:
    """Content security policy: the page loads only itself and blobs that it made."""
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


_SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _hostname(called: str) -> str:
    """`Host` without its port and the brackets of IPv6; "" where it is malformed."""
    found = _HOST.fullmatch(called.lower())
    return found[1].strip("[]") if found else ""


def _public(scope: Scope) -> bool:
    path = scope["path"]
    return scope["type"] == "http" and path.startswith(_PUBLIC) and ".." not in path


def _scheme(scope: Scope) -> str:
    return "https" if scope["scheme"] in ("https", "wss") else "http"


def _is_link(scope: Scope) -> bool:
    """Whether a request opens a link."""
    page = scope["path"] in PAGES and scope["method"] in ("GET", "HEAD")
    return page and any(name == "token" for name, _ in _query(scope))


def _query(scope: Scope) -> list[tuple[str, str]]:
    try:
        query = scope.get("query_string", b"").decode("latin-1")
        return parse_qsl(query, keep_blank_values=True, max_num_fields=20)
    except ValueError:
        return []


def _tokens(headers: dict[str, list[str]], scope: Scope) -> list[str]:
    """The tokens that a request sends."""
    given = [value for name, value in _query(scope) if name == "token"]
    bearers = [each for each in headers.get("authorization", []) if each.startswith("Bearer ")]
    return given + [each.removeprefix("Bearer ").strip() for each in bearers]


def _cookies(headers: dict[str, list[str]], name: str) -> list[str]:
    pairs = [
        each.strip().partition("=")
        for line in headers.get("cookie", [])
        for each in line.split(";")
    ]
    return [value for key, _, value in pairs if key == name]


async def _refuse(fault: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": _REFUSED, "reason": fault[:100]})
        return
    advice = {_NO_SESSION: _ADVICE, VIEW_ONLY: VIEW_ONLY}.get(fault)
    text = (advice or "This request was refused.") + "\n"
    headers = _SECURITY_HEADERS | {"cache-control": "no-store"}
    await PlainTextResponse(text, 403, headers=headers)(scope, receive, send)
