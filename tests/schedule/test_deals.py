from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.registry import get_game
from arena.games.schwarzmarkt.game import Schwarzmarkt
from arena.games.shuffle import bot_seed, deal_seed
from arena.referee.replay import Entrant
from arena.schedule.deals import commitment, make_fixture, seating_labels
from arena.storage.records import FixtureRecord

BYZANZ = get_game("byzanz")
SCHWARZMARKT = get_game("schwarzmarkt")


@pytest.mark.slow
@given(st.binary(min_size=1, max_size=32))
def test_seatings_of_a_deal_have_different_labels_as_long_as_there_are_enough(seed):
    """Each relabelling comes once before any comes again, in any number of seatings."""
    for game in (BYZANZ, SCHWARZMARKT):
        everything = game.relabelings()
        labels = [seating_labels(game, seed, seating) for seating in range(len(everything) + 3)]

        assert set(labels[: len(everything)]) == set(everything)
        assert labels[len(everything) :] == labels[:3]


def test_labels_depend_on_the_seed():
    """Deals differ in which relabelling a seating has; no relabelling is left out for long."""
    first = {seating_labels(SCHWARZMARKT, b"%d" % number, 0) for number in range(200)}
    pairs = {
        tuple(seating_labels(SCHWARZMARKT, b"%d" % number, seating) for seating in (0, 1))
        for number in range(2000)
    }

    assert first == set(SCHWARZMARKT.relabelings())
    assert len(pairs) == 40  # 10 offsets and 4 steps without a common divisor


def test_labels_are_settled():
    """The relabelling is part of the replay format: the same on every platform and version."""
    assert seating_labels(BYZANZ, bytes(32), 0) == (5, 2, 0, 4, 1, 3)
    assert seating_labels(BYZANZ, bytes(32), 1) == (4, 5, 3, 2, 1, 0)


def test_a_game_without_symmetry_keeps_its_names():
    """Where only the identity is left, every seating has it."""
    game = Schwarzmarkt({"deck": "uneven"})

    assert {seating_labels(game, b"seed", seating) for seating in range(5)} == {(0, 1, 2, 3, 4)}


def test_a_fixture_has_all_its_seeds_from_the_master_seed():
    """Seed of the deal, labels of the seating, seeds of the bots, entrants by seat."""
    record = FixtureRecord(31, "8-4", 8, 2, 5, 2, 3, ("ann", "bob", "cyd"))
    fixture = make_fixture(BYZANZ, b"master", record, {"bob": "2", "ann": "1", "cyd": "3"})

    assert fixture.game is BYZANZ
    assert (fixture.match, fixture.deal, fixture.seed) == ("8-4", "2", deal_seed(b"master", 2))
    assert list(fixture.seats) == [Entrant("ann", "1"), Entrant("bob", "2"), Entrant("cyd", "3")]
    assert fixture.labels == seating_labels(BYZANZ, fixture.seed, 3)
    assert list(fixture.bot_seeds) == [bot_seed(b"master", "8-4", seat) for seat in range(3)]


def test_a_bot_without_a_version_is_a_mistake_of_the_caller():
    """Nobody plays whose version is not known."""
    record = FixtureRecord(0, "1-1", 1, 1, 1, 1, 0, ("ann", "bob", "cyd"))
    with pytest.raises(KeyError):
        make_fixture(BYZANZ, b"master", record, {"ann": "1"})


def test_the_commitment_is_the_hash_of_salt_and_seed():
    """Anybody can check it with a plain SHA-256 of the salt followed by the seed."""
    assert commitment(b"seed", b"salt") == hashlib.sha256(b"saltseed").hexdigest()
    assert commitment(b"seed", b"salt") != commitment(b"salt", b"seed")
