"""Names that must differ: files may use one twice, a rig or a scene may not."""

from __future__ import annotations

from collections.abc import Iterable


class Names:
    """Names in use, from which free ones are made by numbers: Foot, Foot_2, Foot_3."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}

    def free(self, name: str) -> str:
        """`name`, or the first numbered one that is free; it is in use from then on."""
        answer = name
        while answer in self._taken:
            self._last[name] = self._last.get(name, 1) + 1
            answer = f"{name}_{self._last[name]}"
        self._taken.add(answer)
        return answer


def unique(given: Iterable[str]) -> list[str]:
    """The names, each one that came before with a number behind it."""
    wanted = list(given)
    names = Names(wanted)
    used: set[str] = set()
    result = []
    for name in wanted:
        result.append(names.free(name) if name in used else name)
        used.add(name)
    return result
