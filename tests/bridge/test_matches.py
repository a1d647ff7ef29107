from __future__ import annotations

import pytest

from arena.bridge.matches import Matches
from arena.errors import ProgramError
from arena.v1 import play_pb2

LIMITS = play_pb2.Limits(max_note_bytes=8)


def started(match_id="m1"):
    message = play_pb2.MatchStarted(match_id=match_id, game="unheard-of", seats=[{}, {}])
    return play_pb2.PlayResponse(match_started=message)


def asked(*questions, legal=2):
    decisions = [
        play_pb2.Decision(match_id=match_id, decision_id=number, legal_count=legal)
        for match_id, number in questions
    ]
    return play_pb2.PlayResponse(decisions=play_pb2.Decisions(decisions=decisions))


def ended(match_id="m1"):
    return play_pb2.PlayResponse(match_ended=play_pb2.MatchEnded(match_id=match_id))


def answers(*choices, note=""):
    return play_pb2.Answers(
        answers=[
            play_pb2.Answer(match_id=match_id, decision_id=number, move_index=index, note=note)
            for match_id, number, index in choices
        ]
    )


@pytest.fixture
def matches():
    """A session with one match, nothing asked."""
    matches = Matches()
    matches.welcome(play_pb2.Welcome(limits=LIMITS))
    matches.hear(started())
    return matches


def resume(matches):
    assert matches.welcome(play_pb2.Welcome(resumed=True, limits=LIMITS)) is None


def test_the_welcome_keeps_its_secret():
    """The resume token is not the program's business."""
    told = Matches().welcome(play_pb2.Welcome(resume_token=b"secret", bot="mine"))
    assert told == play_pb2.PlayResponse(welcome=play_pb2.Welcome(bot="mine"))


def test_everything_new_is_passed_on(matches):
    """Also what has nothing to do with matches."""
    for response in (
        started("m2"),
        asked(("m1", 1), ("m2", 1)),
        play_pb2.PlayResponse(rejected=play_pb2.Rejected(match_id="x")),
        ended("m2"),
        play_pb2.PlayResponse(goodbye=play_pb2.Goodbye()),
    ):
        told, known = matches.hear(response)
        assert (told, list(known)) == (response, [])


def test_what_makes_no_sense_is_not_passed_on(matches):
    """A message from a later arena, the end of an unknown match, a question in one."""
    for response in (play_pb2.PlayResponse(), ended("m9")):
        assert matches.hear(response) == (None, ())
    told, known = matches.hear(asked(("m9", 1), ("m1", 1)))
    assert told == asked(("m1", 1))
    assert not known


def test_after_a_resumption_nothing_is_told_twice(matches):
    """Neither that a match runs, nor what the program still thinks about; then it is sent."""
    matches.hear(asked(("m1", 1)))
    resume(matches)
    assert matches.hear(started()) == (None, ())
    assert matches.hear(asked(("m1", 1))) == (None, [])
    assert len(matches.answer(answers(("m1", 1, 0)), 1)) == 1


def test_an_answer_found_without_a_connection_waits(matches):
    """It is sent when the decision is asked again, and then without asking the program."""
    matches.hear(asked(("m1", 1)))
    resume(matches)
    assert matches.answer(answers(("m1", 1, 1)), 1) == []
    assert matches.hear(asked(("m1", 1))) == (None, list(answers(("m1", 1, 1)).answers))


def test_an_answer_that_was_lost_is_sent_again(matches):
    """The arena asks again, the program is not."""
    matches.hear(asked(("m1", 1)))
    assert len(matches.answer(answers(("m1", 1, 1)), 1)) == 1
    resume(matches)
    assert matches.hear(asked(("m1", 1))) == (None, list(answers(("m1", 1, 1)).answers))
    assert matches.hear(asked(("m1", 2))) == (asked(("m1", 2)), [])


def test_a_new_session_drops_all_matches(matches):
    """The program is welcomed anew; what it still answers is not sent, and no mistake of its."""
    matches.hear(asked(("m1", 1)))
    assert matches.welcome(play_pb2.Welcome(bot="mine")) is not None
    assert matches.answer(answers(("m1", 1, 0)), 1) == []
    with pytest.raises(
        ProgramError, match="answers decision 1 of match 'm1', which it does not play"
    ):
        matches.answer(answers(("m1", 1, 0)), 2)


def test_the_end_of_a_match_may_overtake_an_answer(matches):
    """It is dropped without a word."""
    matches.hear(asked(("m1", 1)))
    matches.hear(ended())
    assert matches.answer(answers(("m1", 1, 5)), 1) == []


def test_a_late_or_repeated_answer_is_the_arenas_to_judge(matches):
    """The arena rejects it, and the program hears of that."""
    matches.hear(asked(("m1", 1)))
    matches.hear(asked(("m1", 2)))
    assert len(matches.answer(answers(("m1", 1, 9)), 1)) == 1
    for number in (2, 3):
        assert len(matches.answer(answers(("m1", 2, 1)), number)) == 1


def test_a_note_is_cut_at_a_character(matches, caplog):
    """Bytes count, and half a character is none; the author is warned."""
    matches.hear(asked(("m1", 1)))
    (sent,) = matches.answer(answers(("m1", 1, 0), note="aéééé"), 1)
    assert sent.note == "aééé"
    assert caplog.messages == ["a note of 9 bytes was cut to 8"]


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (("m2", 1, 0), r"decision 1 of match 'm2', which it does not play \(its matches: m1\)$"),
        (("m1", 2, 0), r"decision 2 of match 'm1', which was not asked \(1 is the last\)$"),
        (("m1", 0, 0), r"decision 0 of match 'm1', which was not asked \(1 is the last\)$"),
        (("m1", 1, 2), r"chose 2, which is not one of the 2 legal moves:\n  0: \?\n  1: \?\n"),
    ],
)
def test_what_was_not_asked_is_refused(matches, choice, told):
    """And nothing else of the line is taken either."""
    matches.hear(asked(("m1", 1)))
    with pytest.raises(ProgramError, match=rf"^line 4 of the program's output .*{told}"):
        matches.answer(answers(("m1", 1, 0), choice), 4)
    resume(matches)
    assert matches.hear(asked(("m1", 1))) == (None, [])


def test_incomplete_answers_are_refused(matches):
    """An index that is not written is not 0."""
    matches.hear(asked(("m1", 1)))
    incomplete = play_pb2.Answers(answers=[play_pb2.Answer(match_id="m1", decision_id=1)])
    with pytest.raises(ProgramError, match="without moveIndex: write it even if it is 0"):
        matches.answer(incomplete, 1)
    with pytest.raises(ProgramError, match="line 1 of the program's output has no answers in it"):
        matches.answer(play_pb2.Answers(), 1)


def test_before_the_first_decision_nothing_can_be_answered(matches):
    """The refusal says so."""
    with pytest.raises(ProgramError, match=r"was not asked \(none has been asked so far\)"):
        matches.answer(answers(("m1", 1, 0)), 1)
