from __future__ import annotations

import json

import pytest
from google.protobuf import duration_pb2
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import FormatError
from arena.games.byzanz.events import SalesEnded
from arena.games.game import Seat
from arena.referee.faults import Fault, SeatFault
from arena.v1 import play_pb2
from arena.wire import faults, play
from arena.wire.codec import codec_for
from tests.wire import reference
from tests.wire.played import BYZANZ, SCHWARZMARKT, UNEVEN

LIMITS = play_pb2.Limits(max_matches=4, max_message_bytes=65536, max_note_bytes=1024)
SEATS = [play_pb2.SeatInfo(bot=f"bot {seat}", version="1") for seat in range(3)]
FAULTS = [
    SeatFault(0, 4, Fault.TIMEOUT, "a secret", False),
    SeatFault(2, 5, Fault.CRASH, "another", True),
]
FAULT_MESSAGES = [
    play_pb2.SeatFault(fault="FAULT_TIMEOUT"),
    play_pb2.SeatFault(seat=2, fault="FAULT_CRASH", forfeited=True),
]


def response(data: bytes) -> play_pb2.PlayResponse:
    return play_pb2.PlayResponse.FromString(data)


class TestFaults:
    def test_every_fault_has_its_number(self):
        """The two lists of faults are the same, name by name."""
        names = {fault: play_pb2.Fault.Name(number) for fault, number in faults.TO_WIRE.items()}

        assert names == {fault: f"FAULT_{fault.name}" for fault in Fault}
        assert set(faults.FROM_WIRE) == set(play_pb2.Fault.values()) - {0}

    def test_faults_come_back(self):
        """With seat and whether it forfeited."""
        assert faults.fault_messages(FAULTS) == FAULT_MESSAGES
        assert [faults.read_fault(each.fault) for each in FAULT_MESSAGES] == [
            each.fault for each in FAULTS
        ]

    def test_a_fault_that_makes_no_sense(self):
        """No fault is none, and an unknown one is not guessed at."""
        with pytest.raises(FormatError, match="fault 99"):
            faults.read_fault(99)
        assert faults.read_fault(0) is None


def test_welcome_says_all_it_is_given():
    """Every argument is in the message."""
    written = play.welcome(
        session="s1", resume_token=b"\x00\x01", resumed=True, arena="0.2", bot="b", limits=LIMITS
    )

    assert response(written) == play_pb2.PlayResponse(
        welcome=play_pb2.Welcome(
            session="s1",
            resume_token=b"\x00\x01",
            resumed=True,
            arena="0.2",
            bot="b",
            limits=LIMITS,
        )
    )


@pytest.mark.parametrize("game", [BYZANZ, SCHWARZMARKT, UNEVEN])
def test_match_started_says_all_it_is_given(game):
    """With the game's options as JSON and its material."""
    written = play.match_started(
        match_id="m1",
        game=game,
        seat=2,
        seats=SEATS,
        time_control=play.time_control(move_time_s=0.25, bank_s=10, max_faults=3),
        bot_seed=bytes(32),
    )

    expected = reference.match_started(game, 3)
    expected.MergeFrom(
        play_pb2.MatchStarted(
            match_id="m1",
            game=game.name,
            options_json=json.dumps(dict(game.options)).replace(" ", ""),
            seat=2,
            seats=SEATS,
            time_control=play_pb2.TimeControl(
                move_time=duration_pb2.Duration(nanos=250_000_000),
                bank=duration_pb2.Duration(seconds=10),
                max_faults=3,
            ),
            bot_seed=bytes(32),
        )
    )
    assert response(written).match_started == expected
    assert json.loads(response(written).match_started.options_json) == dict(game.options)


def test_no_time_limit_is_no_field():
    """Without a move time there is no bank; none left is another thing."""
    free = play.time_control(move_time_s=None, bank_s=10.0, max_faults=3)
    none_left = play.time_control(move_time_s=0, bank_s=0.0, max_faults=3)

    assert not free.HasField("move_time")
    assert not free.HasField("bank")
    assert none_left.HasField("move_time")
    assert none_left.HasField("bank")


@pytest.mark.parametrize("game", [BYZANZ, SCHWARZMARKT])
@pytest.mark.parametrize(
    ("move_time_s", "bank_s"), [(None, 10.0), (0.1, 0.0), (2, 3600.000000001), (1e-9, -1e-12)]
)
@pytest.mark.parametrize("told", [[], [0], [0, 1]])
def test_decisions_are_what_the_generated_classes_write(game, move_time_s, bank_s, told):
    """A batch of any size, with and without times and faults, is the same bytes."""
    state = game.deal(b"seed", 3)
    seen, legal = state.observe(Seat(0)), state.legal_moves()
    expected = play_pb2.Decisions()
    parts = []
    for number in (1, 127, 128, 70_000):
        part = codec_for(game).decision(seen, legal, ())
        happened = [FAULTS[place] for place in told]
        parts.append(
            play.decision(f"m{number}", number, move_time_s, bank_s, len(legal), happened, part)
        )
        message = reference.decision(game.name, seen, legal, ())
        message.match_id, message.decision_id = f"m{number}", number
        message.legal_count = len(legal)
        message.faults.extend(FAULT_MESSAGES[place] for place in told)
        for name, seconds in (("move_time", move_time_s), ("bank", bank_s)):
            if move_time_s is not None:
                field = getattr(message, name)
                field.SetInParent()
                field.FromNanoseconds(max(0, round(seconds * 10**9)))
        expected.decisions.append(message)
        whole = play_pb2.PlayResponse(decisions=expected)

        assert play.decisions(parts) == whole.SerializeToString(deterministic=True)


@given(st.floats(min_value=0, max_value=10**6))
def test_times_are_exact_to_the_nanosecond(seconds):
    """What is left of the bank arrives as it was, nanoseconds below a second."""
    part = play.decision("m", 1, 0.5, seconds, 2, (), b"")
    read = response(play.decisions([part])).decisions.decisions[0].bank

    assert 0 <= read.nanos < 10**9
    assert abs(read.seconds + read.nanos / 10**9 - seconds) < 1e-6


def test_match_ended_says_all_it_is_given():
    """Scores may be negative; a seat that ended normally has no fault."""
    events = [SalesEnded(Seat(1))]
    written = play.match_ended(
        match_id="m1",
        scores=(12, -3, 0),
        ranks=(1, 3, 2),
        forfeits=(None, Fault.NO_START, None),
        faults=FAULTS,
        events=codec_for(BYZANZ).events(events),
    )

    expected = reference.match_ended("byzanz", events)
    expected.MergeFrom(
        play_pb2.MatchEnded(
            match_id="m1",
            scores=(12, -3, 0),
            ranks=(1, 3, 2),
            forfeits=("FAULT_UNSPECIFIED", "FAULT_NO_START", "FAULT_UNSPECIFIED"),
            faults=FAULT_MESSAGES,
        )
    )
    assert response(written).match_ended == expected


def test_a_void_match_has_a_reason_and_no_scores():
    """Nothing but the reason need be given."""
    written = play.match_ended(match_id="m1", void_reason="the arena stopped")

    assert response(written).match_ended == play_pb2.MatchEnded(
        match_id="m1", void_reason="the arena stopped"
    )


def test_rejected_and_goodbye_say_all_they_are_given():
    """Reason and words."""
    rejected = play.rejected(
        match_id="m1",
        decision_id=7,
        reason=play_pb2.Rejected.REASON_LATE,
        message="too late: answer sooner",
    )
    goodbye = play.goodbye(play_pb2.Goodbye.REASON_FINISHED, "all played")

    assert response(rejected).rejected == play_pb2.Rejected(
        match_id="m1", decision_id=7, reason="REASON_LATE", message="too late: answer sooner"
    )
    assert response(goodbye).goodbye == play_pb2.Goodbye(
        reason="REASON_FINISHED", message="all played"
    )


class TestReadRequest:
    @pytest.mark.parametrize(
        "request_",
        [
            play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, token="t")),
            play_pb2.PlayRequest(answers=play_pb2.Answers()),
            play_pb2.PlayRequest(leave=play_pb2.Leave(failed=True)),
        ],
    )
    def test_what_is_said_comes_back(self, request_):
        """Also if it says little: what it means is for others to judge."""
        assert play.read_request(request_.SerializeToString()) == request_

    @pytest.mark.parametrize(
        "data",
        [
            b"\xff",
            b"\x0a\x7fSECRET",
            b"\x0a\x08\x12\x06SECRE\xff",  # a token that is no UTF-8
            b"\x0a\x09\x12\x07SECRE\xff\xff\xff",
        ],
    )
    def test_what_does_not_decode_is_refused(self, data):
        """The complaint repeats nothing: it may be a token."""
        with pytest.raises(FormatError, match="not a PlayRequest: send") as caught:
            play.read_request(data)
        assert "SECRE" not in str(caught.value)
        assert caught.value.__cause__ is None

    @pytest.mark.parametrize("data", [b"", b"\xfa\x01\x06SECRET"])
    def test_nothing_said_is_refused(self, data):
        """An empty message, or one of a kind not known here."""
        with pytest.raises(FormatError, match="one of hello, answers and leave") as caught:
            play.read_request(data)
        assert "SECRE" not in str(caught.value)

    @given(st.binary(max_size=200))
    def test_any_bytes_are_read_or_refused(self, data):
        """Nothing a bot sends raises anything else."""
        try:
            request = play.read_request(data)
        except FormatError:
            return
        assert request.WhichOneof("message") in {"hello", "answers", "leave"}
