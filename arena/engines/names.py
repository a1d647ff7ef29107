"""Whether a bot decides differently when the others at its table have other names.

Every decision of some recorded matches is asked again, in several passes: one with the names as
they were, which shows whether the bot decides the same when asked the same, and one for each way to
change the names. Each pass starts the bot anew.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from arena.config.bot_spec import BotSpec
from arena.config.tournament import TournamentConfig
from arena.engines.asked_again import AskedPlayer, BotPlayer, Recorded, RecordedPlayer
from arena.engines.inline import seat_bot
from arena.errors import InputError
from arena.games.game import Json
from arena.launch.launcher import Launcher
from arena.rating.leaderboard import Interval
from arena.rating.shares import share_interval
from arena.referee.faults import SeatFault
from arena.referee.fixture import Fixture
from arena.referee.match import Conditions, Match, PlayedMatch
from arena.referee.player import Player
from arena.referee.replay import Entrant
from arena.schedule.deals import make_fixture
from arena.server.players import Absence, SessionPlayer
from arena.server.private import PrivateArena, open_private
from arena.server.roster import Roster
from arena.storage.records import FixtureRecord

OnProgress = Callable[[str, int, int], None]
Rename = Callable[[Fixture, int], Sequence[Entrant]]
"""Returns who is said to sit where in a match, to the bot in that seat."""

_EXAMPLES = 3


def keep_names(fixture: Fixture, _seat: int) -> Sequence[Entrant]:
    """Return the names as they were."""
    return fixture.seats


def invent_names(fixture: Fixture, seat: int) -> Sequence[Entrant]:
    """Return names that no bot has, in all seats but this one."""
    return [
        entrant if place == seat else Entrant(f"bot-{_digits(fixture.match, place)}", "1")
        for place, entrant in enumerate(fixture.seats)
    ]


def move_names(fixture: Fixture, seat: int) -> Sequence[Entrant]:
    """Return the same names, those of the others each one seat further on.

    The bot cannot see that anything has been changed.
    """
    others = [entrant for place, entrant in enumerate(fixture.seats) if place != seat]
    moved = iter([*others[-1:], *others[:-1]])
    return [
        entrant if place == seat else next(moved) for place, entrant in enumerate(fixture.seats)
    ]


def _digits(match: str, place: int) -> str:
    return sha256(f"{match} {place}".encode()).hexdigest()[:6]


SAME = "same"
CHANGES: Mapping[str, Rename] = {"invented": invent_names, "moved": move_names}


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A match with what was decided in it."""

    fixture: FixtureRecord
    recorded: Recorded


@dataclass(frozen=True, slots=True)
class Example:
    """A decision that was answered differently."""

    match: str
    decision: int  # of the bot in this match, from 1
    recorded: Json  # the move
    answer: Json  # the move; None: no legal one


@dataclass(frozen=True, slots=True)
class Answers:
    """How the decisions were answered in one pass, against the recorded moves."""

    names: str  # "same", or how they were changed
    changed: int  # decisions
    changed_matches: int  # matches with such a decision
    share: float
    ci95: Interval | None
    examples: Sequence[Example]


@dataclass(frozen=True, slots=True)
class NamesReport:
    """What asking again has shown."""

    bot: str
    matches: int
    decisions: int
    left_out: Mapping[str, str]  # the reason by match
    same: Answers
    others: Sequence[Answers]

    @property
    def is_repeatable(self) -> bool:
        """Whether the bot answers the same when it is asked the same."""
        return not self.same.changed

    @property
    def depends_on_names(self) -> bool:
        """Whether other names have changed a decision, and nothing else can have."""
        return self.is_repeatable and any(answers.changed for answers in self.others)


@dataclass(frozen=True, slots=True)
class _Asked:
    """One match of one pass."""

    decisions: int
    changed: Sequence[Example]
    fault: str = ""  # why the match could not be asked to its end


class NamesCheck:
    """Asks one bot of a tournament again."""

    def __init__(
        self, config: TournamentConfig, versions: Mapping[str, str], spec: BotSpec
    ) -> None:
        """Prepare for the bot as `spec` says it is started; `versions` are those of all bots."""
        self._config = config
        self._versions = versions
        self._spec = spec
        self._game = config.configured_game()

    def fits(self, match: RecordedMatch) -> bool:
        """Return whether the replay is one of this match: its deal, its seating, its bots."""
        fixture, _ = self._plan(match, keep_names)
        header = match.recorded.header
        kinds = tuple(self._game.kinds[kind] for kind in fixture.labels or ())
        bots = [entrant.bot for entrant in header.seats]
        return (header.seed, tuple(header.relabel), bots) == (
            fixture.seed,
            kinds,
            [entrant.bot for entrant in fixture.seats],
        )

    def ask_inline(
        self, matches: Sequence[RecordedMatch], on_progress: OnProgress | None = None
    ) -> NamesReport:
        """Ask a built-in bot in this process."""
        passes: dict[str, list[_Asked]] = {names: [] for names in self._passes()}
        for names, rename in self._passes().items():
            for match in matches:
                fixture, seat = self._plan(match, rename)
                bot = BotPlayer(seat_bot(self._spec, fixture, seat))
                asked, players = self._seat(match, seat, bot)
                Match(fixture, players, Conditions()).begin()
                passes[names].append(self._read(match, seat, asked))
                _tell(on_progress, passes, len(matches) * len(self._passes()))
        return self._report(matches, passes)

    async def ask_launched(
        self,
        launcher: Launcher,
        matches: Sequence[RecordedMatch],
        on_progress: OnProgress | None = None,
    ) -> NamesReport:
        """Ask a bot that the launcher starts; raises InputError if it does not start."""
        passes: dict[str, list[_Asked]] = {names: [] for names in self._passes()}
        async with open_private(launcher, [self._game.name]) as private:
            for number, (names, rename) in enumerate(self._passes().items()):
                async with contextlib.AsyncExitStack() as exits:
                    roster: Roster | None = None
                    for place, match in enumerate(matches):
                        if roster is None or self._config.fresh:
                            await exits.aclose()
                            suffix = f"/{number}-{place}"
                            roster = await exits.enter_async_context(self._start(private, suffix))
                        asked = await self._ask(private, roster, match, rename)
                        passes[names].append(asked)
                        _tell(on_progress, passes, len(matches) * len(self._passes()))
        return self._report(matches, passes)

    @contextlib.asynccontextmanager
    async def _start(self, private: PrivateArena, suffix: str) -> AsyncIterator[Roster]:
        roster = private.roster([self._spec], suffix)
        try:
            yield roster
        finally:
            await roster.dismiss()

    async def _ask(
        self, private: PrivateArena, roster: Roster, match: RecordedMatch, rename: Rename
    ) -> _Asked:
        config, hall = self._config, private.arena.hall
        timeout_s = config.control.start_timeout_s
        session = await roster.ready(self._spec.name, self._game.name, timeout_s)
        if isinstance(session, Absence):
            raise InputError(f"bot {self._spec.name} did not start: {session.detail}")
        fixture, seat = self._plan(match, rename)
        asked, players = self._seat(match, seat, SessionPlayer(session, fixture.match))
        faults: list[SeatFault] = []

        def give_up(fault: SeatFault) -> None:
            """End the match: after a default move it would not go on as it went."""
            faults.append(fault)
            hall.abort([fixture.match], "the bot did not answer")

        conditions = Conditions(config.control, config.policy, on_fault=give_up)
        played: asyncio.Future[PlayedMatch] = hall.start(fixture, players, conditions)
        await played
        if faults:
            fault = faults[0]
            detail = f": {fault.detail}" if fault.detail else ""
            return _Asked(0, (), f"{fault.fault.value}{detail}")
        return self._read(match, seat, asked)

    def _passes(self) -> Mapping[str, Rename]:
        changes = dict(CHANGES)
        if self._config.players < 3:
            del changes["moved"]  # one other bot has nowhere to go
        return {SAME: keep_names, **changes}

    def _plan(self, match: RecordedMatch, rename: Rename) -> tuple[Fixture, int]:
        planned = make_fixture(self._game, self._config.master, match.fixture, self._versions)
        seat = match.fixture.bots.index(self._spec.name)
        return replace(planned, seats=rename(planned, seat)), seat

    def _seat(
        self, match: RecordedMatch, seat: int, player: Player
    ) -> tuple[AskedPlayer, Sequence[Player]]:
        moves = match.recorded.moves
        asked = AskedPlayer(player, moves[seat])
        others = [RecordedPlayer(made) for made in moves]
        return asked, [*others[:seat], asked, *others[seat + 1 :]]

    def _read(self, match: RecordedMatch, seat: int, asked: AskedPlayer) -> _Asked:
        moves, to_json = match.recorded.moves[seat], self._game.move_to_json
        changed = [
            Example(
                match.fixture.match,
                number,
                to_json(recorded),
                None if answer is None else to_json(answer),
            )
            for number, (recorded, answer) in enumerate(
                zip(moves, asked.answers, strict=True), start=1
            )
            if answer != recorded
        ]
        return _Asked(len(moves), changed)

    def _report(
        self, matches: Sequence[RecordedMatch], passes: Mapping[str, Sequence[_Asked]]
    ) -> NamesReport:
        left_out: dict[str, str] = {}
        for made in passes.values():
            for match, asked in zip(matches, made, strict=True):
                if asked.fault:
                    left_out.setdefault(match.fixture.match, asked.fault)
        used = [i for i, match in enumerate(matches) if match.fixture.match not in left_out]
        same, *others = (_sum_up(names, [made[i] for i in used]) for names, made in passes.items())
        decisions = sum(passes[SAME][i].decisions for i in used)
        return NamesReport(self._spec.name, len(used), decisions, left_out, same, others)


def _sum_up(names: str, asked: Sequence[_Asked]) -> Answers:
    changed = [len(one.changed) for one in asked]
    totals = [one.decisions for one in asked]
    examples = [example for one in asked for example in one.changed]
    return Answers(
        names,
        sum(changed),
        sum(map(bool, changed)),
        sum(changed) / max(1, sum(totals)),
        share_interval(changed, totals),
        examples[:_EXAMPLES],
    )


def _tell(on_progress: OnProgress | None, passes: Mapping[str, Sequence[_Asked]], of: int) -> None:
    if on_progress is not None:
        on_progress("asking again", sum(map(len, passes.values())), of)
