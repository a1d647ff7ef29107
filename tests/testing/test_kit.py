"""The kit finds what it is there to find: each test plants one defect and names the complaint."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import pytest
from highcard.rules import (
    CARDS,
    Buried,
    Bury,
    HighCard,
    HighCardState,
    Play,
    Setup,
    StockShuffled,
)

from arena.errors import IllegalMoveError
from arena.games import game
from arena.games.byzanz import events as byzanz_events
from arena.games.byzanz import rules as byzanz_rules
from arena.games.byzanz.events import BidLaid, Passed
from arena.games.byzanz.game import Byzanz
from arena.games.byzanz.moves import Sell
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.byzanz.rules import ByzanzState
from arena.games.game import AnyGame, Event, Option, Outcome, PrivateEvent, Seat, State
from arena.games.schwarzmarkt import events as schwarzmarkt_events
from arena.games.schwarzmarkt.game import Schwarzmarkt
from arena.games.shuffle import SeededChance
from arena.testing import ContractError, check_game, kit, trial
from tests.high_card import with_state
from tests.oracle import byzanz as byzanz_oracle
from tests.oracle import schwarzmarkt as schwarzmarkt_oracle


def judge_byzanz(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    return byzanz_oracle.judge([dict(line) for line in lines])


def judge_schwarzmarkt(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    return schwarzmarkt_oracle.judge([dict(line) for line in lines])


CHECKED = [
    *((f"byzanz-{seats}p", Byzanz(), seats, judge_byzanz) for seats in Byzanz.table_sizes),
    *(
        (f"schwarzmarkt-{seats}p", Schwarzmarkt(), seats, judge_schwarzmarkt)
        for seats in Schwarzmarkt.table_sizes
    ),
    ("schwarzmarkt-uneven-4p", Schwarzmarkt({"deck": "uneven"}), 4, judge_schwarzmarkt),
]


@pytest.fixture(autouse=True)
def seeded() -> None:
    """Defects that are left to chance are the same in every run."""
    random.seed(7)


def complaint_about(game: AnyGame) -> str:
    """Return what the kit says is wrong with an unregistered game."""
    with pytest.raises(ContractError) as caught:
        check_game(game, matches=2)
    return str(caught.value)


class TestSoundGames:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("game", "seats", "judge"),
        [case[1:] for case in CHECKED],
        ids=[case[0] for case in CHECKED],
    )
    def test_the_built_in_games_keep_the_contract(self, game, seats, judge):
        """The kit and the independent reading of the rules find nothing wrong."""
        matches = 2 if seats == min(game.table_sizes) else 1  # small tables are cheaper
        check_game(game, table_sizes=[seats], matches=matches, judge=judge)

    def test_a_game_need_not_be_registered(self):
        """An author checks a game before it is installed."""
        check_game(HighCard(), matches=1)

    def test_only_the_sizes_asked_for_are_checked(self):
        """With `table_sizes` the others are left alone."""

        class BrokenForFour(HighCard):
            def setup(self, seed, seats):
                assert seats != 4
                return super().setup(seed, seats)

        game = BrokenForFour()

        check_game(game, table_sizes=[3], matches=1)

    def test_the_complaint_says_where(self):
        """A complaint names game, table size, match and decision, to be found again."""

        class Endless(HighCardState):
            def legal_moves(self):
                return [] if self.trick else super().legal_moves()

        said = complaint_about(with_state(Endless))

        assert said.startswith("highcard, 3 players, match 0, decision 5: ")


class TestTheCourseOfPlay:
    def test_play_that_never_ends(self, monkeypatch):
        """A match that goes on and on is given up."""

        class Circular(HighCardState):
            def apply(self, move):
                self._check(move)
                return []

        monkeypatch.setattr(trial, "MOST_DECISIONS", 500)

        assert "does not end" in complaint_about(with_state(Circular))

    def test_no_legal_move_though_a_seat_is_to_act(self):
        """A seat that is to act and cannot."""

        class Stuck(HighCardState):
            def legal_moves(self):
                return [] if self.gone else super().legal_moves()

        assert "no legal move" in complaint_about(with_state(Stuck))

    def test_legal_moves_after_the_end(self):
        """When nobody is to act there is nothing to choose."""

        class Restless(HighCardState):
            def legal_moves(self):
                return super().legal_moves() or [Play(0)]

        assert "after the end" in complaint_about(with_state(Restless))

    def test_a_seat_that_does_not_exist(self):
        """The seat to act sits at the table."""

        class Phantom(HighCardState):
            def _play(self, seat, card):
                events = super()._play(seat, card)
                if self.to_act == 0:
                    self.hands.append(self.hands[0])
                    self.to_act = Seat(self.seats)
                return events

        assert "there is none" in complaint_about(with_state(Phantom))

    def test_an_outcome_before_the_end(self):
        """Asking for the outcome too early raises."""

        class Hasty(HighCardState):
            def outcome(self):
                return Outcome(tuple(self.points), (1,) * self.seats)

        assert "before the end" in complaint_about(with_state(Hasty))

    @pytest.mark.parametrize(
        ("ranks", "said"),
        [
            ((1, 2, 2, 4), "higher score"),
            ((1, 1, 1, 1), "higher score"),
            ((1, 1, 2, 3), "not ranks"),
            ((2, 3, 4, 5), "not ranks"),
            ((0, 1, 2, 3), "not ranks"),
        ],
    )
    def test_ranks_that_contradict_the_scores(self, monkeypatch, ranks, said):
        """A better score has a better rank, and ranks count from 1."""

        class Unfair(HighCardState):
            def outcome(self):
                super().outcome()
                return Outcome((1, 2, 4, 3)[: self.seats], ranks[: self.seats])

        monkeypatch.setattr(HighCard, "table_sizes", (4,))

        assert said in complaint_about(with_state(Unfair))

    def test_a_score_missing(self):
        """Each seat has a score."""

        class Forgetful(HighCardState):
            def outcome(self):
                outcome = super().outcome()
                return Outcome(outcome.scores[1:], outcome.ranks)

        assert "score" in complaint_about(with_state(Forgetful))

    def test_an_observation_refused_after_the_end(self):
        """Observing is allowed at any time."""

        class Closed(HighCardState):
            def observe(self, seat):
                if self.to_act is None:
                    raise ValueError("closed")
                return super().observe(seat)

        assert complaint_about(with_state(Closed))

    def test_a_secret_told_when_the_match_is_over(self):
        """The end does not turn the cards over: that would be an event with an audience."""

        class Careless(HighCardState):
            def observe(self, seat):
                seen = super().observe(seat)
                if self.to_act is None:
                    seen = seen._replace(stock_size=100 + self.buried[0][0])
                return seen

        assert complaint_about(with_state(Careless))

    def test_an_exception_is_reported_with_its_place(self):
        """Whatever the game raises becomes a complaint that says where."""

        class Crashing(HighCardState):
            def _play(self, seat, card):
                if len(self.gone) > 5:
                    raise KeyError("planted")
                return super()._play(seat, card)

        assert "planted" in complaint_about(with_state(Crashing))


class TestCards:
    def test_a_lost_card(self):
        """A played card that goes nowhere."""

        class Leaky(HighCardState):
            def _play(self, seat, card):
                events = super()._play(seat, card)
                if self.gone:
                    self.gone.pop()
                return events

        assert "lost or made" in complaint_about(with_state(Leaky))

    def test_a_doubled_card(self):
        """A drawn card that stays in the stock as well."""

        class Generous(HighCardState):
            def _deal_stock(self):
                events = super()._deal_stock()
                self.stock.append(self.hands[0][0])
                return events

        assert "lost or made" in complaint_about(with_state(Generous))

    def test_a_card_lost_with_the_last_move(self):
        """The end is looked at, too."""

        class Tidy(HighCardState):
            def _play(self, seat, card):
                events = super()._play(seat, card)
                if self.to_act is None:
                    self.stock = []
                return events

        assert "at the end" in complaint_about(with_state(Tidy))

    def test_a_card_lost_in_sampling(self):
        """A sampled state has all the cards."""

        class Sloppy(HighCard):
            def determinize(self, observation, rng):
                state: Any = super().determinize(observation, rng)
                state.gone = state.gone[:-1]
                return state

        assert "determinize lost" in complaint_about(Sloppy())


class TestMoves:
    def test_a_move_listed_twice(self):
        """Each legal move is listed once."""

        class Double(HighCardState):
            def legal_moves(self):
                moves = super().legal_moves()
                return [*moves, *moves[:1]]

        assert "twice" in complaint_about(with_state(Double))

    def test_legal_moves_counted_wrong(self):
        """As many are counted as are listed."""

        class Miscounting(HighCardState):
            def count_legal_moves(self):
                return super().count_legal_moves() + 1

        complaint = complaint_about(with_state(Miscounting))
        assert "legal moves counted" in complaint

    def test_an_order_that_changes(self):
        """Asked again, the moves come in the same order."""
        turns = cycle((1, -1))

        class Whimsical(HighCardState):
            def legal_moves(self):
                return super().legal_moves()[:: next(turns)]

        assert "order" in complaint_about(with_state(Whimsical))

    def test_a_legal_move_that_is_refused(self):
        """What is listed can be made."""

        class Grudging(HighCardState):
            def apply(self, move):
                if move == Play(7):
                    raise IllegalMoveError("T4", "not this one")
                return super().apply(move)

        assert "not this one" in complaint_about(with_state(Grudging))

    def test_a_default_move_that_is_not_legal(self):
        """The move made for a failed seat is a legal one."""

        class Stubborn(HighCardState):
            def default_move(self):
                return Play(self.hands[self.to_act or 0][0])

        assert "default move" in complaint_about(with_state(Stubborn))

    def test_a_default_move_left_to_chance(self):
        """The move made for a failed seat is always the same."""

        class Fickle(HighCardState):
            def default_move(self):
                return random.choice(self.legal_moves())

        assert "default move" in complaint_about(with_state(Fickle))

    def test_a_move_read_back_as_another(self):
        """A move survives being written as JSON."""

        class Mumbling(HighCard):
            def move_from_json(self, value):
                move = super().move_from_json(value)
                return Play(3) if move == Play(4) else move

        assert "read back wrong" in complaint_about(Mumbling())

    def test_a_text_read_back_as_another_move(self):
        """A move survives being written as text."""

        class Mumbling(HighCard):
            def move_to_text(self, move):
                return super().move_to_text(move).replace("blue", "red")

        assert "read back wrong" in complaint_about(Mumbling())

    def test_an_illegal_move_accepted(self):
        """What is not listed cannot be made."""

        class Lax(HighCardState):
            def _check(self, move):
                assert isinstance(move, Bury | Play)
                seat = self.to_act
                if seat is not None and move.card not in self.hands[seat]:
                    raise IllegalMoveError("T2", "the card is not in the hand")
                assert seat is not None
                return seat

            def _bury(self, seat, card):
                if all(self.buried):
                    return self._play(seat, card)
                return super()._bury(seat, card)

        assert "was accepted" in complaint_about(with_state(Lax))

    def test_an_illegal_move_refused_without_a_rule(self):
        """A refusal cites the rule."""

        class Curt(HighCardState):
            def _check(self, move):
                try:
                    return super()._check(move)
                except IllegalMoveError:
                    raise IllegalMoveError("", "no") from None

        assert "cites no rule" in complaint_about(with_state(Curt))

    def test_an_illegal_move_answered_with_another_exception(self):
        """A refusal is an IllegalMoveError."""

        class Rude(HighCardState):
            def _check(self, move):
                try:
                    return super()._check(move)
                except IllegalMoveError:
                    raise LookupError("planted") from None

        assert "planted" in complaint_about(with_state(Rude))

    def test_a_refused_move_that_changes_what_is_seen(self):
        """Nothing changes when a move is refused."""

        class Resentful(HighCardState):
            def _check(self, move):
                try:
                    return super()._check(move)
                except IllegalMoveError:
                    self.points[0] += 1
                    raise

        assert "changed something" in complaint_about(with_state(Resentful))

    def test_a_refused_move_that_changes_what_nobody_sees(self):
        """Nothing changes when a move is refused, not even the order of a pile."""

        class Sneaky(HighCardState):
            def _check(self, move):
                try:
                    return super()._check(move)
                except IllegalMoveError:
                    self.stock.reverse()
                    raise

        assert "changed something" in complaint_about(with_state(Sneaky))


class TestCopies:
    def test_a_shared_list(self):
        """Playing a copy leaves the original alone."""

        class Entangled(HighCardState):
            def copy(self):
                twin = super().copy()
                twin.points = self.points
                return twin

        assert "changed the original" in complaint_about(with_state(Entangled))

    def test_a_shared_pile(self):
        """A pile that nobody sees is not shared either."""

        class Entangled(HighCardState):
            def copy(self):
                twin = super().copy()
                twin.stock = self.stock
                return twin

            def _deal_stock(self):
                self.stock[:] = self.chance.shuffle("stock", self.stock)
                return [StockShuffled(tuple(self.stock))]

        assert complaint_about(with_state(Entangled))

    def test_shared_chance(self):
        """The chance that a copy uses up is its own."""

        class Entangled(HighCardState):
            def copy(self):
                twin = super().copy()
                twin.chance = self.chance
                return twin

        assert "copies part ways" in complaint_about(with_state(Entangled))

    def test_another_future(self):
        """A copy has the same future chance as the original."""

        class Estranged(HighCardState):
            def copy(self):
                twin = super().copy()
                twin.chance = SeededChance(b"another")
                return twin

        assert complaint_about(with_state(Estranged))

    def test_a_field_forgotten(self):
        """A copy looks like the original."""

        class Forgetful(HighCardState):
            def copy(self):
                twin = super().copy()
                twin.leader = Seat(0)
                return twin

        assert complaint_about(with_state(Forgetful))

    def test_an_observation_that_goes_on_changing(self):
        """An observation is a value: later moves do not change it."""

        class Live(HighCardState):
            def observe(self, seat):
                return super().observe(seat)._replace(points=self.points)  # type: ignore[arg-type]

        assert complaint_about(with_state(Live))


class TestChance:
    def test_another_deal_from_the_same_seed(self):
        """A seed makes one set-up."""

        class Fickle(HighCard):
            def setup(self, seed, seats):
                return super().setup(random.randbytes(32), seats)

        assert "same seed" in complaint_about(Fickle())

    def test_the_same_deal_from_every_seed(self):
        """Other seeds make other set-ups."""

        class Constant(HighCard):
            def setup(self, seed, seats):
                return super().setup(b"always", seats)

        assert "another seed" in complaint_about(Constant())

    def test_chance_from_elsewhere(self):
        """Later chance comes from the seed alone."""

        class Gambler(HighCardState):
            def _deal_stock(self):
                random.shuffle(self.stock)
                return super()._deal_stock()

        assert complaint_about(with_state(Gambler))

    def test_a_set_up_read_back_as_another(self):
        """A set-up survives being written."""

        class Forgetful(HighCard):
            def setup_from_json(self, value, seats):
                setup = super().setup_from_json(value, seats)
                return Setup(setup.hands, setup.stock[::-1])

        assert "set-up is read back wrong" in complaint_about(Forgetful())

    def test_no_identity_first(self):
        """The renaming that changes nothing comes first."""

        class Disordered(HighCard):
            def relabelings(self):
                return ((1, 0), (0, 1))

        assert "identity" in complaint_about(Disordered())

    def test_a_renaming_that_cannot_be_undone(self):
        """A renaming turns kinds into others, one for one."""

        class Greedy(HighCard):
            def relabel(self, setup, labels):
                renamed = super().relabel(setup, labels)
                return Setup(renamed.hands[::-1], renamed.stock[1:] + renamed.stock[:1])

        assert "renaming" in complaint_about(Greedy())

    def test_a_renaming_that_does_nothing(self):
        """A renaming other than the identity changes the set-up."""

        class Idle(HighCard):
            def relabel(self, setup, labels):
                return setup

        assert "renaming" in complaint_about(Idle())


class TestReplays:
    def test_an_outcome_of_chance_not_written(self):
        """Every outcome of chance goes into the replay."""

        class Silent(HighCard):
            def chance_to_json(self, event):
                return None

        assert "replay" in complaint_about(Silent())

    def test_an_event_of_chance_not_marked(self, monkeypatch):
        """An event that chance decides says so."""
        monkeypatch.setattr(StockShuffled, "by_chance", False)

        assert "replay" in complaint_about(HighCard())

    def test_an_outcome_of_chance_that_cannot_be_read(self):
        """The game reads its own chance lines."""

        class Illegible(HighCard):
            def chance_to_json(self, event):
                written = super().chance_to_json(event)
                return None if written is None else {**written, "extra": 1}

        assert "replay is refused" in complaint_about(Illegible())

    def test_a_replay_that_needs_the_generator(self):
        """What is recorded of chance is enough to follow the match without its seed."""

        class Misnamed(HighCard):
            def chance_from_json(self, value):
                return "shuffle something", super().chance_from_json(value)[1]

        assert "replay is refused" in complaint_about(Misnamed())

    def test_a_set_up_that_starts_another_match(self):
        """The set-up alone makes the match, whatever was dealt before."""

        class Remembering(HighCard):
            starts = 0

            def start(self, setup, chance):
                self.starts += 1
                state = super().start(setup, chance)
                state.to_act = Seat(self.starts % state.seats)
                return state

        assert complaint_about(Remembering())


class TestWords:
    def test_an_event_that_cannot_be_told(self):
        """Every event can be told, as each seat sees it."""

        class Speechless(HighCard):
            def tell(self, event, names):
                assert not isinstance(event, Buried) or event.card is not None
                return super().tell(event, names)

        assert complaint_about(Speechless())

    @pytest.mark.parametrize("method", ["show_table", "show_hand", "show_decision", "show_move"])
    def test_a_table_that_cannot_be_shown(self, monkeypatch, method):
        """Table, hand, decision and moves can be shown at any time."""

        def crash(*_arguments: object) -> str:
            raise LookupError("planted")

        monkeypatch.setattr(HighCard, method, crash)

        assert "planted" in complaint_about(HighCard())


class TestSampling:
    def test_known_cards_ignored(self):
        """A sampled state looks the same to its seat."""

        class Oblivious(HighCard):
            def determinize(self, observation, rng):
                state: Any = super().determinize(observation, rng)
                a, b = state.hands[0], state.hands[1]
                if a and b:
                    a[0], b[0] = b[0], a[0]
                return state

        assert "looks different" in complaint_about(Oblivious())

    def test_other_legal_moves(self):
        """In a sampled state the seat has the same choice."""

        class Pedantic(HighCardState):
            def legal_moves(self):
                moves = super().legal_moves()
                return moves[:1] if self.stock and self.stock[0] == 3 else moves

        assert "legal moves depend" in complaint_about(with_state(Pedantic))

    def test_a_card_never_sampled(self):
        """Whatever another seat may hold is sampled sooner or later."""

        class Optimistic(HighCard):
            def determinize(self, observation, rng):
                state: Any = super().determinize(observation, rng)
                for seat, hand in enumerate(state.hands):
                    if seat != observation.seat and state.stock:
                        both = sorted([*hand, *state.stock], key=lambda card: card % 10)
                        state.hands[seat] = sorted(both[: len(hand)])
                        state.stock = both[len(hand) :]
                return state

        assert "never sampled" in complaint_about(Optimistic())

    def test_a_sampled_state_that_does_not_end(self, monkeypatch):
        """A sampled state can be played to its end."""

        class Frozen(HighCardState):
            def apply(self, move):
                self._check(move)
                return []

        class Freezing(HighCard):
            def determinize(self, observation, rng):
                state: Any = super().determinize(observation, rng)
                state.__class__ = Frozen
                return state

        monkeypatch.setattr(trial, "MOST_DECISIONS", 500)

        assert "does not end" in complaint_about(Freezing())


class TestHiddenInformation:
    def test_a_card_in_the_observation(self, monkeypatch):
        """An observation that depends on another hand."""

        class Open(HighCardState):
            def observe(self, seat):
                seen = super().observe(seat)
                return seen._replace(stock_size=sum(self.hands[1])) if seat == 0 else seen

        monkeypatch.setattr(HighCard, "own", (*HighCard.own, "stock_size"))
        said = complaint_about(with_state(Open))

        assert "looks different" in said or "shows something hidden" in said

    def test_a_card_in_the_public_observation(self, monkeypatch):
        """The public is watched over, too."""

        class Open(HighCardState):
            def observe(self, seat):
                seen = super().observe(seat)
                return seen._replace(stock_size=sum(self.hands[1])) if seat is None else seen

        monkeypatch.setattr(HighCard, "own", (*HighCard.own, "stock_size"))
        said = complaint_about(with_state(Open))

        assert "looks different" in said or "shows something hidden" in said

    def test_a_secret_hidden_in_the_order_of_moves(self):
        """The order of legal moves tells nothing about other hands."""

        class Nervous(HighCardState):
            def legal_moves(self):
                moves = super().legal_moves()
                threatened = any(9 in hand for s, hand in enumerate(self.hands) if s != self.to_act)
                return moves[::-1] if threatened else moves

        assert "legal moves depend" in complaint_about(with_state(Nervous))

    def test_a_secret_event_shown_to_all(self, monkeypatch):
        """An event about a hidden card whose audience is everybody."""
        monkeypatch.setattr(Buried, "audience", None)

        assert "an event shows" in complaint_about(HighCard())

    def test_a_secret_event_not_redacted(self, monkeypatch):
        """An event that is the same after redaction."""
        monkeypatch.setattr(Buried, "redacted", lambda self: self)

        assert "an event shows" in complaint_about(HighCard())

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("game", "event"),
        [
            (Byzanz(), byzanz_events.Discarded),  # B6.2
            *(
                (Schwarzmarkt(), getattr(schwarzmarkt_events, name))  # S3.1, S5, S6.1
                for name in (
                    *("GoodDrawn", "GoodFound", "Foraged"),
                    *("CardDrawn", "GoodsDealt", "PileSearched", "PileShuffled"),
                )
            ),
        ],
    )
    def test_a_secret_of_a_built_in_game_shown_to_all(self, monkeypatch, game, event):
        """What is discarded, drawn or moved between hands and piles only those concerned see."""
        monkeypatch.setattr(kit, "RULE_CHECKS", ())  # they find nothing, and come first
        monkeypatch.setattr(event, "audience", None)

        with pytest.raises(ContractError, match="an event shows"):
            check_game(game, table_sizes=[3], matches=4)

    def test_a_redeal_that_deals_nothing(self):
        """A game that does not deal anew makes the check blind, and that is noticed."""

        class Lazy(HighCard):
            def redeal(self, state, seat, rng):
                assert isinstance(state, HighCardState)
                return state.copy()

        assert "redeal" in complaint_about(Lazy())


@pytest.mark.slow
class TestTheJudge:
    def test_a_missing_move_that_is_accepted(self, monkeypatch):
        """Without a judge, a move left out of the list but accepted is noticed."""
        legal_moves = ByzanzState.legal_moves

        def fewer(self):
            moves = legal_moves(self)
            others = [move for move in moves if not isinstance(move, Sell)]
            return others if self.phase is ByzanzPhase.AUCTION else moves

        monkeypatch.setattr(ByzanzState, "legal_moves", fewer)
        monkeypatch.setattr(ByzanzState, "count_legal_moves", State.count_legal_moves)

        with pytest.raises(ContractError, match="was accepted"):
            check_game(Byzanz(), table_sizes=[3], matches=2)

    def test_a_missing_move(self, monkeypatch):
        """A move the rules allow and the game forbids is noticed by the judge, asked last."""
        legal_moves = ByzanzState.legal_moves

        def without_sales(self):
            moves = legal_moves(self)
            others = [move for move in moves if not isinstance(move, Sell)]
            return others if len(self.deck) == self.drawn else moves

        def refuse(self, seat, move, events):
            if move not in self.legal_moves():
                raise IllegalMoveError("B5.3", "no sales now")
            sell(self, seat, move, events)

        sell = byzanz_rules._HANDLERS[Sell]
        monkeypatch.setattr(ByzanzState, "legal_moves", without_sales)
        monkeypatch.setattr(ByzanzState, "count_legal_moves", State.count_legal_moves)
        monkeypatch.setitem(byzanz_rules._HANDLERS, Sell, refuse)

        with pytest.raises(ContractError, match="the judge says"):
            check_game(Byzanz(), table_sizes=[3], matches=1, judge=judge_byzanz)

    def test_seats_in_the_wrong_order(self, monkeypatch):
        """Bidding anticlockwise is a game of its own, and not this one (B3.4)."""
        apply = ByzanzState.apply

        def anticlockwise(self, move):
            following = self.to_act
            events = apply(self, move)
            if isinstance(events[-1], BidLaid | Passed):  # the auction goes on
                while True:
                    following = Seat((following - 1) % self.seats)
                    if not (self.passed[following] or self.offers[following]):
                        break
                self.to_act = following
            return events

        monkeypatch.setattr(ByzanzState, "apply", anticlockwise)

        with pytest.raises(ContractError, match="the judge says"):
            check_game(Byzanz(), table_sizes=[3], matches=1, judge=judge_byzanz)


@dataclass(slots=True)
class Unseen(Event):
    """An event of which the author forgot to say who may see it."""

    seat: Seat


@dataclass(slots=True)
class Stubborn(PrivateEvent):
    """A private event whose card cannot be hidden."""

    seat: Seat
    card: int


class TestForgottenDeclarations:
    """What an author forgets to say hides too much, and is complained about."""

    @pytest.mark.parametrize(
        ("where", "name", "value", "said"),
        [
            (HighCard, "move_types", (Bury,), "is not a move of High Card"),
            (HighCard, "event_types", (Buried,), "is not in `event_types`"),
            (HighCard, "own", ("hand",), "buried differs by who observes: name it in `own`"),
            (HighCard, "own", (), "hand differs by who observes: name it in `own`"),
            (HighCard, "names", {}, "KeyError('card')"),
            (HighCard, "names", {"card": CARDS[:-1]}, "IndexError"),
            (HighCard, "kinds", ("green", "yellow"), "a renaming does nothing"),
            (
                HighCard,
                "option_specs",
                (Option("x", "", "", str),),
                "does not override `configure`",
            ),
            (Play, "shown", (), "must be in its `shown`"),
            (Play, "shown", ("cards",), "KeyError('cards')"),
            (Buried, "shown", ("seat", "card"), "an event shows"),
            (Buried, "shown", (), "seat of Buried is hidden: its type must be `| None`"),
            (StockShuffled, "pile", "deck", "the replay is refused"),
        ],
    )
    def test_a_declaration(self, monkeypatch, where, name, value, said):
        """Each that is missing or wrong is named, or what follows from it."""
        monkeypatch.setattr(where, name, value)
        monkeypatch.setattr(game, "_hidden_fields", game._hidden_fields.__wrapped__)

        assert said in complaint_about(HighCard())

    @pytest.mark.parametrize(
        ("kind", "said"),
        [
            (Unseen, "nobody sees Unseen: derive it from PublicEvent or PrivateEvent"),
            (Stubborn, "card of Stubborn is hidden: its type must be `| None`"),
        ],
    )
    def test_an_audience(self, monkeypatch, kind, said):
        """An event is public or private, and what it hides can be hidden."""

        class Chatty(HighCardState):
            def _play(self, seat, card):
                more = kind(seat) if kind is Unseen else kind(seat, card)
                return [*super()._play(seat, card), more]

        monkeypatch.setattr(HighCard, "event_types", (*HighCard.event_types, kind))

        assert said in complaint_about(with_state(Chatty))

    def test_points(self):
        """A game that has no points says what its outcome is."""

        class Pointless(HighCardState):
            def _play(self, seat, card):
                events = super()._play(seat, card)
                if self.to_act is None:
                    del self.points
                return events

            def observe(self, seat):
                self.__dict__.setdefault("points", [])
                seen = super().observe(seat)
                if not self.points:
                    del self.points
                return seen

        assert "'points'" in complaint_about(with_state(Pointless))

    def test_options_are_not_swallowed(self):
        """A game that cannot be configured says so instead of playing another variant."""

        class Optional(HighCard):
            option_specs = (Option("long", "more tricks", "no", str),)

        with pytest.raises(TypeError, match="does not say how to configure"):
            Optional().configure({"long": "yes"})
