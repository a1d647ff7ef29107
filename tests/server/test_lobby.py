from __future__ import annotations

import asyncio

from arena.referee.faults import Fault
from arena.server.auth import TokenFile, grants_to_text, new_token
from arena.server.limits import Allowance, SessionLimits
from arena.server.session import SessionPhase
from arena.v1 import play_pb2
from tests.integration.bots import Code, hello, leave, open_house
from tests.waiting import until


async def test_waiting_for_a_bot(tmp_path):
    """The session comes as soon as it is there, and None if it does not come in time."""
    async with open_house(tmp_path) as house:
        lobby = house.arena.lobby
        assert await lobby.wait_for("a", 0.01) is None
        waiting = asyncio.ensure_future(lobby.wait_for("a"))
        await house.enter("b")
        assert not waiting.done()
        _, session, _ = await house.enter("a")
        assert await waiting is session
        assert await lobby.wait_for("a", 0) is session


async def test_waiting_for_a_free_place(tmp_path):
    """A session that is full or away is waited for until it has room again."""
    async with open_house(tmp_path) as house:
        lobby = house.arena.lobby
        stream, session, welcome = await house.enter("a", max_matches=2)
        assert session.free == 2
        house.start_alone(session)
        assert session.free == 1
        house.start_alone(session)
        assert session.free == 0
        waiting = asyncio.ensure_future(lobby.wait_for("a"))
        await asyncio.sleep(0)
        assert not waiting.done()
        house.arena.hall.abort(["m1"], "for this test")
        assert await waiting is session
        await stream.cut()
        await until(lambda: session.phase is SessionPhase.PARKED)
        assert session.free == 0
        await house.enter("", resume_token=welcome.resume_token)
        assert session.free == 1


async def test_no_change_is_missed_before_the_waiting_has_begun(tmp_path):
    """What changes between the call and the first step of a task that awaits it counts."""
    async with open_house(tmp_path) as house:
        waiting = asyncio.ensure_future(house.arena.lobby.change())
        session = house.arena.lobby.enter(play_pb2.Hello(protocol=1, bot="a"))
        async with asyncio.timeout(5.0):
            await waiting
        assert house.arena.lobby.sessions() == [session]
        session.end(Fault.DISCONNECT, "it has no stream to say goodbye on")


async def test_changes_are_noticed(tmp_path):
    """Whoever waits hears of coming, seats taken, being lost, resuming and ending."""
    async with open_house(tmp_path) as house:
        lobby = house.arena.lobby
        change = lobby.change()
        stream, session, welcome = await house.enter("a")
        await change
        assert (session.phase, len(session.seats)) == (SessionPhase.LIVE, 0)
        change = lobby.change()
        house.start_alone(session)
        await change
        assert (session.phase, len(session.seats)) == (SessionPhase.LIVE, 1)
        change = lobby.change()
        await stream.cut()
        await change
        assert (session.phase, len(session.seats)) == (SessionPhase.PARKED, 1)
        change = lobby.change()
        again, *_ = await house.enter("", resume_token=welcome.resume_token)
        await change
        assert (session.phase, len(session.seats)) == (SessionPhase.LIVE, 1)
        change = lobby.change()
        await again.say(leave())
        await change
        assert (session.phase, len(session.seats)) == (SessionPhase.ENDED, 0)
        assert lobby.sessions() == []


async def test_a_lost_session_without_matches_makes_room_first(tmp_path):
    """Of the sessions that are away the one with the fewest matches gives up its place."""
    async with open_house(tmp_path, limits=SessionLimits(max_sessions=2)) as house:
        busy, playing, _ = await house.enter("busy")
        idle, waiting, _ = await house.enter("idle")
        match = house.start_alone(playing)
        await busy.cut()
        await idle.cut()
        await until(lambda: not playing.is_present and not waiting.is_present)
        await house.enter("new")
        assert waiting.phase is SessionPhase.ENDED
        assert playing.phase is SessionPhase.PARKED
        assert not match.done()


async def test_names_that_differ_only_in_case_do_not_meet(tmp_path):
    """Such bots could not be in one tournament: the second is refused, and told why."""
    async with open_house(tmp_path) as house:
        await house.enter("h1")
        stream = house.stream()
        await stream.say(hello("H1"))
        code, details = await stream.status()
        assert code is Code.ALREADY_EXISTS
        assert details == (
            "a session of 'h1' is open, which differs from 'H1' only in case or accents: "
            "use another name"
        )
        assert house.arena.lobby.find("H1") is None


async def test_a_kicked_bot_is_told_and_may_come_again(tmp_path):
    """Kicking ends the session now; its matches are forfeited, and its name is free."""
    async with open_house(tmp_path) as house:
        stream, session, welcome = await house.enter("a")
        match = house.start_alone(session)
        await stream.expect("match_started")
        await stream.decision()
        assert house.arena.lobby.kick("a", "not now")
        assert not house.arena.lobby.kick("b", "")
        goodbye = (await stream.hear_until("goodbye")).goodbye
        assert goodbye.message == "the organiser ended the session: not now"
        assert (await stream.status())[0] is Code.ABORTED
        assert (await match).forfeits[0] is Fault.DISCONNECT
        again = house.stream()
        await again.say(hello("", resume_token=welcome.resume_token))
        assert (await again.status())[0] is Code.NOT_FOUND
        await house.enter("a")


async def test_a_session_ends_with_its_token(tmp_path):
    """A token that is taken out of the file ends its session, live or away; others stay."""
    grants = {}
    tokens = {}
    for name in ("live", "away", "stays"):
        tokens[name], grants[name] = new_token(name, "bot")
    file = tmp_path / "tokens"
    file.write_text(grants_to_text(list(grants.values())))
    options = {"admission": TokenFile(file), "has_tokens": True}
    async with open_house(tmp_path, **options) as house:
        lost, away, welcome = await house.enter("", token=tokens["away"])
        await lost.cut()
        await until(lambda: away.phase is SessionPhase.PARKED)
        _, stays, _ = await house.enter("", token=tokens["stays"])
        live, *_ = await house.enter("", token=tokens["live"])
        file.write_text(grants_to_text([grants["stays"]]))
        again = house.stream()
        await again.say(hello("", resume_token=welcome.resume_token))
        code, details = await again.status()
        assert code is Code.UNAUTHENTICATED
        assert "was revoked or has expired" in details
        assert away.phase is SessionPhase.ENDED
        goodbye = (await live.hear_until("goodbye")).goodbye  # within a second, by itself
        assert "was revoked or has expired" in goodbye.message
        assert (await live.status())[0] is Code.UNAUTHENTICATED
        assert house.arena.lobby.sessions() == [stays]


async def test_what_a_bot_says_about_itself_is_kept(tmp_path):
    """Games, version and the number of matches come from the hello, within the limits."""
    async with open_house(tmp_path) as house:
        _, session, welcome = await house.enter(
            "a", games=["byzanz", "chess"], version="7", max_matches=10**6
        )
        assert session.profile.plays("byzanz")
        assert not session.profile.plays("schwarzmarkt")
        assert session.profile.version == "7"
        assert welcome.limits.max_matches == session.profile.max_matches == 256
        _, other, _ = await house.enter("b")
        assert other.profile.plays("anything")


def test_the_allowance_fills_up_again():
    """A reserve can be spent at once; then so many a second."""
    allowance = Allowance(rate=2, reserve=3, now=0.0)
    assert [allowance.spend(0.0) for _ in range(9)] == [True] * 8 + [False]
    assert [allowance.spend(1.0) for _ in range(3)] == [True, True, False]
    assert [allowance.spend(100.0) for _ in range(9)] == [True] * 8 + [False]
    large = Allowance(rate=1, reserve=20, now=0.0)
    assert sum(large.spend(0.0) for _ in range(30)) == 20
