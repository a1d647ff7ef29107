from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.byzanz.cards import CARD_BY_NAME
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.counts import contains, count, size
from arena.games.game import Seat
from arena.games.ledger import certain
from tests.games.byzanz.positions import GAME, PACK, deal, dump, ledger, position

OLIVES = CARD_BY_NAME["olives-4"]


def random_position(seats, seed, moves):
    """Return a match after that many random moves, each type equally likely."""
    rng = Random(seed)
    state = deal(bytes([seed % 256]), seats)
    for _ in range(moves):
        if state.to_act is None:
            break
        options = state.legal_moves()
        kind = rng.choice(sorted({type(move).__name__ for move in options}))
        state.apply(rng.choice([move for move in options if type(move).__name__ == kind]))
    return state


seeds = st.integers(0, 999)
anywhere = st.tuples(st.sampled_from([3, 4, 5, 6]), seeds, st.integers(0, 220))
"""Table size, seed and number of moves of a random position."""


@settings(deadline=None, max_examples=30)
@given(anywhere, st.integers(0, 6), seeds)
def test_a_sampled_state_looks_the_same(where, viewer, seed):
    """A state sampled from an observation gives that observation again and has the whole pack."""
    state = random_position(*where)
    seat = None if viewer >= state.seats else Seat(viewer)
    observation = state.observe(seat)

    sampled = GAME.sample(observation, Random(seed))

    assert sampled.observe(seat) == observation
    assert sampled.inventory() == dict(PACK)
    assert [size(hand) for hand in sampled.hands] == list(observation.hand_sizes)
    assert [size(gone) for gone in sampled.discards] == list(observation.face_down)
    for hand, known in zip(sampled.hands, observation.known, strict=True):
        assert contains(hand, certain(known))


@settings(deadline=None, max_examples=30)
@given(anywhere, seeds)
def test_the_seat_to_act_has_the_same_moves_in_a_sampled_state(where, seed):
    """What a seat may do follows from what it may know."""
    state = random_position(*where)
    if state.to_act is not None:
        sampled = GAME.sample(state.observe(state.to_act), Random(seed))

        assert sampled.legal_moves() == state.legal_moves()
        assert sampled.default_move() == state.default_move()


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_sampled_state_can_be_played_to_its_end(seats):
    """A sampled state is a match like any other."""
    state = random_position(seats, 1, 40)
    sampled = GAME.sample(state.observe(Seat(1)), Random(1))
    while sampled.to_act is not None:
        sampled.apply(sampled.default_move())

    assert sampled.inventory() == dict(PACK)
    assert len(sampled.outcome().ranks) == seats


def test_sampling_leaves_the_match_alone():
    """Neither sampling nor playing on in a sample changes the match it was seen in."""
    state = random_position(4, 2, 50)
    before = dump(state)
    sampled = GAME.sample(state.observe(Seat(0)), Random(0))
    for _ in range(20):
        sampled.apply(sampled.default_move())

    assert dump(state) == before


def test_what_is_hidden_is_sampled_anew():
    """Other hands, the deck and the removed cards differ from sample to sample."""
    state = random_position(3, 3, 10)
    samples = [GAME.sample(state.observe(Seat(0)), Random(seed)) for seed in range(8)]

    assert len({sample.hands[1] for sample in samples}) > 4
    assert len({sample.hands[2] for sample in samples}) > 4
    assert len({sample.removed for sample in samples}) > 4
    assert len({sample.deck for sample in samples}) == 8
    assert {sample.hands[0] for sample in samples} == {state.hands[0]}


def test_the_same_chance_samples_the_same_state():
    """Sampling depends on the observation and the given chance alone."""
    state = random_position(5, 4, 30)
    first, second = (GAME.sample(state.observe(Seat(2)), Random(7)) for _ in range(2))

    assert dump(first) == dump(second)


def test_the_public_knows_no_hand():
    """Sampled from the public's observation every hand may hold anything."""
    state = position(["4*trader", "?", "?"], round_number=1)
    traders = {
        count(GAME.sample(state.observe(None), Random(seed)).hands[0], 24) for seed in range(30)
    }

    assert traders != {4}


class TestDiscards:
    def samples(self, known, discards="olives-4", hand="olives-4 3*?"):
        state = position(
            ["2*?", hand, "2*?"], discards=["", discards], known=[(), known], round_number=3
        )
        return [GAME.sample(state.observe(Seat(0)), Random(seed)) for seed in range(120)]

    def test_a_card_that_arrived_after_the_discard_is_never_the_discarded_one(self):
        """B6.2: a certain card is in the hand of every sample."""
        for sample in self.samples(ledger(("olives-4", 0)), discards="wine-1"):
            assert count(sample.hands[1], OLIVES) >= 1

    def test_a_card_that_arrived_before_the_discard_may_be_the_discarded_one(self):
        """B6.2: a doubtful card is in the hand of some samples and discarded in others."""
        held = [count(s.hands[1], OLIVES) for s in self.samples(ledger(("olives-4", 1)), "wine-1")]
        gone = [
            count(s.discards[1], OLIVES) for s in self.samples(ledger(("olives-4", 1)), "wine-1")
        ]

        assert 0 < sum(1 for number in held if number) < 120
        assert 0 < sum(1 for number in gone if number) < 120

    def test_a_doubtful_card_is_in_the_hand_or_among_the_discards(self):
        """B6.2: a card seen to arrive and not to leave is nowhere else."""
        for sample in self.samples(ledger(("2*olives-4", 1)), "olives-4"):
            assert count(sample.hands[1] + sample.discards[1], OLIVES) == 2
            assert count(sample.hands[1], OLIVES) >= 1

    def test_each_discard_could_only_hit_what_was_there(self):
        """B6.2: of two discards only the second can have hit what arrived between them."""
        samples = self.samples(
            ledger(("2*grain-4", 2), ("2*olives-4", 1)),
            discards="2*?",
            hand="2*grain-4 2*olives-4",
        )
        olives = {count(sample.discards[1], OLIVES) for sample in samples}
        grain = {count(sample.discards[1], CARD_BY_NAME["grain-4"]) for sample in samples}

        assert olives == {0, 1}
        assert grain == {0, 1, 2}


class TestRedeal:
    @settings(deadline=None, max_examples=30)
    @given(anywhere, st.integers(0, 6), seeds)
    def test_a_redealt_state_looks_the_same_and_draws_the_same(self, where, viewer, seed):
        """Redealing moves cards between hidden hands only; the deck to come stays as it is."""
        state = random_position(*where)
        seat = None if viewer >= state.seats else Seat(viewer)

        twin = GAME.sample(state.observe(seat), Random(seed), state)

        assert twin.observe(seat) == state.observe(seat)
        assert twin.deck[twin.drawn :] == state.deck[state.drawn :]
        assert twin.inventory() == state.inventory()

    def test_other_hands_are_dealt_anew(self):
        """Redealing gives the other seats other cards, and the seat itself its own."""
        state = position(["4*trader", "4*wine-1", "4*wood-1"], phase=ByzanzPhase.AUCTION)
        seen = state.observe(Seat(0))
        twins = [GAME.sample(seen, Random(seed), state) for seed in range(5)]

        assert all(twin.hands[0] == state.hands[0] for twin in twins)
        assert any(twin.hands[1] != state.hands[1] for twin in twins)

    def test_what_the_seat_sees_goes_on_identically(self):
        """After the same passes the redealt match shows the seat the same lots."""
        state = deal(b"redeal", 4)
        twin = GAME.redeal(state, Seat(0), Random(3))
        for line in ("pass", "pass", "pass", "pass"):
            state.apply(GAME.move_from_text(line))
            twin.apply(GAME.move_from_text(line))

        assert twin.observe(Seat(0)) == state.observe(Seat(0))

    def test_a_state_of_another_game_is_refused(self):
        """Only a match of Byzanz can be redealt by Byzanz."""
        with pytest.raises(TypeError, match="not a match of Byzanz"):
            GAME.sample(deal(b"seed", 3).observe(None), Random(0), "nonsense")  # type: ignore[arg-type]
