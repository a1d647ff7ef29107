"""What every engine needs to know of a tournament: its game, its bots, its conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.config.bot_spec import BotSpec
from arena.config.tournament import TournamentConfig
from arena.games.game import AnyGame
from arena.referee.fixture import Fixture
from arena.referee.match import Conditions, PlayedMatch
from arena.schedule.deals import make_fixture
from arena.storage.records import FixtureRecord, MatchReport, SeatTimes
from arena.tournament.engine import Void


@dataclass(frozen=True, slots=True)
class Field:
    """The bots of a tournament and what they play; made from the config, wherever that is sent."""

    config: TournamentConfig
    game: AnyGame
    specs: tuple[BotSpec, ...]
    conditions: Conditions
    master: bytes

    @property
    def names(self) -> tuple[str, ...]:
        """The bots, in the order they were entered."""
        return tuple(spec.name for spec in self.specs)

    def fixture(self, record: FixtureRecord, versions: Mapping[str, str]) -> Fixture:
        """Return the planned match with all its seeds."""
        return make_fixture(self.game, self.master, record, versions)


def make_field(config: TournamentConfig) -> Field:
    """Return the field that the config describes; raises InputError."""
    return Field(
        config=config,
        game=config.configured_game(),
        specs=tuple(config.bots.values()),
        conditions=Conditions(config.control, config.policy, config.shows_names),
        master=config.master,
    )


def make_report(played: PlayedMatch) -> MatchReport | Void:
    """Return what is stored of a match."""
    if played.outcome is None:
        return Void(played.void_reason or "the match was not finished")
    return MatchReport(
        match=played.fixture.match,
        scores=played.outcome.scores,
        ranks=played.outcome.ranks,
        forfeits=played.forfeits,
        faults=played.faults,
        times=tuple(
            SeatTimes(
                clock.decisions,
                round(clock.used_s, 6),
                round(clock.slowest_s, 6),
                round(clock.delay_s, 6),
            )
            for clock in played.clocks
        ),
        moves=played.moves,
        replay=played.replay,
    )
