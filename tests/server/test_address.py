from __future__ import annotations

import pytest

from arena.errors import InputError
from arena.server.address import Address, Tls, check_exposure, parse_address

TLS = Tls(b"cert", b"key")


@pytest.mark.parametrize("text", ["127.0.0.1:0", "localhost:65535", "[::1]:5", "0.0.0.0:80"])
def test_addresses_of_hosts(text):
    """HOST:PORT is taken as it is written."""
    assert parse_address(text) == Address(text)


def test_paths_are_made_absolute(tmp_path, monkeypatch):
    """A socket's path is absolute, so that bots find it from wherever they run."""
    monkeypatch.chdir(tmp_path)
    assert parse_address("unix:s") == Address(f"unix:{tmp_path}/s")


@pytest.mark.parametrize(
    "text", ["", "host", ":1", "host:", "host:x", "host:65536", "host:-1", "host:²", "unix:"]
)
def test_what_is_no_address_is_refused(text):
    """What cannot be listened on is refused, and repeated."""
    with pytest.raises(InputError, match="--listen"):
        parse_address(text)


@pytest.mark.parametrize("path", ["a" * 108, "a\0b"])
def test_paths_that_the_system_does_not_take_are_refused(path):
    """A path that is too long or has a null is refused before the system sees it."""
    with pytest.raises(InputError, match="--listen"):
        parse_address(f"unix:/{path}")


def refusal(address, tls, *, has_tokens):
    """Return why nobody may listen there; nothing if it is allowed."""
    try:
        check_exposure(address, tls, has_tokens)
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "text", ["127.0.0.1:1", "127.8.8.8:1", "localhost:1", "[::1]:1", "unix:/s"]
)
def test_this_machine_alone_needs_nothing(text):
    """Loopback and sockets may be listened on without TLS and tokens."""
    assert refusal(Address(text), None, has_tokens=False) == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "10.0.0.1", "example.org"])
@pytest.mark.parametrize(
    ("tls", "has_tokens", "missing"),
    [(None, True, ["TLS"]), (TLS, False, ["tokens"]), (None, False, ["TLS", "tokens"])],
)
def test_other_machines_need_tls_and_tokens(host, tls, has_tokens, missing):
    """What others can reach is refused without TLS and tokens; the text says which to add."""
    address = Address(f"{host}:1")
    said = refusal(address, tls, has_tokens=has_tokens)
    assert "use 127.0.0.1 or unix:PATH" in said
    for word, option in (("TLS", "--tls-cert"), ("tokens", "--tokens")):
        assert (option in said) is (word in missing)
    assert refusal(address, TLS, has_tokens=True) == ""


@pytest.mark.parametrize(
    ("text", "dialled"),
    [
        ("0.0.0.0:80", "127.0.0.1:80"),
        ("[::]:80", "[::1]:80"),
        ("[::0]:80", "[::1]:80"),
        ("127.0.0.1:80", "127.0.0.1:80"),
        ("10.0.0.1:80", "10.0.0.1:80"),
        ("example.org:80", "example.org:80"),
        ("unix:/0.0.0.0:80", "unix:/0.0.0.0:80"),
    ],
)
def test_what_is_dialled_here(text, dialled):
    """Nobody can dial all addresses of a machine at once: a program there dials loopback."""
    address = Address(text)
    assert address.dialled_here == dialled
    assert address.is_wildcard is (text != dialled)
