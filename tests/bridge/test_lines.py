from __future__ import annotations

import json
from pathlib import Path

import pytest
from google.protobuf import json_format
from google.protobuf.duration_pb2 import Duration

from arena.bridge.lines import EXAMPLE, read_line, write_line
from arena.errors import ProgramError
from arena.v1 import byzanz_pb2, play_pb2

GOLDEN = Path(__file__).parents[2] / "clients" / "conformance" / "golden"
SAMPLES = sorted(GOLDEN.glob("*.binpb"))


def read(path):
    """Return a message of the conformance tests: a request or a response."""
    is_request = path.stem.partition("-")[0] in ("hello", "answers", "leave")
    kind = play_pb2.PlayRequest if is_request else play_pb2.PlayResponse
    return kind.FromString(path.read_bytes())


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_lines_are_proto3_json(path):
    """Whoever reads proto3 JSON reads the same message, and defaults are all there."""
    message = read(path)
    line = write_line(message)
    whole = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
    assert json.loads(line) == whole
    assert json_format.Parse(line, type(message)()) == message


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_lines_are_made_for_tools_that_look_for_patterns(path):
    """One line, in ASCII, without spaces outside of texts."""
    line = write_line(read(path))
    assert line.isascii()
    assert line.isprintable()
    assert line == json.dumps(json.loads(line), separators=(",", ":"))


def test_the_order_of_fields_does_not_depend_on_their_values():
    """Fields stand in the order of the protocol's files, defaults in their places."""
    empty = json.loads(write_line(byzanz_pb2.ByzanzSeat()))
    full = json.loads(write_line(byzanz_pb2.ByzanzSeat(hand_size=4, passed=True, face_down=1)))
    names = ["handSize", "points", "passed", "offer", "laid", "kept", "faceDown", "known"]
    assert list(empty) == list(full) == names
    assert empty == {
        **dict.fromkeys(names, 0),
        "passed": False,
        "laid": [],
        "kept": [],
        "known": [],
    }


def test_what_can_be_absent_is_absent():
    """A seat 0 that is known is written, a leader that there is not is left out."""
    seen = json.loads(write_line(byzanz_pb2.ByzanzObservation(seat=0)))
    assert seen["seat"] == 0
    assert not {"toAct", "leader", "firstPasser"} & seen.keys()


def test_a_value_from_a_later_protocol_is_its_number():
    """An enum's value without a name here does not stop anybody."""
    assert '"type":99' in write_line(byzanz_pb2.ByzanzMove(type=99))  # type: ignore[arg-type]


def test_messages_of_plug_ins():
    """With their fields where their package is installed, else as bytes."""
    decision = play_pb2.Decision()
    decision.other.Pack(Duration(seconds=3))
    other = json.loads(write_line(decision))["other"]
    assert other == {"@type": "type.googleapis.com/google.protobuf.Duration", "value": "3s"}
    decision.other.type_url = "type.googleapis.com/never.Heard"
    other = json.loads(write_line(decision))["other"]
    assert other == {"@type": "type.googleapis.com/never.Heard", "value": "CAM="}


@pytest.mark.parametrize(
    "line",
    [
        EXAMPLE,
        '{"answers":{"answers":[{"match_id":"m1","decision_id":3,"move_index":2}]}}',
        ' { "answers" : {"answers":[ {"matchId":"m1","decisionId":"3","moveIndex":2.0} ]} } \r\n',
    ],
)
def test_both_spellings_are_read(line):
    """As all readers of proto3 JSON do, with spaces and numbers as they like."""
    request = read_line(line.encode(), 1)
    answer = play_pb2.Answer(match_id="m1", decision_id=3, move_index=2)
    assert list(request.answers.answers) == [answer]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"thinking about it", r"is not JSON \(Expecting value\): thinking about it\nWrite"),
        (b'{"answers":', r"is not JSON \(Expecting value\)"),
        (b'{"a":"' + 100 * b"x", r"is not JSON \(.*\): .{60}…\n"),
        (b"[" * 100_000, r"is not JSON \(nested too deeply\)"),
        (b'{"a":"\xff"}', r"is not UTF-8: invalid start byte at byte 6$"),
        (b"[]", r"is not a PlayRequest \(an object with hello, answers or leave\)"),
        (b"3", r"is not a PlayRequest \(an object with"),
        (b'{"answers":[]}', r"is not a PlayRequest \(an object with"),
        (b'{"answers":null}', r"is not a PlayRequest \(an object with"),
        (b"{}", r"is not a PlayRequest \(none of hello, answers and leave\): \{\}\nAn answer"),
        (b'{"answer":{}}', r'no field named "answer"'),
        (b'{"answers":{"answers":[{"moveindex":2}]}}', r'no field named "moveindex".*moveIndex'),
        (b'{"answers":{"answers":[{"moveIndex":-1}]}}', r"out of range: -1"),
        (b'{"answers":{"answers":[{"moveIndex":1.5}]}}', r"integer: 1.5"),
        (b'{"hello":{},"leave":{}}', r"multiple"),
        (b'{"leave":{},"leave":{}}', r"duplicate key leave"),
        (b'{"hello":{"bot":3}}', r"bot field: must be a text in quotation marks"),
        (b'{"leave":{"reason":' + 5_000 * b"9" + b"}}", r"is not JSON \(a number is too long\)"),
    ],
)
def test_what_is_no_message_is_refused(line, told):
    """With the number of the line, what is wrong with it, and what one looks like."""
    with pytest.raises(ProgramError, match=rf"(?s)^line 7 of the program.s output .*{told}"):
        read_line(line, 7)
