"""A match at which the bot has a seat in a scripted arena; the other seats play in process."""

from __future__ import annotations

from collections.abc import Sequence

from arena.bots.catalog import make_bot
from arena.games.game import AnyGame, Event, Seat
from arena.games.shuffle import bot_seed, deal_seed
from arena.referee.clock import TimeControl
from arena.referee.faults import SeatFault
from arena.referee.fixture import Fixture
from arena.referee.match import Conditions, Match
from arena.referee.player import Ending, InlinePlayer, Player, Question
from arena.referee.replay import Entrant
from arena.v1 import play_pb2
from arena.wire import play
from arena.wire.codec import codec_for

MASTER = b"arena check"
"""All deals of the exam come from this, so that a bot meets the same exam every time."""


def make_fixture(game: AnyGame, match: str, deal: int, names: Sequence[str]) -> Fixture:
    """Return a match of the exam; deal and seeds do not depend on the match's id."""
    return Fixture(
        game=game,
        match=match,
        deal=str(deal),
        seed=deal_seed(MASTER, deal),
        seats=[Entrant(name, "") for name in names],
        bot_seeds=[bot_seed(MASTER, f"{game.name} {deal}", seat) for seat in range(len(names))],
    )


def inline_player(game: AnyGame, tier: str, seat: int) -> InlinePlayer:
    """Return a built-in bot that answers within the call."""
    return InlinePlayer(make_bot(tier, game, bot_seed(MASTER, "long", seat)))


class ExamTable:
    """A match without clocks that waits at each decision of the bot until `answer`."""

    def __init__(
        self,
        game: AnyGame,
        match_id: str,
        *,
        deal: int,
        seats: int,
        seat: int = 0,
        others: str = "greedy",
        patience: int = 0,
    ) -> None:
        """Deal, and play up to the bot's first decision.

        Args:
            game: what is played.
            match_id: the match's name.
            deal: the number of the deal.
            seats: how many play.
            seat: the bot's own.
            others: who plays the other seats, a built-in bot.
            patience: the same bot stands in for the bot under examination until a decision with so
                many legal moves comes up.
        """
        names = [others] * seats
        names[seat] = "you"
        self.id = match_id
        self.game = game
        self.seat = seat
        self._player = _WaitingPlayer(inline_player(game, others, seat), patience)
        players: list[Player] = [
            self._player if each == seat else inline_player(game, others, each)
            for each in range(seats)
        ]
        self._match = Match(make_fixture(game, match_id, deal, names), players, Conditions())
        self._match.begin()

    @property
    def question(self) -> Question | None:
        """The decision that waits for the bot; None when the match is over."""
        return self._player.question

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self._match.is_over

    def introduction(self, control: TimeControl, max_faults: int) -> bytes:
        """Return the MatchStarted."""
        fixture = self._match.fixture
        return play.match_started(
            match_id=self.id,
            game=self.game,
            seat=self.seat,
            seats=[play_pb2.SeatInfo(bot=entrant.bot) for entrant in fixture.seats],
            time_control=play.time_control(
                move_time_s=control.move_time_s, bank_s=control.bank_s, max_faults=max_faults
            ),
            bot_seed=fixture.bot_seeds[self.seat],
        )

    def decision(self, control: TimeControl) -> bytes:
        """Return the open decision, to be put into a Decisions."""
        question = self.question
        assert question is not None
        game = codec_for(self.game).decision(
            question.observation, question.legal_moves, question.events
        )
        legal = len(question.legal_moves)
        times = control.move_time_s, control.bank_s
        return play.decision(self.id, question.id, *times, legal, (), game)

    def answer(self, index: int) -> None:
        """Make the move the bot has chosen, and play up to its next decision."""
        question = self._player.take()
        question.answer(index, self._match.clock.time())

    def play_out(self) -> None:
        """Let the stand-in play the rest."""
        self._player.is_left = True
        if self.question is not None:
            self._player.ask(self._player.take())

    def void(self) -> None:
        """End the match as an arena does that cannot go on."""
        self._match.abort("the match was stopped for the exam")

    def ending(self) -> bytes:
        """Return the MatchEnded of a match that is over."""
        ending, outcome = self._player.ending, self._player.ending.outcome
        return play.match_ended(
            match_id=self.id,
            scores=outcome.scores if outcome else (),
            ranks=outcome.ranks if outcome else (),
            forfeits=ending.forfeits,
            void_reason=ending.void_reason or "",
            events=codec_for(self.game).events(self._player.events),
        )


class _WaitingPlayer:
    """The bot's seat: keeps the question until the script has an answer."""

    is_present = True

    def __init__(self, stand_in: InlinePlayer, patience: int) -> None:
        self.question: Question | None = None
        self.ending = Ending(None, ())
        self.events: Sequence[Event] = ()
        self.is_left = False  # to the stand-in, for the rest of the match
        self._stand_in = stand_in
        self._patience = patience

    def start(self, match: Match, seat: Seat) -> None:
        """Take the seat."""

    def ask(self, question: Question) -> None:
        """Keep the question, or let the stand-in answer it."""
        if self.is_left or len(question.legal_moves) < self._patience:
            self._stand_in.ask(question)
            return
        self._patience = 0
        self.question = question
        question.sent(question.match.clock.time())

    def take(self) -> Question:
        """Return the question and forget it."""
        question, self.question = self.question, None
        assert question is not None
        return question

    def withdraw(self, question: Question) -> None:
        """Forget the question."""
        self.question = None

    def end(self, ending: Ending, events: Sequence[Event], faults: Sequence[SeatFault]) -> None:
        """Keep how it ended."""
        self.question = None
        self.ending, self.events = ending, events
