from __future__ import annotations

import asyncio
import json
from typing import Any

import grpc.aio
import pytest

from arena.games.byzanz import Byzanz
from arena.games.game import Seat
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.referee.clock import UNLIMITED
from arena.referee.faults import FaultPolicy
from arena.referee.match import Conditions
from arena.server.address import Address
from arena.server.app import Arena, ArenaOptions
from arena.server.players import SessionPlayer
from arena.testing import ContractError, check_wire
from arena.testing.trial import Trial
from arena.testing.twin_worlds import FIRST, MAX_FAULTS, SECOND, Conduct, plan_twins
from arena.testing.wire_secrecy import (
    MATCH,
    Transcript,
    compare_transcripts,
    fixture_in,
    without_chance,
)
from arena.v1 import play_pb2
from arena.wire import play
from arena.wire.codec import codec_for
from arena.wire.protocol import PROTOCOL
from tests.wire.played import UNEVEN

GAMES = (Byzanz(), Schwarzmarkt())
TABLES = [*((game, seats) for game in GAMES for seats in game.table_sizes), (UNEVEN, 4)]
NAMES = [f"{'uneven' if game is UNEVEN else game.name}-{seats}p" for game, seats in TABLES]
RULES = Conditions(UNLIMITED, FaultPolicy(max_faults=MAX_FAULTS))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES, ids=NAMES)
def test_no_byte_depends_on_what_its_receiver_cannot_see(game, seats):
    """Whole matches, at every table, for every seat and the public, sent twice and compared."""
    matches = 3 if seats == min(game.table_sizes) else 1  # three ways to deal anew, at one table
    tally = check_wire(game, table_sizes=[seats], matches=matches)

    assert tally.matches == matches * (seats + 1)
    assert tally.messages > 100
    assert tally.differing > tally.decisions / 3


class WiredWorld:
    """One world of a plan, played over a unix socket by bots that do as planned."""

    def __init__(self, plan, world, socket):
        self.plan = plan
        self.world = world
        self.address = Address(f"unix:{socket}")
        self.transcript = Transcript()

    async def play(self):
        seats = range(self.plan.trial.seats)
        async with (
            Arena(ArenaOptions(games=[self.plan.trial.game.name])) as self.arena,
            asyncio.timeout(30),
        ):
            await self.arena.listen([self.address])
            async with asyncio.TaskGroup() as group:
                for seat in seats:
                    group.create_task(self.run_bot(Seat(seat)))
                found = [await self.arena.lobby.wait_for(f"bot-{seat}") for seat in seats]
                sessions = [session for session in found if session is not None]
                await self.arena.hall.start(fixture_in(self.plan, self.world), sessions, RULES)
        return self.transcript

    async def run_bot(self, seat):
        async with grpc.aio.insecure_channel(self.address.text) as channel:
            stream: Any = channel.stream_stream("/arena.v1.PlayService/Play")()
            hello = play_pb2.Hello(protocol=PROTOCOL, bot=f"bot-{seat}", version="1")
            await stream.write(play_pb2.PlayRequest(hello=hello).SerializeToString())
            while (data := await stream.read()) is not grpc.aio.EOF:
                if seat == self.plan.watcher:
                    self.transcript.sent.append(without_chance(data))
                response = play_pb2.PlayResponse.FromString(data)
                if response.HasField("match_ended"):
                    break
                for request in self.requests(response.decisions.decisions, seat):
                    await stream.write(request.SerializeToString())
            await stream.done_writing()
            stream.cancel()

    def requests(self, decisions, seat):
        """Return what the bot says to the decisions."""
        for decision in decisions:
            match = self.arena.hall.find(MATCH).match
            step = self.plan.steps[match.moves]
            if step.conduct is Conduct.LEAVE:
                yield play_pb2.PlayRequest(leave=play_pb2.Leave(reason=f"world {self.world}"))
                continue
            _, legal = codec_for(self.plan.trial.game).read_decision(decision)
            index = legal.index(step.moves[self.world])
            good = play_pb2.Answer(
                match_id=MATCH, decision_id=decision.decision_id, move_index=index
            )
            if step.conduct is not Conduct.MOVE:
                good.move_index = len(legal)
            if seat != self.plan.watcher:
                good.note = "n" * (10 + 1_000 * self.world)
            bad = play_pb2.Answer(match_id=MATCH, decision_id=decision.decision_id + 1)
            answers = play_pb2.Answers(answers=[bad, good] if index % 4 == 0 else [good])
            yield play_pb2.PlayRequest(answers=answers)


async def compare_over_socket(plan, folder):
    first, second = [
        await WiredWorld(plan, world, folder / f"{world}.sock").play() for world in (FIRST, SECOND)
    ]
    compare_transcripts(plan, first, second)
    return first


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize("number", [0, 1])
async def test_no_byte_of_a_whole_arena_depends_on_what_is_hidden(game, number, tmp_path):
    """The same over a real socket: streams, services and batches included."""
    plan = plan_twins(Trial(game, 3, number), Seat(number), 4)

    transcript = await compare_over_socket(plan, tmp_path)

    assert plan.differing > 0
    kinds = {
        play_pb2.PlayResponse.FromString(sent).WhichOneof("message") for sent in transcript.sent
    }
    assert kinds == {"welcome", "match_started", "decisions", "rejected", "match_ended"}


@pytest.mark.slow
async def test_a_leak_is_found_over_a_socket(monkeypatch, tmp_path):
    """A seed among the options is found there too."""
    started = SessionPlayer.start

    def start(player, match, seat):
        options = json.dumps({"seed": match.fixture.seed.hex()})
        with monkeypatch.context() as patch:
            patch.setattr(play, "options_json", lambda _game: options)
            started(player, match, seat)

    monkeypatch.setattr(SessionPlayer, "start", start)
    plan = plan_twins(Trial(GAMES[0], 3, 0), Seat(2))

    with pytest.raises(ContractError, match=r"message 2 \(match_started\) has `options_json: "):
        await compare_over_socket(plan, tmp_path)
