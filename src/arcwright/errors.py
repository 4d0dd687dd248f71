"""Errors that Arcwright raises: one base class, few subclasses, each with its data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path


class ArcwrightError(Exception):
    """Base class of all errors; the message is one line for users."""


class BadValue(ArcwrightError, ValueError):
    """A value given to a constructor or function is invalid."""

    def __init__(self, field: str, expected: str, got: object) -> None:
        self.field = field
        self.expected = expected
        self.got = got
        super().__init__(f"{field}: expected {expected}, got {got}")


class MissingJoints(BadValue):
    """Two characters have too little in common: the roles of joints that each one lacks."""

    def __init__(self, missing: Mapping[str, tuple[str, ...]]) -> None:
        self.missing = dict(missing)
        lacking = [f"{name} has no {', '.join(roles)}" for name, roles in missing.items()]
        super().__init__("joints", "roles that both characters have", "; ".join(lacking) or "none")


class UnknownName(ArcwrightError, LookupError):
    """No joint, channel, take, character or format has the given name."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        near = get_close_matches(name, self.known, n=3) or list(self.known[:8])
        more = "" if len(near) == len(self.known) else f" (of {len(self.known)})"
        listed = f"; there is {', '.join(near)}{more}" if near else "; there is none"
        super().__init__(f"no {kind} named {name!r}{listed}")


class BadFile(ArcwrightError):
    """A file cannot be read: its path, the fault, and advice."""

    def __init__(self, path: str | Path, fault: str, advice: str = "") -> None:
        self.path = str(path)
        self.fault = fault
        self.advice = advice
        super().__init__(f"{self.path}: {fault}" + (f" ({advice})" if advice else ""))


@contextmanager
def faults_of(path: str | Path) -> Iterator[None]:
    """Context in which every `ArcwrightError` becomes a `BadFile` of this path."""
    try:
        yield
    except BadFile:
        raise
    except ArcwrightError as error:
        raise BadFile(path, str(error)) from error


class MissingExtra(ArcwrightError):
    """A feature needs an optional package that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        self.what = what
        self.extra = extra
        super().__init__(f"{what} needs an optional package: pip install 'arcwright[{extra}]'")


class StaleEdit(ArcwrightError):
    """An edit was applied to a scene in another state than the one it was made for."""

    def __init__(self, label: str, address: tuple[str | int, ...]) -> None:
        self.label = label
        self.address = address
        where = "/".join(str(step) for step in address)
        super().__init__(f"edit {label!r} was made for another state of {where}; begin it again")


def json_fault(error: ValueError) -> str:
    """The fault of JSON that does not parse, without Python's advice to change its settings."""
    text = str(error)
    return "a number has too many digits" if "int_max_str_digits" in text else text
