"""Examining the bots of these tests: quick rules, one game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.config.bot_spec import BotSpec
from arena.examine.card import ReportCard
from arena.examine.exam import ExamPlan, _Exam, examine
from arena.examine.finding import Finding, Verdict
from arena.examine.situation import Situation
from arena.games.game import AnyGame
from arena.games.registry import get_game
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.referee.match import Conditions
from arena.server.loop import run_async

ROOT = Path(__file__).parents[2]
BAD_BOTS = Path(__file__).parent / "bad_bots"
EXAMPLES = ROOT / "clients" / "python" / "examples"


def rules(move_time_s: float = 1.5, start_timeout_s: float = 20.0) -> Conditions:
    return Conditions(TimeControl(move_time_s, 0.2, start_timeout_s), FaultPolicy())


def script_spec(path: Path) -> BotSpec:
    search = f"{ROOT}:{ROOT / 'clients' / 'python'}"
    return BotSpec(name=path.stem, command=(sys.executable, str(path)), env={"PYTHONPATH": search})


def examined(
    spec: BotSpec,
    games: Sequence[str] = ("byzanz",),
    table_rules: Conditions | None = None,
    demanded: Sequence[str] = (),
    left_out: Collection[str] = (),
) -> ReportCard:
    """Examine the bot in all situations but those that are left out, by their ids."""
    plan = ExamPlan(spec, [get_game(name) for name in games], table_rules or rules(), demanded)
    with examined_only_in(lambda situation: situation not in left_out):
        return run_async(examine(plan))


@contextmanager
def examined_only_in(is_chosen: Callable[[str], bool]) -> Iterator[None]:
    """Have bots pass in all situations but those that are chosen by their ids."""
    examine_in = _Exam._examine

    async def sit(exam: _Exam, situation: Situation, game: AnyGame | None = None) -> bool:
        return not is_chosen(situation.id) or await examine_in(exam, situation, game)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Exam, "_examine", sit)
        yield


def failures(card: ReportCard) -> dict[str, Finding]:
    """Return what the bot failed in, by the id of the situation."""
    return {
        finding.situation: finding for finding in card.findings if finding.verdict is Verdict.FAILED
    }
