"""The arena as a whole: where it listens, what it tells of itself, and how it stops."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from pathlib import Path
from typing import Any, cast

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from prometheus_client import generate_latest

from arena.errors import InputError
from arena.referee.faults import Fault
from arena.server import app
from arena.server.address import Address, Tls
from arena.server.app import Arena, ArenaOptions
from arena.server.auth import Tickets
from arena.server.limits import SessionLimits
from arena.server.metrics import Metrics
from arena.server.session import SessionPhase
from arena.v1 import play_pb2
from tests.integration.bots import (
    NOBODY,
    Code,
    Stream,
    answer,
    answers,
    finish,
    hello,
    open_house,
    overfill,
)
from tests.waiting import until

GAMES = ["byzanz"]


# Listening.


async def test_a_port_is_chosen_for_port_0():
    """Several addresses can be listened on, and the chosen ports are told."""
    async with Arena(ArenaOptions(GAMES)) as arena:
        bound = await arena.listen([Address("127.0.0.1:0"), Address("localhost:0")])
        assert all(int(address.text.rpartition(":")[2]) > 0 for address in bound)
        for address in bound:
            async with grpc.aio.insecure_channel(address.text) as channel:
                stream = Stream(channel)
                await stream.say(hello(address.text))
                await stream.expect("welcome")
                await stream.cut()


async def test_a_port_in_use_is_refused():
    """A port that somebody listens on is refused by name."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = Address(f"127.0.0.1:{other.getsockname()[1]}")
        async with Arena(ArenaOptions(GAMES)) as arena:
            with pytest.raises(InputError, match=f"cannot listen on {address.text}"):
                await arena.listen([address])


async def test_the_port_of_another_arena_is_refused():
    """Two arenas never share a port by accident."""
    async with Arena(ArenaOptions(GAMES)) as first, Arena(ArenaOptions(GAMES)) as second:
        bound = await first.listen([Address("127.0.0.1:0")])
        with pytest.raises(InputError, match="cannot listen on"):
            await second.listen(bound)


async def test_a_socket_left_by_a_dead_arena_is_taken_over(tmp_path):
    """The socket file of a process that was killed does not stand in the way."""
    path = tmp_path / "arena"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert path.is_socket()
    async with open_house(tmp_path) as house:
        await house.enter("a")
    assert not path.exists(), "an arena that stops cleans up"


async def test_a_socket_in_use_is_refused(tmp_path):
    """A live arena's socket is refused, and stays."""
    async with open_house(tmp_path) as house:
        async with Arena(ArenaOptions(GAMES)) as second:
            with pytest.raises(InputError, match="the address is in use"):
                await second.listen([Address(house.address)])
        await house.enter("a")


async def test_a_busy_socket_is_not_taken_for_a_dead_one(tmp_path):
    """A server that is too busy to accept anybody is still there."""
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as busy:
        busy.bind(str(path))
        busy.listen(0)
        waiting = []
        for _ in range(3):  # fill its queue
            waiting.append(socket.socket(socket.AF_UNIX))
            waiting[-1].setblocking(False)
            waiting[-1].connect_ex(str(path))
        async with Arena(ArenaOptions(GAMES)) as arena:
            with pytest.raises(InputError, match="the address is in use"):
                await arena.listen([Address(f"unix:{path}")])
        for probe in waiting:
            probe.close()
    assert path.exists()


@pytest.mark.parametrize(("path", "text"), [("file", "no socket"), ("none/s", "no such directory")])
async def test_paths_that_cannot_be_sockets_are_refused(tmp_path, path, text):
    """A file is never overwritten, and a missing directory is named."""
    (tmp_path / "file").write_text("precious")
    async with Arena(ArenaOptions(GAMES)) as arena:
        with pytest.raises(InputError, match=text):
            await arena.listen([Address(f"unix:{tmp_path}/{path}")])
    assert (tmp_path / "file").read_text() == "precious"


async def test_exposure_without_protection_is_refused():
    """An address that others reach is refused before anything is bound."""
    async with Arena(ArenaOptions(GAMES)) as arena:
        with pytest.raises(InputError, match="can be reached from other machines"):
            await arena.listen([Address("0.0.0.0:0")])


# TLS.


async def greet(
    options: ArenaOptions, token: str, *, ca: bytes, key: bytes | None, cert: bytes | None
) -> grpc.StatusCode:
    """Return the status of a bot that dials over TLS, says hello and leaves."""
    async with Arena(options) as arena:
        (address,) = await arena.listen([Address("localhost:0")])
        credentials = grpc.ssl_channel_credentials(ca, key, cert)
        async with grpc.aio.secure_channel(address.text, credentials) as channel:
            stream = Stream(channel)
            await stream.say(hello("", token=token))
            leaving = play_pb2.PlayRequest(leave=play_pb2.Leave()).SerializeToString()
            await stream.say(leaving)
            return (await stream.status())[0]


@pytest.mark.parametrize(
    ("is_mutual", "authority", "identity", "code"),
    [
        (False, "ca", None, Code.OK),
        (False, "stranger", None, Code.UNAVAILABLE),
        (True, "ca", "bot", Code.OK),
        (True, "ca", None, Code.UNAVAILABLE),
        (True, "ca", "stranger", Code.UNAVAILABLE),
    ],
)
async def test_tls(certificates, is_mutual, authority, identity, code):
    """Bots get in over TLS if each side can prove who it is, as far as that is asked for."""

    def read(name: str) -> bytes:
        return Path(certificates, name).read_bytes()

    tickets = Tickets()
    tls = Tls(read("server.pem"), read("server.key"), read("ca.pem") if is_mutual else None)
    options = ArenaOptions(GAMES, admission=tickets, has_tokens=True, tls=tls)
    key, cert = (read(f"{identity}.key"), read(f"{identity}.pem")) if identity else (None, None)
    token = tickets.issue("a")
    status = await greet(options, token, ca=read(f"{authority}.pem"), key=key, cert=cert)
    assert status is code


async def test_certificates_that_are_none_are_refused():
    """A certificate file with something else in it is refused when listening."""
    async with Arena(ArenaOptions(GAMES, tls=Tls(b"x", b"y"))) as arena:
        with pytest.raises(InputError, match="cannot listen on"):
            await arena.listen([Address("127.0.0.1:0")])


# What it tells of itself.


async def test_a_health_check_that_is_none_is_refused(tmp_path):
    """Bytes that are no request get INVALID_ARGUMENT, and nothing in the log."""
    async with open_house(tmp_path) as house:
        begin: Any = house.channel().unary_unary("/grpc.health.v1.Health/Check")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await begin(b"\xff")
        assert caught.value.code() is Code.INVALID_ARGUMENT
        assert caught.value.details() == "not a CheckRequest"


# Connections.

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


async def _dial(address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = address.text.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(_PREFACE)
    return reader, writer


async def _hang_up(connections: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> None:
    for _, writer in connections:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def test_idle_connections_are_closed():
    """A connection on which nobody opens a stream does not stay; one with a session does."""
    limits = SessionLimits(idle_timeout_s=0.3)
    async with Arena(ArenaOptions(GAMES, limits=limits)) as arena:
        (address,) = await arena.listen([Address("127.0.0.1:0")])
        async with grpc.aio.insecure_channel(address.text) as channel:
            stream = Stream(channel)
            await stream.say(hello("a"))
            await stream.expect("welcome")
            connection = await _dial(address)
            async with asyncio.timeout(30.0):
                while await connection[0].read(1_000):
                    pass
            await _hang_up([connection])
            session = arena.lobby.find("a")
            assert session is not None
            assert session.is_present
            await stream.cut()


async def test_connections_leave_descriptors_for_the_arena(monkeypatch):
    """Whoever opens many connections gets no more than leave enough for storage and launching."""
    monkeypatch.setattr(app, "raise_limit", lambda: 16)
    async with Arena(ArenaOptions(GAMES)) as arena:
        (address,) = await arena.listen([Address("127.0.0.1:0")])
        connections = [await _dial(address) for _ in range(12)]
        over = [reader.read(-1) for reader, _ in connections]
        closed, kept = await asyncio.wait(map(asyncio.ensure_future, over), timeout=1.0)
        assert (len(closed), len(kept)) == (4, 8)
        await _hang_up(connections)
        await asyncio.wait(kept)


async def health(address: str, service: str = "") -> Any:
    async with grpc.aio.insecure_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        return (await stub.Check(health_pb2.HealthCheckRequest(service=service))).status


async def test_health(tmp_path):
    """Healthy while it plays, NOT_SERVING as soon as it stops, for each service."""
    async with open_house(tmp_path) as house:
        serving = health_pb2.HealthCheckResponse.SERVING
        for service in ("", "arena.v1.PlayService", "arena.v1.WatchService"):
            assert await health(house.address, service) == serving
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        stopping = asyncio.ensure_future(house.arena.stop(30.0, "maintenance"))
        await until(lambda: house.arena.lobby.is_stopping)
        not_serving = health_pb2.HealthCheckResponse.NOT_SERVING
        assert await health(house.address) == not_serving
        await finish(stream, match)
        await part(stream)
        await stopping


@pytest.mark.parametrize("is_on", [True, False])
async def test_reflection(tmp_path, is_on):
    """Services are listed where reflection is asked for, and nowhere else."""
    async with open_house(tmp_path, reflection=is_on) as house:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(cast("Any", house.channel()))
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        call = stub.ServerReflectionInfo(iter([request]))
        if not is_on:
            assert await call.code() is Code.UNIMPLEMENTED
            return
        (response,) = [response async for response in call]
        names = {service.name for service in response.list_services_response.service}
        assert names >= {"arena.v1.PlayService", "arena.v1.WatchService"}


async def test_metrics(tmp_path):
    """After matches the figures are those of the matches, in Prometheus' text format."""
    metrics = Metrics()
    async with open_house(tmp_path, metrics=metrics) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        assert metrics.registry.get_sample_value("arena_matches_running") == 1
        ended = await finish(stream, match)
        assert ended.scores
        played = await match
        void = house.start_alone(session)
        house.arena.hall.abort(["m2"], "for this test")
        await void
        decisions = played.clocks[0].decisions
        expected = {
            'arena_decisions_total{game="byzanz"}': decisions,
            'arena_sessions{phase="live"}': 1,
            'arena_sessions{phase="parked"}': 0,
            "arena_matches_running": 0,
            'arena_matches_total{ending="played",game="byzanz"}': 1,
            'arena_matches_total{ending="void",game="byzanz"}': 1,
            'arena_faults_total{fault="no_start"}': 4,
        }
        text = generate_latest(metrics.registry).decode()
        lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")
        assert {name: float(lines[name]) for name in expected} == expected
        timed = {
            float(lines[f'arena_decision_seconds_count{{phase="{who}"}}'])
            for who in ("bot", "arena")
        }
        assert len(timed) == 1
        assert 0 < max(timed) <= decisions  # an answer may come before gRPC says that it has sent
        await stream.cut()
        await until(lambda: session.phase is SessionPhase.PARKED)
        registry = metrics.registry
        assert registry.get_sample_value("arena_sessions", {"phase": "parked"}) == 1


# Stopping.


async def part(stream: Stream) -> play_pb2.Goodbye:
    """Hear the goodbye, close, and see that the stream ends well; return the goodbye."""
    goodbye = (await stream.hear_until("goodbye")).goodbye
    await stream.close()
    assert (await stream.status())[0] is Code.OK
    return goodbye


async def test_stopping_lets_matches_finish(tmp_path):
    """Within the grace running matches end normally; nobody new comes in meanwhile."""
    async with open_house(tmp_path) as house:
        stream, session, welcome = await house.enter("a")
        match = house.start_alone(session)
        stopping = asyncio.ensure_future(house.arena.stop(30.0, "maintenance"))
        await until(lambda: house.arena.lobby.is_stopping)
        for message in (hello("b"), hello("", resume_token=welcome.resume_token)):
            other = house.stream()
            await other.say(message)
            code, details = await other.status()
            assert code is Code.UNAVAILABLE
            assert "try again later" in details
        ended = await finish(stream, match)
        assert not ended.void_reason
        goodbye = await part(stream)
        assert goodbye.reason == play_pb2.Goodbye.REASON_STOPPING
        assert goodbye.message == "maintenance"
        await stopping
        assert house.arena.lobby.sessions() == []
        played = await house.start([NOBODY] * 3)
        assert played.void_reason == "the arena was stopped"


async def test_stopping_makes_matches_void_after_the_grace(tmp_path):
    """What is not over in time is void, and the bots are told so before goodbye."""

    async def hear_out(stream: Stream) -> list[play_pb2.PlayResponse]:
        heard = []
        while (message := await stream.hear()) is not None:
            heard.append(message)
            if message.WhichOneof("message") == "goodbye":
                await stream.close()
        assert await stream.call.code() is Code.OK
        return heard

    async with open_house(tmp_path) as house:
        streams = [await house.enter(bot, max_matches=2) for bot in "ab"]
        matches = [house.start([session for _, session, _ in streams] + [NOBODY]) for _ in range(2)]
        heard, _ = await asyncio.gather(
            asyncio.gather(*(hear_out(stream) for stream, *_ in streams)),
            house.arena.stop(0.05, "maintenance"),
        )
        for match in matches:
            played = await match
            assert played.void_reason == "the arena was stopped"
            assert played.outcome is None
        for messages in heard:
            ends = [m.match_ended for m in messages if m.WhichOneof("message") == "match_ended"]
            assert {(e.match_id, e.void_reason) for e in ends} == {
                ("m1", "the arena was stopped"),
                ("m2", "the arena was stopped"),
            }
            assert messages[-1].goodbye.reason == play_pb2.Goodbye.REASON_STOPPING
        assert {session.phase for _, session, _ in streams} == {SessionPhase.ENDED}


async def test_finishing_is_no_stopping(tmp_path):
    """Without a reason the bots are told that there is nothing more to play."""
    async with open_house(tmp_path) as house:
        stream, *_ = await house.enter("a")
        goodbye, _ = await asyncio.gather(part(stream), house.arena.stop(0.0))
        assert goodbye.reason == play_pb2.Goodbye.REASON_FINISHED


async def test_a_second_stop_shortens_the_grace(tmp_path):
    """Who stops again with less patience ends the matches now; both wait for the end."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        first = asyncio.ensure_future(house.arena.stop(3_600.0, "maintenance"))
        await until(lambda: house.arena.lobby.is_stopping)
        await asyncio.gather(part(stream), house.arena.stop(0.0))
        assert (await match).void_reason
        await asyncio.wait_for(first, 10.0)


async def test_giving_up_on_a_stop_does_not_stop_it(tmp_path):
    """A stop whose caller was cancelled goes on."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        first = asyncio.ensure_future(house.arena.stop(3_600.0, "maintenance"))
        await until(lambda: house.arena.lobby.is_stopping)
        first.cancel()
        await finish(stream, match)
        assert (await part(stream)).reason == play_pb2.Goodbye.REASON_STOPPING


@pytest.mark.slow
async def test_stopping_does_not_wait_for_a_bot_that_does_not_read(tmp_path):
    """A bot that has gone deaf, or away, does not keep the arena open; no timer is left."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a", max_matches=2)
        away, lost, _ = await house.enter("b")
        await away.cut()
        await until(lambda: lost.phase is SessionPhase.PARKED)
        house.start_alone(session)
        overfill(session)
        async with asyncio.timeout(10):
            await house.arena.stop(0.0, "maintenance")
        assert (session.phase, lost.phase) == (SessionPhase.ENDED, SessionPhase.ENDED)
        timers = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
        left = [repr(timer) for timer in timers if not timer.cancelled()]
        assert not [text for text in left if "arena/server" in text]
        await stream.cut()


@pytest.mark.parametrize("turns", range(6))
async def test_an_arena_that_is_given_up_while_it_opens_stops(tmp_path, turns):
    """However far it has come, whoever gives up gets away, and the socket is gone."""
    arena = Arena(ArenaOptions(GAMES))
    opening = asyncio.ensure_future(arena.listen([Address(f"unix:{tmp_path}/s")]))
    for _ in range(turns):
        await asyncio.sleep(0)
    opening.cancel()
    await asyncio.wait({opening})
    await arena.stop(0.0)

    assert list(tmp_path.iterdir()) == []


async def test_an_arena_that_never_listened_stops():
    """An arena can be given up before it was opened."""
    async with Arena(ArenaOptions(GAMES)) as arena:
        assert not arena.lobby.sessions()


async def test_a_crash_is_told_to_the_others(tmp_path):
    """The others at a table are told of a session that ended, with its fault, and play on."""

    async def finish_from(stream: Stream, match: Any) -> play_pb2.MatchEnded:
        await stream.say(answers(answer(play_pb2.Decision(match_id="m1", decision_id=2))))
        return await finish(stream, match)

    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        _, other, _ = await house.enter("b")
        match = house.start([session, other, NOBODY])
        await stream.expect("match_started")
        decision = await stream.decision()
        other.end(Fault.CRASH, "exit code 1")
        await stream.say(answers(answer(decision)))
        faults = (await stream.decision()).faults
        assert [(f.seat, f.fault, f.forfeited) for f in faults] == [(1, play_pb2.FAULT_CRASH, True)]
        ended = await finish_from(stream, match)
        assert list(ended.forfeits) == [
            play_pb2.FAULT_UNSPECIFIED,
            play_pb2.FAULT_CRASH,
            play_pb2.FAULT_NO_START,
        ]
