"""Runs scenarios against the conformance bot of an SDK."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from arena.examine.proxy import Proxy
from arena.examine.scripted import ScriptedArena
from clients.conformance.certificates import certificates, credentials, openssl
from clients.conformance.director import Director, Failure
from clients.conformance.expectation import finds
from clients.conformance.program import Process, Program
from clients.conformance.scenario import End, Network, Output, Scenario, Tls
from clients.conformance.sdks import SERIES, Sdk, SdkError, resolve
from clients.conformance.series import Series, can_share

AT_ONCE = 4  # scenarios in processes of their own; they mostly wait, but starting a program costs
SHARED_AT_ONCE = 2  # of a series: each of its processes starts, loads and compiles all once more
PREFIX = "arena_client: "

_OPTIONS = [("grpc.max_receive_message_length", -1)]
_OWN_LINE = re.compile(r"(ended|deciding|decided) .+")  # what the conformance bot prints to stdout


@dataclass(frozen=True, slots=True)
class Subject:
    """What is tested.

    Attributes:
        language: the name its SDK goes by in hellos.
        command: of the bot's program.
        directory: where it is run.
        series: a command that plays the bot again and again in one process; empty if there is none.
    """

    language: str
    command: tuple[str, ...]
    directory: Path
    series: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a scenario went; without a failure it passed."""

    scenario: Scenario
    failure: str | None
    stdout: str
    stderr: str
    seconds: float

    @property
    def has_passed(self) -> bool:
        """Whether everything was as expected."""
        return self.failure is None


def subject_of(sdk: Sdk) -> Subject:
    """Return the conformance bot of an SDK."""
    command = tuple(resolve(sdk.programs["conformance_bot"]))
    series = tuple(resolve(sdk.programs.get(SERIES, ())))
    return Subject(sdk.name, command, sdk.directory, series)


def left_out(language: str, scenario: Scenario) -> str | None:
    """Return why a scenario is not run for a language; None if it is.

    Raises SdkError for what must be there if ARENA_REQUIRE_ALL is set.
    """
    if scenario.tls is not Tls.NONE and openssl() is None:
        if os.environ.get("ARENA_REQUIRE_ALL"):
            raise SdkError("openssl is missing: install it, scenarios with TLS need certificates")
        return "openssl is missing"
    return scenario.exceptions.get(language)


async def run_all(subject: Subject, scenarios: Iterable[Scenario]) -> AsyncIterator[Result]:
    """Run scenarios, some at once, without those left_out() names; yields results as they come."""
    places = asyncio.Semaphore(AT_ONCE)
    shared = asyncio.Semaphore(SHARED_AT_ONCE)
    series = Series(subject.series, subject.directory)

    async def run(scenario: Scenario) -> Result:
        async with shared if _shares(subject, scenario) else places:
            return await run_scenario(subject, scenario, series)

    asked = [scenario for scenario in scenarios if left_out(subject.language, scenario) is None]
    asked.sort(key=lambda scenario: not scenario.is_long)  # so that the others fill the time
    if any(scenario.tls is not Tls.NONE for scenario in asked):
        certificates()
    tasks = [asyncio.ensure_future(run(scenario)) for scenario in asked]
    async with series:
        try:
            for done in asyncio.as_completed(tasks):
                yield await done
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def run_scenario(subject: Subject, scenario: Scenario, series: Series) -> Result:
    """Run one scenario: in the subject's series if it has one and the scenario can share it."""
    directory = Path(tempfile.mkdtemp(prefix="arena-conformance-"))
    started = monotonic()
    behind = f"{directory}/behind"
    near = "127.0.0.1:0" if scenario.network is Network.TCP else f"unix:{directory}/arena"
    try:
        async with (
            ScriptedArena(behind, credentials(scenario.tls, directory), _OPTIONS) as arena,
            Proxy(near, f"unix:{behind}") as proxy,
        ):
            if not scenario.is_listening:
                proxy.close()
            places = {
                "{address}": proxy.address,
                "{port}": proxy.address.rpartition(":")[2],
                "{directory}": str(directory),
            }
            async with _program(subject, scenario, series, places) as program:
                failure = await _play(subject, scenario, arena, proxy, program)
                if failure is None:
                    program.release()
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return Result(
        scenario,
        failure,
        program.written(Output.STDOUT),
        program.written(Output.STDERR),
        monotonic() - started,
    )


def _program(
    subject: Subject, scenario: Scenario, series: Series, places: Mapping[str, str]
) -> AbstractAsyncContextManager[Program]:
    def filled(text: str) -> str:
        for place, value in places.items():
            text = text.replace(place, value)
        return text

    texts = {"ARENA_ADDRESS": "{address}", **scenario.environment}
    variables = {name: filled(value) for name, value in texts.items()}
    flags = [filled(flag) for flag in scenario.flags]
    if _shares(subject, scenario):
        return series.turn(variables, flags)
    return Process([*subject.command, *flags], subject.directory, variables)


def _shares(subject: Subject, scenario: Scenario) -> bool:
    return bool(subject.series) and can_share(scenario)


async def _play(
    subject: Subject, scenario: Scenario, arena: ScriptedArena, proxy: Proxy, program: Program
) -> str | None:
    """Return what went wrong; None if nothing did."""
    director = Director(scenario, subject.language, arena, proxy, program)
    try:
        await director.play()
        exit_code = await director.finish()
        if await program.settle():
            raise Failure("a process that the program started outlives it")
    except Failure as failure:
        return str(failure)
    finally:
        director.close()
    stdout, stderr = program.written(Output.STDOUT), program.written(Output.STDERR)
    return _check_end(scenario.end, exit_code, stdout, stderr, proxy.address) or _check_secrets(
        scenario, stdout + stderr
    )


def _check_end(end: End, exit_code: int, stdout: str, stderr: str, address: str) -> str | None:
    if exit_code != end.exit_code:
        return f"the exit code is {exit_code} instead of {end.exit_code}"
    for text in end.stderr:
        if not finds(_filled(text, address), stderr):
            return f"stderr lacks {text!r}"
    for name, written, unwanted in (
        ("stderr", stderr, end.not_stderr),
        ("stdout", stdout, end.not_stdout),
    ):
        for text in unwanted:
            if finds(text, written):
                return f"{name} holds {text!r}"
    for text in end.written:
        if not finds(text, stdout + stderr):
            return f"neither stdout nor stderr holds {text!r}"
    if end.is_plain:
        for line in stderr.splitlines():
            if not line.startswith(PREFIX):
                return f"a line of stderr does not begin with {PREFIX!r}: {line!r}"
    return None if end.written else _check_stdout(end.stdout, stdout.splitlines())


def _filled(text: str, address: str) -> str:
    """Return a text that must be found with the address put in, as text or within a pattern."""
    return text.replace("{address}", re.escape(address) if text.startswith("~") else address)


def _check_stdout(expected: Sequence[str] | None, lines: Sequence[str]) -> str | None:
    if expected is None:
        foreign = [line for line in lines if not _OWN_LINE.fullmatch(line)]
        return f"stdout belongs to the author, but holds {foreign[0]!r}" if foreign else None
    if list(lines) != list(expected):
        return f"stdout is {list(lines)!r} instead of {list(expected)!r}"
    return None


def _check_secrets(scenario: Scenario, written: str) -> str | None:
    token = scenario.environment.get("ARENA_TOKEN", "")
    return "the token was printed" if token and token in written else None
