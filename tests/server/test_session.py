"""Answers and decisions over one session: each counted once, for what it answers."""

from __future__ import annotations

import asyncio
import json

import pytest

from arena.launch.exits import Shortage
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault, FaultPolicy
from arena.referee.match import Conditions
from arena.server.limits import SessionLimits
from arena.server.outbox import MOST_AT_ONCE
from arena.server.session import SessionPhase
from arena.v1 import play_pb2
from tests.integration.bots import (
    NOBODY,
    PATIENT,
    answer,
    answers,
    finish,
    hello,
    leave,
    open_house,
    overfill,
)
from tests.waiting import until

HASTY = Conditions(TimeControl(0.05, 0.0), FaultPolicy(max_faults=1_000))


async def test_one_match_from_start_to_end(tmp_path):
    """A bot gets its seat, decisions one by one with rising ids, and the end."""
    async with open_house(tmp_path) as house:
        stream, session, welcome = await house.enter("a")
        assert not welcome.resumed
        assert welcome.bot == "a"
        assert welcome.limits.max_matches == 1
        match = house.start_alone(session)
        started = await stream.expect("match_started")
        assert (started.match_id, started.game, started.seat) == ("m1", "byzanz", 0)
        assert [seat.bot for seat in started.seats] == ["a", "", ""]
        first = await stream.decision()
        assert first.decision_id == 1
        assert [f.fault for f in first.faults] == [play_pb2.FAULT_NO_START] * 2
        await stream.say(answers(answer(first, 1)))
        second = await stream.decision()
        assert second.decision_id == 2
        await stream.say(answers(answer(second)))
        ended = await finish(stream, match)
        played = await match
        assert played.outcome is not None
        assert list(ended.scores) == list(played.outcome.scores)
        assert list(ended.ranks) == list(played.outcome.ranks)
        assert not [f for f in played.faults if f.seat == 0]
        assert session.free == 1


# Batches.


async def test_waiting_decisions_come_together(tmp_path):
    """Decisions that wait for a busy bot come in one message and may be answered in one or more."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a", max_matches=8)
        for _ in range(8):
            house.start_alone(session)
        for _ in range(8):
            await stream.expect("match_started")
        batch = (await stream.expect("decisions")).decisions
        assert sorted(d.match_id for d in batch) == [f"m{n}" for n in range(1, 9)]
        await stream.say(answers(*map(answer, batch)))
        again = (await stream.expect("decisions")).decisions
        assert len(again) == 8
        await stream.say(*(answers(answer(decision)) for decision in again))
        heard: list[play_pb2.Decision] = []
        while len(heard) < 8:
            heard += (await stream.expect("decisions")).decisions
        assert {d.decision_id for d in heard} == {3}


async def test_a_batch_is_bounded(tmp_path):
    """However many wait, a message has no more than MOST_AT_ONCE."""
    async with open_house(tmp_path, limits=SessionLimits(max_matches=200)) as house:
        stream, session, welcome = await house.enter("a", max_matches=1_000)
        assert welcome.limits.max_matches == 200
        for _ in range(200):
            house.start_alone(session)
        sizes: list[int] = []
        while sum(sizes) < 200:
            message = await stream.hear()
            assert message is not None
            if message.WhichOneof("message") == "decisions":
                sizes.append(len(message.decisions.decisions))
        assert max(sizes) <= MOST_AT_ONCE


async def test_a_bot_for_one_match_never_gets_two_decisions(tmp_path):
    """Two bots for one match at a time each are asked one thing at a time, to the end."""
    async with open_house(tmp_path) as house:
        a, first = await house.honest("a", max_matches=0)
        b, second = await house.honest("b", max_matches=1)
        for _ in range(3):
            await house.start([first, second, NOBODY])
        for bot in (a, b):
            batches = bot.heard_of("decisions")
            assert len(batches) > 20
            assert {len(batch.decisions) for batch in batches} == {1}
            assert not bot.heard_of("rejected")


async def test_a_batch_has_the_time_of_all_its_decisions(tmp_path):
    """Each decision of a batch is charged its share of the time that passed."""
    async with open_house(tmp_path) as house:
        _, session, _ = await house.enter("a", max_matches=4)
        for _ in range(4):
            house.start_alone(session)
        await until(lambda: len(session.outbox.open) == 4)
        await until(lambda: all(question.sent_at is not None for question in session.outbox.open))
        assert [question.share for question in session.outbox.open] == [0.25] * 4


# Answers that do not count.


@pytest.mark.parametrize(
    ("match_id", "decision_id", "reason"),
    [
        ("m2", 1, "UNKNOWN_MATCH"),
        ("", 0, "UNKNOWN_MATCH"),
        ("m1", 0, "UNKNOWN_DECISION"),
        ("m1", 2, "UNKNOWN_DECISION"),
        ("m1", 2**32 - 1, "UNKNOWN_DECISION"),
    ],
)
async def test_answers_to_nothing_are_rejected(tmp_path, match_id, decision_id, reason):
    """An answer that names no open decision is told so and changes nothing."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        await stream.expect("match_started")
        decision = await stream.decision()
        wrong = play_pb2.Answer(match_id=match_id, decision_id=decision_id, move_index=0)
        await stream.say(answers(wrong))
        rejected = await stream.rejection(reason)
        assert (rejected.match_id, rejected.decision_id) == (match_id, decision_id)
        await stream.say(answers(answer(decision)))
        assert (await stream.decision()).decision_id == 2, "the question was still open"
        assert match.done() is False


async def test_repeated_answers_are_rejected(tmp_path):
    """A second answer is rejected, whether or not the bot was asked something else meanwhile."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        _, other, _ = await house.enter("b")
        house.start([session, other, NOBODY])
        await stream.expect("match_started")
        decision = await stream.decision()
        await stream.say(answers(answer(decision, 0), answer(decision, 1)))
        # Seat 1 is asked now and says nothing: seat 0 has no other question yet.
        assert (await stream.rejection("REPEATED")).decision_id == 1


async def test_a_repeated_answer_is_not_used_for_the_next_decision(tmp_path):
    """An answer sent twice is used once; the next decision waits for its own."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        house.start_alone(session)
        await stream.expect("match_started")
        first = await stream.decision()
        await stream.say(answers(answer(first)), answers(answer(first)))
        kinds = {}
        for _ in range(2):
            message = await stream.hear()
            assert message is not None
            kinds[message.WhichOneof("message")] = message
        assert kinds["rejected"].rejected.reason == play_pb2.Rejected.REASON_REPEATED
        assert kinds["decisions"].decisions.decisions[0].decision_id == 2
        assert session.seats["m1"].question is not None
        assert session.seats["m1"].question.is_open


async def test_an_answer_before_the_question_is_not_accepted(tmp_path):
    """Guessing the next id does not help: only what has been sent can be answered."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a", max_matches=2)
        house.start_alone(session)
        await stream.expect("match_started")
        first = await stream.decision()
        house.start_alone(session)  # its decision is held back, as an answer is owed
        guess = play_pb2.Answer(match_id="m2", decision_id=1, move_index=0)
        session.receive(answers(guess), session.clock.time())
        await stream.expect("match_started")
        assert "not asked yet" in (await stream.rejection("UNKNOWN_DECISION")).message
        assert (await stream.decision()).match_id == "m2"
        await stream.say(answers(answer(first)))


async def test_late_answers_are_rejected_once_as_late(tmp_path):
    """After the time is up a default move is made; the answer is late, then repeated."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        _, other, _ = await house.enter("b")
        rules = Conditions(TimeControl(0.0, 0.05), FaultPolicy(max_faults=1))
        match = house.start([session, other, NOBODY], rules)
        await stream.expect("match_started")
        decision = await stream.decision()
        await until(match.done)  # both were silent
        await stream.expect("match_ended")
        await stream.say(answers(answer(decision)))
        await stream.rejection("MATCH_OVER")
        assert (await match).forfeits[:2] == (Fault.TIMEOUT, Fault.TIMEOUT)

        match = house.start([session, NOBODY, NOBODY], HASTY)
        await stream.expect("match_started")
        decision = await stream.decision()
        await stream.decision()  # the first one's time is up
        await stream.say(answers(answer(decision), answer(decision)))
        reasons: list[int] = []
        while len(reasons) < 2:
            message = await stream.hear()
            assert message is not None
            if message.WhichOneof("message") == "rejected":
                reasons.append(message.rejected.reason)
        assert reasons == [
            play_pb2.Rejected.REASON_LATE,
            play_pb2.Rejected.REASON_REPEATED,
        ]
        await stream.say(leave())


@pytest.mark.parametrize(
    ("said", "fault", "detail"),
    [
        ("it is broken", Fault.OUT_OF_DISK, "it is broken; it ran out of disk space at its limit"),
        ("MemoryError", Fault.OUT_OF_MEMORY, "MemoryError"),  # it knows best
    ],
)
async def test_a_launched_bot_that_fails_may_have_run_out(tmp_path, said, fault, detail):
    """Where its own words do not tell, what is known of its process does."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        session.find_shortage = lambda: Shortage(Fault.OUT_OF_DISK, 32)
        await stream.say(leave(said, failed=True))
        await until(lambda: session.ended_by is not None)
        assert session.ended_by
        assert session.ended_by[0] is fault
        assert session.ended_by[1].startswith(f"the bot left: {detail}")


@pytest.mark.parametrize(
    ("move_index", "reason", "fault"),
    [
        (None, "INCOMPLETE", Fault.PROTOCOL_ERROR),
        (10_000, "ILLEGAL_MOVE", Fault.ILLEGAL_MOVE),
        (2**32 - 1, "ILLEGAL_MOVE", Fault.ILLEGAL_MOVE),
    ],
)
async def test_answers_that_are_faults(tmp_path, move_index, reason, fault):
    """An answer without a legal move is a fault; the default move is made and the match goes on."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        await stream.expect("match_started")
        first = await stream.decision()
        await stream.say(answers(answer(first, move_index), answer(first, 0)))
        await stream.rejection(reason)
        await stream.rejection("REPEATED")
        second = await stream.decision()
        assert [f.fault for f in second.faults] == [play_pb2.Fault.Value(f"FAULT_{fault.name}")]
        await stream.say(answers(answer(second)))
        await finish(stream, match)
        played = await match
        assert [f.fault for f in played.faults if f.seat == 0] == [fault]


async def test_a_long_note_is_cut_and_the_answer_used(tmp_path):
    """A note beyond the limit is cut between characters; the move still counts."""
    async with open_house(tmp_path, limits=SessionLimits(max_note_bytes=7)) as house:
        stream, session, welcome = await house.enter("a")
        assert welcome.limits.max_note_bytes == 7
        match = house.start_alone(session)
        await stream.expect("match_started")
        decision = await stream.decision()
        await stream.say(answers(answer(decision, 0, "äöüß")))
        assert "7 bytes" in (await stream.rejection("NOTE_TOO_LONG")).message
        decision = await stream.decision()
        await stream.say(answers(answer(decision, 0, "short")))
        await finish(stream, match)
        lines = map(json.loads, (await match).replay.splitlines())
        assert [line["note"] for line in lines if "note" in line] == ["äöü", "short"]


async def test_answers_after_the_end_are_told_so(tmp_path):
    """An answer for a match that has ended is told apart from one for a match that never was."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        await stream.expect("match_started")
        decision = await stream.decision()
        await stream.say(answers(answer(decision)))
        await finish(stream, match)
        await stream.say(answers(answer(decision)))
        await stream.rejection("MATCH_OVER")


async def test_late_answers_are_no_flood(tmp_path):
    """Each decision may be answered late once without being counted as unasked for."""
    limits = SessionLimits(max_messages_per_second=1)
    async with open_house(tmp_path, limits=limits) as house:
        stream, session, _ = await house.enter("a")
        house.start_alone(session, Conditions(TimeControl(0.001, 0.0), FaultPolicy(1_000)))
        await stream.expect("match_started")
        late = [await stream.decision() for _ in range(10)]
        await stream.say(answers(*map(answer, late[:-1])))
        rejected = 0
        while rejected < 9:
            message = await stream.hear()
            assert message is not None
            rejected += message.WhichOneof("message") == "rejected"
        assert session.phase is SessionPhase.LIVE


# Streams come and go.


async def test_resuming_says_everything_again(tmp_path):
    """After a cut: welcome, recent ends, running matches, and the same open decisions."""
    async with open_house(tmp_path) as house:
        stream, session, welcome = await house.enter("a", max_matches=3)
        done = house.start_alone(session)
        await finish(stream, done)
        for _ in range(2):
            house.start_alone(session)
        before: dict[str, play_pb2.Decision] = {}
        while len(before) < 2:
            message = await stream.hear()
            assert message is not None
            if message.WhichOneof("message") == "decisions":
                before |= {d.match_id: d for d in message.decisions.decisions}
        questions = {p.question for p in session.seats.values()}
        await until(lambda: all(q and q.sent_at is not None for q in questions))
        sent = {q: q.sent_at for q in questions if q}
        await stream.cut()
        await until(lambda: session.phase is SessionPhase.PARKED)
        assert session.free == 0

        again, same, second = await house.enter("", resume_token=welcome.resume_token)
        assert same is session
        assert second.resumed
        assert second.session == welcome.session
        assert second.resume_token != welcome.resume_token
        assert (await again.expect("match_ended")).match_id == "m1"
        started = [(await again.expect("match_started")).match_id for _ in range(2)]
        assert started == ["m2", "m3"]
        after = (await again.expect("decisions")).decisions
        assert {d.match_id: d for d in after} == before
        assert {q: q.sent_at for q in sent} == sent, "the clock went on"
        await again.say(answers(*map(answer, after)))
        assert {d.decision_id for d in (await again.expect("decisions")).decisions} == {2}


async def test_resuming_replaces_a_stream_that_seems_alive(tmp_path):
    """A bot may come back before the arena has noticed that it was gone."""
    async with open_house(tmp_path) as house:
        stream, session, welcome = await house.enter("a")
        match = house.start_alone(session)
        await stream.expect("match_started")
        await stream.decision()
        again, *_ = await house.enter("", resume_token=welcome.resume_token)
        code, details = await stream.status()
        assert code.name == "ABORTED"
        assert "another stream" in details
        assert session.phase is SessionPhase.LIVE
        await again.expect("match_started")
        await finish(again, match)
        assert not [f for f in (await match).faults if f.seat == 0]


async def test_resuming_works_again_if_the_welcome_was_lost(tmp_path):
    """The token that resumed a session stays good, as its successor may not have arrived."""
    async with open_house(tmp_path) as house:
        _, _, first = await house.enter("a")
        _, _, second = await house.enter("", resume_token=first.resume_token)
        _, _, third = await house.enter("", resume_token=first.resume_token)
        _, session, _ = await house.enter("", resume_token=third.resume_token)
        for stale in (first, second):
            stream = house.stream()
            await stream.say(hello("a", resume_token=stale.resume_token))
            assert (await stream.status())[0].name == "NOT_FOUND"
        assert session.is_present


async def test_a_write_that_broke_does_not_end_the_session_later(tmp_path):
    """A stream that is cut while it is written to leaves no timer behind that ends the session."""

    def pending() -> str:
        timers = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
        return " ".join(repr(timer) for timer in timers if not timer.cancelled())

    async with open_house(tmp_path) as house:
        stream, session, welcome = await house.enter("a")
        overfill(session)
        await until(lambda: "_watch_writing" in pending())
        await stream.cut()
        await until(lambda: session.phase is SessionPhase.PARKED)
        assert "_watch_writing" not in pending()
        _, same, _ = await house.enter("", resume_token=welcome.resume_token)
        assert same is session


async def test_a_new_hello_ends_a_parked_session(tmp_path):
    """A bot that starts anew instead of resuming forfeits what it had."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        await stream.expect("match_started")
        await stream.cut()
        await until(lambda: session.phase is SessionPhase.PARKED)
        _, fresh, _ = await house.enter("a")
        assert fresh is not session
        assert (await match).forfeits[0] is Fault.DISCONNECT
        assert "sent a new hello" in (await match).faults[-1].detail


async def test_a_lost_session_forfeits_when_its_clock_is_up(tmp_path):
    """Who is away when the time is up is not late but gone: the seat forfeits."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session, Conditions(TimeControl(0.0, 0.5), FaultPolicy()))
        await stream.expect("match_started")
        await stream.decision()
        await stream.cut()
        played = await match
        assert played.forfeits[0] is Fault.DISCONNECT
        assert session.phase is SessionPhase.PARKED, "it may still come back for other matches"


async def test_a_decision_that_could_not_be_written_has_its_clock_too(tmp_path):
    """Being lost stops no clock: a decision that was still held back runs from then on."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a", max_matches=2)
        house.start_alone(session)
        await stream.expect("match_started")
        await stream.decision()
        house.start_alone(session)  # held back, as an answer is owed
        question = session.seats["m2"].question
        assert question is not None
        assert question.sent_at is None
        session.park()  # before the hold is over
        assert question.sent_at is not None


async def test_a_lost_session_forfeits_after_the_resume_window(tmp_path):
    """A session that does not come back ends, whether its seats are to act or not."""
    limits = SessionLimits(resume_window_s=0.1)
    async with open_house(tmp_path, limits=limits) as house:
        first, one, _ = await house.enter("a")
        second, two, _ = await house.enter("b")
        rules = Conditions(TimeControl(None), FaultPolicy())
        match = house.start([one, two, NOBODY], rules)
        await first.expect("match_started")
        await second.expect("match_started")
        await first.decision()
        await second.cut()  # not to act
        await until(lambda: two.phase is SessionPhase.ENDED)
        assert not match.done()
        await first.cut()
        played = await match
        assert played.forfeits[:2] == (Fault.DISCONNECT, Fault.DISCONNECT)
        assert {f.detail for f in played.faults if f.seat < 2} == {"the session did not come back"}
        assert house.arena.lobby.sessions() == []


async def test_a_match_that_starts_with_a_session_that_has_ended(tmp_path):
    """A session that ended between being chosen and being seated forfeits by its own fault."""
    async with open_house(tmp_path) as house:
        _, session, _ = await house.enter("a")
        session.end(Fault.OUT_OF_MEMORY, "the process was killed")
        played = await house.start_alone(session)
        assert played.forfeits[0] is Fault.OUT_OF_MEMORY
        assert not session.seats


async def test_a_match_that_starts_while_its_bot_is_away(tmp_path):
    """A parked session is seated and finds its match when it comes back."""
    async with open_house(tmp_path) as house:
        stream, session, welcome = await house.enter("a")
        await stream.cut()
        await until(lambda: session.phase is SessionPhase.PARKED)
        match = house.start_alone(session, PATIENT)
        question = session.seats["m1"].question
        assert question is not None
        assert question.sent_at is not None, "it has its clock to come back"
        again, *_ = await house.enter("", resume_token=welcome.resume_token)
        assert (await again.expect("match_started")).match_id == "m1"
        await finish(again, match)
