"""The bytes a URI stands for: inside the file, or beside it but never outside its folder."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from arcwright.errors import BadFile


def is_remote(uri: str) -> bool:
    """Whether a URI points to another machine or scheme."""
    head = uri.split(":", 1)[0] if ":" in uri else ""
    return len(head) > 1 and head != "data" and head.replace("+", "").replace(".", "").isalnum()


def fetched(path: Path, uri: str, what: str) -> bytes:
    """The bytes of a data URI, or of a file at a relative URI beside `path`."""
    if uri.startswith("data:"):
        return _unpacked(path, uri, what)
    if is_remote(uri):
        raise BadFile(path, f"{what} is at {_short(uri)}; only files beside this one are read")
    folder = path.parent.resolve()
    try:
        target = (folder / unquote(uri.split("#")[0].split("?")[0])).resolve()
        if not target.is_relative_to(folder):
            raise BadFile(path, f"{what} names {_short(uri)}, outside the file's own folder")
        if target.exists() and not target.is_file():
            raise BadFile(path, f"{what} names {_short(uri)}, which is not a file")
        return target.read_bytes()
    except FileNotFoundError as error:
        raise BadFile(path, f"{what} names {_short(uri)}, which is not there") from error
    except (OSError, ValueError) as error:
        raise BadFile(path, f"{what} names {_short(uri)}, which cannot be read") from error


def data_mime(uri: str) -> str:
    """The type a data URI claims, "" if none."""
    return uri[5:].split(",", 1)[0].split(";", 1)[0]


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


def _short(uri: str) -> str:
    return repr(uri if len(uri) <= 60 else uri[:57] + "...")
