"""Situations in the real arena: whole matches, as a tournament plays them."""

from __future__ import annotations

import asyncio

from arena.counted import counted
from arena.errors import ShortcomingError
from arena.examine.finding import Report, Verdict, Weight, failed, not_applicable, passed
from arena.examine.host import Host, Seating, check_faults
from arena.examine.material import other_materials
from arena.examine.situation import ExamState, Situation
from arena.games.game import AnyGame
from arena.referee.match import PlayedMatch

_AT_ONCE = 8
_NEARLY = 0.8  # of the move time

_FIRST_DEAL = 1


async def _play_smallest(state: ExamState, game: AnyGame) -> Report:
    return await _play_size(state, game, game.table_sizes[0], seat=0, others="random")


async def _play_largest(state: ExamState, game: AnyGame) -> Report:
    seats = game.table_sizes[-1]
    return await _play_size(state, game, seats, seat=seats - 1, others="planner")


async def _play_size(state: ExamState, game: AnyGame, seats: int, seat: int, others: str) -> Report:
    played = await _host(state).play(Seating(game, _FIRST_DEAL, seats, seat, others))
    try:
        check_faults(played, seat)
    except ShortcomingError as error:
        return await _look_closer(state, game, seats, error)
    return passed(f"{seats} players, {_summary(played, seat)}")


async def _look_closer(
    state: ExamState, game: AnyGame, seats: int, error: ShortcomingError
) -> Report:
    """Return the failure, with whether the bot plays at another table size."""
    words = await state.candidate.last_words()
    detail, advice = f"with {seats} players: {error}", error.advice
    other = game.table_sizes[(len(game.table_sizes) - 1) // 2]
    is_tried = other != seats and not error.is_late  # that would only take as long again
    if is_tried and await _plays(state, Seating(game, _FIRST_DEAL, other, 0)):
        detail += f"; a match of {other} works"
        advice = f"take the number of seats from MatchStarted.seats; {advice}"
    return Report(Verdict.FAILED, detail, advice, last_words=words)


async def _plays(state: ExamState, seating: Seating) -> bool:
    """Return whether a fresh process of the bot plays a match without a fault."""
    await state.candidate.stop()
    try:
        check_faults(await _host(state).play(seating), seating.seat)
    except ShortcomingError:
        return False
    return True


async def _play_material(state: ExamState, game: AnyGame) -> Report:
    others = other_materials(game)
    if not others:
        return not_applicable(f"{game.name} has one set of cards only")
    for number, (what, variant) in enumerate(others.items()):
        played = await _host(state).play(Seating(variant, 11 + number, game.table_sizes[0], 1))
        try:
            check_faults(played, 1)
        except ShortcomingError as error:
            advice = f"read prices, cards and decks from MatchStarted.{game.name}; {error.advice}"
            return failed(f"with {what}: {error}", advice)
    return passed(", ".join(others))


async def _play_several(state: ExamState, _game: AnyGame) -> Report:
    host = _host(state)
    session = await host.session()
    number = min(session.profile.max_matches, _AT_ONCE)
    if number < 2:
        return not_applicable("it takes one match at a time")
    seatings = []
    for index in range(number):
        game = state.games[index % len(state.games)]
        sizes = game.table_sizes
        seats = sizes[index % len(sizes)]
        seatings.append(Seating(game, 31 + index, seats, index % seats, "greedy"))
    played = await asyncio.gather(*(host.play(seating) for seating in seatings))
    for seating, match in zip(seatings, played, strict=True):
        try:
            check_faults(match, seating.seat)
        except ShortcomingError as error:
            advice = f"answer every decision of a message, whatever its match; {error.advice}"
            return failed(f"{number} matches at once: {error}", advice)
    return passed(f"{number} at once")


async def _judge_time(state: ExamState, _game: AnyGame) -> Report:
    clocks = state.clocks
    decisions = sum(clock.decisions for clock in clocks)
    if not decisions:
        return not_applicable("no decision was answered")
    slowest = max(clock.slowest_s for clock in clocks)
    mean = sum(clock.used_s for clock in clocks) / decisions
    move_time = state.conditions.control.move_time_s
    text = f"slowest of {counted(decisions, 'decision')} {_seconds(slowest)}, mean {_seconds(mean)}"
    if move_time is None:
        return passed(f"{text}; no move time was given")
    text += f", move time {_seconds(move_time)}"
    if slowest > move_time:
        advice = "it used its bank, which is not refilled: plan for the move time"
        return failed(text, advice)
    if slowest > _NEARLY * move_time:
        advice = (
            "leave a larger margin: a busy machine, a garbage collector or a network adds delay"
        )
        return failed(text, advice)
    return passed(text)


async def _play_again(state: ExamState, game: AnyGame) -> Report:
    host = _host(state)
    seats = game.table_sizes[0]
    seating = Seating(game, _FIRST_DEAL, seats, 0, "random")
    twice = []
    for _ in range(2):
        played = await host.play(seating)
        check_faults(played, 0)
        twice.append([(seat, move) for seat, move, *_ in played.recording.steps])
    if twice[0] == twice[1]:
        return passed("the same moves in the same match")
    different = next(
        (n for n, (one, other) in enumerate(zip(*twice, strict=False), 1) if one != other),
        min(map(len, twice)),
    )
    return passed(
        f"other moves in the same match, first at move {different}: "
        "draw all randomness from MatchStarted.bot_seed if its matches are to be repeatable"
    )


def _host(state: ExamState) -> Host:
    assert state.host is not None
    return state.host


def _summary(played: PlayedMatch, seat: int) -> str:
    assert played.outcome is not None
    return (
        f"{counted(played.clocks[seat].decisions, 'decision')}, rank {played.outcome.ranks[seat]}"
    )


def _seconds(value: float) -> str:
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.1f} ms"


SMALLEST = Situation(
    "match-smallest",
    "plays a match at the smallest table",
    Weight.MUST,
    "after its last permitted fault a seat forfeits and is ranked last",
    _play_smallest,
    is_per_game=True,
    is_long=True,
)
LARGEST = Situation(
    "match-largest",
    "plays a match at the largest table",
    Weight.MUST,
    SMALLEST.meaning,
    _play_largest,
    is_per_game=True,
    is_long=True,
)
MATERIAL = Situation(
    "other-material",
    "plays with other decks and cards",
    Weight.MUST,
    "an organiser may choose another deck or card file; the bot is told which",
    _play_material,
    is_per_game=True,
    is_long=True,
)
SEVERAL = Situation(
    "several-matches",
    "plays several matches at once",
    Weight.MUST,
    "a bot that says it takes several matches is given several",
    _play_several,
    is_long=True,
)
TIME = Situation(
    "time",
    "keeps to the move time",
    Weight.SHOULD,
    "a decision that takes longer uses up the bank, and then is a fault",
    _judge_time,
)
AGAIN = Situation(
    "repeatable",
    "plays the same match the same way again",
    Weight.NOTE,
    "a repeatable bot is easier to debug and its tournaments can be checked",
    _play_again,
    is_long=True,
)
