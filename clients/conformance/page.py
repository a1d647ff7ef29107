"""docs/conformance.md: what every SDK is proved to do, made from the scenarios themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from clients.conformance.golden import read_golden
from clients.conformance.reader import PARTS
from clients.conformance.scenario import Scenario
from clients.conformance.sdks import Sdk

PATH = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"

_HEAD = """\
# Conformance

This page shows what every SDK does. {runner} runs a small bot in each language against a scripted \
arena and compares what the bot sends, what it prints and how it exits. [The contract]\
(../clients/README.md) says the same in prose. `python -m clients.conformance --write` writes this \
page, and only if everything passes.

```
make conformance                                              # all languages
python -m clients.conformance go rust                         # some of them
python -m clients.conformance go --scenario resume_twice      # one scenario
```

● passed, – does not apply to this SDK (see the note).
"""
_RUNNER = "[The runner](../clients/conformance/README.md)"
_FILES = "../clients/conformance/scenarios"


def page(scenarios: Sequence[Scenario], languages: Sequence[Sdk]) -> str:
    """Return the page of a run in which everything passed."""
    notes: list[str] = []
    lines = [_HEAD.format(runner=_RUNNER)]
    for part, title in PARTS.items():
        chosen = [scenario for scenario in scenarios if scenario.part == part]
        lines += [f"## {title}", "", *_table(chosen, languages, notes), ""]
    lines += ["## Golden messages", "", _golden(), ""]
    if notes:
        lines += ["## Notes", "", *(f"{i}. {note}" for i, note in enumerate(notes, 1)), ""]
    return "\n".join(lines)


def _table(
    scenarios: Sequence[Scenario], languages: Sequence[Sdk], notes: list[str]
) -> Iterator[str]:
    yield "| | " + " | ".join(sdk.title for sdk in languages) + " |"
    yield "|---|" + ":-:|" * len(languages)
    for scenario in scenarios:
        cells = [_cell(scenario, sdk, notes) for sdk in languages]
        what = f"[**{scenario.title}.**]({_FILES}/{scenario.name}.toml) {scenario.why}"
        yield f"| {what} | " + " | ".join(cells) + " |"


def _cell(scenario: Scenario, sdk: Sdk, notes: list[str]) -> str:
    reason = scenario.exceptions.get(sdk.name)
    if reason is None:
        return "●"
    notes.append(f"{sdk.title}, “{scenario.title}”: {reason}.")
    return f"– ({len(notes)})"


def _golden() -> str:
    return (
        f"There are {len(read_golden())} [messages](../clients/conformance/golden), each in binary "
        "and in JSON form. They cover every kind of message, every phase of both games, all "
        "events, and the usual pitfalls: fields that are set to 0, negative scores, empty lists, "
        "fractions of seconds, texts in many scripts. The codec of every SDK converts each form "
        "into the other, byte for byte. It also reads JSON with the names of the `.proto` files "
        "and enums as numbers, and answers invalid input with an error."
    )
