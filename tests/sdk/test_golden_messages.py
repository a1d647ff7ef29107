"""The codec of every SDK turns each golden message into its other form."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.v1 import play_pb2
from clients.conformance.golden import check, check_program, questions, read_golden, stale
from tests.sdks import NAMES, built

WIRE = Path(__file__).resolve().parents[1] / "golden" / "wire"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_sdk_reads_and_writes_every_message(name):
    """Binary to JSON, JSON to binary, and garbage to an error."""
    complaints = check(built(name))
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


def test_the_files_are_up_to_date():
    """The binary form is that of the JSON form, and there is nothing else."""
    assert not stale(), "run python -m clients.conformance.golden --write, and review the diff"


def test_the_messages_are_those_of_the_arena():
    """What the arena's own golden messages hold is the same here, byte for byte."""
    kept = {golden.name: golden.content for golden in read_golden()}
    compared = 0
    for path in WIRE.glob("*.txt"):
        kind, hexadecimal, _content = path.read_text(encoding="utf-8").split("\n\n", 2)
        if kind.startswith("arena.v1.PlayResponse"):
            assert kept[path.stem] == bytes.fromhex(hexadecimal), path.stem
            compared += 1
    assert compared == 9


@pytest.mark.parametrize("game", ["byzanz", "schwarzmarkt"])
def test_there_is_a_decision_of_every_phase_and_an_event_of_every_kind(game):
    """What no message holds, no SDK is asked."""
    decisions, events = [], set()
    for golden in read_golden():
        if golden.type == "PlayResponse":
            response = play_pb2.PlayResponse.FromString(golden.content)
            decisions += [getattr(one, game) for one in response.decisions.decisions]
            events |= {
                one.WhichOneof("event") for one in getattr(response.match_ended, game).events
            }
    observation = decisions[0].observation.DESCRIPTOR
    phases = {value.number for value in observation.fields_by_name["phase"].enum_type.values}
    unspecified, over = 0, max(phases)
    seen = {one.observation.phase for one in decisions if one.HasField("observation")}
    assert seen | {unspecified, over} == phases
    kinds = decisions[0].DESCRIPTOR.fields_by_name["events"].message_type
    assert events >= {field.name for field in kinds.fields}


CODEC = """
import sys
for line in sys.stdin:
    print({answer}, flush=True)
"""


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (CODEC.format(answer="'{}'"), "hello-full as JSON: got {} instead of {"),
        (CODEC.format(answer="'CgA='"), "as bytes: got 0a00 instead of"),
        (CODEC.format(answer="'{'"), "expected JSON, got {"),
        (CODEC.format(answer="'{'"), "expected base64, got {"),
        (CODEC.format(answer="'{}'"), "the garbage 'nonsense': expected an error, got {}"),
        ("import sys; sys.exit('no')", "the codec gave 0 answers to"),
    ],
)
def test_a_codec_that_is_wrong_is_told(tmp_path, source, told):
    """Each kind of wrong answer is noticed."""
    complaints = check_program([sys.executable, "-c", source], tmp_path)
    assert any(told in complaint for complaint in complaints)


def test_each_message_is_asked_in_three_ways():
    """As bytes, as JSON, and as JSON with other names and numbers."""
    asked = [question for question in questions() if question.golden is not None]
    assert len(asked) == 3 * len(read_golden())
