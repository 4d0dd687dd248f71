"""A real server, a real Chromium, a real mouse.

Starting them takes longer than most tests do. So each worker has one server and one page, which
tests use one after the other: every test gets an empty folder, a document that was opened anew, and
a page that was loaded with nothing stored. After a test that failed both are replaced.
"""

import re
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arcwright.kinematics.sample import sample
from arcwright.open import read, write
from browser_window import PAGE_WITHOUT_GPU, Studio, Window, emptied, new_page
from chromium import FLAGS, found_chromium
from places import RATE, settled, still

ROOT = Path(__file__).parents[2]
LOST = re.compile("WebSocket|Failed to load resource")  # what a browser says of a lost server
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


class Shared:
    """What the tests of a worker use one after the other; made when it is wanted."""

    def __init__(self, make, end):
        self._make, self._end = make, end
        self.now = None

    def get(self):
        if self.now is None:
            self.now = self._make()
        return self.now

    def replace(self):
        """Whatever its state is: the next one who wants it gets a new one."""
        old, self.now = self.now, None
        if old is not None:
            with suppress(Exception):  # it may be dead already
                self._end(old)


@pytest.fixture(scope="session")
def shared_studio(tmp_path_factory):
    def make():
        home, folder = (tmp_path_factory.mktemp(name) for name in ("home", "folder"))
        return Studio(home, folder, "lamp").start()

    shared = Shared(make, Studio.stop)
    yield shared
    shared.replace()


@pytest.fixture
def folder(shared_studio):
    """The folder of the worker's studio, with nothing in it."""
    if shared_studio.now and shared_studio.now.process.poll() is not None:
        shared_studio.replace()
    studio = shared_studio.get()
    (studio.home / "recent.json").unlink(missing_ok=True)
    for each in studio.folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    return studio.folder


@pytest.fixture
def studio_of(request, shared_studio, folder):
    """The worker's studio with a scene opened anew: a built-in, or a file in its `folder`."""

    def open_scene(scene="biped:walk"):
        shared_studio.get().open(str(scene))
        return shared_studio.get()

    yield open_scene
    if request.node.stash.get(FAILED, False):
        shared_studio.replace()


@pytest.fixture
def own_studio_of(tmp_path):
    """Start a studio for one test alone: one with options, or one that ends; all are stopped."""
    running = []

    def start(scene="biped:walk", *options):
        home, folder = tmp_path / f"home{len(running)}", tmp_path / f"folder{len(running)}"
        folder.mkdir()
        running.append(Studio(home, folder, scene, options).start())
        return running[-1]

    yield start
    for studio in running:
        studio.stop()


@pytest.fixture(scope="module")
def dummy_studio(tmp_path_factory):
    """A studio with the dummy tools in its catalogue, for the tests of one module."""
    home, folder = (tmp_path_factory.mktemp(name) for name in ("home", "folder"))
    program = (str(ROOT / "tests" / "support" / "dummy_studio.py"),)
    studio = Studio(home, folder, "biped:walk", program=program).start()
    yield studio
    studio.stop()


@pytest.fixture(scope="session")
def shared_browser():
    where = found_chromium()
    if where is None:
        pytest.skip("no Chromium: install it (`make browser`), or set CHROMIUM")
    pages = ROOT / "src" / "arcwright" / "server" / "pages" / "index.html"
    assert pages.exists(), "the studio's page is not built: run `make page`"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        shared = Shared(
            lambda: playwright.chromium.launch(
                executable_path=where, args=[*FLAGS, *PAGE_WITHOUT_GPU]
            ),
            lambda browser: browser.close(),
        )
        yield shared
        shared.replace()


@pytest.fixture(scope="session")
def shared_page(shared_browser):
    shared = Shared(lambda: new_page(shared_browser.get()), lambda page: page.context.close())
    yield shared
    shared.replace()


@pytest.fixture
def window_of(request, shared_browser, shared_page):
    """Open windows on studios; a test fails if a page reported an error.

    The first one is the page of the worker, as far as one may do: not one in a context of its own
    (`alone`), or one that draws anything (`picture`).
    """
    from playwright.sync_api import Error

    contexts, listening, said = [], [], []
    if shared_browser.now and not shared_browser.now.is_connected():
        shared_browser.replace()
        shared_page.replace()

    def listen(page, expect_lost):
        def hear(message):
            if message.type == "error" and not (expect_lost and LOST.search(message.text)):
                said.append(f"{message.text} ({message.location['url']})")

        def fail(error):
            said.append(str(error))

        page.on("console", hear)
        page.on("pageerror", fail)
        listening.append((page, hear, fail))

    def emptied_page(address):
        try:
            return emptied(shared_page.get(), address)
        except Error:  # it has crashed
            shared_page.replace()
            return emptied(shared_page.get(), address)

    def open_window(studio, size=(1280, 800), *, expect_lost=False, alone=False, picture="none"):
        address = studio if isinstance(studio, str) else studio.address
        taken = any(page is shared_page.now for page, _, _ in listening)
        if alone or taken or picture != "none":
            page = new_page(shared_browser.get(), picture)
            contexts.append(page.context)
        else:
            page = emptied_page(address)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        listen(page, expect_lost)
        page.goto(address, wait_until="commit")
        window = Window(page)
        window.wait("ready")
        return window

    yield open_window
    for page, hear, fail in listening:
        page.remove_listener("console", hear)
        page.remove_listener("pageerror", fail)
    for context in contexts:
        context.close()
    if request.node.stash.get(FAILED, False) or said:
        shared_page.replace()
    elif any(page is shared_page.now for page, _, _ in listening):
        shared_page.now.goto("about:blank")  # it leaves the document, and draws no more
    assert not said, f"the page reported: {said[:3]}"


@pytest.fixture
def captured(folder):
    """A walk as it would be captured: samples, 48 a second, with its two footplants."""
    scene = read("biped:walk")
    actor = scene.characters[0]
    take = actor.takes[0]
    times = np.arange(round(take.duration * RATE) + 1) / RATE
    motion = replace(sample(take, times), rate=RATE)
    actor = replace(actor, takes=(replace(take, base=motion),))
    path = folder / "captured.arc.glb"
    write(replace(scene, characters=(actor,)), path)
    return path


@pytest.fixture
def walking(request, studio_of, window_of, captured):
    """A studio on the captured walk, a paused window with the spacetime tool, and the scene."""
    studio = studio_of(captured)
    window = window_of(studio, **getattr(request, "param", {}))
    still(window, 44)
    window.keyboard.press("3")
    window.wait("state().tool === 'spacetime'")
    settled(window)
    return studio, window, read(captured)
