from __future__ import annotations

from pathlib import Path

from arena.bridge.choices import refuse_choice
from arena.v1 import play_pb2

GOLDEN = Path(__file__).parents[2] / "clients" / "conformance" / "golden"


def sample(name):
    return play_pb2.PlayResponse.FromString((GOLDEN / f"{name}.binpb").read_bytes())


def test_the_legal_moves_are_listed_as_the_rules_write_them():
    """With their places, and what was asked by whom."""
    decision = sample("byzanz-decisions").decisions.decisions[0]
    started = sample("byzanz-match-started").match_started
    assert str(refuse_choice(started, decision, 6, 12)).splitlines() == [
        "line 12 of the program's output chose 6, which is not one of the 6 legal moves:",
        "  0: give spice-1",
        "  1: give wine-2",
        "  2: give grain-1",
        "  3: give grain-3",
        "  4: give olives-2",
        "  5: give trader",
        "(decision 1 of byzanz match m-1, seat 1 of 3; moveIndex counts from 0)",
    ]


def test_no_more_are_listed_than_somebody_wants_to_read():
    """The others are counted; of a game that is not known here, only places are."""
    decision = play_pb2.Decision(match_id="m", decision_id=1, legal_count=50)
    started = play_pb2.MatchStarted(match_id="m", game="unheard-of")
    lines = str(refuse_choice(started, decision, 50, 1)).splitlines()
    assert lines[1:41] == [f"  {place}: ?" for place in range(40)]
    assert lines[41] == "  … and 10 more"
