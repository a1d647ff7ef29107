from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from clients.conformance.reader import ScenarioError, read_scenario
from clients.conformance.report import show_failure
from clients.conformance.runner import Result, Subject, run_scenario

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = """
title = "A decision gets its answer"
why = "That is the whole of the protocol."
part = "deciding"
environment = { ARENA_TOKEN = "the-secret-token" }

[[connection]]
steps = [
  { match_started = "m1" },
  { decisions = ["m1/1"] },
  { answers = ["m1/1: 0"] },
  { quiet = 0.1 },
  { goodbye = "finished" },
]

[end]
exit_code = 0
within = 1.5
stderr = ["~^arena_client: play"]
not_stderr = ["trying to resume"]
"""


def ran(tmp_path: Path, what: str, scenario: str = SCENARIO) -> Result:
    """Run the bot that does something wrong through a scenario."""
    path = tmp_path / "one.toml"
    path.write_text(scenario, encoding="utf-8")
    broken_bot = str(Path(__file__).with_name("broken_bot.py"))
    subject = Subject("python", (sys.executable, broken_bot, what), ROOT)
    return asyncio.run(run_scenario(subject, read_scenario(path)))


@pytest.mark.slow
def test_a_bot_that_does_nothing_wrong_passes(tmp_path):
    """The failures below are those of what the bot does wrong, not of the bot itself."""
    result = ran(tmp_path, "nothing")
    assert result.failure is None, show_failure("python", result)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("answers twice", "connection 1, step 4: expected nothing for 0.1 s, got {'answers'"),
        ("makes up a move", "step 3: expected the answers m1/1: 0, got m1/1: 1"),
        ("leaves index 0 out", "has no move_index: 0 must be set too"),
        ("notes", "expected the answers m1/1: 0, got m1/1: 0 (unasked)"),
        ("writes long notes", "a note is longer than 1024 bytes"),
        ("crashes", "step 3: expected the answers m1/1: 0, 0 of which came, but the bot broke"),
        ("closes without an answer", "expected the answers m1/1: 0, got the end of its side"),
        ("answers in pieces", "step 4: expected nothing for 0.1 s, got {'answers': {}}"),
        ("speaks another protocol", "connection 1: hello.protocol is 2 instead of 1"),
        ("makes up a resume token", "expected a hello with resume token b'', got b'made up'"),
        ("breaks the stream off", "expected the bot to close its side, but the bot broke"),
        ("ends with 7", "the exit code is 7 instead of 0"),
        ("talks on stdout", "stdout belongs to the author, but holds 'thinking'"),
        ("talks on stderr", "does not begin with 'arena_client: ': 'thinking'"),
        ("prints its token", "the token was printed"),
        ("says what it should not", "stderr holds 'trying to resume'"),
        ("leaves a process", "a process that the program started outlives it"),
        ("does not end", "the program still runs 1.5 s after the last step"),
        ("dials again", "the bot dialled once more after the last connection"),
    ],
)
def test_what_a_bot_does_wrong_is_told(tmp_path, what, told):
    """Each kind of misbehaviour fails the scenario, with what was expected and what came."""
    result = ran(tmp_path, what)
    assert result.failure is not None
    assert told in result.failure


@pytest.mark.slow
@pytest.mark.parametrize(
    ("replaced", "by", "told"),
    [
        ('stderr = ["~^arena_client: play"]', 'stderr = ["welcome"]', "stderr lacks 'welcome'"),
        ("exit_code = 0", 'exit_code = 0\nstdout = ["ended m1"]', "stdout is [] instead of"),
        ("exit_code = 0", 'exit_code = 0\nwritten = ["--help"]', "nor stderr holds '--help'"),
        ('"m1/1: 0"', '"m1/1: 0 (~^[0-9]+$)"', "expected the answers m1/1: 0 (~^[0-9]+$)"),
        ("{ quiet = 0.1 },", '{ leave = { reason = "x" } },', "leave is missing"),
        ("{ quiet = 0.1 },", "{ closed = true },", "expected the bot to close its side"),
    ],
)
def test_a_scenario_that_expects_more_fails(tmp_path, replaced, by, told):
    """Every kind of expectation can fail for a bot that does nothing wrong."""
    what = "answers twice" if "quiet" in replaced else "nothing"
    result = ran(tmp_path, what, SCENARIO.replace(replaced, by))
    assert result.failure is not None
    assert told in result.failure


@pytest.mark.slow
def test_a_failure_shows_what_the_program_wrote(tmp_path):
    """Whoever reads it need not run the program again."""
    result = ran(tmp_path, "ends with 7")
    shown = show_failure("go", result).splitlines()
    assert shown == [
        "go one: the exit code is 7 instead of 0",
        "  stderr| arena_client: playing",
    ]


@pytest.mark.parametrize(
    ("replaced", "by", "told"),
    [
        ('part = "deciding"', "", "one.toml: part is missing"),
        ('part = "deciding"', 'part = "moves"', "part must be one of connecting, deciding,"),
        ('why = "', 'colour = "red"\nwhy = "', "one.toml: nothing is known of 'colour'"),
        ("why = ", "why = 3 # ", "one.toml: why must be a text, not 3"),
        ("[[connection]]", "[[connection]", "one.toml: Expected"),
        ("exit_code = 0", "", "one.toml: end: exit_code is missing"),
        ("within = 1.5", "within = true", "end: within must be a number, not True"),
        ("within = 1.5", "patience = 1.5", "end: nothing is known of 'patience'"),
        ("{ quiet = 0.1 }", "{ silence = 0.1 }", "connection 1: steps 4: a step has one of match_"),
        ("{ quiet = 0.1 }", "{ quiet = 0.1, loud = 2 }", "steps 4: nothing is known of 'loud'"),
        ("{ quiet = 0.1 }", '{ raw = "xyz" }', "steps 4: raw must be bytes in hex, not 'xyz'"),
        ("{ quiet = 0.1 }", '{ status = "TIRED" }', "steps 4: status must be one of OK, CANC"),
        ("{ quiet = 0.1 }", '{ signal = "SIGNAL" }', "steps 4: signal must be one of SIG"),
        ("{ quiet = 0.1 }", "{ cut = false }", "steps 4: cut can only be true"),
        ("{ quiet = 0.1 }", "{ response = { hello = {} } }", "steps 4: "),
        ('["m1/1"]', '["m1"]', "steps 2: a decision is written \"m1/1\", not 'm1'"),
        ('["m1/1"]', '["m1/1"], like = "chess-1"', "steps 2: there is no golden message 'chess-1'"),
        ('["m1/1: 0"]', '["m1/1"]', 'steps 3: an answer is written "m1/1: 0"'),
        ('["m1/1: 0"]', '["m1/1: 0"], messages = 2', "steps 3: messages must be a list, not 2"),
    ],
)
def test_a_bad_scenario_is_refused_with_its_place(tmp_path, replaced, by, told):
    """A file that makes no sense is told, not half understood."""
    path = tmp_path / "one.toml"
    assert replaced in SCENARIO
    path.write_text(SCENARIO.replace(replaced, by, 1), encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        read_scenario(path)
    assert told in str(caught.value)
