"""Starting and ending the studio as people do."""

import os
import re
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from arcwright.cli import main
from arcwright.server.transport import start


@pytest.fixture
def started(tmp_path):
    """Starts the studio; its address and process."""
    processes = []

    def begin(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "arcwright", "studio", "--no-browser", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "ARCWRIGHT_HOME": str(tmp_path / "state")},
            cwd=tmp_path,
            # a shell may start this run with interrupts ignored, which children inherit
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        processes.append(process)
        line = process.stdout.readline()
        assert f"saves to {tmp_path.resolve()};" in line
        return re.search(r"http://\S+", line)[0], process

    yield begin
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_the_studio_prints_one_line_and_ends_quietly_on_an_interrupt(started):
    address, process = started()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=\S+", address)
    with httpx.Client(follow_redirects=True) as browser:
        answer = browser.get(address)
        assert answer.status_code in (200, 503)  # 503 where the page is not built
        assert "token" not in str(answer.url)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == ("", "")


def test_a_terminated_studio_ends_as_cleanly(started, tmp_path):
    address, process = started()
    assert httpx.get(address).status_code == 303  # it listens to signals by now
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert (out, err) == ("", "")


def test_each_start_has_a_link_of_its_own_and_keeps_no_token(started, tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "token").write_text("a" * 32)
    first, _ = started()
    second, _ = started("lamp:hop")
    assert first.partition("token=")[2] != second.partition("token=")[2]
    assert not (tmp_path / "state" / "token").exists()


def test_a_second_studio_takes_the_next_port(started):
    first, _ = started()
    second, _ = started("lamp:hop")
    assert first != second


def test_a_requested_port_that_is_taken_is_an_error_in_one_line(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("ARCWRIGHT_HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["studio", "--no-browser", "--port", str(port)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"arcwright: port {port} cannot be used")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [(["nothing.bvh"], "no such file"), (["--folder", "nowhere"], "is not a folder")],
)
def test_what_cannot_be_opened_is_an_error_in_one_line(
    capsys, tmp_path, monkeypatch, arguments, reported
):
    monkeypatch.setenv("ARCWRIGHT_HOME", str(tmp_path))
    assert main(["studio", "--no-browser", *arguments]) == 2
    assert reported in capsys.readouterr().err


@pytest.mark.parametrize("port", ["0", "65536", "many", "-1"])
def test_a_port_is_a_number(capsys, port):
    with pytest.raises(SystemExit, match="2"):
        main(["studio", f"--port={port}"])
    assert "is not a port" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "file", "share"),
    [
        ([], None, None),
        (["--share"], None, "edit"),
        (["a.bvh", "--share"], "a.bvh", "edit"),
        (["--share", "a.bvh"], "a.bvh", "edit"),
        (["--share", "view"], None, "view"),
        (["--share", "view", "a.bvh"], "a.bvh", "view"),
        (["a.bvh", "--share", "edit"], "a.bvh", "edit"),
    ],
)
def test_guests_may_edit_or_only_look(monkeypatch, arguments, file, share):
    asked = []
    monkeypatch.setattr(start, "studio", lambda file, **rest: asked.append((file, rest)) or 130)
    assert main(["studio", *arguments]) == 130
    assert asked[0][0] == file
    assert asked[0][1]["share"] == share


def test_other_roles_are_refused(capsys):
    assert main(["studio", "a.bvh", "--share", "everything"]) == 2
    assert "edit or view" in capsys.readouterr().err
