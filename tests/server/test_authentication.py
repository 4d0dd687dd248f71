from dataclasses import dataclass, field

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from arcwright.server.transport import authentication as module
from arcwright.server.transport import rate_limit
from arcwright.server.transport.authentication import Authentication, Pass, policy
from coroutines import run

OWNER = Pass()
VIEWER = Pass("view")
TOKEN = OWNER.token
ASK = f"?token={TOKEN}"
COOKIE = f"arcwright-8765={OWNER.session}"


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
    routes = [Route(path, plain, methods=["GET", "POST"]) for path in (*EVERYTHING, "/phone")]
    routes += [Route("/assets/{name:path}", plain), WebSocketRoute("/wire", echo)]
    return Starlette(routes=routes)


@dataclass
class Answer:
    """What came back: a status and headers, or the code with which a socket was closed."""

    status: int = 0
    headers: dict = field(default_factory=dict)
    text: str = ""


def request(path, kind="http", secure=False, says=(), authentication=None, **headers):
    """One request, as a server interactions it on."""
    reported = {"host": "127.0.0.1:8765", **headers}
    scheme = {"http": "http", "websocket": "ws"}[kind] + "s" * secure
    bare, _, query = path.partition("?")
    scope = {
        "type": kind,
        "method": "GET",
        "scheme": scheme,
        "path": bare,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in reported.items()],
        "subprotocols": [],
    }
    answer = Answer()
    if kind == "http":
        received = [{"type": "http.request", "body": b""}]
    else:
        received = [{"type": "websocket.connect"}]
        received += [{"type": "websocket.receive", "text": text} for text in says]
        received += [{"type": "websocket.disconnect", "code": 1000}]

    async def receive():
        return received.pop(0)

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

    run((authentication or Authentication(inside(), [OWNER]))(scope, receive, send))
    return answer


def wire(path="/wire" + ASK, **rest):
    return request(path, "websocket", says=["hello"], **rest)


EVERYTHING = ("/", "/model/1/x", "/sound/x", "/upload", "/download/a/b", "/posts", "/posts/key")


@pytest.mark.parametrize("path", EVERYTHING)
def test_everything_of_the_document_needs_a_session(path):
    assert request(path, cookie=COOKIE).text == "inside"
    assert request(path, cookie=f"other=1; {COOKIE}; arcwright-1=x").text == "inside"
    for wrong in (
        "",
        f"{COOKIE}x",
        COOKIE[:-1],
        COOKIE.replace("8765", "8766"),
        f"arcwright-8765={TOKEN}",
        f"__Host-{COOKIE}",
        "arcwright-8765=\xff",
    ):
        answer = request(path, cookie=wrong)
        assert answer.status == 403
        assert "open the new link" in answer.text
        assert TOKEN not in answer.text
        assert OWNER.session not in answer.text


@pytest.mark.parametrize("path", EVERYTHING[1:])
def test_scripts_may_send_the_token_itself(path):
    assert request(path + ASK).text == "inside"
    assert request(path, authorization=f"Bearer {TOKEN}").text == "inside"
    for wrong in (
        "",
        "?token=",
        f"?token={TOKEN}x",
        f"?token={TOKEN[:-1]}",
        "?tok=1",
        "?token=%ff",
    ):
        assert request(path + wrong).status == 403
    for wrong in ("", "Bearer", f"Bearer {OWNER.session}", f"Basic {TOKEN}"):
        assert request(path, authorization=wrong).status == 403


def test_a_wrong_token_is_refused_even_with_a_session():
    assert request("/?token=old", cookie=COOKIE).status == 403


def test_a_link_is_exchanged_for_a_cookie_and_a_clean_address():
    answer = request(f"/?lesson=2&token={TOKEN}")
    assert answer.status == 303
    assert answer.headers["location"] == "/?lesson=2"
    cookie = answer.headers["set-cookie"]
    assert cookie == f"{COOKIE}; Path=/; HttpOnly; SameSite=Strict"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert TOKEN not in str(answer.headers)
    assert answer.text == ""
    assert request("/", cookie=cookie.partition(";")[0]).text == "inside"


def test_the_link_of_a_phone_leads_to_its_own_page():
    answer = request(f"/phone?token={TOKEN}&perform=1")
    assert (answer.status, answer.headers["location"]) == (303, "/phone?perform=1")
    assert request("/phone").status == 403
    assert request("/phone", cookie=COOKIE).text == "inside"
    assert request("/phone/other?token=" + TOKEN).status == 404  # a page, no folder
    assert request(f"/stages?token={TOKEN}").headers["location"] == "/stages"
    assert request("/stages").status == 403


def test_over_tls_the_cookie_is_for_tls_only():
    own = Authentication(inside(), [OWNER], ("192.168.1.7",))
    answer = request("/" + ASK, authentication=own, secure=True, host="192.168.1.7:8766")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"__Host-arcwright-8766={OWNER.session};")
    assert cookie.endswith("; Secure")
    reported = {"host": "192.168.1.7:8766", "cookie": cookie.partition(";")[0]}
    assert request("/", authentication=own, secure=True, **reported).text == "inside"


def test_a_link_on_another_site_leads_on_by_a_page_of_ours():
    """Behind a redirect from another site browsers leave a strict cookie out."""
    answer = request("/" + ASK, **{"sec-fetch-site": "cross-site"})
    assert answer.status == 200
    assert answer.headers["refresh"] == "0;url=/"
    assert answer.headers["set-cookie"].startswith(COOKIE)
    assert answer.text == ""


def test_each_start_has_secrets_of_its_own():
    other = Pass()
    assert len({OWNER.token, OWNER.session, other.token, other.session}) == 4
    assert TOKEN not in repr(OWNER)
    assert (
        request("/", cookie=COOKIE, authentication=Authentication(inside(), [other])).status == 403
    )
    assert request("/upload" + ASK, authentication=Authentication(inside(), [other])).status == 403


def test_what_is_refused_is_logged_without_secrets(caplog):
    request(f"/upload?token={TOKEN}x", cookie=COOKIE + "x")
    wire(f"/wire?token={TOKEN}x", cookie=COOKIE + "x")
    assert len(caplog.records) == 2
    assert TOKEN not in caplog.text
    assert OWNER.session not in caplog.text


def test_guests_who_may_look_get_the_page_and_the_model_only():
    own = Authentication(inside(), [VIEWER])
    cookie = f"arcwright-8765={VIEWER.session}"
    for path in ("/", "/phone", "/model/1/x", "/assets/index.js"):
        assert request(path, authentication=own, cookie=cookie).text == "inside"
    assert wire("/wire", authentication=own, cookie=cookie).text == "hello"
    for path in ("/upload", "/download/a/b", "/other"):
        answer = request(path, authentication=own, cookie=cookie)
        assert answer.status == 403
        assert "View only" in answer.text


def test_the_application_receives_the_role():
    for each in (OWNER, VIEWER):
        seen = []

        async def note(scope, receive, send, seen=seen):
            seen.append(scope["role"])

        request(
            "/",
            authentication=Authentication(note, [OWNER, VIEWER]),
            cookie=f"arcwright-8765={each.session}",
        )
        assert seen == [each.role]


def test_the_pages_code_needs_no_token_but_nothing_hides_behind_it():
    assert request("/assets/index.js").text == "inside"
    assert request("/assets/../model/1/x").status == 403
    assert wire("/assets/wire").status == 1008


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8765", "[::1]:8765", "LOCALHOST:1"])
def test_the_names_of_this_machine_are_answered(host):
    assert request("/model/1/x" + ASK, host=host).status == 200


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
    assert request("/" + ASK, host=host).status == 403
    assert request("/assets/index.js", host=host).status == 403
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
    assert request("/upload" + ASK, origin=origin).status == 403


def test_our_own_page_and_programs_without_origin_may_connect():
    assert wire(origin="http://127.0.0.1:8765").text == "hello"
    assert wire().text == "hello"


def test_the_wire_needs_the_token():
    for path in ("/wire", "/wire?token=wrong"):
        assert wire(path).status == 1008


def test_a_shared_studio_answers_to_its_own_names_over_tls_only():
    own = Authentication(inside(), [OWNER], ("192.168.1.7",))
    host, origin = "192.168.1.7:8765", "https://192.168.1.7:8765"
    assert wire(authentication=own, secure=True, host=host, origin=origin).text == "hello"
    assert wire(authentication=own, secure=False, host=host, origin=origin).status == 1008
    assert request("/upload" + ASK, authentication=own, secure=True, host=host).text == "inside"
    assert request("/" + ASK, authentication=own, secure=True, host="localhost:8765").status == 403


def test_responses_have_security_headers():
    headers = request("/" + ASK).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    message = headers["content-security-policy"]
    assert "default-src 'none'" in message
    assert "frame-ancestors 'none'" in message
    assert "script-src 'self';" in message
    assert "connect-src 'self' blob: ws://127.0.0.1:8765;" in message
    assert "wss://a:1" in policy("a:1", secure=True)


def test_the_number_of_clients_is_limited(monkeypatch):
    monkeypatch.setattr(module, "MAX_CLIENTS", 1)
    seen = []

    async def second(scope, receive, send):
        await receive()
        seen.append(own._forbidden(OWNER, scope))

    own = Authentication(second, [OWNER])
    wire(authentication=own)
    wire(authentication=own)
    assert seen == ["too many clients", "too many clients"]
    assert own._clients == 0


def test_messages_that_come_too_fast_are_delayed_not_dropped(monkeypatch):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    monkeypatch.setattr(rate_limit, "BURST", 50.0)
    monkeypatch.setattr(rate_limit.asyncio, "sleep", sleep)

    async def message():
        return {"type": "websocket.receive", "text": "x"}

    async def talk():
        limited = module._rate_limited(message)
        for _ in range(200):
            assert await limited() == await message()

    run(talk())
    assert 50 < len(waits) <= 150
    assert waits[-1] > waits[0] > 0
