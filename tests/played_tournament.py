"""Small tournaments, really played, in a results directory with a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from arena.config.bot_spec import BotSpec
from arena.config.tournament import TournamentConfig, write_config
from arena.engines.report import make_report
from arena.referee.faults import Fault
from arena.referee.fixture import Fixture
from arena.referee.match import Conditions, Match
from arena.referee.player import Question
from arena.results.export import export_results
from arena.schedule.deals import make_fixture
from arena.schedule.plan import Deals
from arena.schedule.schedule import make_schedule
from arena.storage.opening import open_store
from arena.storage.records import (
    FixtureRecord,
    MatchReport,
    SeatTimes,
)
from arena.storage.store import MAX_VOID, Store
from arena.testing import ScriptedPlayer

OWNER = "test"
CREATED = "2026-01-02T03:04:05+00:00"
CLUMSY = "clumsy"  # names a move that is none, now and then
FRAIL = "frail"  # dies in some matches
BOTS = ("steady", "other", CLUMSY, FRAIL)


class Seated(ScriptedPlayer):
    """Any legal move, from its bot seed; what else it does depends on its name."""

    def __init__(self, name: str, seed: bytes) -> None:
        super().__init__(think_s=None)
        self.name = name
        self.rng = Random(seed)
        self.trouble = self.rng.randrange(1, 8)
        self.is_doomed = self.rng.random() < 0.5

    def respond(self, question: Question) -> None:
        self.send(question)
        asked = len(self.questions)
        if self.name == CLUMSY and asked % self.trouble == 0:
            self.answer(question, 9999)
        elif self.name == FRAIL and self.is_doomed and asked == self.trouble:
            assert self.seat is not None
            question.match.forfeit(self.seat, Fault.CRASH, "exit code 1: \x1b[31mno <b>more</b>")
        else:
            self.answer(question, self.rng.randrange(len(question.legal_moves)))


def play(fixture: Fixture) -> MatchReport:
    """Play a match of a tournament."""
    players = [
        Seated(entrant.bot, seed)
        for entrant, seed in zip(fixture.seats, fixture.bot_seeds, strict=True)
    ]
    match = Match(fixture, players, Conditions())
    match.begin()
    assert match.played is not None
    report = make_report(match.played)
    assert isinstance(report, MatchReport)
    times = tuple(SeatTimes(seat.decisions, 0.12345678, 0.05, 0.001) for seat in report.times)
    return replace(report, times=times)


@dataclass
class PlayedTournament:
    """A results directory in the making."""

    directory: Path
    config: TournamentConfig
    store: Store
    fixtures: tuple[FixtureRecord, ...]
    versions: Mapping[str, str]

    def play(self, count: int | None = None) -> None:
        """Play so many more matches; None: all."""
        left = len(self.fixtures) if count is None else count
        game = self.config.configured_game()
        ended = []
        for claim in self.store.claim(OWNER, left):
            fixture = make_fixture(game, self.config.master, claim.fixture, self.versions)
            ended.append((claim, play(fixture)))
        assert all(self.store.finish_all(OWNER, ended))

    def park(self, match: str) -> None:
        """Give a match up; those claimed with it are given back."""
        for _ in range(MAX_VOID):
            for claim in self.store.claim(OWNER, len(self.fixtures)):
                if claim.fixture.match == match:
                    self.store.void(OWNER, claim, "the arena <i>fell</i> over")
            self.store.release(OWNER)


def random_bots(*names: str) -> dict[str, BotSpec]:
    """Return bots of these names."""
    return {name: BotSpec(name, builtin="random") for name in names}


def settle(**changes: Any) -> TournamentConfig:
    """Return the config of a small tournament."""
    config = TournamentConfig(
        name="small",
        game="byzanz",
        players=3,
        bots=random_bots(*BOTS),
        rounds=2,
        deals=Deals.SHARED,  # so that a deal has matches at several tables
        seed="7",
        salt="ab" * 32,
    )
    return replace(config, **changes)


def create(directory: Path, **changes: Any) -> PlayedTournament:
    """Create a tournament; nothing has been played yet."""
    config = settle(**changes)
    versions = dict.fromkeys(config.bots, "1.0")
    bots = config.entrants(versions)
    fixtures = make_schedule(config.plan(bots)).fixtures
    directory.mkdir(parents=True, exist_ok=True)
    text = write_config(config)
    (directory / "tournament.toml").write_text(text, encoding="utf-8")
    store = open_store(directory / "arena.db", config.name)
    store.create(config.record(text, bots, CREATED), fixtures)
    return PlayedTournament(directory, config, store, fixtures, versions)


def finish(
    directory: Path,
    rounds: int = 1,
    bots: Sequence[str] = BOTS,
    parked: str = "",
    replays: int | None = None,
) -> Path:
    """Write the results of a finished tournament of the toy game, which must be registered."""
    for name, content in _finished(rounds, tuple(bots), parked, replays).items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return directory


@cache
def _finished(
    rounds: int, bots: Sequence[str], parked: str, replays: int | None
) -> dict[str, bytes]:
    with TemporaryDirectory() as place:
        tournament = create(Path(place), game="highcard", rounds=rounds, bots=random_bots(*bots))
        if parked:
            tournament.park(parked)
        tournament.play()
        export_results(tournament.store, tournament.directory, replays=replays)
        tournament.store.close()
        return files_in(tournament.directory)


def files_in(directory: Path) -> dict[str, bytes]:
    """Return what the files of a directory hold."""
    paths = [path for path in directory.rglob("*") if path.is_file()]
    return {str(path.relative_to(directory)): path.read_bytes() for path in paths}


def publish(directory: Path) -> Path:
    """Take the database away."""
    for path in directory.glob("arena.db*"):
        path.unlink()
    return directory
