from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest

from clients.conformance.reader import ScenarioError, read_scenario
from clients.conformance.report import show_failure
from clients.conformance.runner import Result, Subject, run_scenario
from clients.conformance.scenario import Output, Scenario
from clients.conformance.series import Series, can_share

ROOT = Path(__file__).resolve().parents[2]
BOT = (sys.executable, str(Path(__file__).with_name("broken_bot.py")))
PLAYER = str(ROOT / "clients" / "python" / "conformance" / "conformance_series.py")
SERIES = (sys.executable, PLAYER, BOT[1])
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


def read(tmp_path: Path, text: str) -> Scenario:
    """Return the scenario of a file with this text."""
    path = tmp_path / "one.toml"
    path.write_text(text, encoding="utf-8")
    return read_scenario(path)


def doing(what: str, text: str = SCENARIO) -> str:
    """Return the text of a scenario in which the bot does something wrong."""
    return text.replace("part =", f'behaviour = "{what}"\npart =')


def ran(tmp_path: Path, what: str, text: str = SCENARIO) -> Result:
    """Run the bot that does something wrong through a scenario, in a process of its own."""
    subject = Subject("python", BOT, ROOT)
    scenario = read(tmp_path, doing(what, text))
    return asyncio.run(run_scenario(subject, scenario, Series((), ROOT)))


def process(result: Result) -> str:
    """Return in which process the bot played."""
    found = re.search(r"playing in process (\d+)", result.stderr)
    assert found, show_failure("python", result)
    return found[1]


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
    assert shown[0] == "go one: the exit code is 7 instead of 0"
    assert re.fullmatch(r"  stderr\| arena_client: playing in process \d+", shown[1])
    assert len(shown) == 2


@pytest.mark.slow
async def test_what_a_bot_does_wrong_in_a_shared_process_is_told(tmp_path):
    """It fails its own scenario alone: the next one is played by another process."""
    subject = Subject("python", BOT, ROOT, SERIES)
    told = {
        "answers twice": "expected nothing for 0.1 s, got {'answers'",
        "crashes": "expected the answers m1/1: 0, 0 of which came, but the bot broke",
        "ends with 7": "the exit code is 7 instead of 0",
        "talks on stdout": "stdout belongs to the author, but holds 'thinking'",
        "talks on stderr": "does not begin with 'arena_client: ': 'thinking'",
        "prints its token": "the token was printed",
        "does not end": "the program still runs 1.5 s after the last step",
        "dials again": "the bot dialled once more after the last connection",
    }
    used = []
    async with Series(SERIES, ROOT) as series:
        for what, why in told.items():
            right = await run_scenario(subject, read(tmp_path, doing("nothing")), series)
            assert right.failure is None, show_failure("python", right)
            wrong = await run_scenario(subject, read(tmp_path, doing(what)), series)
            assert why in (wrong.failure or "")
            assert process(wrong) == process(right)
            used.append(process(right))
    assert len(set(used)) == len(told)


async def test_a_process_that_goes_on_writing_gets_no_other_turn():
    """What it writes would be taken for the next scenario's."""
    code = """
import json, sys
for line in sys.stdin:
    order = json.loads(line)
    end = f"{order['mark']} {order['variables']['CODE']}\\n"
    print("out", end=end, flush=True)
    print("error", end=f"{end}{order['variables']['LATER']}", flush=True, file=sys.stderr)
"""
    async with Series((sys.executable, "-c", code), ROOT) as series:
        for later, is_released in (("", True), ("and", False)):
            async with series.turn({"CODE": "3", "LATER": later}) as turn:
                assert await turn.wait() == 3
                turn.release()
                assert turn.is_released == is_released
            assert [turn.written(output) for output in Output] == ["out", "error"]


@pytest.mark.parametrize(
    ("replaced", "by"),
    [
        ("part =", "own_process = true\npart ="),
        ("ARENA_TOKEN", "http_proxy"),
    ],
)
def test_what_is_about_the_process_has_one_of_its_own(tmp_path, replaced, by):
    """A shared process could not show it, or would pass something on to the next scenario."""
    assert can_share(read(tmp_path, SCENARIO))
    assert not can_share(read(tmp_path, SCENARIO.replace(replaced, by)))


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
    assert replaced in SCENARIO
    with pytest.raises(ScenarioError) as caught:
        read(tmp_path, SCENARIO.replace(replaced, by, 1))
    assert told in str(caught.value)
