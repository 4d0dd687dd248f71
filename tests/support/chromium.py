"""Where Chromium is, and what it needs to draw without a graphics card."""

from __future__ import annotations

import os
import shutil

FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--use-fake-device-for-media-stream",  # a camera with a test picture, allowed without asking
    "--use-fake-ui-for-media-stream",
]


def found_chromium() -> str | None:
    """Where Chromium is, if it is anywhere."""
    named = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next((path for name in named if name and (path := shutil.which(name))), None)
