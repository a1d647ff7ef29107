from __future__ import annotations

import dataclasses
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.rating.leaderboard import FaultReason, Leaderboard, Meeting, Order, Standing
from arena.rating.ratings import MODELS
from arena.rating.standings import make_leaderboard, timings
from arena.referee.faults import Fault, SeatFault
from arena.storage.records import FixtureRecord, SeatTimes, StoredMatch
from tests.simulated_tournament import plan_of, simulate, stored, tournament_of

STRENGTHS = {"a": 0.0, "b": 20.0, "c": 50.0, "d": 80.0}


def fixture_of(index: int, bots: str) -> FixtureRecord:
    return FixtureRecord(
        index, f"{index + 1}-1", index + 1, index + 1, 1, index + 1, 0, tuple(bots)
    )


def board_of(matches: list[StoredMatch], names: str = "abcd", players: int = 3) -> Leaderboard:
    return make_leaderboard(tournament_of(names, players), matches, scheduled=100)


def line(board: Leaderboard, name: str) -> Standing:
    [found] = [bot for bot in board.bots if bot.name == name]
    return found


@pytest.mark.parametrize("model", MODELS)
def test_without_matches_everybody_shares_the_first_rank(model):
    """Before the first match there is a leaderboard, with the values the model starts with."""
    board = make_leaderboard(tournament_of("bca", 3), [], scheduled=12, model=model)

    assert [(bot.rank, bot.name) for bot in board.bots] == [(1, "a"), (1, "b"), (1, "c")]
    assert (board.matches, board.scheduled, board.blocks, board.deals) == (0, 12, 0, 0)
    assert board.model == model
    assert board.draw_probability == (0 if model == "trueskill" else None)
    assert (board.meetings, board.variance) == ({}, None)
    assert {bot.rating for bot in board.bots} == {0.0}
    assert board.bots[0].rank_counts == (0, 0, 0)
    assert board.bots[0].mean_rank_ci95 is None


def test_a_line_says_what_happened():
    """Counts and means of a bot are those of a calculation by hand."""
    board = board_of(
        [
            stored(fixture_of(0, "abc"), [7, 7, 1]),
            stored(fixture_of(1, "cba"), [4, 5, 2]),
            stored(fixture_of(2, "bca"), [9, 8, 7]),
        ]
    )

    bot = line(board, "b")
    assert (bot.rank, bot.version, bot.matches, bot.wins) == (1, "1", 3, 3)
    assert (bot.mean_rank, bot.mean_score) == (1.0, 7.0)
    assert bot.rank_counts == (3, 0, 0)
    other = line(board, "a")
    assert (other.mean_rank, other.mean_score) == (2.3333, 5.3333)
    assert other.rank_counts == (1, 0, 2)
    assert board.draw_probability == 0.17
    assert board.meetings["a", "b"] == Meeting(0, 1, 2, None)
    assert board.meetings["b", "a"] == Meeting(2, 1, 0, None)
    assert board.meetings["a", "c"].matches == 3


def test_whoever_has_not_played_comes_last():
    """Bots without a match are listed last, even where others are rated lower."""
    board = board_of([stored(fixture_of(0, "bcd"), [3, 2, 1])])

    assert [bot.name for bot in board.bots] == ["b", "c", "d", "a"]
    assert [bot.rank for bot in board.bots] == [1, 2, 3, 4]
    assert board.bots[2].rating < 0 == board.bots[3].rating
    assert not [pair for pair in board.meetings if "a" in pair]


def test_the_same_mean_rank_shares_a_rank():
    """Exactly equal mean ranks share a rank; among them the name decides the order."""
    board = board_of([stored(fixture_of(0, "ba"), [5, 5])], "cba", 2)

    assert [(bot.rank, bot.name) for bot in board.bots] == [(1, "a"), (1, "b"), (3, "c")]


def test_faults_are_counted_by_kind_and_reason():
    """Every kind of fault is listed, and the three most frequent reasons, in a fixed order."""
    faults = [
        SeatFault(0, move, fault, detail, forfeited=False)
        for move, (fault, detail) in enumerate(
            [
                (Fault.TIMEOUT, "slow"),
                (Fault.CRASH, "exit 3"),
                (Fault.CRASH, "exit 2"),
                (Fault.TIMEOUT, "slow"),
                (Fault.CRASH, "exit 1"),
            ]
        )
    ]
    board = board_of(
        [
            stored(
                fixture_of(0, "abc"),
                [9, 2, 1],
                forfeits=(Fault.CRASH, None, None),
                faults=faults,
                ranks=(3, 1, 2),
            )
        ]
    )

    bot = line(board, "a")
    assert bot.forfeits == 1
    assert bot.rank_counts == (0, 0, 1)
    assert bot.faults == {**{fault.value: 0 for fault in Fault}, "timeout": 2, "crash": 3}
    assert bot.reasons == (
        FaultReason("timeout", "slow", 2),
        FaultReason("crash", "exit 1", 1),
        FaultReason("crash", "exit 2", 1),
    )
    assert line(board, "b").faults == {fault.value: 0 for fault in Fault}
    assert (line(board, "b").forfeits, line(board, "b").reasons) == (0, ())


def test_with_ten_deals_everything_is_known():
    """With 10 deals come intervals around the means, probabilities and the worth of blocks."""
    board = board_of(simulate(STRENGTHS, plan_of(STRENGTHS, 3, 10), 1))

    assert (board.deals, board.blocks, board.matches) == (10, 40, 120)
    for bot in board.bots:
        assert bot.mean_rank_ci95 is not None
        assert bot.mean_score_ci95 is not None
        assert bot.mean_rank_ci95[0] <= bot.mean_rank <= bot.mean_rank_ci95[1]
        assert bot.mean_score_ci95[0] <= bot.mean_score <= bot.mean_score_ci95[1]
    assert board.meetings["d", "a"].probability == 1
    assert board.meetings["a", "d"].probability == 0
    assert board.variance is not None


def test_with_nine_deals_nothing_is_said_about_certainty():
    """With fewer than 10 deals there is no interval and no probability."""
    board = board_of(simulate(STRENGTHS, plan_of(STRENGTHS, 3, 9), 1))

    assert {bot.mean_rank_ci95 for bot in board.bots} == {None}
    assert {bot.mean_score_ci95 for bot in board.bots} == {None}
    assert {meeting.probability for meeting in board.meetings.values()} == {None}
    assert board.variance is None


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 999), rounds=st.integers(1, 12), names=st.permutations("abcd"))
def test_boards_add_up_and_ignore_the_order_of_entry(seed, rounds, names):
    """Counts agree with each other, and who entered first does not matter."""
    matches = simulate(STRENGTHS, plan_of(STRENGTHS, 3, rounds), seed)

    board = board_of(matches)

    assert board == board_of(matches, "".join(names))
    assert sum(bot.matches for bot in board.bots) == 3 * len(matches)
    for bot in board.bots:
        assert sum(bot.rank_counts) == bot.matches
        assert bot.wins == bot.rank_counts[0]
    for (first, second), meeting in board.meetings.items():
        back = board.meetings[second, first]
        assert (back.above, back.equal, back.below) == (
            meeting.below,
            meeting.equal,
            meeting.above,
        )
        if meeting.probability is not None and back.probability is not None:
            assert round(meeting.probability + back.probability, 4) == 1


def test_bots_are_ordered_by_mean_rank():
    """The order is that of the mean ranks, whatever TrueSkill makes of the order of matches."""
    board = board_of(simulate(STRENGTHS, plan_of(STRENGTHS, 3, 12), 5))

    assert board.order is Order.MEAN_RANK
    assert board.passes == 8
    assert [bot.mean_rank for bot in board.bots] == sorted(bot.mean_rank for bot in board.bots)
    first, second = board.bots[:2]
    assert first.ahead is not None
    assert first.ahead.of == second.name
    assert first.ahead.by == pytest.approx(second.mean_rank - first.mean_rank, abs=2e-4)
    assert board.bots[-1].ahead is None
    assert [bot.rank_set for bot in board.bots] == [(1, 1), (2, 2), (3, 4), (3, 4)]
    assert all(bot.order_spread for bot in board.bots)


def test_other_models_order_by_their_rating():
    """With a model that was asked for, bots are ordered by what it says."""
    matches = simulate(STRENGTHS, plan_of(STRENGTHS, 3, 10), 5)
    board = make_leaderboard(
        tournament_of("abcd", 3), matches, scheduled=len(matches), model="score"
    )

    assert board.order is Order.RATING
    assert [bot.rating for bot in board.bots] == sorted(
        (bot.mean_score for bot in board.bots), reverse=True
    )
    assert (board.passes, board.bots[0].order_spread) == (1, None)


@pytest.mark.parametrize("rounds", [1, 2, 10])
def test_odd_tournaments_have_no_odd_numbers(rounds):
    """All ties, one bot that wins everything, one that never played: every number is finite."""
    even = dict.fromkeys("abc", 0.0)
    clear = {"a": 0.0, "b": 1000.0, "c": 2000.0}
    for strengths in (even, clear):
        matches = simulate(strengths, plan_of(strengths, 3, rounds), 1, luck=0, noise=0)
        board = board_of(matches)

        text = json.dumps([dataclasses.asdict(bot) for bot in board.bots], allow_nan=False)
        assert "Infinity" not in text
        idle = line(board, "d")
        assert (idle.rank_set, idle.strength, idle.ahead) == (None, None, None)
        assert board.bots[-1] == idle
        if rounds < 10:
            assert {bot.rank_set for bot in board.bots} == {None}
        elif strengths is even:
            assert {bot.rank_set for bot in board.bots[:3]} == {(1, 3)}
        else:
            assert [bot.rank_set for bot in board.bots[:3]] == [(1, 1), (2, 2), (3, 3)]
            assert all(bot.strength_ci95 is None for bot in board.bots)


def test_who_ended_first_does_not_matter():
    """The board depends on which matches there are, not on the order they are told in."""
    matches = simulate(STRENGTHS, plan_of(STRENGTHS, 3, 10), 5)

    assert board_of(matches[::-1]) == board_of(matches)


def test_parked_blocks_do_not_count():
    """A parked match is listed, and its block counts for nobody."""
    matches = simulate(STRENGTHS, plan_of(STRENGTHS, 3, 12), 5)
    gone = matches[10].fixture

    rest = [match for match in matches if match.fixture != gone]
    board = make_leaderboard(
        tournament_of("abcd", 3), rest, scheduled=144, parked=[gone], settled_after=12
    )

    others = [match for match in matches if match.fixture.block != gone.block]
    expected = make_leaderboard(tournament_of("abcd", 3), others, scheduled=144)
    assert board == replace(expected, parked=(gone.match,), settled_after=12)
    assert board.matches == 141


def test_numbers_are_rounded_already():
    """Every number of a line has at most 4 decimals."""
    board = board_of(simulate(STRENGTHS, plan_of(STRENGTHS, 3, 11), 1))

    for bot in board.bots:
        numbers = [bot.rating, bot.mu, bot.sigma, bot.mean_rank, bot.mean_score]
        numbers += [*(bot.mean_rank_ci95 or ()), *(bot.mean_score_ci95 or ())]
        assert numbers == [round(number, 4) for number in numbers]


def test_an_unknown_model_is_refused():
    """A model that does not exist is the caller's mistake, and said so."""
    with pytest.raises(InputError, match="no rating model 'elo'"):
        make_leaderboard(tournament_of("ab", 2), [], scheduled=0, model="elo")


def test_timings_are_summed_up():
    """Times are means over decisions, the slowest one over all matches."""
    match = stored(fixture_of(0, "ab"), [1, 2])
    times = (SeatTimes(4, 1.0, 0.7, 0.02), SeatTimes(0, 0.0, 0.0, 0.0))
    other = stored(fixture_of(1, "ba"), [1, 2])
    found = timings(
        [
            replace(match, report=replace(match.report, times=times)),
            replace(other, report=replace(other.report, times=times[::-1])),
        ]
    )

    assert [timing.name for timing in found] == ["a", "b"]
    assert (found[0].decisions, found[0].mean_ms) == (8, 250.0)
    assert (found[0].slowest_ms, found[0].delay_ms) == (700.0, 5.0)
    assert (found[1].decisions, found[1].mean_ms) == (0, 0.0)
