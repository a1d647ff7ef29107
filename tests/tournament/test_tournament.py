from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest

from arena.config.bot_spec import BotSpec
from arena.config.tournament import TournamentConfig, Unfit, read_config
from arena.engines.inline import InlineEngine
from arena.errors import InputError, TournamentExistsError, UnfitError
from arena.schedule.schedule import Schedule
from arena.storage.opening import open_store
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Entered, OnFault, Refused, Verdict, Void
from arena.tournament.runner import EndReason, RunEnd
from arena.tournament.tournament import open_tournament
from arena.tournament.watcher import Watcher
from tests.engines.scaled import SALT

RANDOMS = {f"r{n}": BotSpec(f"r{n}", builtin="random") for n in range(1, 5)}
CUP = TournamentConfig(
    name="cup",
    game="byzanz",
    players=3,
    bots=dict(list(RANDOMS.items())[:3]),
    rounds=1,
    seed="7",
    salt=SALT,
)


class Checking:
    """An engine that only checks its bots."""

    addresses: Sequence[str] = ()

    def __init__(self, verdicts: Mapping[str, Verdict] | None = None) -> None:
        self.verdicts: dict[str, Verdict] = {name: Entered("1") for name in CUP.bots}
        self.verdicts |= verdicts or {}
        self.checks = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Nothing is open."""

    async def preflight(self) -> Mapping[str, Verdict]:
        self.checks += 1
        return self.verdicts

    async def play(
        self, fixture: FixtureRecord, versions: Mapping[str, str], on_fault: OnFault | None = None
    ) -> MatchReport | Void:
        raise NotImplementedError

    def release(self, matches: Sequence[str]) -> None:
        """Nobody watches."""

    def abort(self) -> None:
        """Nothing runs."""


class Prepared(NamedTuple):
    """What is known when play is about to begin."""

    config: TournamentConfig
    schedule: Schedule | None
    refused: Mapping[str, str]

    @property
    def is_resumed(self) -> bool:
        return self.schedule is None


async def prepare(
    directory: Path,
    engine: Checking | None = None,
    unfit: Unfit = Unfit.STOP,
    db: str | None = None,
    **changes: Any,
) -> Prepared:
    """Begin a tournament, or go on with it."""
    asked = dataclasses.replace(CUP, **changes)
    async with open_tournament(asked, directory, unfit=unfit, db=db) as tournament:
        preparation = await tournament.prepare(engine or Checking())
        return Prepared(tournament.config, preparation.schedule, preparation.refused)


class TestPreparing:
    async def test_new(self, tmp_path):
        """Config and schedule are stored before any match, with the versions of the bots."""
        found = await prepare(tmp_path / "cup")
        assert not found.is_resumed
        assert found.schedule is not None
        assert found.refused == {}
        text = (tmp_path / "cup" / "tournament.toml").read_text()
        assert read_config(text, "x") == CUP
        with open_store(tmp_path / "cup" / "arena.db", "cup") as store:
            tournament = store.tournament()
            assert tournament is not None
            assert tournament.config == text
            assert tournament.seed == CUP.master
            assert [bot.version for bot in tournament.bots] == ["1", "1", "1"]
            assert tuple(store.fixtures()) == found.schedule.fixtures

    async def test_again(self, tmp_path):
        """The second time it is resumed, and nothing changes."""
        await prepare(tmp_path)
        before = (tmp_path / "tournament.toml").read_bytes()
        found = await prepare(tmp_path)
        assert (found.is_resumed, found.schedule) == (True, None)
        assert (tmp_path / "tournament.toml").read_bytes() == before

    def test_many_at_once(self, tmp_path):
        """Of many that begin at once exactly one does, and the others join it."""
        prepared: list[Prepared] = []
        threads = [
            threading.Thread(target=lambda: prepared.append(asyncio.run(prepare(tmp_path))))
            for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(found.is_resumed for found in prepared) == [False] + [True] * 5

    async def test_results_without_their_database(self, tmp_path):
        """Published results are not overwritten by playing everything anew."""
        await prepare(tmp_path)
        (tmp_path / "matches.jsonl").write_text("{}\n")
        assert (await prepare(tmp_path)).is_resumed
        for path in tmp_path.glob("arena.db*"):
            path.unlink()
        engine = Checking()
        with pytest.raises(InputError, match=r"no database of it in .*arena.db: name"):
            await prepare(tmp_path, engine)
        assert engine.checks == 0
        assert not (tmp_path / "arena.db").exists()

    async def test_what_cannot_be_played_starts_no_bot(self, tmp_path):
        """A schedule that cannot be is refused before the check, and leaves no file."""
        engine = Checking()
        with pytest.raises(InputError, match="at least 1 round"):
            await prepare(tmp_path / "cup", engine, rounds=0)
        assert engine.checks == 0
        assert not (tmp_path / "cup").exists()

    @pytest.mark.parametrize("changes", [{"rounds": 2}, {"seed": "8"}, {"salt": "1" * 64}])
    async def test_another_one(self, tmp_path, changes: dict[str, Any]):
        """A directory goes on only with the tournament it holds."""
        await prepare(tmp_path)
        before = (tmp_path / "tournament.toml").read_bytes()
        with pytest.raises(TournamentExistsError, match=f"'cup' here: {next(iter(changes))} is"):
            await prepare(tmp_path, **changes)
        assert (tmp_path / "tournament.toml").read_bytes() == before

    async def test_another_name(self, tmp_path):
        """A second tournament does not get into the directory of a first."""
        await prepare(tmp_path)
        with pytest.raises(InputError, match=r"name is cup \(asked for: league\)"):
            await prepare(tmp_path, name="league")

    async def test_another_version(self, tmp_path):
        """A bot that has changed is refused; so is nobody whose version is not known."""
        await prepare(tmp_path)
        with pytest.raises(UnfitError, match=r"bot r2 is version '2' now, but .* version '1'"):
            await prepare(tmp_path, Checking({"r2": Entered("2")}))

    async def test_begun_elsewhere(self, tmp_path):
        """Whoever joins from another directory on the same database gets the config there."""
        for place in ("one", "two"):
            await prepare(tmp_path / place, db=str(tmp_path / "shared.db"))
        one, two = (tmp_path / place / "tournament.toml" for place in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()


class TestUnfit:
    ILL = Checking({"r2": Refused("no hello")})

    async def test_stop(self, tmp_path):
        """Nothing is begun, and the author learns why."""
        with pytest.raises(UnfitError, match=r"1 bot cannot play: r2: no hello\. Fix it, leave it"):
            await prepare(tmp_path / "cup", self.ILL)
        assert not (tmp_path / "cup").exists()

    async def test_enter(self, tmp_path):
        """It is in the schedule, without a version; it may come back with any."""
        found = await prepare(tmp_path, self.ILL, Unfit.ENTER)
        assert found.refused == {"r2": "no hello"}
        assert found.schedule is not None
        assert all("r2" in fixture.bots for fixture in found.schedule.fixtures)
        assert (await prepare(tmp_path, Checking({"r2": Entered("2")}))).is_resumed

    async def test_leave_out(self, tmp_path):
        """The others play without it, as long as there are enough of them."""
        ill = Checking({"r2": Refused("no hello"), "r4": Entered("1")})
        found = await prepare(tmp_path / "cup", ill, Unfit.LEAVE_OUT, bots=RANDOMS)
        assert list(found.config.bots) == ["r1", "r3", "r4"]
        assert found.schedule is not None
        assert not any("r2" in fixture.bots for fixture in found.schedule.fixtures)
        with pytest.raises(UnfitError, match="2 bots are too few for tables of 3"):
            await prepare(tmp_path / "other", self.ILL, Unfit.LEAVE_OUT)

    async def test_too_late_to_leave_it_out(self, tmp_path):
        """A bot with scheduled matches can only be fixed, or forfeit them."""
        await prepare(tmp_path)
        with pytest.raises(
            UnfitError, match=r"Its matches are .* Fix it, or let it forfeit with --unfit enter"
        ):
            await prepare(tmp_path, self.ILL, Unfit.LEAVE_OUT)
        assert (await prepare(tmp_path, self.ILL, Unfit.ENTER)).is_resumed


async def test_played_and_exported(tmp_path):
    """From config to leaderboard; a second run finds nothing to play and writes the same."""

    async def play() -> tuple[RunEnd, bytes]:
        async with (
            open_tournament(CUP, tmp_path) as tournament,
            InlineEngine(CUP) as engine,
        ):
            await tournament.prepare(engine)
            end = await tournament.play(engine, 2, Watcher())
            board = await tournament.export()
            assert board.matches == len(await tournament.played()) == 3
        return end, (tmp_path / "leaderboard.json").read_bytes()

    first = await play()
    assert first[0] == RunEnd(EndReason.COMPLETE)
    assert await play() == first


async def test_reading_while_it_closes(tmp_path):
    """Somebody may still ask for the results of a run that has just failed."""
    async with open_tournament(CUP, tmp_path) as tournament, InlineEngine(CUP) as engine:
        await tournament.prepare(engine)
        await tournament.play(engine, 2, Watcher())
    assert (await tournament.export()).matches == 3
