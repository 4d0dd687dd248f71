"""A real server, a real Chromium, a real mouse."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from arcwright.kinematics.sample import sample
from arcwright.open import read, write
from chromium import FLAGS, found_chromium
from places import LONG, RATE, settled, still

ROOT = Path(__file__).parents[2]
LOST = re.compile("WebSocket|Failed to load resource")  # what a browser says of a lost server


@pytest.fixture(scope="session")
def browser():
    where = found_chromium()
    if where is None:
        pytest.skip("no Chromium: install it (`make browser`), or set CHROMIUM")
    pages = ROOT / "src" / "arcwright" / "server" / "pages" / "index.html"
    assert pages.exists(), "the studio's page is not built: run `make page`"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=where, args=FLAGS)
        yield started
        started.close()


class Studio:
    """A server process of its own, with a state folder and a working folder of its own."""

    def __init__(self, home, folder, scene, options=()):
        self.home, self.folder, self.scene, self.port = home, folder, scene, 0
        self.options = options
        self.address = self.shared = ""  # links with the tokens of this start
        self.process = self.reader = None

    def start(self):
        port = ["--port", str(self.port)] if self.port else []
        command = [sys.executable, "-m", "arcwright", "studio"]
        self.process = subprocess.Popen(
            [*command, self.scene, "--no-browser", *port, *self.options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.folder,
            env=os.environ | {"ARCWRIGHT_HOME": str(self.home), "PYTHONUNBUFFERED": "1"},
        )
        for line in self.process.stdout:
            found = re.search(r"https?://\S+", line)
            if found and found[0].startswith("https:"):
                self.shared = found[0]
            elif found:
                self.address = found[0]
                self.port = int(re.search(r":(\d+)", found[0].split("//")[1])[1])
                self.reader = Thread(target=self.process.stdout.read)  # a full pipe would stop it
                self.reader.start()
                return self
        self.stop()
        raise AssertionError("the server ended before it said where it is")

    def stop(self, sign=signal.SIGINT):
        if self.process and self.process.poll() is None:
            self.process.send_signal(sign)
            self.process.wait(LONG)
        if self.reader:
            self.reader.join()
        if self.process:
            self.process.stdout.close()


@pytest.fixture
def studio_of(tmp_path):
    """Start a studio on a scene; every one is stopped at the end."""
    running = []

    def start(scene="biped:walk", *options):
        home, folder = tmp_path / f"home{len(running)}", tmp_path / "folder"
        folder.mkdir(exist_ok=True)
        running.append(Studio(home, folder, scene, options).start())
        return running[-1]

    yield start
    for studio in running:
        studio.stop()


class Window:
    """A page of the studio, driven by hand."""

    def __init__(self, page, troubles):
        self.page, self.troubles = page, troubles
        self.mouse, self.keyboard = page.mouse, page.keyboard

    def ask(self, script, *given):
        """What an expression of the page's test handle is worth."""
        return self.page.evaluate(f"(given) => window.arcwright.{script}", list(given))

    @property
    def state(self):
        return self.ask("state()")

    def wait(self, script):
        """Until an expression of the handle is true."""
        told = "window.arcwright"
        return self.until(
            lambda: self.page.evaluate(f"() => {told}?.ready && {told}.{script}"), script
        )

    def until(self, look, what=""):
        """What a look at the page finds, once that is something."""
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            found = look()
            if found:
                return found
            self.page.wait_for_timeout(30)
        raise AssertionError(f"never true: {what}; the page says {self.state}")

    def drag(self, start, end, steps=12, settle=0, button="left"):
        """Press, move in steps, rest if asked to (on which nothing may depend), release."""
        self.press(start, end, steps, settle, button)
        self.mouse.up(button=button)

    def press(self, start, end, steps=12, settle=0, button="left"):
        """The same without the release."""
        self.mouse.move(*start)
        self.page.wait_for_timeout(60)
        self.mouse.down(button=button)
        for step in range(1, steps + 1):
            share = step / steps
            x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            self.mouse.move(x, y)
            self.page.wait_for_timeout(25)
        if settle:
            self.page.wait_for_timeout(settle)


@pytest.fixture
def window_of(browser):
    """Open a window on a studio; a test fails if the page reported an error."""
    contexts = []
    windows = []

    def open_window(studio, size=(1280, 800), expect_lost=False, address=None):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            accept_downloads=True,
            ignore_https_errors=True,  # a shared studio signs its certificate itself
        )
        contexts.append(context)
        context.set_default_timeout(1000 * LONG)
        page = context.new_page()
        troubles = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "console",
            lambda said: (
                troubles.append(said.text)
                if said.type == "error" and not (expect_lost and LOST.search(said.text))
                else None
            ),
        )
        page.goto(address or studio.address, wait_until="commit")
        window = Window(page, troubles)
        windows.append(window)
        window.wait("ready")
        return window

    yield open_window
    said = [each for window in windows for each in window.troubles]
    for context in contexts:
        context.close()
    assert not said, f"the page reported: {said[:3]}"


@pytest.fixture
def captured(tmp_path):
    """A walk as it would be captured: samples, 48 a second, with its two footplants."""
    scene = read("biped:walk")
    actor = scene.characters[0]
    take = actor.takes[0]
    times = np.arange(round(take.duration * RATE) + 1) / RATE
    motion = replace(sample(take, times), rate=RATE)
    actor = replace(actor, takes=(replace(take, base=motion),))
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "captured.arc.glb"
    write(replace(scene, characters=(actor,)), path)
    return path


@pytest.fixture
def walking(studio_of, window_of, captured):
    """A studio on the captured walk, a still window with the tool in hand, and the scene."""
    studio = studio_of(str(captured))
    window = window_of(studio)
    still(window, 44)
    window.keyboard.press("3")
    window.wait("state().tool === 'spacetime'")
    settled(window)
    return studio, window, read(captured)
