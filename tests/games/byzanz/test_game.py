from __future__ import annotations

import json
from random import Random

import pytest

from arena.errors import OptionError
from arena.games.byzanz import Byzanz
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.game import Seat
from arena.games.shuffle import SeededChance
from tests.games.byzanz.positions import GAME, KINDS, PACK, deal, dump, play, position


def test_the_game_describes_itself():
    """The game is for 3 to 6 players, has six kinds to rename and no options."""
    assert (GAME.name, GAME.title) == ("byzanz", "Byzanz")
    assert GAME.table_sizes == (3, 4, 5, 6)
    assert GAME.kinds == KINDS
    assert GAME.option_specs == ()
    assert dict(GAME.options) == {}


def test_there_are_no_options():
    """Without options the game is itself, with any it is refused."""
    assert GAME.configure({}) is GAME
    with pytest.raises(OptionError, match=r"byzanz has no option 'cards' \(it has: none\)"):
        Byzanz().configure({"cards": "many"})


def test_chance_decides_nothing_after_the_deal():
    """B2.1: the same set-up plays the same whatever later chance there is."""
    setup = GAME.setup(b"x", 4)

    assert dump(GAME.start(setup, SeededChance(b"1"))) == dump(
        GAME.start(setup, SeededChance(b"2"))
    )


def test_a_deal_is_the_start_of_its_setup():
    """Dealing from a seed starts the set-up of that seed, renamed if asked."""
    labels = (1, 2, 3, 4, 5, 0)
    setup = GAME.setup(b"x", 4)
    chance = SeededChance(b"x")

    assert dump(deal(b"x", 4)) == dump(GAME.start(setup, chance))
    renamed = GAME.start(GAME.relabel(setup, labels), chance)
    assert dump(deal(b"x", 4, labels)) == dump(renamed)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_cards_are_conserved(seats):
    """B1: at every moment of a match all 112 cards are somewhere."""
    state = deal(b"all cards", seats)
    rng = Random(seats)
    while state.to_act is not None:
        assert state.inventory() == dict(PACK)
        state.apply(rng.choice(state.legal_moves()))

    assert state.inventory() == dict(PACK)


def test_holdings_name_the_cards_of_a_hand():
    """Whoever may see everything is told a hand by card names."""
    state = position(["2*wine-1 trader", "", ""])

    assert dict(state.holdings(Seat(0))) == {"wine-1": 2, "trader": 1}
    assert dict(state.holdings(Seat(1))) == {}


class TestCopy:
    @pytest.mark.parametrize("seats", [3, 6])
    def test_a_copy_is_equal_in_every_part(self, seats):
        """A copy has the same content in each of its fields, at each moment of a match."""
        state = deal(b"copy", seats)
        rng = Random(1)
        while state.to_act is not None:
            assert dump(state.copy()) == dump(state)
            state.apply(rng.choice(state.legal_moves()))

    @pytest.mark.parametrize(
        ("phase", "lines"),
        [
            (ByzanzPhase.AUCTION, ["sell 3*wine-1", "bid cloth-1", "bid cloth-2", "pass", "pass"]),
            (ByzanzPhase.GIVE, ["give wood-1"]),
            (ByzanzPhase.LIMIT, ["discard wine-1", "discard wine-1", "discard wine-1"]),
            (ByzanzPhase.TAKE, ["take spice"]),
            (ByzanzPhase.FINAL, ["sell 3*wine-1", "done", "done", "done"]),
        ],
    )
    def test_playing_on_in_a_copy_changes_nothing_in_the_original(self, phase, lines):
        """A copy is independent: bids, passes, gives, takes, sales and discards stay in it."""
        state = position(
            ["4*wine-1 cloth-1 5*grain-1", "cloth-2", ""],
            phase=phase,
            lot="6*wood-1" if phase in {ByzanzPhase.AUCTION, ByzanzPhase.GIVE} else "",
            market="2*spice-1" if phase is ByzanzPhase.TAKE else "",
            offers=(2, 4, 6) if phase is ByzanzPhase.TAKE else (),
        )
        before = dump(state)
        twin = state.copy()

        play(twin, *lines)

        assert dump(state) == before
        assert dump(twin) != before


class TestRelabelledPlay:
    @pytest.mark.parametrize(
        ("seats", "labels"),
        [
            (3, (1, 2, 3, 4, 5, 0)),
            (4, (5, 4, 3, 2, 1, 0)),
            (5, (2, 0, 1, 5, 3, 4)),
            (6, (0, 1, 2, 3, 5, 4)),
        ],
    )
    def test_a_relabelled_deal_plays_identically_under_renamed_moves(self, seats, labels):
        """B1.1: renaming the kinds in deal and moves changes nothing but the names."""
        plain = deal(b"relabel", seats)
        renamed = deal(b"relabel", seats, labels)
        rng = Random(seats)
        while plain.to_act is not None:
            moves = [rename(GAME.move_to_json(move), labels) for move in plain.legal_moves()]
            other = [written(GAME.move_to_json(move)) for move in renamed.legal_moves()]
            assert sorted(map(written, moves)) == sorted(other)
            assert renamed.to_act == plain.to_act
            choice = rng.randrange(len(moves))
            plain.apply(plain.legal_moves()[choice])
            renamed.apply(GAME.move_from_json(moves[choice]))

        assert renamed.to_act is None
        assert renamed.outcome() == plain.outcome()


def rename(move, labels):
    """Return a move's JSON with the kinds renamed."""

    def image(name: str) -> str:
        kind, dash, value = name.partition("-")
        return KINDS[labels[KINDS.index(kind)]] + dash + value if kind in KINDS else name

    return {
        field: [image(card) for card in value] if isinstance(value, list) else image(value)
        for field, value in move.items()
    }


def written(move) -> str:
    """Return a move's JSON with its cards in one order, as text."""
    cards = {"cards": sorted(move["cards"])} if "cards" in move else {}
    return json.dumps(move | cards, sort_keys=True)
