from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import chain

import pytest

from arena.errors import FormatError, TableSizeError
from arena.games.byzanz.events import LotTurned, MarketCleared
from arena.games.byzanz.observation import ByzanzPhase, Observation
from arena.games.byzanz.setup import Setup
from arena.games.counts import size
from arena.games.game import Game, Seat
from arena.games.shuffle import SeededChance
from tests.games.byzanz.positions import GAME, PACK, cards, deal, dealt, names, play, position

SEED = b"a deal for tests"

TABLE = {
    3: ([2, 4, 6], 4, 8, 96),
    4: ([2, 3, 4, 5], 12, 6, 84),
    5: ([1, 2, 3, 4, 5], 2, 6, 90),
    6: ([1, 2, 3, 4, 5, 6], 4, 4, 84),
}
"""Players: offer cards used, cards removed unseen, rounds, cards auctioned."""


@pytest.mark.parametrize("seats", TABLE)
def test_a_match_uses_the_offer_cards_and_rounds_of_the_table(seats):
    """B2: every round has one auction per offer card of the table, until the deck is used up."""
    offers, _, rounds, auctioned = TABLE[seats]
    state = deal(SEED, seats)
    turned = [LotTurned(1, state.observe(None).offer, state.observe(None).lot)]
    while state.to_act is not None:
        events = state.apply(state.default_move())
        turned += [event for event in events if isinstance(event, LotTurned)]

    assert [(event.round, event.offer) for event in turned] == [
        (number, offer) for number in range(1, rounds + 1) for offer in sorted(offers, reverse=True)
    ]
    assert all(size(event.cards) == event.offer for event in turned)
    assert sum(event.offer for event in turned) == auctioned


@pytest.mark.parametrize("seats", TABLE)
def test_the_deal_has_the_sizes_of_the_table(seats):
    """B2.1: everybody gets 4 cards, the table's number is removed, the rest is the deck."""
    _, removed, _, auctioned = TABLE[seats]
    setup = GAME.setup(SEED, seats)

    assert [len(hand) for hand in setup.hands] == [4] * seats
    assert len(setup.removed) == removed
    assert len(setup.deck) == auctioned == 112 - 4 * seats - removed


@pytest.mark.parametrize("seats", TABLE)
def test_the_deck_is_used_up_exactly_after_the_last_round(seats):
    """B2.1: the deck is empty when the last market closes, and not before the last auction."""
    rounds = TABLE[seats][2]
    state = deal(SEED, seats)
    left = []
    while state.phase is not ByzanzPhase.FINAL:
        events = state.apply(state.default_move())
        if any(isinstance(event, MarketCleared) for event in events):
            left.append(state.observe(None).deck_size)

    assert len(left) == rounds
    assert left[-1] == 0
    assert all(number > 0 for number in left[:-1])


def test_four_players_use_all_cards():
    """Worked example 4: 16 dealt + 12 removed + 6 × (5+4+3+2) = 112."""
    setup = GAME.setup(SEED, 4)

    assert sum(len(hand) for hand in setup.hands) == 16
    assert len(setup.removed) == 12
    assert len(setup.deck) == 6 * (5 + 4 + 3 + 2)
    assert 16 + 12 + len(setup.deck) == 112


@pytest.mark.parametrize("seats", TABLE)
def test_goods_and_traders_are_shuffled_together(seats):
    """B2.1: a deal consists of the whole pack, each card once."""
    written = GAME.setup_to_json(GAME.setup(SEED, seats))

    assert Counter(_all_cards(written)) == PACK


def _all_cards(written) -> list[str]:
    return [*chain.from_iterable(written["hands"]), *written["removed"], *written["deck"]]


def test_a_deal_is_the_documented_shuffle_of_the_pack():
    """B2.1: hands seat by seat, then the removed, then the deck, from one hash-driven shuffle."""
    pack = [name for name in PACK for _ in range(PACK[name])]
    digests = (
        hmac.new(SEED, f"shuffle:deck/0/{block}".encode(), hashlib.sha256).digest()
        for block in range(100)
    )
    words = (
        int.from_bytes(digest[at : at + 4], "big") for digest in digests for at in range(0, 32, 4)
    )
    for place in range(111, 0, -1):
        other = next(words) % (place + 1)  # no word of this seed is near enough 2**32 to be skipped
        pack[place], pack[other] = pack[other], pack[place]
    written = GAME.setup_to_json(GAME.setup(SEED, 3))

    assert written == {
        "hands": [pack[0:4], pack[4:8], pack[8:12]],
        "removed": pack[12:16],
        "deck": pack[16:],
    }


def test_a_match_starts_with_its_first_lot_and_nothing_else():
    """B2.3, B3.1: the first lot lies open; no bid, profit, discard or market is there yet."""
    state = dealt(3, deck="4*wood-1 wine-1 trader")

    assert state.observe(None) == Observation(
        seat=None,
        to_act=Seat(0),
        phase=ByzanzPhase.AUCTION,
        round=1,
        deck_size=8 * 12 - 6,
        hand=0,
        own_discards=0,
        lot=cards("4*wood-1 wine-1 trader"),
        market=0,
        offer=6,
        speaker=Seat(0),
        high=0,
        leader=None,
        first_passer=None,
        takes=0,
        hand_sizes=(4, 4, 4),
        known=((), (), ()),
        laid=(0, 0, 0),
        passed=(False, False, False),
        offers=(0, 0, 0),
        kept=(0, 0, 0),
        points=(0, 0, 0),
        face_down=(0, 0, 0),
        out=0,
    )


def test_a_seed_makes_one_deal():
    """B2.1: the same seed makes the same deal, another seed another."""
    assert GAME.setup(SEED, 4) == GAME.setup(SEED, 4)
    assert GAME.setup(SEED, 4) != GAME.setup(SEED + b"!", 4)


def test_the_offer_stack_has_the_highest_on_top():
    """B2.2: the first auction is for the highest offer card, the next for the next lower."""
    state = position([""] * 4)
    offers = []
    while state.phase is ByzanzPhase.AUCTION:
        offers.append(state.observe(None).offer)
        play(state, *["pass"] * (5 - len(offers)))

    assert offers == [5, 4, 3]
    assert state.observe(None).offer == 2


@pytest.mark.parametrize("seats", TABLE)
@pytest.mark.parametrize("seed", [b"", b"1", SEED])
def test_seat_0_starts(seats, seed):
    """B2.3, Ruling: seat 0 opens the first auction of every deal."""
    state = deal(seed, seats)

    assert state.to_act == 0
    assert state.observe(None).speaker == 0
    assert state.phase is ByzanzPhase.AUCTION


@pytest.mark.parametrize("seats", TABLE)
def test_seats_are_numbered_clockwise(seats):
    """B2.3: passing goes from seat 0 upwards."""
    state = deal(SEED, seats)
    order = []
    for _ in range(seats):
        order.append(state.to_act)
        play(state, "pass")

    assert order == list(range(seats))


@pytest.mark.parametrize("seats", [-1, 0, 1, 2, 7])
def test_other_table_sizes_are_refused(seats):
    """B2: the game is for 3 to 6 players."""
    with pytest.raises(TableSizeError, match="3 to 6 players"):
        GAME.setup(SEED, seats)


class TestReading:
    """B2: a set-up read from a replay must be a proper deal."""

    @pytest.mark.parametrize("seats", TABLE)
    def test_a_written_setup_reads_as_it_was(self, seats):
        """B2: writing a set-up and reading it gives the same set-up."""
        setup = GAME.setup(SEED, seats)

        assert GAME.setup_from_json(GAME.setup_to_json(setup), seats) == setup

    def test_the_deck_is_read_in_its_order(self):
        """B2.1: the first card of the deck is the first to be turned over."""
        written = GAME.setup_to_json(GAME.setup(SEED, 4))
        state = GAME.start(GAME.setup_from_json(written, 4), SeededChance(b""))

        deck: list[str] = written["deck"]  # type: ignore[assignment]

        assert sorted(names(state.lot).split()) == sorted(deck[:5])
        assert state.observe(None).deck_size == 79

    @pytest.mark.parametrize(
        "value", [None, [], "setup", 3, True, {"hands": [], "removed": []}, {"deck": []}]
    )
    def test_anything_but_an_object_of_three_piles_is_refused(self, value):
        """B2: a set-up is an object of hands, removed and deck."""
        with pytest.raises(FormatError, match="setup"):
            GAME.setup_from_json(value, 4)

    @pytest.mark.parametrize(
        ("changes", "complaint"),
        [
            ({"extra": 1}, "unknown field 'extra'"),
            ({"hands": None}, "setup.hands must be a list, not null"),
            ({"hands": [None] * 4}, r"setup.hands\[0\] must be a list, not null"),
            ({"hands": [["cloth-1"] * 4] * 3}, "must have 4 hands, not 3"),
            ({"hands": [["cloth-1"] * 3] * 4}, r"setup.hands\[0\] must have 4 cards, not 3"),
            ({"hands": [["cloth-5"] * 4] * 4}, r"setup.hands\[0\]\[0\] 'cloth-5' does not exist"),
            ({"hands": [[1, 2, 3, 4]] * 4}, r"setup.hands\[0\]\[0\] must be a string"),
            ({"removed": "cloth-1"}, "setup.removed must be a list, not a string"),
            ({"removed": []}, "setup.removed must have 12 cards, not 0"),
            ({"removed": [None] * 12}, r"setup.removed\[0\] must be a string, not null"),
            ({"deck": {}}, "setup.deck must be a list, not an object"),
            ({"deck": []}, "instead of"),
            ({"deck": ["trader"] * 84}, "instead of"),
        ],
    )
    def test_an_improper_setup_is_refused(self, changes, complaint):
        """B2: a wrong field, a wrong size or a wrong card is named in the refusal."""
        written = GAME.setup_to_json(GAME.setup(SEED, 4)) | changes

        with pytest.raises(FormatError, match=complaint):
            GAME.setup_from_json(written, 4)

    @pytest.mark.parametrize("pile", ["removed", "deck"])
    def test_a_card_too_many_is_refused(self, pile):
        """B1: a set-up that holds a card more or less often than the pack is none."""
        written = GAME.setup_to_json(GAME.setup(SEED, 4))
        pile_names: list[str] = written[pile]  # type: ignore[assignment]
        other = "wine-1" if pile_names[0] != "wine-1" else "wood-1"

        with pytest.raises(FormatError, match=r"setup has \d+ × .*\(B1\)"):
            GAME.setup_from_json(written | {pile: [other, *pile_names[1:]]}, 4)

    def test_a_deck_one_card_longer_is_refused(self):
        """B2.1: the deck is what is left of the pack, not a card more."""
        written = GAME.setup_to_json(GAME.setup(SEED, 4))

        with pytest.raises(FormatError, match="setup has 17 × trader instead of 16"):
            GAME.setup_from_json(written | {"deck": [*written["deck"], "trader"]}, 4)  # type: ignore[misc]

    def test_a_setup_for_another_table_is_refused(self):
        """B2: a deal for four is none for three."""
        with pytest.raises(FormatError, match="must have 3 hands, not 4"):
            GAME.setup_from_json(GAME.setup_to_json(GAME.setup(SEED, 4)), 3)

    def test_a_setup_for_a_table_of_two_is_refused(self):
        """B2: there is no deal for two, however well it is written."""
        written = GAME.setup_to_json(GAME.setup(SEED, 4))
        hands: list[list[str]] = written["hands"]  # type: ignore[assignment]
        deck = [*written["deck"], *hands[2], *hands[3]]  # type: ignore[misc]

        with pytest.raises(TableSizeError, match="3 to 6 players"):
            GAME.setup_from_json({**written, "hands": hands[:2], "deck": deck}, 2)


class TestRelabel:
    def test_every_order_of_the_kinds_is_a_renaming(self):
        """B1.1: all kinds have the same cards, so that all 720 renamings make equivalent deals."""
        labels = GAME.relabelings()

        assert len(labels) == len(set(labels)) == 720
        assert labels[0] == (0, 1, 2, 3, 4, 5)
        assert all(sorted(one) == [0, 1, 2, 3, 4, 5] for one in labels)

    def test_cards_are_renamed_as_their_names_are(self):
        """Renaming by number is what renaming the words of a set-up comes to."""
        setup = GAME.setup(SEED, 4)
        for labels in GAME.relabelings()[::60]:
            assert GAME.relabel(setup, labels) == Game.relabel(GAME, setup, labels)

    def test_the_identity_changes_nothing(self):
        """The first renaming leaves every card as it is."""
        setup = GAME.setup(SEED, 5)

        assert GAME.relabel(setup, GAME.relabelings()[0]) == setup

    def test_a_renaming_keeps_values_traders_and_places(self):
        """Cloth becomes spice of the same value in the same place; traders stay traders."""
        labels = (1, 0, 2, 3, 4, 5)
        setup = GAME.setup(SEED, 3)
        image = {f"cloth-{v}": f"spice-{v}" for v in (1, 2, 3, 4)}
        image |= {new: old for old, new in image.items()}
        before = _all_cards(GAME.setup_to_json(setup))
        after = _all_cards(GAME.setup_to_json(GAME.relabel(setup, labels)))

        assert after == [image.get(name, name) for name in before]
        assert isinstance(GAME.relabel(setup, labels), Setup)

    @pytest.mark.parametrize("labels", [(1, 2, 3, 4, 5, 0), (5, 4, 3, 2, 1, 0), (2, 0, 1, 5, 3, 4)])
    def test_a_renaming_and_its_inverse_cancel(self, labels):
        """Renaming back gives the set-up there was."""
        inverse = tuple(labels.index(kind) for kind in range(6))
        setup = GAME.setup(SEED, 6)

        assert GAME.relabel(GAME.relabel(setup, labels), inverse) == setup
        assert GAME.relabel(setup, labels) != setup
