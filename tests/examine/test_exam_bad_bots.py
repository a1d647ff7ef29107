from __future__ import annotations

import pytest

from arena.config.bot_spec import BotSpec
from arena.examine import process
from arena.examine.finding import Verdict, Weight
from tests.examine.examined import BAD_BOTS, examined, failures, rules, script_spec

pytestmark = pytest.mark.slow

IN_MATCHES = {
    "match-smallest",
    "match-largest",
    "other-material",
    "several-matches",
    "repeatable",
    "time",
    "goodbye-after-matches",
}
BY_SCRIPT = {
    "answers",
    "long-lists",
    "unknown-fields",
    "unknown-values",
    "unknown-messages",
    "rejected",
    "started-again",
    "lost-match",
    "batch",
    "goodbye-thinking",
}
ALL = {"goodbye-idle", *IN_MATCHES, *BY_SCRIPT, "reconnect"}
"""What takes most of the time: `proper` sits all of it, others the part with their problem."""


def others_than(situation: str) -> set[str]:
    """Return what need not be examined to find a problem in this situation."""
    parts = (IN_MATCHES, BY_SCRIPT - {"answers", "long-lists", "goodbye-thinking"}, {situation})
    return ALL - next(part for part in parts if situation in part)


MUST_FAIL = [
    ("wrong_token", "start", "carries a token other than ARENA_TOKEN"),
    ("wrong_protocol", "start", "says protocol 2, the arena speaks 1"),
    ("prints_garbage", "start", "the process exited with code 7"),
    ("crashes_at_first_decision", "match-smallest", "crash at move 1: the process exited with"),
    ("answers_9999", "match-smallest", "illegal_move at move 1: move 9999 of"),
    ("forgets_move_index", "match-smallest", "protocol_error at move 1: an answer without move_i"),
    ("knows_one_deck", "other-material", "with another card file: crash"),
    ("crashes_on_unknown_field", "unknown-fields", "the process exited with code 1"),
    ("crashes_on_unknown_message", "unknown-messages", "the process exited with code 1"),
    ("dies_on_rejected", "rejected", "the process exited with code 1"),
    ("dies_on_void_match", "lost-match", "the process exited with code 1"),
    ("dies_on_second_start", "started-again", "the process exited with code 1"),
    ("fails_at_goodbye", "goodbye-idle", "the process exited with code 3"),
]


@pytest.mark.parametrize(("name", "situation", "detail"), MUST_FAIL)
def test_a_bad_bot_fails_where_its_problem_is(name: str, situation: str, detail: str):
    """A bot with one fault is not fit, and the line about it names that fault."""
    card = examined(
        script_spec(BAD_BOTS / f"{name}.py"),
        ("byzanz", "schwarzmarkt"),
        left_out=others_than(situation),
    )
    finding = failures(card)[situation]

    assert not card.is_fit
    assert finding.is_failure
    assert detail in finding.detail
    assert finding.advice or finding.last_words
    # What is answered after the end of a match is rejected.
    also = {"lost-match"} if situation == "rejected" else set()
    assert set(failures(card)) <= {situation, *also}


@pytest.mark.parametrize(
    ("name", "situation", "detail"),
    [
        ("never_dials", "start", "did not connect within 4 s"),
        ("never_says_hello", "start", "no hello within 4 s after connecting"),
    ],
)
def test_a_bot_that_does_not_get_ready_is_not_waited_for_long(name, situation, detail):
    """The start has a deadline, whether the bot dials or not."""
    card = examined(script_spec(BAD_BOTS / f"{name}.py"), table_rules=rules(0.3, 4.0))

    assert detail in failures(card)[situation].detail
    assert card.elapsed_s < 16


def test_a_bot_that_hangs_does_not_hang_the_exam():
    """A bot that never answers fails by timeout, and the exam ends soon after."""
    card = examined(script_spec(BAD_BOTS / "hangs.py"), table_rules=rules(0.3))

    assert "timeout at move 1" in failures(card)["match-smallest"].detail
    assert card.elapsed_s < 15


def test_a_bot_that_ignores_the_goodbye_is_found_and_killed(monkeypatch):
    """A process that stays after the goodbye fails there, and plays its matches all the same."""
    monkeypatch.setattr(process, "GOODBYE_S", 2.5)
    spec = script_spec(BAD_BOTS / "ignores_goodbye.py")
    card = examined(spec, left_out=BY_SCRIPT | {"reconnect"})

    assert set(failures(card)) == {"goodbye-idle"}
    assert "still running" in failures(card)["goodbye-idle"].detail


def test_an_incomplete_batch_is_counted():
    """A bot that answers one decision of a message is told how many it left out."""
    spec = script_spec(BAD_BOTS / "answers_first_of_batch.py")
    card = examined(spec, table_rules=rules(0.25), left_out=others_than("batch"))

    assert failures(card)["batch"].detail.startswith("answered 1 of 4 decisions of one message")


@pytest.mark.parametrize(
    ("name", "situation", "detail"),
    [
        ("proper", "reconnect", "the process exited with code 1"),
        ("says_hello_anew", "reconnect", "sent a new hello"),
        ("answers_twice", "answers", "decisions more than once"),
        ("floods_stderr", "printing", "KiB or more"),
        ("crashes_on_unknown_value", "unknown-values", "the process exited with code 1"),
    ],
)
def test_what_a_bot_should_do_is_a_warning(name: str, situation: str, detail: str):
    """A bot that would survive a tournament passes, with a warning that says what to better."""
    parts = {"proper": set(), "floods_stderr": ALL - IN_MATCHES}
    left_out = parts.get(name, others_than(situation))
    card = examined(script_spec(BAD_BOTS / f"{name}.py"), left_out=left_out)
    finding = failures(card)[situation]

    assert card.is_fit
    assert finding.level is Weight.SHOULD
    assert detail in finding.detail
    assert set(failures(card)) == {situation}


def test_a_bot_killed_by_a_lost_connection_fails():
    """Not to resume is a warning; to be killed by a signal is a failure."""
    spec = script_spec(BAD_BOTS / "segfaults_on_loss.py")
    card = examined(spec, left_out=others_than("reconnect"))

    assert failures(card)["reconnect"].is_failure
    assert "SIGSEGV" in failures(card)["reconnect"].detail


def test_a_bot_that_plays_another_game_fails_where_a_game_is_demanded():
    """A bot examined in a game that its hello does not name fails, and is examined in nothing."""
    card = examined(
        script_spec(BAD_BOTS / "proper.py"), ("schwarzmarkt",), demanded=("schwarzmarkt",)
    )

    assert "names the games byzanz" in failures(card)["start"].detail
    assert len(card.findings) == 1


def test_seats_that_are_built_in_are_recognised():
    """A bot for tables of four is told that a match of four goes well."""
    # Time enough for the process to end before its clock does, however busy the machine is.
    card = examined(script_spec(BAD_BOTS / "plays_four_only.py"), table_rules=rules(20.0))

    assert "with 3 players: crash at move 1" in failures(card)["match-smallest"].detail
    assert failures(card)["match-smallest"].detail.endswith("a match of 4 works")
    assert failures(card)["match-smallest"].last_words[-1].startswith("ValueError")


def test_a_build_that_fails_is_told():
    """A bot whose build command fails is not started, and its card says what failed."""
    spec = BotSpec(name="built", command=("true",), build=(("false",),))
    card = examined(spec)

    assert "false" in failures(card)["start"].detail
    assert not card.is_fit


def test_what_cannot_be_started_is_told(tmp_path):
    """A script without the right to run, and a program that is not there, fail at the start."""
    script = tmp_path / "bot.sh"
    script.write_text("#!/bin/sh\n")
    closed = examined(BotSpec(name="closed", command=(str(script),)))
    missing = examined(BotSpec(name="missing", command=(str(tmp_path / "nothing"),)))

    assert "is not executable: chmod +x it" in failures(closed)["start"].detail
    assert "there is no program" in failures(missing)["start"].detail
    assert [finding.verdict for finding in closed.findings] == [Verdict.FAILED]
