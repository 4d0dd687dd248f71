"""Many real edits through one document: memory and the journal must not grow with them.

    python benchmarks/studio_soak.py [--edits 10000] [--seed 1]

One edit in fifty is a drag of a motion curve; the rest moves keys, and undoes and redoes.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

# isort: split
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.server import messages as m
from arcwright.server.messages.encoding import encode
from arcwright.server.storage.folder import Folder
from arcwright.server.storage.journal import recover
from arcwright.server.transport.start import open_document
from local_clients import LocalClient

WHO, TAKE = "biped", "walk"
MOST_GROWTH = 1.2  # of resident memory, from a tenth of the edits to all of them
SLOWEST_RECOVERY = 2.0  # s


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        worker = open_document(f"{WHO}:{TAKE}", Folder(Path(folder)), home)
        worker.start()
        growth = soak(LocalClient(worker), options.edits, random.Random(options.seed))
        journal = worker.opened.document.log
        journal.wait_for_compaction()  # type: ignore[union-attr]
        size = journal.file.stat().st_size  # type: ignore[union-attr]
        sent = len(encode(worker.opened.document.message(1)))
        print(
            f"journal {size / 1e6:.1f} MB, "
            f"{len(worker.opened.document.history.done)} steps can be undone"
        )
        print(f"a document message is {sent / 1000:.1f} kB")
        name = journal.name  # type: ignore[union-attr]
        worker.stop()
        start = time.perf_counter()
        history, _, again = recover(home, name)
        spent = time.perf_counter() - start
        again.close()
        print(f"recovered {len(history.done)} steps in {spent:.2f} s")
    return int(growth > MOST_GROWTH or spent > SLOWEST_RECOVERY)


def soak(client: LocalClient, edits: int, dice: random.Random) -> float:
    """Do the edits; memory at the end against that after a tenth of them."""
    curves = client.document.scene.actor(WHO).take(TAKE).base.curves
    keyed = [channel for channel, curve in enumerate(curves) if curve is not None]
    client.send(m.Subscribe(WHO, TAKE, [m.PointRef("Head")]), m.RequestKeys(WHO, TAKE))
    sampled = {edits // 10: 0.0, edits: 0.0}
    begun = time.perf_counter()
    for edit in range(1, edits + 1):
        for message in messages(client, edit, keyed, dice):
            client.send(message)
        if edit % 20 == 0:
            client.sync()
            client.received.clear()
        if edit in sampled or edit % 1000 == 0:
            client.sync()
            client.received.clear()
            gc.collect()
            rss = resident()
            if edit in sampled:
                sampled[edit] = rss
            spent = time.perf_counter() - begun
            print(f"{edit:6d} edits: {rss:.0f} MB, {spent:.0f} s", flush=True)
    first, last = sampled.values()
    print(f"memory {first:.0f} MB -> {last:.0f} MB, ratio {last / first:.3f}")
    return last / first


def messages(
    client: LocalClient, edit: int, keyed: list[int], dice: random.Random
) -> list[m.ClientMessage]:
    """One edit as a client sends it."""
    if edit % 50 == 0:
        return drag(client, dice)
    kind = dice.random()
    if kind < 0.3:
        return [m.Undo()]
    if kind < 0.4:
        return [m.Redo()]
    by = dice.uniform(-0.001, 0.001)
    return [m.ApplyChange(m.MoveKeys(WHO, TAKE, [(dice.choice(keyed), 0)], value=by))]


def drag(client: LocalClient, dice: random.Random) -> list[m.ClientMessage]:
    """The head taken somewhere near."""
    client.sync()
    take, moment = client.document.scene.actor(WHO).take(TAKE), dice.uniform(0.1, 0.8)
    x, y, z = trail(take, Point("Head"), [moment]).position[0].tolist()
    there = x + dice.uniform(-0.01, 0.01), y + dice.uniform(-0.01, 0.01), z
    number = dice.randrange(1 << 30)
    grab = m.BeginInteraction(number, "tangent", WHO, TAKE, {})
    return [
        grab,
        m.UpdateInteraction(number, m.PointRef("Head"), moment, there),
        m.CommitInteraction(number),
    ]


def resident() -> float:
    """Memory of this process, MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    raise SystemExit(main())
