"""Sharing: a second listener for the same document on the network, with TLS and a link."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import segno
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from arcwright.errors import ArcwrightError
from arcwright.server.messages import PhoneLink, Role
from arcwright.server.transport.authentication import AUTHORITY, PHONE, Authentication, Pass
from arcwright.server.transport.certificate import certificate
from arcwright.server.transport.limits import network_limits
from arcwright.server.transport.serving import Server

_UNREACHABLE = ("192.0.2.1", 9)  # reserved for documentation; nothing is sent to it


class NoNetwork(ArcwrightError):
    """This machine has no address that others could reach."""


@contextmanager
def shared(app: ASGIApp, home: Path, role: Role, listening: socket.socket) -> Iterator[str]:
    """Serve the app to the network on a thread of its own; yields the link for others.

    The page on this machine stays at its loopback address, without a certificate to accept.
    """
    addresses = network_addresses()
    if not addresses:
        raise NoNetwork("this machine is not on a network, so it cannot share")
    names = (*addresses, *local_names())
    files = certificate(home, names)
    own = Pass(role)
    tls = {"ssl_certfile": str(files.chain), "ssl_keyfile": str(files.key)}
    served = _with_authority(app, files.authority)
    server = Server(Authentication(served, [own], names), network_limits(), **tls)
    thread = Thread(target=server.run, args=([listening],), name="shared", daemon=True)
    thread.start()
    try:
        yield f"https://{addresses[0]}:{listening.getsockname()[1]}/?token={own.token}"
    finally:
        server.should_exit = True
        thread.join(timeout=5)


def _with_authority(app: ASGIApp, file: Path) -> ASGIApp:
    """The app, and the certificate of the authority for devices that have to trust it."""
    answer = Response(file.read_bytes(), media_type="application/x-x509-ca-cert")

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        wanted = scope["type"] == "http" and scope["path"] == AUTHORITY
        await (answer if wanted else app)(scope, receive, send)

    return served


def network_addresses() -> list[str]:
    """IPv4 addresses of this machine on its networks, the one it goes out by first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.connect(_UNREACHABLE)
            found.append(trial.getsockname()[0])
        except OSError:
            pass
    try:
        addresses = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found += [str(each[4][0]) for each in addresses]
    except OSError:
        pass
    return [each for each in dict.fromkeys(found) if not each.startswith(("127.", "0."))]


def local_names() -> tuple[str, ...]:
    """Names by which this machine is called on its network."""
    own = socket.gethostname().partition(".")[0].lower()
    return ("localhost", f"{own}.local") if own.isascii() and own != "localhost" else ("localhost",)


def phone_link(link: str) -> PhoneLink:
    """The link for a phone that performs, with its QR code for a page."""
    own = link.replace("/?", f"{PHONE}?")
    rows = segno.make(own, micro=False).matrix
    return PhoneLink(own, ["".join(str(int(cell)) for cell in row) for row in rows])


def qr_code(link: str) -> str:
    """A link as a QR code for the terminal."""
    drawn = io.StringIO()
    segno.make(link, micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue()
