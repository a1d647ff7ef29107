"""Tournaments of a server, among bots that dial its socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.config.bot_spec import BotSpec
from arena.config.tournament import RunSettings, TournamentConfig, Unfit, read_config, write_config
from arena.errors import (
    ForbiddenError,
    InputError,
    StorageError,
    TournamentExistsError,
    UnfitError,
    UnknownMatchError,
    UnknownTournamentError,
    UnreleasedError,
)
from arena.games.registry import get_game
from arena.organiser.director import Director
from arena.organiser.journal import Event, Journal, TournamentState
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault
from arena.referee.match import PlayedMatch
from arena.results.audit.audit import audit_results
from arena.results.messages import TournamentPhase
from arena.schedule.deals import commitment
from arena.server.casual import CasualHost, CasualTable
from arena.storage.records import StoredMatch
from arena.storage.sql_store import SqlStore
from tests.integration.bots import PATIENT, House, open_house
from tests.waiting import until

BOTS = ("ann", "ben", "cem")


def settle(name: str = "cup", bots: Sequence[str] = BOTS, **fields: Any) -> TournamentConfig:
    """Return a small tournament of Byzanz for three."""
    settled = {
        "game": "byzanz",
        "players": 3,
        "rounds": 2,
        "control": TimeControl(60.0, 60.0, 5.0),
        "bots": {bot: BotSpec(bot, connected=True) for bot in bots},
        **fields,
    }
    return TournamentConfig(name=name, **settled)


@contextlib.asynccontextmanager
async def open_director(
    tmp_path: Path, bots: Sequence[str] = BOTS, max_matches: int = 16
) -> AsyncIterator[tuple[House, Director]]:
    """Open an arena with these bots in its lobby; results are kept in `kept`."""
    async with open_house(tmp_path) as house:
        director = Director(house.arena, tmp_path / "kept")
        for bot in bots:
            await house.honest(bot, max_matches)
        try:
            yield house, director
        finally:
            await director.close(0.0)


async def follow(journal: Journal) -> list[Event]:
    """Return all that happens from now on until the end."""
    events: list[Event] = []
    after = 0
    while True:
        read = journal.read(after, 100)
        if read:
            after = read[-1][0]
            events += [event for _, event in read]
        elif journal.is_over:
            return events
        else:
            await journal.change()


async def play(
    director: Director, config: TournamentConfig, unfit: Unfit = Unfit.STOP
) -> TournamentPhase:
    """Play a tournament as far as it goes."""
    await director.start(write_config(config), unfit)
    return await finish(director, config.name)


async def finish(director: Director, name: str = "cup") -> TournamentPhase:
    """Wait for the end of a run."""
    await follow(await director.follow(name))
    return (await director.state(name)).phase


async def stop_in_the_middle(director: Director, config: TournamentConfig) -> None:
    """Start a tournament and stop it when its first match has ended."""
    one = replace(config, run=RunSettings(concurrency=1))
    await director.start(write_config(one), Unfit.STOP)
    journal = await director.follow(config.name)
    while not (await director.state(config.name)).played:
        await journal.change()
    state = await director.stop(config.name, at_once=False)
    assert state.phase is TournamentPhase.STOPPING
    assert await finish(director, config.name) is TournamentPhase.STOPPED


@pytest.mark.slow
async def test_a_tournament_from_its_start_to_its_files(tmp_path):
    """All is played, told to followers, kept, and found right."""
    async with open_director(tmp_path) as (_, director):
        started = await director.start(write_config(settle()), Unfit.STOP)
        assert started.state.phase is TournamentPhase.RUNNING
        assert started.state.scheduled == 6
        assert not started.is_resumed
        assert started.notes
        events = await follow(await director.follow("cup"))
        ended = [event for event in events if isinstance(event, StoredMatch)]
        assert sorted(match.fixture.match for match in ended) == sorted(
            f"{block}-{seating}" for block in (1, 2) for seating in (1, 2, 3)
        )
        assert all(match.report.replay == "" for match in ended)
        states = [event for event in events if isinstance(event, TournamentState)]
        assert states[0].phase is TournamentPhase.RUNNING
        assert states[-1].phase is TournamentPhase.COMPLETE
        assert states[-1].played == 6
        standings = [event for event in events if isinstance(event, tuple)]
        assert [bot.matches for bot in standings[-1]] == [6, 6, 6]
        assert await director.states() == [await director.state("cup")]
    report = audit_results(tmp_path / "kept" / "cup")
    assert report.is_ok, report.problems


@pytest.mark.slow
async def test_the_seed_is_the_arenas_secret_until_the_end(tmp_path):
    """The commitment is told before play, the seed nowhere but in the files at the end."""
    async with open_director(tmp_path) as (_, director):
        started = await director.start(write_config(settle(rounds=1)), Unfit.STOP)
        stored = read_config((tmp_path / "kept/cup/tournament.toml").read_text(), "")
        assert stored.seed.startswith("hex:")
        secrets = (stored.seed.removeprefix("hex:"), stored.salt)
        promised = commitment(stored.master, bytes.fromhex(stored.salt))
        assert started.state.commitment == promised
        events = await follow(await director.follow("cup"))
        for text in (repr(started), repr(events)):
            assert not any(secret in text for secret in secrets)
        assert read_config(started.config, "") == replace(stored, seed="", salt="")
        text, board = await director.leaderboard("cup")
        assert board.seed == stored.seed
        assert json.loads(text)["seed"] == stored.seed


@pytest.mark.slow
async def test_a_tournament_that_is_stopped_goes_on_where_it_was(tmp_path):
    """Started again it plays what is missing, and nothing twice."""
    config = settle(seed="7", rounds=1)
    async with open_director(tmp_path) as (_, director):
        await stop_in_the_middle(director, config)
        before = await director.state("cup")
        assert 0 < before.played < before.scheduled
        started = await director.start(write_config(config), Unfit.STOP)
        assert started.is_resumed
        assert started.state.commitment == before.commitment
        events = await follow(await director.follow("cup"))
        played = [event for event in events if isinstance(event, StoredMatch)]
        assert len(played) == before.scheduled - before.played
        assert (await director.state("cup")).phase is TournamentPhase.COMPLETE
    assert audit_results(tmp_path / "kept" / "cup").is_ok


@pytest.mark.slow
async def test_a_tournament_outlives_its_arena(tmp_path):
    """Closed in the middle it is listed as stopped by the next director, and goes on there."""
    config = settle(run=RunSettings(concurrency=1))
    async with open_director(tmp_path) as (house, director):
        await director.start(write_config(config), Unfit.STOP)
        journal = await director.follow("cup")
        while not (await director.state("cup")).played:
            await journal.change()
        await director.close(30.0)
        assert director.is_stopping
        anew = Director(house.arena, tmp_path / "kept")
        (state,) = await anew.states()
        assert state.phase is TournamentPhase.STOPPED
        assert 0 < state.played < 6
        assert [bot.name for bot in state.bots] == list(BOTS)
        assert await play(anew, config) is TournamentPhase.COMPLETE
        assert (await anew.state("cup")).played == 6


async def test_stopping_at_once_gives_up_what_runs(tmp_path):
    """A match that nobody answers in ends nothing and counts as nothing."""
    async with open_director(tmp_path, ()) as (house, director):
        for bot in BOTS:
            await house.enter(bot, max_matches=16)  # and never answers
        await director.start(write_config(settle()), Unfit.STOP)
        await until(lambda: house.arena.hall.running == 6)
        await director.stop("cup", at_once=True)
        assert await finish(director) is TournamentPhase.STOPPED
        assert house.arena.hall.running == 0
        state = await director.state("cup")
        assert (state.played, state.parked) == (0, 0)
        _, board = await director.leaderboard("cup")
        assert board.matches == 0


@pytest.mark.slow
async def test_the_same_again_changes_nothing(tmp_path):
    """Of one that runs, everybody is told the same; of a complete one, that it is complete."""
    text = write_config(settle(rounds=1))
    async with open_director(tmp_path) as (_, director):
        first, second = await asyncio.gather(
            director.start(text, Unfit.STOP), director.start(text, Unfit.STOP)
        )
        assert first.state.commitment == second.state.commitment
        assert await finish(director) is TournamentPhase.COMPLETE
        third = await director.start(text, Unfit.STOP)
        assert third.state.phase is TournamentPhase.COMPLETE
        assert third.state.commitment == first.state.commitment
        (state,) = await follow(await director.follow("cup"))
        assert isinstance(state, TournamentState)
        assert state.played == 3


@pytest.mark.slow
async def test_another_tournament_of_the_same_name_is_refused(tmp_path):
    """It says what differs, but no seed."""
    config = settle(seed="a very secret seed", rounds=1)
    more = {bot: BotSpec(bot, connected=True) for bot in (*BOTS, "dan")}
    async with open_director(tmp_path, (*BOTS, "dan")) as (_, director):
        await play(director, config)
        for change in ({"rounds": 3}, {"seed": "8"}, {"bots": more}):
            other = write_config(replace(config, **change))
            with pytest.raises(TournamentExistsError, match="another tournament 'cup'") as error:
                await director.start(other, Unfit.STOP)
            assert "secret" not in str(error.value)


@pytest.mark.slow
async def test_bots_that_are_not_there(tmp_path):
    """They stop a tournament before anything is stored, or are left out, or forfeit."""
    control = TimeControl(60.0, 60.0, 0.05)
    config = settle(bots=(*BOTS, "far"), control=control, rounds=1)
    async with open_director(tmp_path) as (_, director):
        with pytest.raises(UnfitError, match="far: not in the lobby within 0"):
            await director.start(write_config(config), Unfit.STOP)
        assert not (tmp_path / "kept").exists()
        with pytest.raises(UnknownTournamentError):
            await director.state("cup")
        assert await play(director, config, Unfit.LEAVE_OUT) is TournamentPhase.COMPLETE
        state = await director.state("cup")
        assert [bot.name for bot in state.bots] == list(BOTS)
        again = await play(director, config, Unfit.LEAVE_OUT)
        assert again is TournamentPhase.COMPLETE
        entered = replace(config, name="all")
        assert await play(director, entered, Unfit.ENTER) is TournamentPhase.COMPLETE
        page = await director.results("all", 0, 100)
        for match, is_released in page.matches:
            assert is_released
            for bot, forfeit in zip(match.fixture.bots, match.report.forfeits, strict=True):
                assert forfeit == (Fault.NO_START if bot == "far" else None)


async def test_a_bot_that_plays_another_game_is_unfit(tmp_path):
    """The check before play says so."""
    async with open_director(tmp_path, BOTS[:2]) as (house, director):
        await house.enter("cem", games=["schwarzmarkt"])
        with pytest.raises(UnfitError, match="cem: does not play byzanz"):
            await director.start(write_config(settle()), Unfit.STOP)


@pytest.mark.slow
async def test_a_bot_that_drops_out_and_comes_back(tmp_path):
    """It forfeits the matches in which it was lost and plays the others."""
    async with open_director(tmp_path, BOTS[:2]) as (house, director):
        _, session, _ = await house.enter("cem", max_matches=1)
        await director.start(write_config(settle()), Unfit.STOP)
        await until(lambda: session.seats)
        session.end(Fault.DISCONNECT, "the test has cut its line")
        await house.honest("cem", 1)
        assert await finish(director) is TournamentPhase.COMPLETE
        page = await director.results("cup", 0, 100)
        forfeits = [
            match.report.forfeits[match.fixture.bots.index("cem")] for match, _ in page.matches
        ]
        assert forfeits.count(Fault.DISCONNECT) == 1
        assert forfeits.count(None) == 5


@pytest.mark.slow
async def test_another_version_of_a_bot_does_not_play_on(tmp_path):
    """Matches are those of the version that was entered: the new one forfeits them."""
    async with open_director(tmp_path, BOTS[:2]) as (house, director):
        _, session, _ = await house.enter("cem", max_matches=1, version="1")
        await director.start(write_config(settle(rounds=1)), Unfit.STOP)
        await until(lambda: session.seats)
        session.end(Fault.DISCONNECT, "the test has cut its line")
        await house.enter("cem", max_matches=1, version="2")
        assert await finish(director) is TournamentPhase.COMPLETE
        page = await director.results("cup", 0, 100)
        forfeits = [
            match.report.forfeits[match.fixture.bots.index("cem")] for match, _ in page.matches
        ]
        assert sorted(forfeits, key=str) == [Fault.DISCONNECT, Fault.NO_START, Fault.NO_START]
        details = {fault.detail for match, _ in page.matches for fault in match.report.faults}
        assert "is version '2' now, but was entered as '1'" in details


@pytest.mark.slow
async def test_two_tournaments_share_bots_that_play_one_match_at_a_time(tmp_path):
    """Both are played, and each match counts in its own tournament."""
    async with open_director(tmp_path, max_matches=1) as (_, director):
        names = ("spring", "autumn")
        for name in names:
            await director.start(write_config(settle(name, rounds=1)), Unfit.STOP)
        assert {state.phase for state in await director.states()} == {TournamentPhase.RUNNING}
        phases = await asyncio.gather(*(finish(director, name) for name in names))
        assert phases == [TournamentPhase.COMPLETE, TournamentPhase.COMPLETE]
    for name in ("spring", "autumn"):
        assert audit_results(tmp_path / "kept" / name).is_ok


@pytest.mark.slow
async def test_a_tournament_beside_casual_play(tmp_path):
    """Bots may sit at casual tables in the meantime."""
    async with open_director(tmp_path, max_matches=2) as (house, director):
        casual: list[PlayedMatch] = []
        table = CasualTable(get_game("byzanz"), 3)
        host = CasualHost(house.arena, [table], PATIENT, casual.append, pause_s=0.001)
        playing = asyncio.ensure_future(host.run())
        try:
            await until(lambda: casual)
            assert await play(director, settle(rounds=1)) is TournamentPhase.COMPLETE
        finally:
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing
        assert all(played.outcome is not None for played in casual)
        await until(lambda: not house.arena.hall.running)
    assert audit_results(tmp_path / "kept" / "cup").is_ok


@pytest.mark.slow
async def test_nothing_about_a_deal_is_told_before_all_its_matches_are_done(tmp_path):
    """No replay, no seed in any file; afterwards everything."""
    config = settle(rounds=1)
    async with open_director(tmp_path) as (_, director):
        await stop_in_the_middle(director, config)
        page = await director.results("cup", 0, 100)
        assert page.matches
        for match, is_released in page.matches:
            assert not is_released
            with pytest.raises(UnreleasedError):
                await director.replay("cup", match.fixture.match)
        with pytest.raises(ForbiddenError):
            await director.files("cup", None, is_admin=False)
        stored = read_config((tmp_path / "kept/cup/tournament.toml").read_text(), "")
        files = await director.files("cup", None, is_admin=True)
        sent = b"".join(data for _, data, _ in files.read())
        files.close()
        assert stored.seed.removeprefix("hex:").encode() not in sent
        assert stored.salt.encode() not in sent
        assert b"replays/" not in sent
        assert await play(director, config) is TournamentPhase.COMPLETE
        replay = await director.replay("cup", "1-1")
        assert json.loads(replay.partition("\n")[0])["match"] == "1-1"
        files = await director.files("cup", 2, is_admin=False)
        names = [name for name, _, is_last in files.read() if is_last]
        files.close()
        assert names[:2] == ["replays/1-1.jsonl", "replays/1-2.jsonl"]
        assert "arena.db" not in names
        assert names[-1] == "tournament.toml"
        assert names.count("matches.jsonl") == 1


@pytest.mark.slow
async def test_a_leaderboard_while_it_is_being_played_for(tmp_path):
    """It tells of what has been played a moment ago, and nothing of the seed."""
    async with open_director(tmp_path) as (_, director):
        config = settle(seed="tea", run=RunSettings(concurrency=1))
        await director.start(write_config(config), Unfit.STOP)
        journal = await director.follow("cup")
        with pytest.raises(UnreleasedError, match="no match of 'cup' has been played yet"):
            await director.leaderboard("cup")
        while not (await director.state("cup")).played:
            await journal.change()
        text, board = await director.leaderboard("cup")
        assert 0 < board.matches < board.scheduled == 6
        assert board.seed == ""
        assert "tea" not in text
        assert await finish(director) is TournamentPhase.COMPLETE
        _, board = await director.leaderboard("cup")
        assert (board.matches, board.seed) == (6, "tea")


@pytest.mark.slow
async def test_files_of_an_arena_that_was_killed_are_made_anew(tmp_path):
    """Whoever asks for a leaderboard gets one that tells of all matches."""
    async with open_director(tmp_path) as (_, director):
        await play(director, settle(rounds=1))
        expected, _ = await director.leaderboard("cup")
        for path in (tmp_path / "kept/cup").glob("*.json*"):
            path.unlink()
        text, _ = await director.leaderboard("cup")
        assert text == expected


@pytest.mark.slow
async def test_a_database_that_fails_ends_one_tournament_only(tmp_path, monkeypatch):
    """It has failed and says why; it can be started again."""
    async with open_director(tmp_path) as (_, director):
        with monkeypatch.context() as patch:
            patch.setattr(SqlStore, "finish_all", _fail)
            assert await play(director, settle(rounds=1)) is TournamentPhase.FAILED
        (state,) = await director.states()
        assert state.reason == "the disk is full"
        (told,) = await follow(await director.follow("cup"))
        assert told == state
        assert await play(director, settle("other", rounds=1)) is TournamentPhase.COMPLETE
        assert (await director.start(write_config(settle(rounds=1)), Unfit.STOP)).is_resumed


def _fail(*_arguments: object) -> None:
    raise StorageError("the disk is full")


async def test_a_directory_that_cannot_be_written(tmp_path):
    """The tournament is refused with the reason, and the arena goes on."""
    (tmp_path / "kept").write_text("a file")
    async with open_director(tmp_path) as (_, director):
        with pytest.raises(StorageError, match="kept"):
            await director.start(write_config(settle()), Unfit.STOP)
        assert await director.states() == []


@pytest.mark.parametrize("name", ["../out", "a/b", ".hidden", "", "x" * 65, "new\nline"])
async def test_a_tournament_must_have_the_name_of_a_file(tmp_path, name):
    """Nothing is written outside the directory, and nothing is found there."""
    async with open_director(tmp_path, ()) as (_, director):
        with pytest.raises(InputError):
            await director.start(write_config(settle(name)), Unfit.STOP)
        with pytest.raises(UnknownTournamentError):
            await director.state(name)
    assert not (tmp_path / "kept").exists()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"bots": {"ann": BotSpec("ann", command=("touch", "found"))}}, "is not a connected one"),
        ({"bots": {"ann": BotSpec("ann", builtin="random")}}, "is not a connected one"),
        ({"fresh": True}, "starts no bots"),
        ({"bots": {"ann": BotSpec("ann", connected=True)}}, "3"),
        ({"players": 17}, "byzanz"),
    ],
)
async def test_a_config_that_cannot_be_played_here(tmp_path, change, reason):
    """It is refused before anything is begun; nobody starts programs in an arena from afar."""
    async with open_director(tmp_path) as (_, director):
        with pytest.raises(InputError, match=reason):
            await director.start(write_config(replace(settle(), **change)), Unfit.STOP)
    assert not (tmp_path / "kept").exists()


@pytest.mark.slow
async def test_what_is_not_there(tmp_path):
    """Tournaments and matches that nobody knows are said to be unknown."""
    async with open_director(tmp_path) as (_, director):
        assert await director.states() == []
        for call in (
            director.state("cup"),
            director.stop("cup", at_once=True),
            director.follow("cup"),
            director.leaderboard("cup"),
            director.results("cup", 0, 10),
            director.replay("cup", "1-1"),
            director.files("cup", None, is_admin=True),
        ):
            with pytest.raises(UnknownTournamentError):
                await call
        await play(director, settle(rounds=1))
        with pytest.raises(UnknownMatchError):
            await director.replay("cup", "9-9")
        page = await director.results("cup", 1, 1)
        assert [match.fixture.index for match, _ in page.matches] == [1]
        assert page.next_start == 2
        assert (await director.results("cup", 2, 1)).next_start is None
