from __future__ import annotations

import pytest

from arena.examine.material import LONG_LISTS, other_materials
from arena.examine.table import ExamTable
from arena.games.registry import get_game
from arena.referee.clock import TimeControl
from arena.v1 import play_pb2
from arena.wire import play


@pytest.mark.parametrize(
    ("game", "number"), [(game, n) for game, lists in LONG_LISTS.items() for n in range(len(lists))]
)
def test_prepared_deals_have_their_long_lists(game: str, number: int):
    """Each prepared deal comes to a decision with as many legal moves as is written down."""
    each = LONG_LISTS[game][number]
    table = ExamTable(
        get_game(game),
        "m",
        deal=each.deal,
        seats=each.seats,
        seat=each.seat,
        others=each.tier,
        patience=each.legal,
    )

    assert table.question is not None
    assert len(table.question.legal_moves) == each.legal


def test_byzanz_lists_are_really_long():
    """At both ends of the table sizes more than a hundred moves are legal."""
    assert {each.seats for each in LONG_LISTS["byzanz"]} == {3, 6}
    assert all(each.legal > 100 for each in LONG_LISTS["byzanz"])


@pytest.mark.parametrize("game", ["byzanz", "schwarzmarkt"])
def test_a_table_waits_for_each_answer_and_ends(game: str):
    """A table asks decision after decision, with rising ids, and ends with an outcome."""
    table = ExamTable(get_game(game), "m", deal=1, seats=4, seat=2)
    ids = []
    while table.question is not None:
        ids.append(table.question.id)
        message = play.decisions([table.decision(TimeControl())])
        decision = play_pb2.PlayResponse.FromString(message).decisions.decisions[0]
        assert decision.legal_count == len(table.question.legal_moves)
        table.answer(decision.legal_count - 1)
    ended = play_pb2.PlayResponse.FromString(table.ending()).match_ended

    assert ids == sorted(set(ids))
    assert table.is_over
    assert len(ended.ranks) == 4


def test_a_void_table_says_so():
    """A table that is stopped ends without ranks and with a reason."""
    table = ExamTable(get_game("byzanz"), "m", deal=1, seats=3)
    table.void()
    ended = play_pb2.PlayResponse.FromString(table.ending()).match_ended

    assert table.question is None
    assert ended.void_reason
    assert not ended.ranks


def test_a_table_can_be_played_out():
    """A match that the bot need not finish comes to a proper end without it."""
    table = ExamTable(get_game("byzanz"), "m", deal=1, seats=3)
    table.answer(0)
    table.play_out()
    ended = play_pb2.PlayResponse.FromString(table.ending()).match_ended

    assert table.is_over
    assert not ended.void_reason
    assert len(ended.scores) == 3


def test_other_material_really_differs():
    """The variants of Schwarzmarkt have another deck, or another track."""
    game = get_game("schwarzmarkt")
    uneven, cards = other_materials(game).values()
    started = [
        play_pb2.PlayResponse.FromString(
            ExamTable(each, "m", deal=1, seats=3).introduction(TimeControl(), 3)
        ).match_started
        for each in (game, uneven, cards)
    ]

    assert started[0].schwarzmarkt.goods != started[1].schwarzmarkt.goods
    assert started[0].schwarzmarkt.track != started[2].schwarzmarkt.track
    assert not other_materials(get_game("byzanz"))
