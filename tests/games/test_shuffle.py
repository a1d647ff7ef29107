from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import shuffle
from arena.games.shuffle import SeededChance, _below, bot_seed, deal_seed, derive

SEED = bytes(range(32))


def documented_words(seed: bytes, kind: str, index: int) -> Iterator[int]:
    """Return the stream of 32-bit words as the module documents it."""
    block = 0
    while True:
        digest = hmac.new(seed, f"{kind}/{index}/{block}".encode(), hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def documented_below(number: int, words: Iterator[int]) -> int:
    limit = number * (2**32 // number)
    return next(word for word in words if word < limit) % number


def documented_shuffle(seed: bytes, pile: str, index: int, cards: list[int]) -> list[int]:
    words = documented_words(seed, f"shuffle:{pile}", index)
    order = list(cards)
    for place in range(len(order) - 1, 0, -1):
        other = documented_below(place + 1, words)
        order[place], order[other] = order[other], order[place]
    return order


class TestKnownAnswers:
    def test_a_shuffle_is_the_same_everywhere(self):
        """The order of twelve cards under a fixed seed never changes."""
        assert SeededChance(SEED).shuffle("deck", range(12)) == [
            8,
            0,
            9,
            3,
            11,
            5,
            4,
            6,
            2,
            7,
            1,
            10,
        ]

    def test_picks_are_the_same_everywhere(self):
        """Ten picks in a row under a fixed seed never change."""
        chance = SeededChance(SEED)

        assert [chance.pick("card", range(100)) for _ in range(10)] == [
            80,
            8,
            80,
            63,
            11,
            80,
            59,
            75,
            48,
            45,
        ]

    def test_seeds_are_derived_as_documented(self):
        """Seeds of deals and bots are HMAC-SHA256 of their names under the master seed."""
        assert deal_seed(SEED, 7).hex() == (
            "c586f88b292c0d6edf17a04c1c315addb2ccbefb0d6c6b18767072eef29b4dc7"
        )
        assert bot_seed(SEED, "m-1", 2).hex() == (
            "802cb96dedddc3d29504df1a795a05c6764ab700173080bb309cf80b178ca2e5"
        )
        assert derive(b"key", "The quick brown fox jumps over the lazy dog").hex() == (
            "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
        )

    @settings(deadline=None)
    @given(st.binary(max_size=100), st.sampled_from(["deck", "goods", "é"]), st.integers(0, 130))
    def test_any_shuffle_follows_the_documented_scheme(self, seed, pile, number):
        """Shuffles agree with hashing written out from the description, the first and the next."""
        chance = SeededChance(seed)
        cards = list(range(number))

        assert chance.shuffle(pile, cards) == documented_shuffle(seed, pile, 0, cards)
        assert chance.shuffle(pile, cards) == documented_shuffle(seed, pile, 1, cards)

    @settings(deadline=None)
    @given(st.binary(max_size=40), st.integers(1, 2**32))
    def test_any_pick_follows_the_documented_scheme(self, seed, number):
        """Picks agree with hashing written out, even where many words must be skipped."""
        words = documented_words(seed, "pick:card", 0)

        assert SeededChance(seed).pick("card", range(number)) == documented_below(number, words)


class TestBelow:
    def test_words_that_would_favour_small_numbers_are_skipped(self):
        """2**32 - 1 is the last word of an incomplete third for n = 3, so the next one counts."""
        assert _below(3, iter([2**32 - 1, 5])) == 2
        assert _below(3, iter([2**32 - 2, 5])) == (2**32 - 2) % 3

    def test_no_word_is_skipped_for_a_power_of_two(self):
        """All words are fair where n divides 2**32."""
        assert _below(16, iter([2**32 - 1])) == 15
        assert _below(1, iter([2**32 - 1])) == 0

    def test_half_the_words_are_skipped_for_just_over_half_the_range(self):
        """With n = 2**31 + 1 a word in the upper half does not count."""
        assert _below(2**31 + 1, iter([2**32 - 1, 2**31 + 1, 2**31, 0])) == 2**31


class TestSeededChance:
    @settings(deadline=None)
    @given(st.binary(max_size=40), st.lists(st.integers(0, 24), max_size=60))
    def test_a_shuffle_keeps_the_cards(self, seed, cards):
        """A shuffle changes the order and nothing else, and leaves its argument alone."""
        before = list(cards)

        assert sorted(SeededChance(seed).shuffle("deck", cards)) == sorted(cards)
        assert cards == before

    @pytest.mark.parametrize("cards", [[], [3]])
    def test_few_cards_have_one_order(self, cards):
        """Nothing and one card stay as they are."""
        assert SeededChance(SEED).shuffle("deck", cards) == cards

    @settings(deadline=None)
    @given(st.binary(max_size=40), st.lists(st.integers(), min_size=1, max_size=60))
    def test_a_pick_is_one_of_the_cards(self, seed, cards):
        """Only what is there can be picked."""
        assert SeededChance(seed).pick("card", cards) in cards

    def test_each_chance_of_a_kind_has_its_own_stream(self):
        """Shuffling the same cards a second time gives another order."""
        chance = SeededChance(SEED)

        assert chance.shuffle("deck", range(30)) != chance.shuffle("deck", range(30))

    def test_kinds_do_not_disturb_each_other(self):
        """What another pile or a pick draws leaves a pile's next shuffle as it is."""
        plain, busy = SeededChance(SEED), SeededChance(SEED)
        busy.shuffle("other", range(50))
        busy.pick("deck", range(50))

        assert busy.shuffle("deck", range(30)) == plain.shuffle("deck", range(30))

    def test_seeds_and_piles_give_different_orders(self):
        """Another seed and another pile have other streams."""
        orders = [
            SeededChance(seed).shuffle(pile, range(30))
            for seed in (SEED, SEED[:-1], b"")
            for pile in ("deck", "goods")
        ]

        assert len({tuple(order) for order in orders}) == 6

    def test_a_copy_gives_the_same_outcomes(self):
        """A copy goes on as the original would."""
        chance = SeededChance(SEED)
        chance.shuffle("deck", range(9))
        twin = chance.copy()

        assert [twin.shuffle("deck", range(30)), twin.pick("x", range(99))] == [
            chance.shuffle("deck", range(30)),
            chance.pick("x", range(99)),
        ]

    def test_a_copy_is_independent(self):
        """What a copy draws is not missing in the original."""
        chance, untouched = SeededChance(SEED), SeededChance(SEED)
        twin = chance.copy()
        twin.shuffle("deck", range(30))
        twin.shuffle("deck", range(30))

        assert chance.shuffle("deck", range(30)) == untouched.shuffle("deck", range(30))


class TestUniformity:
    """Fixed seeds cannot fail by bad luck; the bounds are the 99.9 % points of chi-square."""

    def test_all_orders_of_four_cards_are_equally_likely(self):
        """Over 4800 seeds each of 24 orders comes up about 200 times."""
        found = Counter(
            tuple(SeededChance(number.to_bytes(4, "big")).shuffle("deck", range(4)))
            for number in range(4800)
        )

        assert len(found) == 24
        assert sum((count - 200) ** 2 / 200 for count in found.values()) < 49.7  # 23 degrees

    def test_all_cards_are_equally_likely_to_be_picked(self):
        """Over 7000 picks from one seed each of 7 cards comes up about 1000 times."""
        chance = SeededChance(SEED)
        found = Counter(chance.pick("card", range(7)) for _ in range(7000))

        assert sum((count - 1000) ** 2 / 1000 for count in found.values()) < 22.5  # 6 degrees


def test_seeds_of_deals_and_bots_are_unrelated():
    """Every deal, match and seat has a seed of its own."""
    seeds = {deal_seed(SEED, number) for number in range(50)}
    seeds |= {bot_seed(SEED, match, seat) for match in ("1", "2") for seat in range(6)}

    assert len(seeds) == 62
    assert {len(seed) for seed in seeds} == {32}


def test_words_that_would_favour_a_number_are_skipped():
    """Of the words only a whole multiple of the range is used, so that all orders are as likely."""

    class GivenChance(SeededChance):
        def _stream(self, kind):
            return iter([2**32 - 1, 1, 0])

    assert GivenChance(bytes(32)).shuffle("pile", [10, 11, 12]) == [12, 10, 11]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 8, 9, 30, 111])
def test_shuffling_with_a_random_generator_draws_what_its_own_shuffle_draws(number):
    """The same order comes out, and the generator goes on from the same place."""
    rng, own = Random(number), Random(number)
    for _ in range(20):
        cards, expected = list(range(number)), list(range(number))
        shuffle.shuffle(cards, rng)
        own.shuffle(expected)

        assert cards == expected
        assert rng.random() == own.random()
