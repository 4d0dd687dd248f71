"""Everything a studio should refuse: no link, paths out of the folder, damaged messages."""

from __future__ import annotations

import http.client
import json
import random
import socket
import tempfile
import threading
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidHandshake

import hostile
from arcwright.open import write
from arcwright.server import messages as m
from arcwright.server.messages import encoding
from arcwright.server.transport.posts import packed
from arcwright.tools.gesture import Performance
from builders import arm_scene
from damages import json_damaged
from hostile_contents import HostileContents
from hostile_messages import AT, VALID
from studio_process import Running, Talk

SECRET = "Joint-nobody-may-see"
SAMPLES = m.AppendPerformance(1, Performance([0.0, 0.1], [[[0, 1, 0, 1, 0, 0, 0]]] * 2))
ESCAPES = [
    *("../secret.bvh", "sub/../../secret.bvh", "/etc/passwd", "//x/y.bvh", "..\\secret.bvh", ".."),
    *("C:\\x.bvh", "a\0.bvh", "link.bvh", "links/secret.bvh", ".hidden.bvh", "%2e%2e/secret.bvh"),
    *("~/x.bvh", "sub/../../../../../../etc/passwd", "\u202e.bvh", "../home/token", "x" * 990),
]
PATHS = [
    *(
        "/../secret.bvh",
        "/..%2fsecret.bvh",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/../../secret.bvh",
    ),
    *(
        "/assets/..%2f..%2fstart.py",
        "/assets/%2e%2e/%2e%2e/start.py",
        "//etc/passwd",
        "/assets//etc",
    ),
    *("/model/1/../../../secret.bvh", "/model/1/x.glb", "/model/x/y", "/download/../../secret.bvh"),
    *("/download/a/..%2f..%2fsecret.bvh", "/download/%00/x", "/wire", "/upload", "/token", "/%ff"),
    *("/posts", "/posts/", "/posts/x", "/posts/x?after=0", "/posts/x/end", "/posts/../wire"),
    *("/assets/\\..\\..\\start.py", "/assets/%5c..%5cstart.py", "/" + "a" * 4000, "/.git/config"),
]


def planted(folder: Path) -> tuple[Path, Path]:
    """A state folder and an opened folder, with secrets beside them and links that lead there."""
    home, opened = folder / "home", hostile.planted(folder)
    (opened / "sub").mkdir()
    write(arm_scene(), opened / "arm.arc.glb")
    write(arm_scene(), folder / "secret.bvh", take="wave")
    text = (folder / "secret.bvh").read_text().replace("joint1", SECRET)
    (folder / "secret.bvh").write_text(text)
    (opened / ".hidden.bvh").write_text(text)
    (opened / "link.bvh").symlink_to(folder / "secret.bvh")
    (opened / "links").symlink_to(folder)
    return home, opened


LARGE = 50_000  # characters


class Hostile:
    """A studio under attack; counts what was sent and what was refused."""

    def __init__(self, studio: Running, folder: Path, seed: int) -> None:
        self.studio, self.folder = studio, folder
        self.rng = random.Random(seed)
        self.token = studio.query.removeprefix("token=")
        self.before = self._outside()
        self.sent = self.refused = self.failures = self.bad = self.files = self.used = 0
        self.found: list[str] = []
        temporary = Path(tempfile.gettempdir()) / "arcwright-"
        self._places = [str(folder).encode(), str(temporary).encode()]

    # Strangers.

    def requests(self, count: int) -> None:
        """HTTP without a link, and to missing places; none may be answered."""
        for _ in range(count):
            kind = self.rng.choice(["token", "host", "origin", "path", "method", "raw"])
            self.sent += 1
            if kind == "raw":
                self._raw()
            else:
                self._request(kind)

    def _request(self, kind: str) -> None:
        path, query = self.rng.choice([*PATHS, "/", "/upload?name=a.bvh"]), self.studio.query
        headers = {"Host": f"127.0.0.1:{self.studio.port}"}
        if kind == "token":
            query = self.rng.choice(["", "token=", f"token={self.token[:-1]}", "token=%00", "a=b"])
        elif kind == "host":
            headers["Host"] = self.rng.choice(["evil.example", "localhost.evil.example", "1.2.3.4"])
        elif kind == "origin":
            headers["Origin"] = self.rng.choice(
                ["http://evil.example", "null", "https://127.0.0.1"]
            )
        else:
            path = self.rng.choice(PATHS)
        method = (
            self.rng.choice(["PUT", "DELETE", "TRACE", "X" * 99]) if kind == "method" else "GET"
        )
        line = http.client.HTTPConnection("127.0.0.1", self.studio.port, timeout=30)
        try:
            line.putrequest(method, f"{path}{'&' if '?' in path else '?'}{query}", skip_host=True)
            for name, value in headers.items():
                line.putheader(name, value)
            line.endheaders()
            answer = line.getresponse()
            self._look(answer.read(), f"{kind} {path}")
            self._refuse(answer.status >= 400, f"{kind} {method} {path}: {answer.status}")
        except (http.client.HTTPException, ConnectionError):
            self.refused += 1
        except (ValueError, UnicodeError):  # what even our own side will not send
            self.refused += 1
        finally:
            line.close()

    def _raw(self) -> None:
        """Bytes that are no HTTP."""
        with socket.create_connection(("127.0.0.1", self.studio.port), timeout=30) as line:
            data = self.rng.randbytes(self.rng.choice([1, 100, 5000]))
            try:
                line.sendall(data + b"\r\n\r\n")
                line.shutdown(socket.SHUT_WR)
                self._look(line.recv(65536), "raw bytes")
            except ConnectionError:
                pass
        self.refused += 1

    def handshakes(self, count: int) -> None:
        """WebSockets without a link."""
        good = f"ws://127.0.0.1:{self.studio.port}/wire?{self.studio.query}"
        for _ in range(count):
            self.sent += 1
            address, origin = self.rng.choice(
                [
                    (good, "http://evil.example"),
                    (good, "null"),
                    (good, f"http://localhost:{self.studio.port}"),
                    (good, f"https://127.0.0.1:{self.studio.port}"),
                    (good[:-1], self.studio.origin),
                    (good.partition("?")[0], self.studio.origin),
                    (good.replace("/wire", "/assets/wire"), self.studio.origin),
                    (good.replace("127.0.0.1", "localhost"), self.studio.origin),
                ]
            )
            try:
                with Talk(address, origin):
                    self._refuse(False, f"let in: {address.partition('?')[0]} {origin}")
            except InvalidHandshake:
                self.refused += 1

    # Messages.

    def messages(self, count: int) -> None:
        """Messages that cannot be right, and random mutations of ones that were."""
        with self.studio.talk() as talk:
            ears = threading.Thread(target=self._listen, args=(talk,))
            ears.start()
            for _ in range(count):
                self.sent += 1
                bad = self.rng.random() < 0.5
                self.bad += bad
                talk.send(self._bad() if bad else self._mutated())
            talk.send(m.ListFolder("sub"))
            ears.join()

    def _listen(self, talk: Talk) -> None:
        """Hear everything until all that is bad was refused; nothing of it may be a secret."""
        last = False
        try:
            while not last or self.failures < self.bad:
                data = talk.socket.recv(timeout=120.0)
                assert isinstance(data, bytes)
                self._look(data, "message")
                received, _ = encoding.decode(data)
                self.failures += isinstance(received, m.Failure)
                last |= isinstance(received, m.Folder) and received.folder == "sub"
        except TimeoutError:
            self.found.append("it stopped answering")

    def _bad(self) -> str | bytes:
        name = self.rng.choice(ESCAPES)
        choice = self.rng.randrange(10)
        if choice == 0:
            return encoding.encode_client(m.Open("file", name)).decode()
        if choice == 1:
            return encoding.encode_client(m.Save(name)).decode()
        if choice == 2:
            return encoding.encode_client(m.ListFolder(name)).decode()
        if choice == 3:
            return self.rng.randbytes(self.rng.choice([0, 1, 50, 3000]))
        if choice == 4:
            message = self.rng.choice(VALID)
            return encoding.encode_client(message)[
                : self.rng.randrange(1, len(encoding.encode_client(message)))
            ].decode()
        if choice == 5:
            return self.rng.choice(["[", '{"type":']) * self.rng.choice([10, 1000, 100_000])
        if choice == 6:
            return encoding.encode_client(
                m.Open("recover", self.rng.choice([*ESCAPES, "none"]))
            ).decode()
        if choice == 7:
            number = self.rng.choice(["1e999", "NaN", "Infinity", "9" * 400, "-1e999", "0x10"])
            return f'{{"type":"GoToStep","step":{number}}}'
        if choice == 8:
            return self._bad_samples()
        kind = self.rng.choice(["", "undo", "eval", "Undo\0", "__init__", "Undo "])
        return json.dumps({"type": kind, "step": 1})

    def _bad_samples(self) -> bytes:
        """A frame of a performance that is cut, too long, or holds what is no number."""
        data = encoding.encode_client(SAMPLES)
        wrong = [
            data[: self.rng.randrange(len(data))],
            data + self.rng.randbytes(self.rng.choice([1, 8, 5000])),
            data[:-8] + b"\xff" * 8,
            self.rng.randbytes(4) + data[4:],
        ]
        return self.rng.choice(wrong)

    def _mutated(self) -> str:
        text = encoding.encode_client(self.rng.choice(VALID)).decode()
        for _ in range(self.rng.choice([0, 1, 1, 2, 4])):
            if len(text) < LARGE:  # what is large grows beyond all measure
                text = json.dumps(json_damaged(self.rng, json.loads(text)))
        return text if len(text) < 1 << 20 else self._mutated()

    def posts(self, count: int) -> None:
        """The same messages by posts, with numbers and lengths that are wrong."""
        line = http.client.HTTPConnection("127.0.0.1", self.studio.port, timeout=60)
        key, number = json.loads(self._post(line, "/posts", b"")[1])["key"], 1
        for _ in range(count):
            self.sent += 1
            text = self._bad() if self.rng.random() < 0.5 else self._mutated()
            data = text.encode() if isinstance(text, str) else text
            body = packed(number, [data])
            wrong = self.rng.choice(["", "cut", "early", "late", "key", "length", "bytes"])
            path = f"/posts/{key[:-1] if wrong == 'key' else key}"
            match wrong:
                case "cut":
                    body = body[: self.rng.randrange(len(body))]
                case "early":
                    body = packed(max(number - 1, 1), [data])
                case "late":
                    body = packed(number + self.rng.choice([1, 9, 1 << 31]), [data])
                case "length":
                    body = body[:4] + self.rng.randbytes(4) + body[8:]
                case "bytes":
                    body = self.rng.randbytes(self.rng.choice([0, 3, 8, 5000]))
            status, answer = self._post(line, path, body)
            if status == 200:
                number = json.loads(answer)["received"] + 1
            self._look(answer, f"post {wrong}")
            taken = {"": {200}, "early": {200}, "late": {409}, "key": {410}}
            fits = status in taken.get(wrong, {200, 400, 409})
            self._refuse(fits, f"post {wrong}: {status}")
        line.close()

    def _post(self, line: http.client.HTTPConnection, path: str, body: bytes) -> tuple[int, bytes]:
        headers = {"Origin": self.studio.origin, "Authorization": f"Bearer {self.token}"}
        line.request("POST", path, body, headers)
        answer = line.getresponse()
        return answer.status, answer.read()

    def oversized(self, count: int) -> None:
        """Frames larger than any client sends end that connection, and nothing else."""
        for _ in range(count):
            self.sent += 1
            try:
                with self.studio.talk() as talk:
                    talk.send("x" * (9 << 20))
                    while True:
                        talk.socket.recv(timeout=60)
            except (ConnectionClosed, ConnectionError):
                self.refused += 1

    # Files.

    def contents(self, count: int) -> None:
        """Files that are meant to do harm, opened and worked with."""
        files = HostileContents(self.studio, self.folder / "opened", self.sent, self._look)
        files.open(count)
        self.files += count
        self.refused += files.refused
        self.used += files.used
        self.sent += count
        self.found += files.found

    # What must be true at the end.

    def still_edits(self) -> None:
        """The studio does what it is asked, as if nothing had been.

        Files that were asked for before may still be opened meanwhile; then it is asked again.
        """
        with self.studio.talk() as talk:
            tries = (self._edits(talk) for _ in range(20))
            if not any(tries):
                self.found.append("it cannot be worked with any more")

    def _edits(self, talk: Talk) -> bool:
        talk.send(m.Open("builtin", "biped:walk"))
        talk.wait_for(
            m.Document, when=lambda message: message.name == "biped:walk" and not message.done
        )
        talk.send(m.ApplyChange(m.MoveKeys(*AT, [(0, 0)], value=0.1)))
        message = talk.wait_for(m.Document, m.Failure)
        if not isinstance(message, m.Document) or len(message.done) != 1:
            return False
        talk.send(m.Undo())
        message = talk.wait_for(m.Document, m.Failure)
        return isinstance(message, m.Document) and len(message.undone) == 1

    def faults(self) -> list[str]:
        """What went wrong, in messages."""
        now = self._outside()
        if now != self.before:
            self.found.append(f"changed outside the folder: {now.items() ^ self.before.items()}")
        if self.failures < self.bad:
            self.found.append(f"{self.bad} bad messages, but only {self.failures} were refused")
        if self.studio.process.poll() is not None:
            self.found.append("the studio has ended")
        for stumble in self.studio.log.read_text().split("Traceback")[1:]:
            self.found.append(f"it stumbled: {stumble[:3000]}")
        return self.found

    def _outside(self) -> dict[str, bytes]:
        return {
            str(path): path.read_bytes()
            for path in self.folder.iterdir()
            if path.is_file() and path != self.studio.log
        }

    def _refuse(self, right: bool, what: str) -> None:
        self.refused += right
        if not right:
            self.found.append(f"not refused: {what}")

    def _look(self, data: bytes, where: str, *, file: bool = False) -> None:
        """No secret may be in what comes back, nor a path, unless a file itself names one."""
        for secret in (SECRET.encode(), self.token.encode(), hostile.CANARY, b"root:"):
            if secret in data:
                self.found.append(f"a secret came out ({secret[:12]!r}...): {where}")
        if not file and any(each in data for each in self._places):
            self.found.append(f"a path of this machine came out: {where}: {data[:2000]!r}")
