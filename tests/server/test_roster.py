"""Bots that dial in themselves, kept ready for matches; launched ones are in tests/e2e."""

from __future__ import annotations

import asyncio

import pytest

from arena.config.bot_spec import BotSpec
from arena.errors import LaunchError
from arena.referee.clock import InlineClock
from arena.referee.faults import Fault
from arena.server.auth import AdmitAll
from arena.server.launched import LaunchedBots
from arena.server.limits import SessionLimits
from arena.server.lobby import Lobby
from arena.server.players import Absence
from arena.server.roster import Roster
from arena.server.session import Session
from arena.testing import VirtualLoop
from arena.v1 import play_pb2
from tests.integration.bots import House, open_house


def roster_of(house: House, *names: str) -> Roster:
    """Return a roster of bots that dial in themselves."""
    specs = [BotSpec(name=name, connected=True) for name in names]
    return Roster(house.arena.lobby, specs)


async def test_a_bot_that_comes_while_the_roster_looks_is_not_missed(tmp_path):
    """It is ready at once, and not only when something else happens in the lobby."""
    async with open_house(tmp_path) as house:
        arena = house.arena
        find = arena.lobby.find

        def find_too_early(name: str) -> Session | None:
            session = find(name)
            if session is None:
                hello = play_pb2.Hello(protocol=1, bot=name)
                asyncio.get_running_loop().call_soon(arena.lobby.enter, hello)
            return session

        arena.lobby.find = find_too_early  # type: ignore[method-assign] # in between
        session = await roster_of(house, "a").ready("a", "byzanz", 5.0)
        assert isinstance(session, Session)
        session.end(Fault.DISCONNECT, "it has no stream to say goodbye on")


async def test_a_place_is_not_promised_twice(tmp_path):
    """Of two matches that wait for the same bots, the second waits until the first has ended."""
    async with open_house(tmp_path) as house:
        roster = roster_of(house, "a", "b", "c")
        places: list[int] = []

        async def play() -> None:
            seats = await roster.ready_all(["a", "b", "c"], "byzanz", 5.0)
            sessions = [seat for seat in seats if isinstance(seat, Session)]
            assert len(sessions) == 3
            match = house.start(sessions)
            places.extend(session.free for session in sessions)
            await match

        playing = asyncio.gather(play(), play())
        for name in "abc":
            await house.honest(name, max_matches=1)
        await playing
        assert places == [0] * 6


async def test_a_bot_that_plays_is_waited_for_beyond_the_start_timeout(tmp_path):
    """The timeout is for bots that are not there: one that is busy has been ready long ago."""
    async with open_house(tmp_path) as house:
        roster = roster_of(house, "a")
        _, session, _ = await house.enter("a", max_matches=1)
        match = house.start_alone(session)
        waiting = asyncio.ensure_future(roster.ready("a", "byzanz", 0.01))
        done, _ = await asyncio.wait({waiting}, timeout=0.05)
        assert not done
        house.arena.hall.abort(["m1"], "for this test")
        await match
        assert await waiting is session


async def test_a_bot_that_does_not_come_is_absent(tmp_path):
    """It is told why: not in time, or not for this game."""
    async with open_house(tmp_path) as house:
        roster = roster_of(house, "a", "b")
        late = await roster.ready("a", "byzanz", 0.01)
        assert late == Absence(Fault.NO_START, "not ready within 0.01 s")
        await house.enter("b", games=["byzanz"])
        other = await roster.ready("b", "schwarzmarkt", 5.0)
        assert other == Absence(Fault.NO_START, "does not play schwarzmarkt")


class SlowlyBuilt(LaunchedBots):
    """Bots that take a minute to build, once, and then cannot be started."""

    def __init__(self) -> None:
        self._building_s = 60.0

    async def build(self, spec: BotSpec) -> None:
        await asyncio.sleep(self._building_s)
        self._building_s = 0.0

    async def session(self, spec: BotSpec) -> Session | None:
        await self.build(spec)  # as a start does
        raise LaunchError("built, but not started")


class TestBuilds:
    @pytest.fixture
    def loop_factory(self) -> type[VirtualLoop]:
        """Without waiting."""
        return VirtualLoop

    async def test_a_build_may_take_longer_than_the_start(self):
        """The start timeout begins when the bot is built: a build has a limit of its own."""
        spec = BotSpec(name="a", command=("./a",), build=(("make",),))
        lobby = Lobby(AdmitAll(), ["byzanz"], SessionLimits(), InlineClock())
        with pytest.raises(LaunchError, match=r"^a: built, but not started$"):  # nor a bot's fault
            await Roster(lobby, [spec], SlowlyBuilt()).ready("a", "byzanz", 30.0)
