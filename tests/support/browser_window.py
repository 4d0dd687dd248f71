"""A studio as a process, pages that draw as much as a test looks at, and a window on both."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

from arcwright.server import messages as m
from places import LONG
from studio_process import Talk

# Without a graphics card a picture takes a third of a second, and reflections some to prepare. So
# pages do without these, with fewer pixels and without smooth edges. Most tests never look at the
# picture: theirs is prepared in full, but nothing is rasterised; others
# leave out surfaces of bodies.
NO_EFFECTS = """
  if (location.protocol === "http:") localStorage.setItem("arcwright.light_effects", "false");
"""
NO_SMOOTH_EDGES = """
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return getContext.call(this, kind, { ...options, antialias: false });
  };
"""
NO_BODIES = """
  const drawElements = WebGL2RenderingContext.prototype.drawElements;
  WebGL2RenderingContext.prototype.drawElements = function (mode, count, ...rest) {
    if (count < 3000) drawElements.call(this, mode, count, ...rest);
  };
"""
NO_PIXELS = """
  for (const kind of ["drawElements", "drawArrays"])
    for (const name of [kind, `${kind}Instanced`])
      WebGL2RenderingContext.prototype[name] = () => {};
"""
# How much of the picture a page draws: the density of its pixels, and what is left out.
PICTURES = {
    "none": (0.5, [NO_EFFECTS, NO_SMOOTH_EDGES, NO_PIXELS]),
    "marks": (0.5, [NO_EFFECTS, NO_SMOOTH_EDGES, NO_BODIES]),
    "bodies": (0.5, [NO_EFFECTS]),
    "all": (1, []),
}
# SwiftShader takes most of a core to put the page together, the processor alone a third of that.
PAGE_WITHOUT_GPU = ["--disable-gpu-rasterization", "--disable-gpu-compositing"]

STARTS = 8  # tries to start: a page that reconnects may hold the port of a killed server
PORTS = range(12_000, 32_000)  # below those that outgoing connections are given


def free_port():
    """A port that is free now; others that ask at the same time hardly get the same one."""
    while True:
        port = random.SystemRandom().choice(PORTS)
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)):
                return port


class Studio:
    """A server process of its own, with a state folder and a working folder of its own."""

    def __init__(self, home, folder, scene, options=(), program=("-m", "arcwright")):
        self.home, self.folder, self.scene = home, folder, scene
        self.port = free_port()  # no other server takes it while this one is killed and restarted
        self.options, self.program = options, program
        self.address = self.shared = ""  # links with the tokens of this start
        self.process = self.reader = None

    def start(self):
        """Start the server; again while something else still holds its port."""
        for _ in range(STARTS):
            if self._started():
                return self
            time.sleep(0.5)
        raise AssertionError("the server ended before it said where it is")

    def _started(self):
        command = [sys.executable, *self.program, "studio"]
        self.process = subprocess.Popen(
            [*command, self.scene, "--no-browser", "--port", str(self.port), *self.options],
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
                self.reader = Thread(target=self.process.stdout.read)  # a full pipe would stop it
                self.reader.start()
                return True
        self.stop()
        return False

    def open(self, scene):
        """Another document takes the place of the one that is there, whatever became of that."""
        inside = Path(scene).is_relative_to(self.folder)
        kind, name = ("file", Path(scene).name) if inside else ("builtin", scene)
        origin, _, query = self.address.partition("/?")
        with Talk(f"{origin.replace('http', 'ws')}/wire?{query}", origin) as talk:
            talk.wait_for(m.SceneInfo)
            talk.send(m.Open(kind, name))
            answer = talk.wait_for(m.SceneInfo, m.Failure)
        assert isinstance(answer, m.SceneInfo), f"{scene} was not opened: {answer}"

    def stop(self, sign=signal.SIGINT):
        if self.process and self.process.poll() is None:
            self.process.send_signal(sign)
            self.process.wait(LONG)
        if self.reader:
            self.reader.join()
        if self.process:
            self.process.stdout.close()


def new_page(browser, picture="none"):
    """A page in a context of its own that draws one of the `PICTURES`."""
    density, scripts = PICTURES[picture]
    context = browser.new_context(
        accept_downloads=True,
        ignore_https_errors=True,  # a shared studio signs its certificate itself
        device_scale_factor=density,
    )
    context.set_default_timeout(1000 * LONG)
    for script in scripts:
        context.add_init_script(script)
    return context.new_page()


def emptied(page, address):
    """The page without a document, and with nothing stored for an address."""
    page.goto("about:blank")
    page.context.clear_cookies()
    tools = page.context.new_cdp_session(page)
    origin = address.partition("/?")[0]
    tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage"})
    tools.detach()
    return page


class Window:
    """A page of the studio, driven by mouse and keyboard."""

    def __init__(self, page):
        self.page = page
        self.mouse, self.keyboard = page.mouse, page.keyboard

    def ask(self, script, *given):
        """What an expression of the page's test handle is worth."""
        return self.page.evaluate(f"(given) => window.arcwright.{script}", list(given))

    @property
    def state(self):
        return self.ask("state()")

    def wait(self, script):
        """Until an expression of the handle is true."""
        handle = "window.arcwright"
        return self.until(
            lambda: self.page.evaluate(f"() => {handle}?.ready && {handle}.{script}"), script
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

    def drag(self, start, end, steps=8, settle=0, button="left"):
        """Press, move in steps, rest if asked to (on which nothing may depend), release."""
        self.press(start, end, steps, settle, button)
        self.mouse.up(button=button)

    def press(self, start, end, steps=8, settle=0, button="left"):
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
