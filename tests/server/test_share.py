import ssl
import stat
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from urllib.request import HTTPCookieProcessor, HTTPSHandler, build_opener

import pytest
from cryptography import x509
from starlette.responses import PlainTextResponse

from arcwright.server.transport import certificate as certificates
from arcwright.server.transport import share
from arcwright.server.transport.certificate import certificate
from arcwright.server.transport.start import listen

TOKEN = "a" * 32
NAMES = ("127.0.0.1", "192.168.1.7", "localhost", "studio.local")


def leaf(files):
    return x509.load_pem_x509_certificate(files.chain.read_bytes())


def test_the_certificate_is_for_these_names_and_signed_by_the_users_own_authority(tmp_path):
    files = certificate(tmp_path, NAMES)
    found, authority = leaf(files), x509.load_pem_x509_certificate(files.authority.read_bytes())
    found.verify_directly_issued_by(authority)
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(each.value) for each in names} == set(NAMES)
    assert found.not_valid_after_utc - datetime.now(UTC) < timedelta(days=398)


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions there")
def test_only_the_user_can_read_keys(tmp_path):
    certificate(tmp_path, NAMES)
    files = list((tmp_path / "tls").iterdir())
    assert len(files) == 4
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_certificates_are_kept_until_names_change_or_they_end(tmp_path, monkeypatch):
    first = leaf(certificate(tmp_path, NAMES))
    assert leaf(certificate(tmp_path, NAMES)) == first
    second = leaf(certificate(tmp_path, ("127.0.0.1",)))
    assert second != first
    monkeypatch.setattr(certificates, "_RENEWED", 400)
    assert leaf(certificate(tmp_path, ("127.0.0.1",))) != second


@pytest.mark.parametrize("name", ["chain.pem", "chain.key", "authority.pem", "authority.key"])
def test_spoilt_files_are_made_anew(tmp_path, name):
    certificate(tmp_path, NAMES)
    (tmp_path / "tls" / name).write_bytes(b"spoilt")
    files = certificate(tmp_path, NAMES)
    leaf(files).verify_directly_issued_by(
        x509.load_pem_x509_certificate(files.authority.read_bytes())
    )
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(files.chain, files.key)


async def app(scope, receive, send):
    if scope["type"] == "http":
        await PlainTextResponse("inside")(scope, receive, send)


@contextmanager
def shared(home, monkeypatch, addresses=("127.0.0.1",)):
    monkeypatch.setattr(share, "network_addresses", lambda: list(addresses))
    with listen("127.0.0.1", 0) as listening, share.shared(app, home, "edit", listening) as link:
        yield link


def fetched(link, authority):
    """What a browser gets that keeps cookies."""
    context = ssl.create_default_context(cafile=str(authority))
    handlers = HTTPSHandler(context=context), HTTPCookieProcessor()
    with build_opener(*handlers).open(link, timeout=30) as answer:
        assert "token" not in answer.url
        return answer.read()


def test_the_link_gives_access_over_tls(tmp_path, monkeypatch):
    with shared(tmp_path, monkeypatch) as link:
        assert link.startswith("https://127.0.0.1:")
        authority = tmp_path / "tls" / "authority.pem"
        assert fetched(link, authority) == b"inside"
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetched(link.partition("?")[0], authority)
        assert refused.value.code == 403
        refused.value.close()


def test_the_authority_can_be_fetched_by_whoever_has_the_link(tmp_path, monkeypatch):
    with shared(tmp_path, monkeypatch) as link:
        authority = tmp_path / "tls" / "authority.pem"
        context = ssl.create_default_context(cafile=str(authority))
        browser = build_opener(HTTPSHandler(context=context), HTTPCookieProcessor())
        browser.open(link, timeout=30).close()
        where = link.partition("?")[0] + "authority.crt"
        with browser.open(where, timeout=30) as answer:
            assert answer.read() == authority.read_bytes()
            assert answer.headers["content-type"] == "application/x-x509-ca-cert"


def test_there_is_no_access_without_tls(tmp_path, monkeypatch):
    with shared(tmp_path, monkeypatch) as link, pytest.raises(OSError):
        urllib.request.urlopen(link.replace("https:", "http:"), timeout=30)


def test_without_a_network_there_is_nothing_to_share(tmp_path, monkeypatch):
    with pytest.raises(share.NoNetwork), shared(tmp_path, monkeypatch, addresses=()):
        pass


def test_the_link_is_drawn_for_phones():
    drawn = share.qr_code(f"https://192.168.1.7:8765/?token={TOKEN}")
    lines = drawn.splitlines()
    assert 15 < len(lines) < 40
    assert max(map(len, lines)) < 80


def test_a_phone_has_a_link_of_its_own_and_a_code_for_the_page():
    phone = share.phone_link(f"https://192.168.1.7:8765/?token={TOKEN}")
    assert phone.link == f"https://192.168.1.7:8765/phone?token={TOKEN}"
    assert {len(row) for row in phone.code} == {len(phone.code)}  # square
    assert all(row[:7] == "1111111" for row in (phone.code[0], phone.code[6]))  # a corner mark


def test_addresses_of_this_machine_are_not_loopback():
    assert not [each for each in share.network_addresses() if each.startswith("127.")]
    assert "localhost" in share.local_names()
