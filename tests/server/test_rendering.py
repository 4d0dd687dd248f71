"""Images are rendered by a process of their own: the same image and errors; it can be stopped."""

import subprocess
import threading

import pytest

from arcwright.errors import ArcwrightError
from arcwright.picture.strobe import strobe
from arcwright.server import messages as m
from arcwright.server.jobs import jobs, rendering
from builders import arm_scene
from local_clients import LONG


@pytest.fixture
def processes(monkeypatch):
    """All processes that were started."""
    started = []

    class Noted(subprocess.Popen):
        def __init__(self, *given, **more):
            started.append(self)
            super().__init__(*given, **more)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    return started


@pytest.mark.slow  # two large pictures; that one arrives is tested with the other exports
def test_the_picture_is_the_one_that_is_drawn_here(tmp_path):
    scene = arm_scene()
    take = scene.characters[0].takes[-1].name
    rendering.render(scene, tmp_path / "arm.png", "arm", take, lambda: None)
    assert [each.name for each in tmp_path.iterdir()] == ["arm.png"]
    strobe(scene, tmp_path / "here.png", character="arm", take=take)
    assert (tmp_path / "arm.png").read_bytes() == (tmp_path / "here.png").read_bytes()


def test_rendering_errors_are_those_of_the_library(tmp_path):
    scene = arm_scene()
    with pytest.raises(ArcwrightError) as here:
        strobe(scene, character="arm", take="dance")
    with pytest.raises(ArcwrightError) as there:
        rendering.render(scene, tmp_path / "arm.png", "arm", "dance", lambda: None)
    assert str(there.value) == str(here.value)
    assert list(tmp_path.iterdir()) == []


def test_a_cancelled_picture_ends_its_process(tmp_path, processes):
    class Unwanted(Exception):
        pass

    def check():
        raise Unwanted

    for _ in range(2):  # the second would wait for ever if the first had left its turn taken
        with pytest.raises(Unwanted):
            rendering.render(arm_scene(), tmp_path / "arm.png", "arm", None, check)
    assert all(each.returncode is not None for each in processes)
    assert list(tmp_path.iterdir()) == []


def test_a_cancelled_export_ends_its_process(studio, processes, monkeypatch):
    held = threading.Event()
    monkeypatch.setattr(rendering, "_outcome", held_until_stopped(held))
    client = studio("lamp:hop")
    client.send(m.Export("png", "lamp", "hop"))
    assert held.wait(LONG)
    (number,) = client.worker.jobs._running
    threads = [each for each in threading.enumerate() if each.name == f"job {number}"]
    client.send(m.CancelJob(number))
    for each in threads:
        each.join(LONG)
    assert [each.returncode is not None for each in processes] == [True]
    assert client.sync() == []


def test_a_studio_that_ends_leaves_no_process_behind(studio, processes, monkeypatch):
    held = threading.Event()
    monkeypatch.setattr(rendering, "_outcome", held_until_stopped(held))
    monkeypatch.setattr(jobs, "CLOSE_TIMEOUT", LONG)
    client = studio("lamp:hop")
    client.send(m.Export("png", "lamp", "hop"))
    assert held.wait(LONG)
    client.worker.jobs.close()
    assert [each.returncode is not None for each in processes] == [True]


def held_until_stopped(held):
    """A process that never answers."""

    def outcome(process, messages, check):
        held.set()
        while True:
            check()
            held.wait(0.01)

    return outcome


def test_a_rendering_process_that_crashes_is_reported_as_a_failed_job(studio, monkeypatch):
    monkeypatch.setattr(
        rendering, "_outcome", lambda process, messages, check: process.kill() or ""
    )
    client = studio("lamp:hop")
    text = client.request(m.Export("png", "lamp", "hop"), m.Failure)[0].text
    assert text == "Export lamp hop.png failed; nothing was changed"
