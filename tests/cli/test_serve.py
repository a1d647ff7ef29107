from __future__ import annotations

import socket

import pytest

from arena.cli.listening import describe_listening
from arena.cli.serve import _announce
from arena.server.address import Address, Tls
from arena.server.app import ArenaOptions


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--listen", "nowhere"), "--listen 'nowhere' must be HOST:PORT or unix:PATH"),
        (("--listen", "127.0.0.1:99999"), "must be HOST:PORT or unix:PATH"),
        (("--listen", "127.0.0.1:"), "must be HOST:PORT or unix:PATH"),
        (("--listen", "unix:"), "unix: needs a path"),
        (("--listen", "unix:" + "x" * 200), "a socket's path may have 107 bytes, not more"),
        (("--listen", "unix:none/s"), "there is no such directory"),
        (("--listen", "unix:file"), "the file exists and is no socket"),
        (("--game", "chess"), "unknown game 'chess'"),
        (("--casual", "byzanz"), "--casual 'byzanz' must be GAME:PLAYERS, such as byzanz:4"),
        (("--casual", "byzanz:9"), "byzanz is for 3 to 6 players, not 9"),
        (("--casual", "byzanz:" + "9" * 5000), "byzanz is for 3 to 6 players, not 999999999"),
        (("--casual", "chess:4"), "the games offered are byzanz, schwarzmarkt"),
        (("--game", "byzanz", "--casual", "schwarzmarkt:4"), "the games offered are byzanz"),
        (("--option", "deck=uneven"), "--option is for casual matches"),
        (("--max-sessions", "0"), "--max-sessions must be at least 1"),
        (("--grace", "-1"), "--grace must be 0 to"),
        (("--grace", "nan"), "--grace must be 0 to"),
        (("--move-time", "-1"), "the move time must be 0 to"),
        (("--tokens", "none"), "none: cannot be read: No such file or directory"),
        (("--tokens", "file"), "file: not a token file"),
        (("--tls-key", "file"), "--tls-cert and --tls-key need each other: give both"),
        (("--tls-cert", "file", "--tls-key", "file"), "file: not a certificate in PEM form"),
        (("--client-ca", "file"), "--client-ca needs --tls-cert and --tls-key"),
        (("--metrics", "nowhere"), "--metrics 'nowhere' must be HOST:PORT"),
        (("--metrics", "unix:x"), "--metrics 'unix:x' must be HOST:PORT"),
        (("--metrics", "0.0.0.0:9"), "--metrics 0.0.0.0:9 can be reached from other machines"),
        (("--replays", "file"), "file: cannot be written to: File exists"),
        (("--results", "file/x"), "file is not a writable directory"),
        (("--log", "xml"), "invalid choice: 'xml'"),
    ],
)
def test_bad_usage(run, tmp_path, monkeypatch, arguments, reason):
    """Whatever is wrong is said on stderr, and nobody is let in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    done = run("serve", *arguments)

    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    assert "Traceback" not in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "192.0.2.1", "example.org"])
def test_other_machines_are_kept_out(run, host):
    """Beyond loopback it takes TLS and tokens, and the message says how to get them."""
    done = run("serve", "--listen", f"{host}:7777")

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"arena: --listen {host}:7777 can be reached from other machines and needs "
        "TLS (--tls-cert FILE --tls-key FILE) and "
        "tokens (arena token add NAME --tokens FILE, then --tokens FILE); "
        "for this machine alone use 127.0.0.1 or unix:PATH\n"
    )


def test_tokens_alone_do_not_open_it(run, tmp_path):
    """With tokens only TLS is missing, and only that is asked for."""
    file = tmp_path / "tokens.json"
    run("token", "add", "mine", "--tokens", file)
    done = run("serve", "--listen", "192.0.2.1:7777", "--tokens", file)

    assert done.code == 2
    assert "needs TLS (--tls-cert FILE --tls-key FILE);" in done.err


def test_one_bad_address_opens_none(run, tmp_path):
    """All addresses must do: a good one before a bad one is not left open."""
    done = run("serve", "--listen", f"unix:{tmp_path}/s", "--listen", "192.0.2.1:7777")
    assert (done.code, done.out) == (2, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("flag", ["--listen", "--metrics"])
def test_a_port_in_use(run, tmp_path, flag):
    """Somebody else's port is named, with the system's reason."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        more = () if flag == "--listen" else ("--listen", f"unix:{tmp_path}/s")
        done = run("serve", *more, flag, address)

    assert done.code == 2
    assert address in done.err
    assert done.err.endswith(": Address already in use\n")
    assert list(tmp_path.iterdir()) == []


def test_every_address_of_the_machine_is_announced_as_one_to_dial(capsys):
    """A wildcard cannot be dialled: what is printed can, from here, and says how from elsewhere."""
    options = ArenaOptions(games=["byzanz"], tls=Tls(b"cert", b"key"), has_tokens=True)
    _announce([Address("0.0.0.0:7777"), Address("127.0.0.1:7778")], options)

    bot = "ARENA_TOKEN=… ARENA_CA_FILE=… ./mybot"
    host = "where HOST is a name or address of this machine that is in its certificate"
    assert capsys.readouterr().out.splitlines() == [
        "listening on 0.0.0.0:7777 (TLS), every address of this machine",
        f"  a bot on this machine connects with: ARENA_ADDRESS=127.0.0.1:7777 {bot}",
        f"  from other machines: ARENA_ADDRESS=HOST:7777, {host}",
        "listening on 127.0.0.1:7778 (TLS)",
        f"  a bot connects with: ARENA_ADDRESS=127.0.0.1:7778 {bot}",
        "games: byzanz",
    ]


def test_a_wildcard_of_a_match():
    """Commands that wait for bots say what a bot on this machine dials, too."""
    told = describe_listening(Address("[::]:7777"), ["evil\n", "b"])
    assert told == r"listening on [::]:7777 (on this machine: [::1]:7777), waiting for evil\n, b"
    assert describe_listening(Address("unix:/s"), []) == "listening on unix:/s"
