"""The exam: all situations in their order, each with a deadline, whatever the bot does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from arena.config.bot_spec import BotSpec
from arena.errors import BuildError, InputError, LaunchError, ShortcomingError
from arena.examine import connection, matches, process, rare_messages
from arena.examine.candidate import Candidate
from arena.examine.card import ReportCard
from arena.examine.finding import Finding, Report, Verdict, Weight, failed
from arena.examine.host import Host
from arena.examine.scripted import ScriptedArena
from arena.examine.situation import ExamState, Situation
from arena.games.game import AnyGame
from arena.launch.build import BuildWatcher
from arena.launch.confinement import Confinement
from arena.launch.keeper import Keeper
from arena.launch.launcher import Launcher
from arena.referee.match import Conditions

OnFinding = Callable[[Finding], None]

_SHORT_S, _LONG_S = 20.0, 60.0
_SHORT_DECISIONS, _LONG_DECISIONS = 20, 150
_PATIENT_S = 600.0  # where there is no move time


@dataclass(frozen=True, slots=True)
class ExamPlan:
    """Whom to examine, in what, under which rules."""

    spec: BotSpec
    games: Sequence[AnyGame]  # the bot is examined in those of them that it plays
    conditions: Conditions
    demanded: Sequence[str] = ()  # games that it must play
    confinement: Confinement | None = None


async def examine(
    plan: ExamPlan,
    on_finding: OnFinding = lambda _finding: None,
    builds: BuildWatcher | None = None,
) -> ReportCard:
    """Examine a bot and return its report card; every finding is also told at once.

    Takes bounded time whatever the bot does, and leaves no process behind.
    """
    keeper = Keeper()
    with keeper.temporary_directory("arena-") as directory:
        logs = directory / "logs"
        scripted = ScriptedArena(f"{directory}/exam.sock")
        opening = Launcher(logs, builds=builds, confinement=plan.confinement, keeper=keeper)
        async with opening as launcher, scripted:
            state = ExamState(
                candidate=Candidate(launcher, plan.spec),
                scripted=scripted,
                conditions=plan.conditions,
                games=plan.games,
                log=logs / f"{plan.spec.name}.stderr",
            )
            exam = _Exam(state, on_finding)
            started = time.monotonic()
            is_built = await exam.build(launcher)
            build_s = time.monotonic() - started if plan.spec.build else None
            started = time.monotonic()
            if is_built:
                await exam.run(plan.demanded)
            await state.reset()
    elapsed_s = time.monotonic() - started
    findings = tuple(exam.findings)
    return ReportCard(plan.spec.name, state.hello, findings, elapsed_s, exam.is_complete, build_s)


class _Exam:
    """One run through all situations."""

    def __init__(self, state: ExamState, on_finding: OnFinding) -> None:
        self.findings: list[Finding] = []
        self.is_complete = False
        self._state = state
        self._on_finding = on_finding
        self._weak: set[str] = set()  # games that it does not play to the end

    async def build(self, launcher: Launcher) -> bool:
        """Build the bot, which has a time limit of its own; return whether that went well."""
        started = time.monotonic()
        try:
            await launcher.build(self._state.candidate.spec)
        except (InputError, LaunchError) as error:
            printed = error.printed if isinstance(error, BuildError) else ()
            detail = error.reason if isinstance(error, BuildError) else str(error)
            report = failed(detail, "check that its build commands work outside arena")
            report = replace(report, last_words=printed)
            self._note(process.STARTS, None, report, time.monotonic() - started)
            return False
        return True

    async def run(self, demanded: Sequence[str]) -> None:
        """Go through everything; what depends on a situation that failed is left out."""
        if not await self._examine(process.STARTS):
            return
        await self._examine(process.INTRODUCES)
        missing = set(demanded) - {game.name for game in self._state.games}
        for name in sorted(missing):
            self._note(process.STARTS, None, _not_played(name), 0.0)
        ends = await self._examine(process.LEAVES_IDLE)
        await self._run_matches(ends)
        if self._sound_games:
            await self._run_script(ends)
            await self._examine(connection.RECONNECTS)
        await self._examine(process.PRINTS)
        self.is_complete = ends and not self._weak

    @property
    def _sound_games(self) -> list[AnyGame]:
        return [game for game in self._state.games if game.name not in self._weak]

    async def _run_matches(self, ends: bool) -> None:
        """Play real matches."""
        state = self._state
        async with Host(state.candidate, state.conditions, state.games) as host:
            state.host = host
            state.clocks = host.clocks
            for game in state.games:
                for situation in (matches.SMALLEST, matches.LARGEST):
                    if game.name not in self._weak and not await self._examine(situation, game):
                        self._weak.add(game.name)
                if game.name not in self._weak:
                    await self._examine(matches.MATERIAL, game)
            if self._sound_games:
                await self._examine(matches.SEVERAL)
                await self._examine(matches.AGAIN)
                await self._examine(process.WEIGHS)
            await self._examine(matches.TIME)
            if ends:
                await self._examine(process.LEAVES_AFTER_MATCHES)
        state.host = None
        await state.reset()

    async def _run_script(self, ends: bool) -> None:
        """Play by script."""
        for situation, game in self._scripted():
            await self._examine(situation, game)
        if ends:
            await self._examine(process.LEAVES_THINKING)
        await self._state.reset()

    def _scripted(self) -> Iterator[tuple[Situation, AnyGame]]:
        per_game = (
            rare_messages.ANSWERS,
            rare_messages.LONG_MOVE_LISTS,
            rare_messages.FIELDS,
            rare_messages.VALUES,
        )
        for situation in per_game:
            for game in self._sound_games:
                yield situation, game
        for situation in (
            rare_messages.MESSAGES,
            rare_messages.REJECTED,
            rare_messages.STARTED_AGAIN,
            rare_messages.LOST_MATCH,
            rare_messages.BATCHES,
        ):
            yield situation, self._sound_games[0]

    async def _examine(self, situation: Situation, game: AnyGame | None = None) -> bool:
        """Go through one situation; return whether the bot did not fail in it."""
        state = self._state
        started = time.monotonic()
        some_game = game or next(iter(self._sound_games), state.games[0])
        limit = self._deadline_s(situation)
        # A note cannot fail: what goes wrong in its course is worse than that.
        level = Weight.MUST if situation.level is Weight.NOTE else None
        try:
            async with asyncio.timeout(limit):
                report = await situation.examine(state, some_game)
        except TimeoutError:
            report = failed(
                f"did not finish within {limit:g} s", "make sure that it never waits forever", level
            )
        except ShortcomingError as error:
            report = failed(str(error), error.advice, level)
        except (InputError, LaunchError) as error:
            report = failed(str(error), "check that the command starts the bot", level)
        if report.verdict is Verdict.FAILED and report.last_words is None:
            report = replace(report, last_words=await state.candidate.last_words())
        about = game if situation.is_per_game else None
        self._note(situation, about, report, time.monotonic() - started)
        if report.verdict is Verdict.FAILED:
            await state.reset()
        return report.verdict is not Verdict.FAILED

    def _deadline_s(self, situation: Situation) -> float:
        """Return a limit that only a bot reaches which is slow beyond the rules or stuck."""
        control = self._state.conditions.control
        if control.move_time_s is None:
            return _PATIENT_S
        base, decisions = (
            (_LONG_S, _LONG_DECISIONS) if situation.is_long else (_SHORT_S, _SHORT_DECISIONS)
        )
        return base + control.start_timeout_s + control.bank_s + decisions * control.move_time_s

    def _note(
        self, situation: Situation, game: AnyGame | None, report: Report, elapsed_s: float
    ) -> None:
        finding = Finding(
            situation=situation.id,
            title=situation.title,
            level=report.level or situation.level,
            verdict=report.verdict,
            game=game.name if game else None,
            detail=report.detail,
            meaning=situation.meaning,
            advice=report.advice,
            last_words=report.last_words or (),
            elapsed_s=elapsed_s,
        )
        self.findings.append(finding)
        self._on_finding(finding)


def _not_played(name: str) -> Report:
    return failed(
        f"the hello does not name {name}, in which it is to be checked",
        f"add {name} to Hello.games, or leave the list empty",
        Weight.MUST,
    )
