"""From a move of the pointer to its new pose in the page, in a headless Chromium.

    python benchmarks/studio_latency.py [--moves 10000] [--rate 125] [--seconds 10]

The reference drag is hips over planted feet, then a hand of a real rig whose feet are pinned, with
the real mouse going around in a circle. Ages count from the moment a move is sent to the browser
until its answer's pose is in the picture: with drawing on, drawing was asked for; with drawing off,
all was done but that. A soak of many moves, released and begun again now and then, shows
whether ages or memory grow.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from playwright.async_api import CDPSession, Page, async_playwright

from arcwright.edits.takes import fit_take
from arcwright.open import read, write
from arcwright.scene.constraint import Pin
from arcwright.scene.point import Point
from studio_window import DATA, FLAGS, Studio, chromium, load, memory, studio

KNIGHT = DATA / "kaykit" / "Knight.glb"
RADIUS = 14  # px, of the circle that the pointer follows
AROUND = 1.6  # s, once around
SLOW = 30.0  # moves/s: each is answered before the next
PICTURES = """async (seconds) => {
  const end = performance.now() + 1000 * seconds;
  let count = 0;
  for (; performance.now() < end; count++) {
    await new Promise(requestAnimationFrame);
    window.arcwright.draw();
  }
  return count;
}"""
AGAIN = 1000  # moves until the drag is released and another begins


@dataclass(frozen=True)
class Case:
    """Which curve is dragged where."""

    name: str
    scene: str
    joint: str
    frame: int


def knight(folder: Path) -> Case:
    """A real rig whose baked walk is fitted with few keys, with both feet pinned."""
    scene = read(KNIGHT)
    body = scene.characters[0]
    walk = body.take("Walking_A")
    feet = [
        Pin(Point(foot, character=body.name), 0, walk.duration) for foot in ("foot.l", "foot.r")
    ]
    scene = replace(
        scene, characters=(replace(body, takes=(walk,)),), constraints=(*scene.constraints, *feet)
    )
    scene = fit_take(scene, body.name, walk.name, 0.005).apply(scene)
    write(scene, folder / "knight.arc.glb")
    joints = len(body.rig.names)
    return Case(f"Knight, {joints} joints, walk", str(folder / "knight.arc.glb"), "hand.r", 9)


@dataclass
class Window:
    """A page of the studio with a hand on a curve."""

    page: Page
    line: CDPSession
    case: Case
    start: tuple[float, float] = (0.0, 0.0)
    sent: int = 0
    waiting: set[asyncio.Task[Any]] = field(default_factory=set)

    async def ready(self) -> None:
        """Stopped at the frame, its curve shown."""
        spot = f'{{joint: "{self.case.joint}"}}'
        await self.until("state().take")
        await self.page.evaluate(f"() => window.arcwright.setFrame({self.case.frame})")
        await self.page.evaluate(f"() => window.arcwright.select({spot})")
        curve = f"curveAt({spot}, {self.case.frame})"
        await self.until(curve)
        await self.page.wait_for_timeout(500)
        self.start = tuple(await self.page.evaluate(f"() => window.arcwright.{curve}"))

    async def hold(self) -> None:
        """Press on the curve and begin to move."""
        await self.page.mouse.move(*self.start)
        await self.page.wait_for_timeout(150)
        await self.page.mouse.down()
        await self.page.mouse.move(self.start[0] + 4, self.start[1] + 2)
        await self.until("state().previews.length > 0")

    async def release(self) -> None:
        """Release, wait until the step is written down, and take it back."""
        await self.page.mouse.up()
        await self.until("state().interaction === null && now.state().done.length === 1")
        await self.page.keyboard.press("Control+z")
        await self.until("state().done.length === 0 && now.state().previews.length === 0")

    async def until(self, script: str) -> None:
        """Wait for it to be true, as long as a busy machine takes."""
        await self.page.wait_for_function(
            f"() => {{ const now = window.arcwright; return now?.ready && now.{script}; }}",
            timeout=120_000,
        )

    async def move(self, count: int, rate: float) -> None:
        """Moves in even time, whether or not the page keeps up."""
        began = time.perf_counter()
        for step in range(count):
            await asyncio.sleep(max(0.0, began + step / rate - time.perf_counter()))
            task = asyncio.create_task(self.line.send("Input.dispatchMouseEvent", self.event(rate)))
            self.waiting.add(task)
            task.add_done_callback(self.waiting.discard)
            self.sent += 1
        await asyncio.gather(*self.waiting)
        await self.page.wait_for_timeout(300)

    def event(self, rate: float) -> dict[str, Any]:
        """The next place on the circle, with the time at which it is sent."""
        angle = 2 * math.pi * self.sent / rate / AROUND
        x = self.start[0] + RADIUS * math.sin(angle)
        y = self.start[1] + RADIUS * (1 - math.cos(angle))
        when = {"timestamp": time.time(), "button": "left", "buttons": 1}
        return {"type": "mouseMoved", "x": x, "y": y, **when}

    async def drawing(self, on: bool) -> None:
        """Whether pictures are drawn."""
        await self.page.evaluate(f"() => window.arcwright.drawing({str(on).lower()})")

    async def pictures(self, seconds: float) -> float:
        """How many a second can be drawn when nothing else is done."""
        return float(await self.page.evaluate(PICTURES, seconds)) / seconds

    async def watch(self) -> None:
        """Begin to note ages."""
        await self.page.evaluate("() => { window.stopFrames = window.arcwright.stopwatch(); }")

    async def ages(self) -> np.ndarray:
        """(N, 3): when a move was sent, s; how old its answer was, ms; how far off it is, m."""
        answer = await self.page.evaluate(
            "() => window.stopFrames().map((age) =>"
            " [performance.timeOrigin + age.moved, age.applied - age.moved, age.off])"
        )
        found = np.array(answer, dtype=float).reshape(-1, 3)
        found[:, 0] /= 1000
        return found

    async def heap(self) -> float:
        """MB that the page's script holds after a collection."""
        await self.line.send("HeapProfiler.collectGarbage")
        answer = await self.line.send("Runtime.getHeapUsage")
        return float(answer["usedSize"]) / 1e6


@asynccontextmanager
async def window(case: Case, running: Studio) -> AsyncIterator[Window]:
    """One browser with one page of it."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        await page.goto(running.address, wait_until="commit")
        made = Window(page, await page.context.new_cdp_session(page), case)
        await made.ready()
        try:
            yield made
        finally:
            await browser.close()


def row(name: str, ages: np.ndarray, moves: int) -> str:
    if len(ages) == 0:
        return f"  {name:<34} no answers"
    p50, p95, worst = np.quantile(ages[:, 1], [0.5, 0.95, 1.0])
    figures = f"{moves:>6} {len(ages):>8} {p50:>7.1f} {p95:>7.1f} {worst:>7.1f}"
    return f"  {name:<34} {figures} {1000 * np.median(ages[:, 2]):>8.3f}"


HEAD = f"  {'':<34} {'moves':>6} {'answers':>8} {'p50':>7} {'p95':>7} {'worst':>7} {'mm off':>8}"


async def drags(case: Case, running: Studio, given: argparse.Namespace) -> None:
    """Ages with and without drawing, at an easy pace and at a mouse's own."""
    async with window(case, running) as made:
        print(f"{case.name}, {case.joint} at frame {case.frame} ({load()}); ms")
        print(f"  drawing alone: {await made.pictures(3):.1f} pictures/s\n{HEAD}")
        for on in (True, False):
            await made.drawing(on)
            for rate, seconds in ((SLOW, given.seconds), (given.rate, given.seconds)):
                await made.hold()
                await made.move(int(rate), rate)  # to warm up
                await made.watch()
                count = int(rate * seconds)
                await made.move(count, rate)
                name = f"drawing {'on' if on else 'off'}, {rate:g} moves/s"
                print(row(name, await made.ages(), count), flush=True)
                await made.release()


async def soak(case: Case, running: Studio, given: argparse.Namespace) -> None:
    """Many moves: the first and the last thousand, and what is held in memory."""
    async with window(case, running) as made:
        await made.drawing(given.draw)
        await made.hold()
        await made.move(int(given.rate), given.rate)
        held = [(memory(running.process), await made.heap())]
        await made.watch()
        marks = [time.time()]
        for _ in range(given.moves // AGAIN):
            await made.move(AGAIN, given.rate)
            marks.append(time.time())
            await made.release()
            await made.hold()
        ages = await made.ages()
        await made.release()
        held.append((memory(running.process), await made.heap()))
        drawn = "on" if given.draw else "off"
        print(f"soak, {case.name}, drawing {drawn}, {given.rate:g} moves/s ({load()}); ms\n{HEAD}")
        count = given.moves // AGAIN * AGAIN
        first, last = ages[ages[:, 0] < marks[1]], ages[ages[:, 0] > marks[-2]]
        print(row("all", ages, count))
        print(row("the first thousand", first, AGAIN))
        print(row("the last thousand", last, AGAIN))
        for name, at in (("server", 0), ("page's script", 1)):
            print(
                f"  memory of the {name}: {held[0][at]:.0f} MB before, {held[1][at]:.0f} MB after"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=10_000, help="of the soak; 0 leaves it out")
    parser.add_argument("--rate", type=float, default=125.0, help="moves a second")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each drag before it")
    parser.add_argument("--draw", action="store_true", help="draw during the soak, too")
    given = parser.parse_args()
    stand = Case("biped:stand", "biped:stand", "Hips", 12)
    with tempfile.TemporaryDirectory() as folder:
        cases = [stand]
        if KNIGHT.exists():
            cases.append(knight(Path(folder)))
        else:
            print(f"{KNIGHT.name}: not there, left out")
        for case in cases:
            with studio(case.scene) as running:
                asyncio.run(drags(case, running, given))
    if given.moves >= AGAIN:
        with studio(stand.scene) as running:
            asyncio.run(soak(stand, running, given))


if __name__ == "__main__":
    main()
