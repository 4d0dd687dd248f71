import asyncio
from dataclasses import dataclass, field

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from arcwright.server import door
from arcwright.server.door import Door, policy

TOKEN = "abcdefghijklmnopqrstuvwxyz0123456789"
ASK = f"?token={TOKEN}"


async def plain(request):
    return PlainTextResponse("inside")


async def echo(socket):
    await socket.accept()
    try:
        while True:
            await socket.send_text(await socket.receive_text())
    except WebSocketDisconnect:
        pass


def inside():
    routes = [
        Route(path, plain, methods=["GET", "POST"]) for path in ("/", "/model/1/x", "/upload")
    ]
    routes += [Route("/assets/{name:path}", plain), WebSocketRoute("/wire", echo)]
    return Starlette(routes=routes)


@dataclass
class Answer:
    """What came back: a status and headers, or the code with which a socket was closed."""

    status: int = 0
    headers: dict = field(default_factory=dict)
    text: str = ""


def ask(path, kind="http", secure=False, says=(), door=None, **headers):
    """One request, as a server hands it on."""
    said = {"host": "127.0.0.1:8765", **headers}
    scheme = {"http": "http", "websocket": "ws"}[kind] + "s" * secure
    bare, _, query = path.partition("?")
    scope = {
        "type": kind,
        "method": "GET",
        "scheme": scheme,
        "path": bare,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in said.items()],
        "subprotocols": [],
    }
    answer = Answer()
    if kind == "http":
        heard = [{"type": "http.request", "body": b""}]
    else:
        heard = [{"type": "websocket.connect"}]
        heard += [{"type": "websocket.receive", "text": text} for text in says]
        heard += [{"type": "websocket.disconnect", "code": 1000}]

    async def receive():
        return heard.pop(0)

    async def send(message):
        match message["type"]:
            case "http.response.start":
                answer.status = message["status"]
                answer.headers = {k.decode(): v.decode() for k, v in message["headers"]}
            case "http.response.body":
                answer.text += message.get("body", b"").decode()
            case "websocket.close":
                answer.status = message["code"]
            case "websocket.send":
                answer.text += message["text"]

    asyncio.run((door or Door(inside(), TOKEN))(scope, receive, send))
    return answer


def wire(path="/wire" + ASK, **rest):
    return ask(path, "websocket", says=["hello"], **rest)


@pytest.mark.parametrize("path", ["/", "/model/1/x", "/upload"])
def test_everything_of_the_document_needs_the_token(path):
    assert ask(path + ASK).text == "inside"
    for wrong in (
        "",
        "?token=",
        f"?token={TOKEN}x",
        f"?token={TOKEN[:-1]}",
        "?tok=1",
        "?token=%ff",
    ):
        answer = ask(path + wrong)
        assert answer.status == 403
        assert "printed when the studio started" in answer.text
        assert TOKEN not in answer.text


def test_the_pages_code_needs_no_token_but_nothing_hides_behind_it():
    assert ask("/assets/index.js").text == "inside"
    assert ask("/assets/../model/1/x").status == 403
    assert wire("/assets/wire").status == 1008


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8765", "[::1]:8765", "LOCALHOST:1"])
def test_the_names_of_this_machine_are_answered(host):
    assert ask("/" + ASK, host=host).status == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8765", "", "0.0.0.0"),
        *(
            "127.0.0.1@evil.example",
            "localhost:80; script-src *",
            "localhost:x",
            "[::1",
            "10.0.0.5",
        ),
    ],
)
def test_a_foreign_name_pointed_here_is_not_answered(host):
    assert ask("/" + ASK, host=host).status == 403
    assert ask("/assets/index.js", host=host).status == 403
    assert wire(host=host).status == 1008


@pytest.mark.parametrize(
    "origin",
    [
        *("http://evil.example", "null", "http://localhost:8765", "https://127.0.0.1:8765", ""),
        *(
            "http://127.0.0.1:3000",
            "http://127.0.0.1:8765.evil.example",
            "http://127.0.0.1",
            "file://",
        ),
    ],
)
def test_other_pages_are_sent_away_even_with_the_token(origin):
    assert wire(origin=origin).status == 1008
    assert ask("/upload" + ASK, origin=origin).status == 403


def test_our_own_page_and_programs_without_one_talk_over_the_wire():
    assert wire(origin="http://127.0.0.1:8765").text == "hello"
    assert wire().text == "hello"


def test_the_wire_needs_the_token():
    for path in ("/wire", "/wire?token=wrong"):
        assert wire(path).status == 1008


def test_a_shared_studio_answers_to_its_own_names_over_tls_only():
    own = Door(inside(), TOKEN, ("192.168.1.7",))
    host, origin = "192.168.1.7:8765", "https://192.168.1.7:8765"
    assert wire(door=own, secure=True, host=host, origin=origin).text == "hello"
    assert wire(door=own, secure=False, host=host, origin=origin).status == 1008
    assert ask("/" + ASK, door=own, secure=True, host=host).text == "inside"
    assert ask("/" + ASK, door=own, secure=True, host="localhost:8765").status == 403


def test_answers_say_what_the_page_may_do():
    headers = ask("/" + ASK).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    told = headers["content-security-policy"]
    assert "default-src 'none'" in told
    assert "frame-ancestors 'none'" in told
    assert "script-src 'self';" in told
    assert "connect-src 'self' blob: ws://127.0.0.1:8765;" in told
    assert "wss://a:1" in policy("a:1", secure=True)


def test_only_so_many_windows_come_in(monkeypatch):
    monkeypatch.setattr(door, "MOST_WINDOWS", 1)
    seen = []

    async def second(scope, receive, send):
        await receive()
        seen.append(own._fault({"host": ["localhost"]}, scope))

    own = Door(second, TOKEN)
    wire(door=own)
    wire(door=own)
    assert seen == ["too many windows", "too many windows"]
    assert own._windows == 0


def test_who_talks_too_fast_is_heard_later_but_heard(monkeypatch):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    monkeypatch.setattr(door, "BURST", 50.0)
    monkeypatch.setattr(door.asyncio, "sleep", sleep)

    async def message():
        return {"type": "websocket.receive", "text": "x"}

    async def talk():
        patient = door._Patient(message)
        for _ in range(200):
            assert await patient.receive() == await message()

    asyncio.run(talk())
    assert 50 < len(waits) <= 150
    assert waits[-1] > waits[0] > 0
