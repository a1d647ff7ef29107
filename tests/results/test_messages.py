from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import FormatError
from arena.referee.faults import Fault, SeatFault
from arena.results.messages import (
    fault_message,
    fixture_message,
    read_fixture,
    read_result,
    read_seat_fault,
    result_message,
)
from arena.storage.records import FixtureRecord, MatchReport, SeatTimes, StoredMatch
from arena.v1 import play_pb2, results_pb2

NUMBERS = st.integers(0, 2**31 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SECONDS = st.integers(0, 10**12).map(lambda micros: micros / 1_000_000)

FAULTS = st.builds(SeatFault, NUMBERS, NUMBERS, st.sampled_from(Fault), TEXTS, st.booleans())
FIXTURES = st.builds(
    FixtureRecord,
    index=NUMBERS,
    match=TEXTS,
    block=NUMBERS,
    round=NUMBERS,
    table=NUMBERS,
    deal=NUMBERS,
    seating=NUMBERS,
    bots=st.tuples(TEXTS, TEXTS, TEXTS),
)


@st.composite
def matches(draw: st.DrawFn) -> StoredMatch:
    """A match of three seats, without its replay."""
    fixture = draw(FIXTURES)
    points = st.integers(-(2**31), 2**31 - 1)
    times = st.builds(SeatTimes, NUMBERS, SECONDS, SECONDS, SECONDS)
    report = MatchReport(
        match=fixture.match,
        scores=draw(st.tuples(points, points, points)),
        ranks=draw(st.tuples(NUMBERS, NUMBERS, NUMBERS)),
        forfeits=draw(st.tuples(*[st.sampled_from([None, *Fault])] * 3)),
        faults=tuple(draw(st.lists(FAULTS, max_size=3))),
        times=draw(st.tuples(times, times, times)),
        moves=draw(NUMBERS),
        replay="",
    )
    return StoredMatch(fixture, report)


@pytest.mark.slow
@given(matches())
def test_a_match_is_the_same_when_it_is_read_again(match):
    """Nothing is lost on the wire but the replay."""
    message = result_message(
        StoredMatch(match.fixture, replace(match.report, replay="secret")), is_released=True
    )
    assert b"secret" not in message.SerializeToString()
    again = results_pb2.MatchResult.FromString(message.SerializeToString())
    assert read_result(again) == match


@given(FIXTURES, FAULTS)
def test_fixtures_and_faults_are_the_same_when_they_are_read_again(fixture, fault):
    """Each field of them."""
    assert read_fixture(fixture_message(fixture)) == fixture
    assert read_seat_fault(fault_message(fault)) == fault


@pytest.mark.slow
@given(matches())
def test_what_is_not_shown_is_not_sent(match):
    """Unless all is shown there are no faults, moves and times; bots can be left out too."""
    message = result_message(match, is_released=False, shows_bots=False, shows_all=False)
    assert list(message.scores) == list(match.report.scores)
    assert not message.released
    assert not message.fixture.bots
    assert not message.faults
    assert not message.times
    assert message.moves == 0


@pytest.mark.parametrize(
    "message",
    [
        results_pb2.MatchResult(scores=[1, 2, 3], ranks=[1, 2]),
        results_pb2.MatchResult(scores=[1], ranks=[1], forfeits=[play_pb2.FAULT_UNSPECIFIED]),
        results_pb2.MatchResult(faults=[results_pb2.RecordedFault()]),
    ],
)
def test_a_message_that_contradicts_itself_is_refused(message):
    """It does not have one of everything for a seat, or an unknown fault."""
    with pytest.raises(FormatError):
        read_result(message)
