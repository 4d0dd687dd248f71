"""Access: the secrets of a link and of a session, and what each role may do."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from typing import Literal

from arcwright.server import messages as m

Role = Literal["edit", "view"]

# All that a guest who may only look can say; everything else is refused.
_VIEWER_MESSAGES = (m.Subscribe, m.RequestFrames, m.RequestKeys, m.RequestFootplants)
_VIEWER_PATHS = ("/assets/", "/favicon", "/model/", "/wire")
VIEW_ONLY = "View only: this link lets you look, not change or fetch files."


def _secret() -> str:
    return secrets.token_urlsafe(24)


@dataclass(frozen=True)
class Pass:
    """A way in, for as long as the process lives.

    The link's token is exchanged for the session, which the browser keeps in a cookie: whoever
    learns the cookie does not learn the link.
    """

    role: Role = "edit"
    token: str = field(default_factory=_secret, repr=False)
    session: str = field(default_factory=_secret, repr=False)

    def has_token(self, word: str) -> bool:
        """Whether a word is this link's token, in constant time."""
        return hmac.compare_digest(word.encode("utf-8", "replace"), self.token.encode())

    def has_session(self, word: str) -> bool:
        """Whether a word is this session, in constant time."""
        return hmac.compare_digest(word.encode("utf-8", "replace"), self.session.encode())


def may_say(role: Role, message: m.ClientMessage) -> bool:
    """Whether a client of this role may send a message."""
    return role == "edit" or isinstance(message, _VIEWER_MESSAGES)


def may_fetch(role: Role, path: str) -> bool:
    """Whether a client of this role may ask for a path."""
    return role == "edit" or path == "/" or path.startswith(_VIEWER_PATHS)
