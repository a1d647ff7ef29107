"""High Card plays by its rules, keeps arena's contract and shows nobody what is hidden."""

from pathlib import Path

from highcard.rules import Bury, HighCard, Play, Setup, TrickWon

from arena.games.shuffle import SeededChance
from arena.testing import check_game, check_wire
from arena.wire.derived import DerivedCodec

GAME = HighCard()


def test_it_keeps_the_contract() -> None:
    """Random matches end, can be replayed and hide what they must."""
    check_game(GAME, matches=2)


def test_it_sends_no_secret() -> None:
    """Not a byte that a bot is sent depends on what its seat cannot see."""
    assert check_wire(GAME).differing > 0


def test_the_highest_card_wins_the_trick() -> None:
    """T4: of equal cards the first wins."""
    setup = Setup(((0, 1, 2, 3), (4, 5, 6, 9), (14, 15, 16, 19)), (7, 8, 10, 11, 12, 13, 17, 18))
    state = GAME.start(setup, SeededChance(b"any"))
    for card in (0, 4, 14):
        state.apply(Bury(card))
    events = [event for card in (1, 9, 19) for event in state.apply(Play(card))]

    assert events[-1] == TrickWon(state.leader)
    assert (state.leader, state.points) == (1, [0, 1, 0])


def test_the_proto_file_is_fresh() -> None:
    """It is written by: arena games --proto highcard > highcard.proto."""
    written = (Path(__file__).parent / "highcard.proto").read_text(encoding="utf-8")

    assert written == DerivedCodec(GAME).proto_file()
