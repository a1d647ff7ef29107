"""The engine that plays among the bots in the lobby of a server."""

from __future__ import annotations

import asyncio
import json

import pytest

from arena.config.bot_spec import BotSpec
from arena.config.tournament import TournamentConfig
from arena.engines.lobby import LobbyEngine
from arena.errors import InputError, UnknownMatchError
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault, SeatFault
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Entered, Refused, Void
from tests.integration.bots import House, open_house
from tests.waiting import until

pytestmark = pytest.mark.slow

BOTS = ("ann", "ben", "cem")
FIXTURE = FixtureRecord(0, "1-1", 1, 1, 1, 1, 0, BOTS)
VERSIONS = dict.fromkeys(BOTS, "1")


def make_engine(house: House, name: str = "cup", start_timeout_s: float = 5.0) -> LobbyEngine:
    """Return an engine for a tournament of Byzanz for three."""
    config = TournamentConfig(
        name=name,
        game="byzanz",
        players=3,
        bots={bot: BotSpec(bot, connected=True) for bot in BOTS},
        seed="7",
        control=TimeControl(60.0, 60.0, start_timeout_s),
    )
    return LobbyEngine(house.arena, config)


async def test_a_match_has_its_own_name_again_when_it_is_reported(tmp_path):
    """Two tournaments play a match 1-1 at once; in the arena each is told by its tournament."""
    async with open_house(tmp_path) as house:
        players = [await house.honest(bot) for bot in BOTS]
        async with make_engine(house) as cup, make_engine(house, "league") as league:
            reports = await asyncio.gather(
                cup.play(FIXTURE, VERSIONS), league.play(FIXTURE, VERSIONS)
            )
        for report in reports:
            assert isinstance(report, MatchReport)
            assert report.match == "1-1"
            assert json.loads(report.replay.partition("\n")[0])["match"] == "1-1"
        started = players[0][0].heard_of("match_started")
        assert sorted(match.match_id for match in started) == ["cup/1-1", "league/1-1"]
        # The seeds are those of the match, wherever it is played.
        assert started[0].bot_seed == started[1].bot_seed


async def test_the_check_before_play(tmp_path):
    """Who is there and plays the game is entered, however busy; the others are refused."""
    async with open_house(tmp_path) as house:
        _, session, _ = await house.enter("ann", max_matches=1, version="9")
        house.start_alone(session)
        assert session.free == 0
        await house.enter("ben", games=["schwarzmarkt"])
        async with make_engine(house, start_timeout_s=0.05) as engine:
            assert await engine.preflight() == {
                "ann": Entered("9"),
                "ben": Refused("does not play byzanz"),
                "cem": Refused("not in the lobby within 0.05 s"),
            }


async def test_a_bot_that_comes_in_time_passes_the_check(tmp_path):
    """It is waited for as long as the start timeout says."""
    async with open_house(tmp_path) as house:
        async with make_engine(house) as engine:
            checking = asyncio.ensure_future(engine.preflight())
            for bot in BOTS:
                await house.enter(bot)
            verdicts = await checking
        assert all(isinstance(verdict, Entered) for verdict in verdicts.values())


async def test_abort_makes_void_what_is_its_own(tmp_path):
    """Matches of others play on."""
    async with open_house(tmp_path) as house:
        for bot in BOTS:
            await house.enter(bot, max_matches=4)  # and never answers
        cup, league = make_engine(house), make_engine(house, "league")
        playing = [asyncio.ensure_future(each.play(FIXTURE, VERSIONS)) for each in (cup, league)]
        await until(lambda: house.arena.hall.running == 2)
        cup.abort()
        assert await playing[0] == Void("the tournament was stopped")
        assert house.arena.hall.running == 1
        assert not playing[1].done()
        assert await cup.play(FIXTURE, VERSIONS) == Void("the tournament was stopped")
        league.abort()
        assert isinstance(await playing[1], Void)


async def test_a_match_is_released_under_its_name_in_the_arena(tmp_path):
    """Spectators get its replay only then; of another tournament's match they do not."""
    async with open_house(tmp_path) as house:
        for bot in BOTS:
            await house.honest(bot)
        cup, league = make_engine(house), make_engine(house, "league")
        for engine in (cup, league):
            await engine.play(FIXTURE, VERSIONS)
        hall = house.arena.hall
        assert not hall.find("cup/1-1").is_released
        cup.release(["1-1"])
        assert hall.find("cup/1-1").is_released
        assert not hall.find("league/1-1").is_released
        with pytest.raises(UnknownMatchError):
            hall.find("1-1")


async def test_faults_are_reported_as_they_happen(tmp_path):
    """With the match as the tournament knows it."""
    seen: list[tuple[str, SeatFault]] = []
    async with open_house(tmp_path) as house:
        for bot in BOTS[:2]:
            await house.honest(bot)
        async with make_engine(house, start_timeout_s=0.02) as engine:
            report = await engine.play(
                FIXTURE, VERSIONS, lambda fixture, fault: seen.append((fixture.match, fault))
            )
    assert isinstance(report, MatchReport)
    assert report.forfeits == (None, None, Fault.NO_START)
    assert seen == [("1-1", report.faults[0])]


@pytest.mark.parametrize(
    ("bot", "fresh", "reason"),
    [
        (BotSpec("ann", builtin="random"), False, "ann is not a connected one"),
        (BotSpec("ann", command=("./bot",)), False, "ann is not a connected one"),
        (BotSpec("ann", connected=True), True, "fresh"),
    ],
)
async def test_only_bots_of_the_lobby_play(tmp_path, bot, fresh, reason):
    """Whatever would have to be started is refused."""
    config = TournamentConfig("cup", "byzanz", 3, {"ann": bot}, seed="7", fresh=fresh)
    async with open_house(tmp_path) as house:
        with pytest.raises(InputError, match=reason):
            LobbyEngine(house.arena, config)
