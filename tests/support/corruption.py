"""Damage done to journals in every way, and the law that holds for what comes of them.

However a journal is damaged, its document opens as it was after some event, or with what was
lost named, or it is listed as damaged; nothing raises, nothing differs in silence, and every other
document in the folder is as it was.
"""

from __future__ import annotations

import random
import re
import shutil
from io import BytesIO
from pathlib import Path

from arcwright.arrays import same
from arcwright.errors import BadFile
from arcwright.scene.history import History
from arcwright.scene.scene import Actor
from arcwright.server.storage.journal import Journal, discard, recover, unfinished
from arcwright.server.storage.journal.records import scan
from journal_damage import DAMAGE, FORGED, INSTEAD
from journal_originals import BUILDERS, Original, small


class Corruption:
    """Journals in a folder: one that is damaged, and one that must never be."""

    def __init__(self, home: Path, seed: int) -> None:
        self.home, self.dice = home, random.Random(seed)
        self.originals = []
        for build in BUILDERS:
            self.originals.append(build(home / build.__name__))
        self.other = small(home / "other")
        self.outcomes: dict[str, int] = {}

    def case(self) -> None:
        """One damaged journal beside a whole one."""
        dice = self.dice
        original, damage = dice.choice(self.originals), dice.choice(DAMAGE)
        if dice.random() < 0.08:
            instead = dice.choice(INSTEAD)
            folder, file = self._folder(original)
            instead(file)
            self._check_unreadable(folder, original, instead.__name__)
            return
        data, may_lack_end = damage(dice, original)
        if may_lack_end and damage not in FORGED:  # at most what no mark had confirmed
            found = scan(BytesIO(data), len(data))
            may_lack_end = len(found.records) >= found.mark.records
        folder, file = self._folder(original)
        file.write_bytes(data)
        self.check(folder, original, may_lack_end, damage.__name__, forged=damage in FORGED)

    def check(
        self, home: Path, original: Original, may_lack_end: bool, what: str, *, forged: bool = False
    ) -> None:
        """The law."""
        listed = {left.name: left for left in unfinished(home)}
        assert self.other.name in listed, f"{what}: the other document is not listed"
        left = listed.get(original.name)
        if left is None:  # all that is unsaved is behind the end
            assert may_lack_end or not original.checked, f"{what}: it is not listed"
            self._count("nothing unsaved left")
        else:
            self._recovered(home, original, left.damage, may_lack_end, what, forged)
        history, _, journal = recover(home, self.other.name)
        journal.close()
        assert same(history, self.other.histories[-1]), f"{what}: the other document differs"
        shutil.rmtree(home)

    def _recovered(
        self,
        home: Path,
        original: Original,
        damage: str,
        may_lack_end: bool,
        what: str,
        forged: bool,
    ) -> None:
        history, journal, refused = _recovered(home, original.name)
        if refused:
            assert damage, f"{what}: listed as whole, but {refused}"
            assert str(home) not in refused
            discard(home, original.name)
            self._count("listed as damaged")
            return
        if journal.lost:
            assert [name for name in _names(home) if name.endswith(".damaged")]
            self._count("some of it lost, and named")
            if original.checked and not forged:
                check_named(history, journal.lost, original, what)
        elif not original.checked or forged:
            self._count("opened")
        elif same(history, original.histories[-1]):
            self._count("opened as it was")
        else:
            assert may_lack_end, f"{what}: it differs in silence"
            assert any(alike(history, each) for each in original.histories), f"{what}: no prefix"
            self._count("opened up to where it ends")

    def _check_unreadable(self, home: Path, original: Original, what: str) -> None:
        listed = {left.name: left for left in unfinished(home)}
        assert listed[original.name].damage, what
        assert _recovered(home, original.name)[2], f"{what}: recovered"
        discard(home, original.name)
        assert [left.name for left in unfinished(home)] == [self.other.name], what
        self._count("listed as damaged")
        shutil.rmtree(home)

    def _folder(self, original: Original) -> tuple[Path, Path]:
        home = self.home / "case"
        folder = home / "journals"
        folder.mkdir(parents=True)
        (folder / f"{self.other.name}.journal").write_bytes(self.other.data)
        return home, folder / f"{original.name}.journal"

    def _count(self, outcome: str) -> None:
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1


def _recovered(home: Path, name: str) -> tuple[History, Journal, str]:
    """A document and its journal, put away again; or why it cannot be recovered."""
    try:
        history, _, journal = recover(home, name)
    except BadFile as error:
        return None, None, str(error)  # type: ignore[return-value]
    journal.close()
    return history, journal, ""


def _names(home: Path) -> list[str]:
    return [each.name for each in (home / "journals").iterdir()]


def alike(found: History, meant: History) -> bool:
    """Whether a history is this one; labels first, which is quick."""
    labels = [[edit.label for edit in each.done] for each in (found, meant)]
    return labels[0] == labels[1] and same(found, meant)


def check_named(found: History, lost: str, original: Original, what: str) -> None:
    """Takes and shapes that are not reported lost are as they were at some time."""
    actors: list[Actor] = [*found.scene.characters, *found.scene.props]
    for actor in actors:
        once = [history.scene.actor(actor.name) for history in original.histories]
        if re.search(f"(character|prop) {actor.name!r}", lost, re.IGNORECASE):
            continue
        assert any(same(actor.rig, each.rig) for each in once), f"{what}: rig of {actor.name}"
        for take in actor.takes:
            if f"take {take.name!r} of" not in lost.replace("Take", "take"):
                known = [one for each in once for one in each.takes if same(one, take)]
                assert known, f"{what}: take {take.name} of {actor.name} differs ({lost})"
        for shape in actor.shapes:
            known_shapes = [one for each in once for one in each.shapes if same(one, shape)]
            assert known_shapes, f"{what}: shape of {actor.name} differs"
        missing = {shape.name for shape in once[0].shapes} - {each.name for each in actor.shapes}
        assert all(f"shape {name!r}" in lost.lower() for name in missing), f"{what}: {missing}"
