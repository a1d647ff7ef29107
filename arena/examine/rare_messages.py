"""Situations in the scripted arena: what a bot is rarely told, and must take calmly."""

from __future__ import annotations

from arena.counted import counted
from arena.examine.conversation import Conversation, Edit
from arena.examine.edits import (
    EMPTY_MESSAGE,
    UNKNOWN_MESSAGE,
    with_unknown_fields,
    with_unknown_values,
)
from arena.examine.finding import Report, Weight, failed, not_applicable, passed
from arena.examine.material import LONG_LISTS
from arena.examine.situation import ExamState, Situation
from arena.examine.table import ExamTable
from arena.games.game import AnyGame
from arena.server.limits import SessionLimits
from arena.v1 import play_pb2
from arena.wire import play

_SOME = 5  # decisions
_BATCH = 6
_ROUNDS = 5  # of a batch


async def _answer_all(state: ExamState, game: AnyGame) -> Report:
    conversation = await state.converse()
    before, repeated = conversation.decisions, conversation.repeated
    table = _table(state, game, deal=3)
    await conversation.introduce(table)
    await conversation.play(table)
    asked = conversation.decisions - before
    if conversation.repeated > repeated:
        return failed(
            f"answered {conversation.repeated - repeated} of {asked} decisions more than once",
            "answer each decision once; the first answer counts, the others are rejected",
            Weight.SHOULD,
        )
    longest = SessionLimits().max_note_bytes
    if conversation.longest_note > longest:
        return failed(
            f"a note of {conversation.longest_note} bytes; {longest} are kept",
            "keep to Welcome.limits.max_note_bytes",
            Weight.SHOULD,
        )
    return passed(f"{counted(asked, 'decision')}, each answered once")


async def _read_long_lists(state: ExamState, game: AnyGame) -> Report:
    lists = LONG_LISTS.get(game.name, ())
    if not lists:
        return not_applicable(f"no deals of {game.name} are prepared for it")
    conversation = await state.converse()
    longest = 0
    for each in lists:
        table = ExamTable(
            game,
            state.next_match_id(),
            deal=each.deal,
            seats=each.seats,
            seat=each.seat,
            others=each.tier,
            patience=each.legal,
        )
        if table.question is None:  # other options, other deals
            continue
        longest = max(longest, len(table.question.legal_moves))
        await conversation.introduce(table)
        await conversation.play(table, _SOME)
    if not longest:
        return not_applicable("the prepared deals are for the default options")
    return passed(f"up to {longest} legal moves")


async def _read_unknown_fields(state: ExamState, game: AnyGame) -> Report:
    return await _play_edited(state, game, with_unknown_fields)


async def _read_unknown_values(state: ExamState, game: AnyGame) -> Report:
    return await _play_edited(state, game, with_unknown_values)


async def _play_edited(state: ExamState, game: AnyGame, edit: Edit) -> Report:
    conversation = await state.converse()
    conversation.edit = edit
    table = _table(state, game, deal=4)
    await conversation.introduce(table)
    await conversation.play(table, _SOME)
    conversation.edit = bytes
    return await _play_on(state, conversation, game)


async def _read_unknown_message(state: ExamState, game: AnyGame) -> Report:
    conversation = await state.converse()
    await conversation.say(UNKNOWN_MESSAGE)
    table = _table(state, game, deal=5)
    await conversation.introduce(table)
    await conversation.ask(table)
    await conversation.say(UNKNOWN_MESSAGE)
    await conversation.say(EMPTY_MESSAGE)
    await conversation.play(table, _SOME)
    return await _play_on(state, conversation, game)


async def _read_rejected(state: ExamState, game: AnyGame) -> Report:
    conversation = await state.converse()
    table = _table(state, game, deal=6)
    await conversation.say(_rejected("never-heard-of", 1))
    await conversation.introduce(table)
    await conversation.ask(table)
    await conversation.say(_rejected(table.id, 9_999))
    await conversation.play(table, _SOME)
    return await _play_on(state, conversation, game)


def _rejected(match_id: str, decision_id: int) -> bytes:
    return play.rejected(
        match_id=match_id,
        decision_id=decision_id,
        reason=play_pb2.Rejected.REASON_UNKNOWN_DECISION,
        message="no such decision; this one is part of the exam",
    )


async def _hear_again(state: ExamState, game: AnyGame) -> Report:
    conversation = await state.converse()
    table = _table(state, game, deal=7)
    await conversation.introduce(table)
    await conversation.introduce(table)
    await conversation.ask(table)
    await conversation.introduce(table)
    await conversation.play(table, _SOME)
    return await _play_on(state, conversation, game)


async def _lose_match(state: ExamState, game: AnyGame) -> Report:
    conversation = await state.converse()
    for deal in (8, 9):
        table = _table(state, game, deal=deal)
        await conversation.introduce(table)
        if deal == 9:
            await conversation.ask(table)
        if table.question is not None:
            await conversation.pose(table)
        table.void()
        await conversation.finish(table)
    return await _play_on(state, conversation, game)


async def _play_on(state: ExamState, conversation: Conversation, game: AnyGame) -> Report:
    """Have another match begun, to see that the bot is still well."""
    table = _table(state, game, deal=10)
    await conversation.introduce(table)
    await conversation.play(table, 3)
    return passed("plays on")


async def _answer_batch(state: ExamState, _game: AnyGame) -> Report:
    most = max(state.hello.max_matches, 1)
    if most < 2:
        return not_applicable("it takes one match at a time")
    conversation = await state.converse()
    tables = []
    for index in range(min(most, _BATCH)):
        game = state.games[index % len(state.games)]
        tables.append(_table(state, game, deal=41 + index))
        await conversation.introduce(tables[-1])
    asked = 0
    for _ in range(_ROUNDS):
        open_tables = [table for table in tables if table.question is not None]
        if open_tables:
            await conversation.ask(*open_tables)
            asked = max(asked, len(open_tables))
    for table in tables:
        await conversation.finish(table)
    return passed(f"{counted(asked, 'decision')} in one message")


def _table(state: ExamState, game: AnyGame, deal: int) -> ExamTable:
    sizes = game.table_sizes
    return ExamTable(game, state.next_match_id(), deal=deal, seats=sizes[deal % len(sizes)])


_LATER_ARENA = "a later version of arena may send more; a bot must ignore what it does not know"

ANSWERS = Situation(
    "answers",
    "answers every decision once and completely",
    Weight.MUST,
    "an answer that is illegal or lacks move_index is a fault, and a default move is made",
    _answer_all,
    is_per_game=True,
    is_long=True,
)
LONG_MOVE_LISTS = Situation(
    "long-lists",
    "handles long lists of legal moves",
    Weight.MUST,
    "a large hand has very many legal moves, and every tournament has such hands",
    _read_long_lists,
    is_per_game=True,
)
BATCHES = Situation(
    "batch",
    "answers all decisions of a message",
    Weight.MUST,
    "decisions that come up together are sent together to a bot that takes several matches",
    _answer_batch,
)
FIELDS = Situation(
    "unknown-fields",
    "ignores fields it does not know",
    Weight.MUST,
    _LATER_ARENA,
    _read_unknown_fields,
    is_per_game=True,
)
MESSAGES = Situation(
    "unknown-messages", "ignores messages it does not know", Weight.MUST, _LATER_ARENA,
    _read_unknown_message,
)  # fmt: skip
VALUES = Situation(
    "unknown-values",
    "ignores events and faults it does not know",
    Weight.SHOULD,
    _LATER_ARENA,
    _read_unknown_values,
    is_per_game=True,
)
REJECTED = Situation(
    "rejected",
    "survives a rejection",
    Weight.MUST,
    "an answer that comes a moment too late is rejected; the session continues",
    _read_rejected,
)
STARTED_AGAIN = Situation(
    "started-again",
    "survives being told of a match twice",
    Weight.MUST,
    "after a reconnect arena repeats what may have been lost",
    _hear_again,
)
LOST_MATCH = Situation(
    "lost-match",
    "continues after a match that ended in the middle of a decision",
    Weight.MUST,
    "a match may be void at any moment; the session continues",
    _lose_match,
)
