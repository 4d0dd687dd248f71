"""Files that are meant to do harm, opened in a running studio, and then worked with."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx

from arcwright.open import write
from arcwright.server import messages as m
from arcwright.server.messages import encoding
from builders import arm_scene
from damages import damaged
from good_files import seeds
from hostile import crowd, endless, gltf_elsewhere, name_elsewhere, put
from studio_process import LONG, Running, Talk

Damage = Callable[[random.Random, bytes], bytes]
MOST_MEMORY = 1 << 30  # bytes that a studio may use more than at its beginning


def huge(rng: random.Random, data: bytes) -> bytes:
    """A BVH file that announces more than it has."""
    count = str(rng.choice([10**6, 10**9, 2**63, -1])).encode()
    what = rng.choice([b"Frames:", b"Frame Time:", b"CHANNELS"])
    before, found, after = data.partition(what)
    _, end, rest = after.partition(b"\n" if what != b"CHANNELS" else b" ")
    return before + found + b" " + count + end + rest


def anything(rng: random.Random, data: bytes) -> bytes:
    """Any damage at all."""
    suffix = ".glb" if data[:4] == b"glTF" else ".gltf" if data[:1] == b"{" else ".bvh"
    return damaged(str(rng.random()), {suffix: [data]})[1]


DAMAGES: dict[str, tuple[Damage, ...]] = {
    ".obj": (name_elsewhere, anything),
    ".gltf": (gltf_elsewhere, gltf_elsewhere, endless, crowd, anything),
    ".glb": (gltf_elsewhere, endless, crowd, anything),
    ".bvh": (huge, anything),
    ".arc.glb": (gltf_elsewhere, endless, anything),
}


def good_files() -> dict[str, list[bytes]]:
    """Files to damage, by suffix; the damages of a kind are tried on those that have the parts."""
    found = {suffix: each[:1] for suffix, each in seeds().items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.arc.glb"
        write(arm_scene(), path)
        return found | {".arc.glb": [path.read_bytes()]}


class HostileContents:
    """Opens, uploads and uses such files; `look` is given all that comes back."""

    def __init__(self, studio: Running, opened: Path, seed: int, look: Callable[..., None]) -> None:
        self.studio, self.opened, self.look = studio, opened, look
        self.rng = random.Random(seed)
        self.good = good_files()
        self.used = self.refused = 0
        self.found: list[str] = []
        self._begun = studio.memory()

    def open(self, count: int) -> None:
        """So many files, each by a client of its own."""
        for _ in range(count):
            suffix = self.rng.choice(list(self.good))
            damage = self.rng.choice(DAMAGES[suffix])
            data = damage(self.rng, self.rng.choice(self.good[suffix]))
            what = f"{suffix} {damage.__name__}"
            try:
                with self.studio.talk() as talk:
                    self._use(talk, suffix, data, what)
            except TimeoutError:
                self.found.append(f"it did not answer in time: {what}")
            grown = self.studio.memory() - self._begun
            if grown > MOST_MEMORY:
                self.found.append(f"it uses {grown >> 20} MB more than before: {what}")

    def _use(self, talk: Talk, suffix: str, data: bytes, what: str) -> None:
        opens = self._uploaded if self.rng.random() < 0.4 else self._placed
        message = opens(suffix, data)
        if message is None:
            self.refused += 1
            return
        talk.send(message)
        received = self._hear(talk, what, m.Recent if not _adds(message) else m.Document, m.Failure)
        if isinstance(received[-1], m.Failure):
            self.refused += 1
            return
        self.used += 1
        for cast in [each for each in received if isinstance(each, m.SceneInfo)][-1:]:
            self.look(self._fetch(cast.model), f"{what}: model", file=True)
        document = next(each for each in reversed(received) if isinstance(each, m.Document))
        for message in self._work(document):
            if isinstance(
                message, m.RequestFrames | m.RequestKeys
            ):  # which samples may leave unanswered
                talk.send(message)
                message = m.ListFolder("sub")
            talk.send(message)
            answer = self._hear(talk, what, *_answers(message))[-1]
            if isinstance(answer, m.Download):
                self.look(self._fetch(answer.address), f"{what}: {message}", file=True)
            if isinstance(answer, m.Saved):
                saved = (self.opened / answer.path).read_bytes()
                self.look(saved, f"{what}: {message}", file=True)

    def _work(self, document: m.Document) -> Iterator[m.ClientMessage]:
        """What people do with a document: look at it, export it, save it and open it again."""
        takes = [(who, take) for who, own in document.takes.items() for take in own]
        if takes:
            who, take = self.rng.choice(takes)
            yield m.RequestFrames(who, take.name, 0, 10)
            yield m.RequestKeys(who, take.name)
            format = self.rng.choice(["glb", "bvh", "arc", "png"])
            yield m.Export(format, who, take.name)  # type: ignore[arg-type]
        name = f"saved{self.rng.choice(['.arc.glb', '.glb', '.gltf'])}"
        yield m.Save(name, True)
        yield m.Open("file", name)

    def _placed(self, suffix: str, data: bytes) -> m.ClientMessage:
        path = put(self.opened, suffix, data)
        return m.Open("file", path.name)

    def _uploaded(self, suffix: str, data: bytes) -> m.ClientMessage | None:
        address = f"{self.studio.origin}/upload?name=a{suffix}&{self.studio.query}"
        answer = httpx.post(address, content=data, timeout=LONG)
        self.look(answer.content, f"upload {suffix}")
        add = self.rng.random() < 0.2
        return m.ImportUpload(answer.json()["upload"], add) if answer.status_code == 200 else None

    def _fetch(self, address: str) -> bytes:
        answer = httpx.get(f"{self.studio.origin}/{address}?{self.studio.query}", timeout=LONG)
        return answer.content

    def _hear(self, talk: Talk, what: str, *kinds: type) -> list[m.ServerMessage]:
        received: list[m.ServerMessage] = []
        while not received or not isinstance(received[-1], kinds):
            data = talk.socket.recv(timeout=LONG)
            assert isinstance(data, bytes)
            self.look(data, f"{what}: message")
            received.append(encoding.decode(data)[0])
        return received


def _adds(message: m.ClientMessage) -> bool:
    return isinstance(message, m.ImportUpload) and message.add


def _answers(message: m.ClientMessage) -> tuple[type, ...]:
    match message:
        case m.ListFolder():
            return (m.Folder,)
        case m.Export():
            return m.Download, m.Failure
        case m.Save():
            return m.Saved, m.Failure
        case _:
            return m.Recent, m.Failure
