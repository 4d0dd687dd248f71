"""Unique names: files may use one twice, a rig or scene may not."""

from __future__ import annotations

from collections.abc import Iterable


class Names:
    """Names in use; new ones get a number if taken: Foot, Foot_2, Foot_3."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}

    def free(self, name: str) -> str:
        """Reserve `name`, or the first free numbered variant of it, and return it."""
        answer = name
        while answer in self._taken:
            self._last[name] = self._last.get(name, 1) + 1
            answer = f"{name}_{self._last[name]}"
        self._taken.add(answer)
        return answer


def unique(given: Iterable[str]) -> list[str]:
    """The names with a number appended to repeated ones."""
    requested = list(given)
    names = Names(requested)
    used: set[str] = set()
    result = []
    for name in requested:
        result.append(names.free(name) if name in used else name)
        used.add(name)
    return result
