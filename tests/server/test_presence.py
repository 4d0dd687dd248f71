"""Who is connected: windows and phones, and what each of them performs."""

from arcwright.server import messages as m
from local_clients import LocalClient, worker_with


def known(client):
    """(kind, edited character) of all clients, as the client knows them."""
    sent = [each for each, _ in client.received if isinstance(each, m.Clients)]
    return [(each.kind, each.editing) for each in sent[-1].clients]


def test_clients_learn_who_comes_performs_and_goes():
    with worker_with("biped:walk") as worker:
        window, phone = LocalClient(worker), LocalClient(worker)
        window.send(m.Introduce("studio"))
        phone.send(m.Introduce("phone"))
        phone.sync()
        window.sync()
        assert known(window) == known(phone) == [("studio", ""), ("phone", "")]
        phone.send(m.BeginInteraction(1, "puppet", "biped", "walk", {}))
        window.wait(m.Clients)
        assert known(window) == [("studio", ""), ("phone", "biped")]
        phone.send(m.CancelInteraction(1))
        window.wait(m.Clients)
        assert known(window) == [("studio", ""), ("phone", "")]
        worker.leave(phone.client)
        window.wait(m.Clients)
        assert known(window) == [("studio", "")]


def test_clients_that_do_not_introduce_themselves_are_not_listed():
    with worker_with("biped:walk") as worker:
        window, script = LocalClient(worker), LocalClient(worker)
        window.send(m.Introduce("studio"))
        window.sync()
        assert known(window) == [("studio", "")]
        assert len({each.client.number for each in (window, script)}) == 2


def test_guests_who_may_look_only_are_seen_too():
    with worker_with("biped:walk") as worker:
        guest = LocalClient(worker, role="view")
        guest.send(m.Introduce("phone"))
        guest.sync()
        (info,) = [each for each, _ in guest.received if isinstance(each, m.Clients)][-1].clients
        assert (info.kind, info.role) == ("phone", "view")
