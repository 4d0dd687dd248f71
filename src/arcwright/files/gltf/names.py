"""Names, each once: those that come again are numbered."""

from __future__ import annotations


class Names:
    """Gives every name out once, in time that does not grow with how often it is asked for."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._next: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """The name itself, or the name with the first free number behind it."""
        given = name
        while given in self._used:
            number = self._next.get(name, 2)
            self._next[name] = number + 1
            given = f"{name}_{number}"
        self._used.add(given)
        return given
