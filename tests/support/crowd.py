"""A crowd: clients that send anything in any order, from a seed."""

import errno
import random
import time

from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.server import messages as m
from arcwright.server.storage.journal.log import Log
from local_clients import LONG, LocalClient

WHO, TAKE = "lamp", "hop"
AT = WHO, TAKE
JOINTS = ("Shade", "UpperArm", "Base")


class Crowd:
    """Sends messages of every kind; `disk` may be full."""

    def __init__(self, worker, seed, disk, clients=2, looks=0):
        self.worker, self.dice, self.disk = worker, random.Random(seed), disk
        self.clients = [LocalClient(worker) for _ in range(clients)]
        self.looks = looks  # how often they look at something else, beside the other weights
        self.shown = {}  # client: the points it shows
        self.interactions = []  # (client, number) as clients assume them
        self.count = 100

    def send_messages(self, messages):
        """Send so many messages, now and then with a pause in which the worker catches up."""
        acts = [
            self.begin,
            self.move,
            self.end,
            self.preview_change,
            self.change,
            self.travel,
            self.other,
        ]
        weights = (3, 5, 4, 5, 4, 4, 2, self.looks)
        for _ in range(messages):
            act = self.dice.choices([*acts, self.subscribe], weights)[0]
            act(self.dice.choice(self.clients))
            if self.dice.random() < 0.3:
                self.clients[0].sync()

    def begin(self, client):
        tool = self.dice.choice(("tangent", "pose", "spacetime"))
        accept = self.dice.random() < 0.3
        client.send(
            m.BeginInteraction(self.interaction(client), tool, *AT, {}, accept_footplants=accept)
        )

    def interaction(self, client):
        self.count += 1
        self.interactions.append((client, self.count))
        return self.count

    def some(self, client):
        """An interaction that the client assumes active; at times one that ended long ago."""
        own = [number for whose, number in self.interactions if whose is client]
        return self.dice.choice(own[-3:]) if own else self.interaction(client)

    def move(self, client):
        joint, when = self.dice.choice(JOINTS), self.dice.choice((0.1, 0.3, 0.55))
        take = client.document.scene.actor(WHO).takes[0]
        x, y, z = trail(take, Point(joint), [when]).position[0].tolist()
        there = x + self.dice.gauss(0, 0.02), y + self.dice.gauss(0, 0.02), z
        client.send(m.UpdateInteraction(self.some(client), m.PointRef(joint), when, there))

    def end(self, client):
        kind = self.dice.choices(
            (m.CommitInteraction, m.CancelInteraction, m.AcceptOffer), (6, 1, 1)
        )[0]
        client.send(kind(self.some(client)))

    def preview_change(self, client):
        new = self.dice.random() < 0.3
        client.send(
            m.PreviewChange(
                self.interaction(client) if new else self.some(client), self.any_change()
            )
        )

    def change(self, client):
        if self.dice.random() < 0.3:
            client.send(m.ApplyChanges([self.any_change() for _ in range(3)]))
        else:
            client.send(m.ApplyChange(self.any_change()))

    def travel(self, client):
        messages = m.Undo(), m.Redo(), m.GoToStep(self.dice.randrange(8))
        client.send(self.dice.choices(messages, (4, 4, 1))[0])

    def other(self, client):
        what = self.dice.randrange(5)
        if what == 0:
            self.disk.full = not self.disk.full
        elif what == 1:
            client.send(m.SetOptions(self.some(client), {"time_reach": self.dice.randrange(3)}))
        elif what == 2:
            client.send(m.ApplyChange(m.DetectContacts(*AT)))
        elif what == 3:
            client.send(m.ApplyChange(m.FlattenLayers(*AT, 0.01)))
        else:
            self.worker.leave(client.client)
            self.interactions = [each for each in self.interactions if each[0] is not client]
            self.clients[self.clients.index(client)] = LocalClient(self.worker)

    def subscribe(self, client):
        """A client subscribes to or requests something else, at times of a missing take."""
        take = self.dice.choice((TAKE, TAKE, "again", "once more"))
        what = self.dice.randrange(3)
        if what == 0:
            joints = self.dice.sample(JOINTS, self.dice.randrange(1 + len(JOINTS)))
            self.shown[client] = [(joint, (0.0, 0.0, 0.0), "") for joint in joints]
            client.send(m.Subscribe(WHO, take, [m.PointRef(joint) for joint in joints]))
        elif what == 1:
            client.send(m.RequestFrames(WHO, take, 0, 239))
        else:
            client.send(m.RequestKeys(WHO, take))

    def any_change(self):
        dice = self.dice
        keys = [(dice.randrange(11), dice.randrange(3)) for _ in range(dice.randrange(1, 4))]
        return dice.choice(
            (
                m.MoveKeys(*AT, keys, time=dice.gauss(0, 0.05), value=dice.gauss(0, 0.05)),
                m.MoveKeys(*AT, keys, scale_time=dice.uniform(-1, 2), pivot_time=0.3),
                m.CopyKeys(*AT, keys, dice.gauss(0, 0.2)),
                m.DeleteKeys(*AT, keys),
                m.AddKeys(*AT, [dice.randrange(11)], dice.uniform(0, 1)),
                m.SetHandles(*AT, keys, dice.choice(("auto", "vector", "free"))),
                m.SetInterpolation(*AT, keys, dice.choice(("step", "linear", "bezier"))),
                m.AcceptFootplants(*AT, include_heels=dice.random() < 0.5),
                m.SetLimits(*AT, dice.randrange(11), -dice.uniform(0, 2), None),
                m.SetTiming(*AT, dice.choice((24.0, 30.0)), dice.uniform(0.5, 2), False),
                m.CopyTake(*AT, "again"),
                m.RemoveTake(WHO, "again"),
                m.RenameTake(WHO, "again", "once more"),
                *self.of_layers(),
                *self.of_constraints(),
            )
        )

    def of_layers(self):
        dice = self.dice
        layer = dice.randrange(3)
        return (
            m.MuteLayer(*AT, layer, dice.random() < 0.5),
            m.SetLayerWeight(*AT, layer, dice.random()),
            m.MoveLayer(*AT, layer, dice.randrange(3)),
            m.CopyLayer(*AT, layer),
            m.RemoveLayer(*AT, layer),
        )

    def of_constraints(self):
        dice = self.dice
        point = {"joint": dice.choice(JOINTS)}
        span = {"start": dice.uniform(0, 0.5), "end": dice.uniform(0.4, 1)}
        center = [dice.gauss(0, 0.5), dice.uniform(0, 1), 0.0]
        sphere = {"shape": "sphere", "center": center, "radius": dice.uniform(0.1, 1)}
        inside = dice.random() < 0.5
        region = {"kind": "region", "point": point, **span, "region": sphere, "inside": inside}
        pin = {"kind": "pin", "point": point, **span}
        floor = {"kind": "floor", "point": point, **span, "height": 0.0}
        return (
            m.AddConstraint(*AT, pin),
            m.ChangeConstraint(*AT, dice.randrange(6), pin),
            m.AddConstraint(*AT, region),
            m.AddConstraint(WHO, "", {"kind": "balance", **span, "margin": 0.1}),
            m.ChangeConstraint(*AT, dice.randrange(6), floor),
            m.RemoveConstraint(*AT, dice.randrange(6)),
        )

    def settle(self):
        """All interactions end, the disk has space again, and jobs are done."""
        self.disk.full = False
        for client, number in self.interactions:
            client.send(m.CommitInteraction(number))
        self.clients[0].sync()  # the last message that starts some work is received
        until = time.monotonic() + LONG
        while self.worker.files._jobs._running and time.monotonic() < until:
            time.sleep(0.002)
        for client in self.clients:
            client.sync()


class FakeDisk:
    """Stands in for the disk of a journal, which may be full."""

    def __init__(self, monkeypatch, full=False):
        self.append, self.full = Log.append, full
        monkeypatch.setattr(Log, "append", lambda *how: self(*how))

    def __call__(self, log, entries):
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.append(log, entries)
