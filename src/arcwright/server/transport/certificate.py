"""Certificates for sharing: an authority of the user, and one it issues for this machine."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from arcwright.server.storage.home import make_private, write_private

_AUTHORITY_DAYS = 3650
_LEAF_DAYS = 397  # phones take no longer ones
_RENEWED = 14  # days before the end
_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")


@dataclass(frozen=True)
class Certificate:
    """Files in PEM: the chain, its key, and the authority that a phone may trust."""

    chain: Path
    key: Path
    authority: Path


def certificate(home: Path, names: Iterable[str]) -> Certificate:
    """A certificate for these names and addresses, kept in the state folder and renewed in time."""
    folder = home / "tls"
    make_private(folder)
    wanted = frozenset(names)
    files = Certificate(folder / "chain.pem", folder / "chain.key", folder / "authority.pem")
    authority, key = _authority(files.authority, folder / "authority.key")
    if not _good(files, authority, wanted):
        own = ec.generate_private_key(ec.SECP256R1())
        made = _leaf(own, authority, key, wanted)
        _write_key(files.key, own)
        pem = made.public_bytes(Encoding.PEM) + authority.public_bytes(Encoding.PEM)
        write_private(files.chain, pem)
    return files


def _authority(file: Path, key_file: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    try:
        found = x509.load_pem_x509_certificate(file.read_bytes())
        key = load_pem_private_key(key_file.read_bytes(), None)
        if isinstance(key, ec.EllipticCurvePrivateKey) and _lasts(found):
            return found, key
    except (OSError, ValueError, TypeError):
        pass
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Arcwright studio of this user")])
    built = _begun(name, name, key, _AUTHORITY_DAYS)
    built = built.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    built = built.add_extension(_usage(signs=True), critical=True)
    # Whoever trusts it trusts it for this network only, should its key ever be stolen.
    built = built.add_extension(x509.NameConstraints(_allowed(), None), critical=True)
    made = built.sign(key, hashes.SHA256())
    _write_key(key_file, key)
    write_private(file, made.public_bytes(Encoding.PEM))
    return made, key


def _leaf(
    own: ec.EllipticCurvePrivateKey,
    authority: x509.Certificate,
    key: ec.EllipticCurvePrivateKey,
    names: frozenset[str],
) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Arcwright studio")])
    built = _begun(name, authority.subject, own, _LEAF_DAYS)
    built = built.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    built = built.add_extension(_usage(signs=False), critical=True)
    use = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    built = built.add_extension(use, critical=False)
    alternative = x509.SubjectAlternativeName([_named(each) for each in sorted(names)])
    built = built.add_extension(alternative, critical=False)
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())
    return built.add_extension(issuer, critical=False).sign(key, hashes.SHA256())


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))  # clocks differ
        .not_valid_after(now + timedelta(days=days))
        .add_extension(own, critical=False)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _allowed() -> list[x509.GeneralName]:
    networks = [x509.IPAddress(ipaddress.ip_network(each)) for each in _PRIVATE]
    return [*networks, x509.DNSName("local"), x509.DNSName("localhost")]


def _named(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _good(files: Certificate, authority: x509.Certificate, names: frozenset[str]) -> bool:
    """Whether the certificate that is there is for these names, fits its key, and lasts."""
    try:
        found = x509.load_pem_x509_certificate(files.chain.read_bytes())
        key = load_pem_private_key(files.key.read_bytes(), None)
        found.verify_directly_issued_by(authority)
        alternative = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        has = {_plain(each) for each in alternative}
        return has == names and found.public_key() == key.public_key() and _lasts(found)
    except Exception:  # whatever is wrong with it, a new one is made
        return False


def _plain(name: x509.GeneralName) -> str:
    return str(name.value)


def _lasts(found: x509.Certificate) -> bool:
    now = datetime.now(UTC)
    return found.not_valid_before_utc < now < found.not_valid_after_utc - timedelta(days=_RENEWED)


def _write_key(file: Path, key: ec.EllipticCurvePrivateKey) -> None:
    write_private(file, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
