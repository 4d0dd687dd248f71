"""The application over real sockets: the page, the wire, models, uploads, downloads."""

import socket
from typing import get_args

import httpx
import pytest
from websockets.sync.client import connect

from arcwright.server import messages as m
from arcwright.server.messages import encoding
from arcwright.server.transport.start import PortTaken, listen
from local_clients import kinds


class Line:
    """A WebSocket as a page has it."""

    def __init__(self, address, query=""):
        self.socket = connect(f"ws://{address}/wire{query}", compression=None, max_size=None)

    def __enter__(self):
        self.socket.__enter__()
        self.wait(m.Document)
        return self

    def __exit__(self, *fault):
        self.socket.__exit__(*fault)

    def send(self, *messages):
        for message in messages:
            self.socket.send(
                message
                if isinstance(message, str | bytes)
                else encoding.encode_client(message).decode()
            )

    def wait(self, kind):
        received = []
        while not received or not isinstance(received[-1][0], kind):
            received.append(encoding.decode(self.socket.recv(timeout=60)))
        return received


MOVE = m.UpdateInteraction(1, m.PointRef("Hips"), 0.4, (0.0, 0.93, 0.4))
BEGIN = m.BeginInteraction(1, "tangent", "biped", "walk", {})


def test_a_drag_over_a_websocket_reaches_every_client(address):
    with Line(address) as one, Line(address) as two:
        one.send(BEGIN, MOVE)
        assert one.wait(m.Preview)[-1][0].interaction == 1
        assert two.wait(m.Preview)[-1][0].interaction == 1
        one.send(m.CommitInteraction(1))
        ends = [each.wait(m.InteractionEnded) for each in (one, two)]
        assert all(end[-1][0].committed for end in ends)
        message = [next(x for x, _ in end if isinstance(x, m.Document)) for end in ends]
        assert message[0].revision == message[1].revision


@pytest.mark.parametrize(
    "message",
    ["", "hello", "{}", '{"type":"sing"}', b"\x00\xff\xfe", "[" * 50_000, '{"type":"Undo","x":1}'],
)
def test_what_is_not_understood_is_answered_and_survived(address, message):
    with Line(address) as line:
        line.send(message)
        assert "not understood" in line.wait(m.Failure)[-1][0].text
        line.send(BEGIN, MOVE)
        line.wait(m.Preview)


def test_messages_may_also_come_as_bytes(address):
    with Line(address) as line:
        line.send(encoding.encode_client(m.RequestKeys("biped", "walk")))
        line.wait(m.Keys)


def test_interactions_of_a_disconnected_client_are_cancelled(address):
    with Line(address) as stays:
        with Line(address) as goes:
            goes.send(BEGIN, MOVE)
            goes.wait(m.Preview)
        assert not stays.wait(m.InteractionEnded)[-1][0].committed


def test_the_model_is_served_to_be_kept(address):
    with connect(f"ws://{address}/wire", compression=None, max_size=None) as line:
        received = [encoding.decode(line.recv(timeout=60)) for _ in range(3)]
        assert kinds(received) == ["Welcome", "SceneInfo", "Document"]
        model = received[1][0].model
    answer = httpx.get(f"http://{address}/{model}")
    assert answer.content[:4] == b"glTF"
    assert answer.headers["content-type"] == "model/gltf-binary"
    assert "immutable" in answer.headers["cache-control"]
    assert httpx.get(f"http://{address}/model/1/other.glb").status_code == 404


def test_a_browser_that_looks_for_an_icon_meets_no_error(address):
    assert httpx.get(f"http://{address}/favicon.ico").status_code == 204


def test_the_page_is_served(address):
    answer = httpx.get(f"http://{address}/")
    assert "the page" in answer.text


def test_a_file_can_be_uploaded_brought_exported_and_fetched(address, tmp_path):
    from arcwright import read, write

    write(read("lamp:hop"), tmp_path / "lamp.arc.glb")
    data = (tmp_path / "lamp.arc.glb").read_bytes()
    answer = httpx.post(
        f"http://{address}/upload", params={"name": "my lamp.arc.glb"}, content=data
    )
    with Line(address) as line:
        line.send(m.ImportUpload(answer.json()["upload"], add=False))
        assert line.wait(m.Document)[-1][0].name == "lamp:hop"
        line.send(m.Export("arc", "lamp", "hop"))
        message = line.wait(m.Download)[-1][0]
    fetched = httpx.get(f"http://{address}/{message.address}")
    assert fetched.content[:4] == b"glTF"
    assert "lamp%20hop.arc.glb" in fetched.headers["content-disposition"]
    assert httpx.get(f"http://{address}/download/nothing/{message.name}").status_code == 404


def test_uploads_of_no_known_kind_are_refused(address):
    answer = httpx.post(f"http://{address}/upload", params={"name": "virus.exe"}, content=b"x")
    assert answer.status_code == 400
    assert ".bvh" in answer.text
    assert httpx.post(f"http://{address}/upload", content=b"x").status_code == 400


def test_small_messages_do_not_wait_for_each_other():
    """Nagle's algorithm holds them back for 40 ms, unless asyncio knows that a socket is TCP."""
    listening = listen("127.0.0.1", None)
    try:
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
            assert accepted.proto == socket.IPPROTO_TCP
            accepted.close()
    finally:
        listening.close()


def test_a_port_in_use_is_reported_or_skipped():
    taken = listen("127.0.0.1", None)
    port = taken.getsockname()[1]
    try:
        with pytest.raises(PortTaken, match=f"port {port} cannot be used"):
            listen("127.0.0.1", port)
        other = listen("127.0.0.1", None)
        assert other.getsockname()[1] != port
        other.close()
    finally:
        taken.close()


REFUSED_TO_VIEWERS = [
    BEGIN,
    MOVE,
    m.ApplyChange(m.DeleteKeys("biped", "walk", [(0, 0)])),
    m.ApplyChanges([m.DeleteKeys("biped", "walk", [(0, 0)])]),
    m.PreviewChange(1, m.DeleteKeys("biped", "walk", [(0, 0)])),
    m.Undo(),
    m.GoToStep(0),
    m.Open("builtin", "lamp:hop"),
    m.Save("a.arc.glb"),
    m.Export("glb", "biped", "walk"),
    m.ListFolder(),
    m.ImportUpload("x", False),
    m.CancelJob(1),
]


def test_a_guest_who_may_look_is_answered_questions_and_refused_all_else(address):
    with Line(address, "?view") as guest:
        guest.send(m.RequestKeys("biped", "walk"), m.RequestFrames("biped", "walk", 0, 2))
        guest.wait(m.Frames)
        for message in REFUSED_TO_VIEWERS:
            guest.send(message)
            assert guest.wait(m.Failure)[-1][0].text.startswith("View only")
        guest.send(m.RequestFrames("biped", "walk", 0, 2))
        assert kinds(guest.wait(m.Frames)) == ["Frames"]  # nothing has changed


def test_every_message_has_a_handler_and_viewers_can_only_look(worker):
    looking = {m.Introduce, m.Subscribe, m.RequestFrames, m.RequestKeys, m.RequestFootplants}
    looking |= {m.RequestRestOverlays, m.RequestProposedEvents}
    assert worker.commands.keys() == set(get_args(encoding.AnyClientMessage))
    assert {kind for kind, each in worker.commands.items() if each.for_viewers} == looking


def test_a_client_is_sent_its_role_and_viewers_nothing_of_files(address, tmp_path):
    from arcwright import read, write

    write(read("lamp:hop"), tmp_path / "lamp.arc.glb")
    with Line(address) as owner, Line(address, "?view") as guest:
        owner.send(m.Open("file", "lamp.arc.glb"))
        assert owner.wait(m.Recent)[-1][0].recent
        received = guest.wait(m.Document)
        assert "Recent" not in kinds(received)
    for query, role in (("", "edit"), ("?view", "view")):
        with connect(f"ws://{address}/wire{query}", compression=None) as line:
            message, _ = encoding.decode(line.recv(timeout=60))
            assert message.role == role
            assert bool(message.recent) == (role == "edit")
            assert bool(message.folder) == (role == "edit")


def test_too_many_keys_at_once_are_refused_with_an_explanation(address):
    with Line(address) as line:
        line.send(m.ApplyChange(m.DeleteKeys("biped", "walk", [(0, 0)] * 20_001)))
        assert "at most 20,000 keys" in line.wait(m.Failure)[-1][0].text
