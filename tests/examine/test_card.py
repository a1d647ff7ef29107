from __future__ import annotations

import json

from arena.examine.card import Mark, ReportCard, lines, mark_of
from arena.examine.finding import Finding, Verdict, Weight
from arena.v1 import play_pb2


def _finding(verdict: Verdict, level: Weight = Weight.MUST, game: str | None = None) -> Finding:
    return Finding(
        situation="start",
        title="starts",
        level=level,
        verdict=verdict,
        game=game,
        detail="it did not",
        meaning="it matters",
        advice="start it",
        last_words=("Traceback", "Error"),
        elapsed_s=0.5,
    )


def _card(*findings: Finding) -> ReportCard:
    return ReportCard("mine", play_pb2.Hello(version="2"), findings, 1.25)


def test_a_failure_says_why_and_what_to_do():
    """A finding that failed is followed by meaning, advice and the bot's last words."""
    texts = [line.text.strip() for line in lines(_finding(Verdict.FAILED, game="byzanz"))]

    assert texts == [
        "FAILED   byzanz: starts: it did not",
        "why it matters: it matters",
        "what to do: start it",
        "last lines it printed:",
        "| Traceback",
        "| Error",
    ]


def test_all_else_is_one_line():
    """What passed, or had nothing to examine, takes one line."""
    for verdict in (Verdict.PASSED, Verdict.NOT_APPLICABLE):
        assert len(list(lines(_finding(verdict)))) == 1


def test_only_what_must_be_makes_a_bot_unfit():
    """Warnings, notes and what is not applicable leave a bot fit; one failure does not."""
    fine = [
        _finding(Verdict.PASSED),
        _finding(Verdict.FAILED, Weight.SHOULD),
        _finding(Verdict.NOT_APPLICABLE),
        _finding(Verdict.PASSED, Weight.NOTE),
    ]

    assert [mark_of(finding) for finding in fine] == [
        Mark.PASSED,
        Mark.WARNING,
        Mark.NOT_APPLICABLE,
        Mark.NOTE,
    ]
    assert _card(*fine).is_fit
    assert not _card(*fine, _finding(Verdict.FAILED)).is_fit


def test_the_summary_counts_and_decides():
    """The last line counts what happened and says whether the bot is fit."""
    card = _card(_finding(Verdict.PASSED), _finding(Verdict.FAILED))

    assert card.summary() == "1 passed, 1 failed in 1.2 s: mine would not survive a tournament"


def test_the_card_as_json_holds_everything():
    """The JSON card names its format, the bot, whether it is fit, and every finding."""
    card = json.loads(json.dumps(_card(_finding(Verdict.FAILED)).to_json()))

    assert card["format"] == "arena-check/1"
    assert card["bot"]["name"] == "mine"
    assert card["bot"]["version"] == "2"
    assert card["fit"] is False
    assert card["findings"][0]["verdict"] == "failed"
    assert card["findings"][0]["last_words"] == ["Traceback", "Error"]
