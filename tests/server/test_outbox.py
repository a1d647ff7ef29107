"""What goes out when: by itself, together, and again after a reconnect."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from arena.server.outbox import GATHER_S, HOLD_S, MOST_AT_ONCE, ONE_IN, Outbox
from arena.testing import VirtualLoop
from arena.wire import play


@pytest.fixture
def loop_factory():
    return VirtualLoop


class Asked:
    """Stands for a question; the outbox only tells them apart."""


PART = play.decision("m", 1, None, 0.0, 2, (), b"")


def ask(outbox: Outbox, number: int = 1) -> list[Any]:
    questions = [Asked() for _ in range(number)]
    for question in questions:
        outbox.ask(question, PART)  # type: ignore[arg-type]
    return questions


def taken(outbox: Outbox) -> list[Any] | None:
    batch = outbox.take()
    return None if batch is None else batch[1]


async def test_messages_keep_their_order_and_go_first():
    """Messages go out one by one before decisions, whenever they came."""
    outbox = Outbox()
    questions = ask(outbox)
    outbox.push(b"one")
    outbox.push(b"two")
    assert outbox.backlog == 6 + len(PART)
    assert outbox.take() == (b"one", [])
    assert outbox.take() == (b"two", [])
    assert outbox.take() == (play.decisions([PART]), questions)
    assert outbox.take() is None
    assert outbox.backlog == 0


async def test_decisions_for_a_bot_that_owes_nothing_go_at_once_and_together():
    """All that wait when the writer comes are one message."""
    outbox = Outbox()
    questions = ask(outbox, 3)
    assert outbox.wake.is_set()
    assert outbox.take() == (play.decisions([PART] * 3), questions)
    assert list(outbox.open) == questions


async def test_decisions_for_a_busy_bot_wait_for_its_last_answer():
    """While an answer is owed new decisions wait; the last answer lets them go."""
    outbox = Outbox()
    first, second = ask(outbox, 2)
    outbox.take()
    outbox.wake.clear()
    later = ask(outbox, 2)
    assert taken(outbox) is None
    outbox.settle(first)
    assert not outbox.wake.is_set()
    outbox.settle(second)
    assert outbox.wake.is_set()
    assert taken(outbox) == later


async def test_no_decision_waits_longer_than_the_hold():
    """A busy bot gets what has waited for HOLD_S, even if it still owes answers."""
    outbox = Outbox()
    loop = asyncio.get_running_loop()
    ask(outbox)
    outbox.take()
    outbox.wake.clear()
    start = loop.time()
    later = ask(outbox)
    later += ask(outbox)
    await outbox.wake.wait()
    assert abs(loop.time() - start - HOLD_S) < 1e-6
    assert taken(outbox) == later
    ask(outbox)
    assert taken(outbox) is None, "the next one has a hold of its own"


async def test_decisions_of_a_bot_in_many_matches_gather():
    """Where more are to come soon, a bot that owes nothing gets them together."""
    outbox = Outbox(range(ONE_IN * 3))
    first = ask(outbox, 2)
    assert not outbox.wake.is_set()
    assert taken(outbox) is None
    first += ask(outbox)
    assert outbox.wake.is_set()
    assert taken(outbox) == first


async def test_no_decision_gathers_longer_than_a_moment():
    """What others do not join within GATHER_S goes out alone; those that come later gather anew."""
    outbox = Outbox(range(ONE_IN * 3))
    loop = asyncio.get_running_loop()
    start = loop.time()
    alone = ask(outbox)
    await outbox.wake.wait()
    assert abs(loop.time() - start - GATHER_S) < 1e-6
    assert taken(outbox) == alone
    outbox.wake.clear()
    later = ask(outbox)
    outbox.settle(alone[0])
    assert taken(outbox) is None, "the bot owes nothing now, but more may come"
    await outbox.wake.wait()
    assert abs(loop.time() - start - 2 * GATHER_S) < 1e-6, "and no longer for a bot that owed"
    assert taken(outbox) == later


async def test_a_bot_in_few_matches_waits_for_none():
    """A decision goes out at once where no other is likely to come soon."""
    outbox = Outbox(range(ONE_IN))
    alone = ask(outbox)
    assert outbox.wake.is_set()
    assert taken(outbox) == alone


async def test_a_message_has_a_limited_number_of_decisions():
    """More than MOST_AT_ONCE make several messages, all of them at once."""
    outbox = Outbox()
    questions = ask(outbox, MOST_AT_ONCE + 5)
    assert taken(outbox) == questions[:MOST_AT_ONCE]
    assert taken(outbox) == questions[MOST_AT_ONCE:]
    assert taken(outbox) is None
    assert outbox.backlog == 0


async def test_what_is_settled_before_it_was_written_is_never_written():
    """A decision that was withdrawn while it waited does not go out."""
    outbox = Outbox()
    first, second = ask(outbox, 2)
    outbox.settle(first)
    assert taken(outbox) == [second]
    outbox.settle(Asked())  # type: ignore[arg-type] # unknown: nothing happens
    assert outbox.backlog == 0


async def test_rewinding_writes_open_decisions_again_first():
    """After a reconnect the open ones go out again before those that waited, messages not."""
    outbox = Outbox()
    old = ask(outbox, 2)
    outbox.take()
    new = ask(outbox)
    outbox.push(b"lost")
    outbox.discard_messages()
    outbox.push(b"welcome")
    outbox.rewind()
    assert outbox.backlog == 7 + 3 * len(PART)
    assert taken(outbox) == []
    assert taken(outbox) == [*old, *new]
    assert outbox.backlog == 0


async def test_starts_and_ends_of_matches_go_in_front_of_decisions():
    """A bot that reads them there gets all in one message: ends, starts, then decisions."""
    outbox = Outbox(range(1), batches_matches=True)
    outbox.start("new", b"start")
    outbox.end("old", b"end")
    assert not outbox.wake.is_set()
    assert outbox.take() is None
    questions = ask(outbox)
    assert outbox.wake.is_set()
    assert outbox.backlog == len(b"startend") + len(PART)
    assert outbox.take() == (play.decisions([b"end", b"start", PART]), questions)
    assert outbox.take() is None
    assert outbox.backlog == 0


@pytest.mark.parametrize(("owed", "wait_s"), [(0, GATHER_S), (1, HOLD_S)])
async def test_starts_and_ends_do_not_wait_longer_than_decisions(owed, wait_s):
    """Where no decision joins them in time they go by themselves, as for any other bot."""
    outbox = Outbox(range(1), batches_matches=True)
    if ask(outbox, owed):
        outbox.take()
    outbox.wake.clear()
    loop = asyncio.get_running_loop()
    start = loop.time()
    outbox.start("new", b"start")
    outbox.end("old", b"end")
    assert outbox.take() is None
    await outbox.wake.wait()
    assert abs(loop.time() - start - wait_s) < 1e-6
    assert [outbox.take(), outbox.take(), outbox.take()] == [(b"end", []), (b"start", []), None]
    assert outbox.backlog == 0


async def test_the_end_of_the_last_match_does_not_wait():
    """A bot that sits nowhere has nothing to be asked."""
    outbox = Outbox(batches_matches=True)
    outbox.end("last", b"end")
    assert outbox.wake.is_set()
    assert outbox.take() == (b"end", [])


async def test_other_messages_do_not_overtake_starts_and_ends():
    """Neither does the end of a match its own start: ends are read first."""
    outbox = Outbox(range(1), batches_matches=True)
    outbox.start("short", b"start")
    outbox.end("short", b"end")
    outbox.end("other", b"other end")
    outbox.push(b"rejected")
    sent = [outbox.take() for _ in range(5)]
    assert sent == [(b"start", []), (b"end", []), (b"other end", []), (b"rejected", []), None]
    assert outbox.backlog == 0


async def test_a_bot_that_does_not_batch_matches_gets_a_message_for_each():
    """Its starts and ends go out at once."""
    outbox = Outbox(range(ONE_IN * 3))
    outbox.start("new", b"start")
    outbox.end("old", b"end")
    assert outbox.wake.is_set()
    assert [outbox.take(), outbox.take(), outbox.take()] == [(b"start", []), (b"end", []), None]


async def test_starts_and_ends_are_not_said_again_by_themselves():
    """After a reconnect the session says again what may have been lost."""
    outbox = Outbox(range(1), batches_matches=True)
    outbox.start("new", b"start")
    outbox.discard_messages()
    outbox.rewind()
    assert outbox.take() is None
    assert outbox.backlog == 0
