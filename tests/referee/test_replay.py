from __future__ import annotations

import json
from typing import Any

import pytest
from highcard.rules import Buried, Bury, Drawn, HighCard, StockShuffled
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ReplayError
from arena.games.game import Outcome, Seat
from arena.games.registry import get_game
from arena.referee.faults import Fault
from arena.referee.replay import FORMAT, Entrant, Header, Recording, Step, read_lines
from tests.recorded import record, seed_of

GAME = HighCard()
TABLES = [
    (name, seats) for name in ("byzanz", "schwarzmarkt") for seats in get_game(name).table_sizes
]

MATCH_FIELDS = [
    "type",
    "format",
    "arena",
    "game",
    "options",
    "match",
    "deal",
    "seed",
    "relabel",
    "players",
    "seats",
    "setup",
]
SETUP_FIELDS = {
    "byzanz": ["hands", "removed", "deck"],
    "schwarzmarkt": ["hands", "black_market_hands", "goods_pile", "black_market_pile"],
}


def new_recording(*steps: Step, seed: bytes | None = b"\x01" * 32) -> Recording:
    seats = [Entrant("greedy", "1"), Entrant("gründlich", "2"), Entrant("c", "3")]
    setup = {"hands": [], "stock": ["red-1"]}
    header = Header("0.9", "highcard", {}, "m7", "d3", seed, ("red", "blue"), seats, setup)
    recording = Recording(GAME, lambda: header)
    recording.steps += steps
    return recording


def written(*steps: Step) -> list[str]:
    return list(new_recording(*steps).lines())


def recorded(name: str, seats: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record(get_game(name), seats, 2).splitlines()]


class TestWriting:
    def test_the_match_line(self):
        """The first line holds everything settled before the first move, in this order."""
        assert written() == [
            '{"type":"match","format":"arena-replay/1","arena":"0.9","game":"highcard",'
            '"options":{},"match":"m7","deal":"d3","seed":"' + "01" * 32 + '",'
            '"relabel":["red","blue"],"players":3,"seats":[{"bot":"greedy","version":"1"},'
            '{"bot":"gründlich","version":"2"},{"bot":"c","version":"3"}],'
            '"setup":{"hands":[],"stock":["red-1"]}}'
        ]

    def test_a_constructed_deal(self):
        """Without a seed the field is null."""
        assert json.loads(new_recording(seed=None).text())["seed"] is None

    def test_a_move(self):
        """A move has its number, seat, number of legal moves and milliseconds."""
        assert written((2, Bury(0), 17, 0.00123456, None, None, ()))[1] == (
            '{"type":"move","n":1,"seat":2,"move":{"type":"bury","card":"red-1"},'
            '"legal":17,"ms":1.235}'
        )

    @given(st.integers(0, 10**9), st.sampled_from([1.0, 10.0, 1e3, 2e3, 1e4, 1e9, 3.0]))
    def test_milliseconds(self, number, divisor):
        """Up to thirty years are rounded to thousandths and written as the shortest number."""
        line = written((0, Bury(0), 2, number / divisor, None, None, ()))[1]

        assert line.endswith(f'"ms":{round(number / divisor * 1000, 3)!r}}}')

    def test_a_forced_move(self):
        """`forced` is there exactly when there was one legal move."""
        line = written((0, Bury(0), 1, 0.0, None, None, ()))[1]

        assert line.endswith('"legal":1,"forced":true,"ms":0.0}')

    def test_a_fault_and_a_note(self):
        """A substituted move names the fault; a note is kept as it is."""
        line = written((0, Bury(0), 2, 0.0, Fault.TIMEOUT, 'so "ö"\n', ()))[1]

        assert line.endswith('"legal":2,"fault":"timeout","ms":0.0,"note":"so \\"ö\\"\\n"}')

    def test_an_empty_note(self):
        """A note that says nothing is left out."""
        assert "note" not in written((0, Bury(0), 2, 0.0, None, "", ()))[1]

    def test_chance(self):
        """Outcomes of chance are numbered on, behind their move; other events are not written."""
        events = [Buried(Seat(0), 0), StockShuffled((1, 0)), Drawn(Seat(0), 1)]
        lines = written(
            (0, Bury(0), 2, 0.0, None, None, events), (1, Bury(3), 2, 0.0, None, None, ())
        )

        assert lines[2] == (
            '{"type":"chance","n":2,"what":"shuffle","pile":"stock","order":["red-2","red-1"]}'
        )
        assert json.loads(lines[3])["n"] == 3

    def test_the_outcome(self):
        """The last line has scores, ranks and how each seat ended."""
        recording = new_recording()
        recording.ending = Outcome((3, 0, 3), (1, 3, 1)), (None, Fault.CRASH, None)

        assert list(recording.lines())[1] == (
            '{"type":"outcome","scores":[3,0,3],"ranks":[1,3,1],'
            '"ended":["normal","forfeit:crash","normal"]}'
        )

    def test_the_whole_file(self):
        """Every line ends with a line feed."""
        recording = new_recording((0, Bury(0), 2, 0.0, None, None, ()))

        assert recording.text() == "".join(line + "\n" for line in recording.lines())


@pytest.mark.parametrize(("name", "seats"), TABLES)
class TestRecordedMatches:
    """What the match loop writes has the format `arena-replay/1`, field by field."""

    def test_the_match_line(self, name, seats):
        """All fields are there, in order, and describe the match."""
        line = recorded(name, seats)[0]
        game = get_game(name)

        assert list(line) == MATCH_FIELDS
        assert line["type"] == "match"
        assert line["format"] == FORMAT == "arena-replay/1"
        assert line["game"] == name
        assert line["options"] == {}
        assert (line["match"], line["deal"]) == ("m2", "d2")
        assert line["seed"] == seed_of(2).hex()
        assert line["relabel"] == list(game.kinds)
        assert line["players"] == seats
        assert line["seats"] == [{"bot": f"bot-{s}", "version": "1"} for s in range(seats)]
        assert list(line["setup"]) == SETUP_FIELDS[name]
        assert line["setup"] == game.setup_to_json(game.setup(seed_of(2), seats))

    def test_types_and_numbers_of_lines(self, name, seats):
        """Match first, outcome last, between them moves and chance, counted together from 1."""
        lines = recorded(name, seats)
        between = lines[1:-1]

        assert [line["type"] for line in (lines[0], lines[-1])] == ["match", "outcome"]
        assert {line["type"] for line in between} <= {"move", "chance"}
        assert between[0]["type"] == "move"
        assert [line["n"] for line in between] == list(range(1, len(lines) - 1))

    def test_move_lines(self, name, seats):
        """A move has exactly its fields, and is forced exactly when `legal` is 1."""
        moves = [line for line in recorded(name, seats) if line["type"] == "move"]
        for line in moves:
            forced = ["forced"] if line["legal"] == 1 else []
            assert list(line) == ["type", "n", "seat", "move", "legal", *forced, "ms"]
            assert line.get("forced", True) is True
            assert line["seat"] in range(seats)
            assert isinstance(line["ms"], float)
            assert line["ms"] >= 0

    def test_chance_lines(self, name, seats):
        """Chance lines say what was decided, in order, behind the move that caused it."""
        lines = recorded(name, seats)
        for index, line in enumerate(lines):
            if line["type"] != "chance":
                continue
            cause = next(
                before["move"] for before in reversed(lines[:index]) if before["type"] == "move"
            )
            if line["what"] == "draw":
                assert list(line) == ["type", "n", "what", "from", "good"]
                assert (cause["card"], cause["target"]) == ("old_debt", line["from"])
            else:
                assert list(line) == ["type", "n", "what", "pile", "order"]
                assert line["what"] == "shuffle"
                assert line["pile"] in ("goods", "black_market")
                if line["pile"] == "black_market":
                    assert lines[index - 1]["pile"] == "goods"
        whats = [line.get("pile") for line in lines if line["type"] == "chance"]
        assert whats.count("black_market") == (name == "schwarzmarkt")

    def test_the_outcome_line(self, name, seats):
        """The outcome has exactly its fields, an entry a seat."""
        line = recorded(name, seats)[-1]

        assert list(line) == ["type", "scores", "ranks", "ended"]
        assert [len(line[field]) for field in ("scores", "ranks", "ended")] == [seats] * 3
        assert line["ended"] == ["normal"] * seats

    def test_the_text(self, name, seats):
        """A file is compact JSON, one object a line, each line ended."""
        text = record(get_game(name), seats, 2)

        assert text.endswith("}\n")
        for line in text.splitlines():
            compact = json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":"))
            assert compact == line


class TestReading:
    def test_lines_are_numbered_from_one(self):
        """Each object comes with the number of its line."""
        assert list(read_lines(b'{"a":1}\n{}\n')) == [(1, {"a": 1}), (2, {})]

    def test_the_last_line_end_may_be_missing(self):
        """A file that was cut exactly before its last line feed is complete."""
        assert [number for number, _ in read_lines(b"{}\n{}")] == [1, 2]

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            (b"", "not a line of JSON"),
            (b"[]", "not a JSON object"),
            (b"1", "not a JSON object"),
            (b'{"a":1', "column 7"),
            (b'{"a":1}{}', "column 8"),
            (b'{"a":1,"a":1}', "twice"),
            (b'{"b":{"a":1,"a":2}}', "twice"),
            (b'{"a":NaN}', "NaN"),
            (b'{"a":-Infinity}', "Infinity"),
            (b'{"a":"\xff"}', "not UTF-8"),
            (b"\xef\xbb\xbf{}", "BOM"),
            (b"{'a':1}", "column 2"),
            (b'{"a":"\t"}', "control character"),
            pytest.param(b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}", "deep", id="deep"),
            pytest.param(b'{"a":' + b"9" * 5_000 + b"}", "digits", id="digits"),
        ],
    )
    def test_strict_json(self, line, reason):
        """Anything but one strict JSON object is refused, with the line and the reason."""
        lines = read_lines(b"{}\n" + line + b"\n{}\n")
        next(lines)

        with pytest.raises(ReplayError, match=reason) as caught:
            next(lines)
        assert caught.value.line == 2
