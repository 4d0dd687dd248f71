"""Read URIs: data URIs, and files beside the document."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from arcwright.errors import BadFile
from arcwright.files.referenced_files import UnreadableReference, quoted, read_referenced


def is_remote(uri: str) -> bool:
    """Whether a URI points to another machine or scheme."""
    head = uri.split(":", 1)[0] if ":" in uri else ""
    return len(head) > 1 and head != "data" and head.replace("+", "").replace(".", "").isalnum()


def fetched(path: Path, uri: str, what: str, suffixes: Collection[str], limit: int) -> bytes:
    """The bytes of a data URI, or of a file at a relative URI beside `path`."""
    if uri.startswith("data:"):
        return _unpacked(path, uri, what)
    if is_remote(uri):
        raise BadFile(path, f"{what} is at {quoted(uri)}; only files beside this one are read")
    try:
        name = unquote(uri.split("#")[0].split("?")[0])
        return read_referenced(path, name, suffixes, limit)
    except UnreadableReference as error:
        raise BadFile(path, f"{what}: {error}") from error


def _unpacked(path: Path, uri: str, what: str) -> bytes:
    head, comma, body = uri.partition(",")
    if not comma:
        raise BadFile(path, f"{what} has a data URI without data")
    if not head.endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadFile(path, f"{what} has a data URI that is not base64") from error
