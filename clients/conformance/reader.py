"""Reads scenarios: every file of `scenarios/`, which clients/conformance/README.md explains."""

from __future__ import annotations

import base64
import tomllib
from pathlib import Path

from clients.conformance import messages
from clients.conformance.scenario import Connection, End, Network, Scenario, Tls
from clients.conformance.steps import Settled, read_send, read_steps
from clients.conformance.table import Table, Wrong

DIRECTORY = Path(__file__).resolve().parent / "scenarios"
PARTS = {
    "connecting": "Connecting",
    "deciding": "Deciding",
    "typed": "What a bot sees",
    "future": "Unknown messages and fields",
    "resuming": "Resuming",
    "failing": "Failing: an SDK never makes up a move",
    "leaving": "Leaving",
    "refused": "Refused",
    "settings": "Settings",
}
WITHIN_S = 5.0


class ScenarioError(Exception):
    """A scenario file says something that makes no sense; names the file and the place."""


def read_scenarios(directory: Path = DIRECTORY) -> list[Scenario]:
    """Return all scenarios, by part and name; raises ScenarioError."""
    found = [read_scenario(path) for path in sorted(directory.glob("*.toml"))]
    order = list(PARTS)
    return sorted(found, key=lambda scenario: order.index(scenario.part))


def read_scenario(path: Path) -> Scenario:
    """Return the scenario of a file; raises ScenarioError."""
    try:
        table = Table(tomllib.loads(path.read_text(encoding="utf-8")), "")
        scenario = _scenario(path.stem, table)
        table.finish()
    except (OSError, tomllib.TOMLDecodeError, messages.MessageError, Wrong) as error:
        raise ScenarioError(f"{path.name}: {error}") from None
    return scenario


def _scenario(name: str, table: Table) -> Scenario:
    part = table.take("part", str)
    if part not in PARTS:
        raise table.wrong(f"part must be one of {', '.join(PARTS)}, not {part!r}")
    behaviour = table.take("behaviour", str, "first")
    settled = Settled()
    return Scenario(
        name=name,
        title=table.take("title", str),
        why=table.take("why", str),
        part=part,
        environment={"CONFORMANCE": behaviour, **table.texts_by_name("environment")},
        flags=table.texts("flags"),
        network=table.named("network", {one.value: one for one in Network}, "unix"),
        tls=table.named("tls", {one.value: one for one in Tls}, "none"),
        is_long=table.take("long", bool, False),
        has_own_process=table.take("own_process", bool, False),
        is_listening=table.take("listening", bool, True),
        exceptions=table.texts_by_name("except"),
        connections=tuple(_connection(one, settled) for one in table.tables("connection")),
        end=_end(Table(table.take("end", dict), "end: ")),
    )


def _connection(table: Table, settled: Settled) -> Connection:
    before = read_steps(table.tables("before"), settled)
    hello = table.take("hello", dict, {})
    resume_token = settled.resume_token
    if table.has("resume_token"):
        resume_token = table.take("resume_token", str).encode()
    welcome = None
    if not table.take_false("welcome"):
        changes = table.take("welcome", dict, {})
        settled.welcomes += 1
        settled.resume_token = f"resume-{settled.welcomes}".encode()
        token = base64.b64encode(settled.resume_token).decode()
        welcome = read_send(table, "welcome", messages.welcome(token, changes))
    steps = read_steps(table.tables("steps"), settled)
    table.finish()
    return Connection(before, hello, resume_token, welcome, steps)


def _end(table: Table) -> End:
    exit_code = table.take("exit_code", int)
    end = End(
        exit_code=exit_code,
        within_s=table.take("within", float, WITHIN_S),
        stderr=table.texts("stderr"),
        not_stderr=table.texts("not_stderr"),
        not_stdout=table.texts("not_stdout"),
        written=table.texts("written"),
        stdout=table.texts("stdout") if table.has("stdout") else None,
        is_plain=table.take("plain", bool, exit_code != 1),  # 1: with a stack of the author's code
    )
    table.finish()
    return end
