"""`arena names`: whether a bot decides differently when the others have other names."""

from __future__ import annotations

import argparse
import dataclasses
import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.cli import DONE, WRONG
from arena.cli.builds import BuildView
from arena.cli.isolation import add_isolation, asked_isolation, confine, describe_isolation
from arena.cli.meter import Meter
from arena.cli.rate import add_database
from arena.cli.terminal import add_colour, add_help, is_coloured, styles
from arena.config.bot_spec import BotSpec, parse_bot
from arena.counted import counted
from arena.engines.asked_again import read_recorded
from arena.engines.names import Answers, NamesCheck, NamesReport, RecordedMatch
from arena.errors import InputError, ReplayError, ResultsError, UnknownBotError
from arena.inert import inert
from arena.launch.launcher import Launcher
from arena.results.archive import Archive, open_archive, read_bytes
from arena.results.export import release_of
from arena.results.replay_files import replay_path
from arena.server.loop import run_async
from arena.storage.records import StoredMatch

_MATCHES = 100
_WORDS = {"invented": "with invented names", "moved": "with the others' names moved"}
_LIMITS = (
    "This finds only what depends on names. Bots that recognise each other by how they play, or "
    "by anything else they see in a match, answer the same here."
)

_NOT_REPEATABLE = (
    "nothing can be told: the bot does not repeat its moves when it is asked the same. It must "
    "take its random numbers from the seed of the match, must not depend on time or on earlier "
    "matches, and must be the version that played"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena names`."""
    what = parser.add_argument_group("what is asked")
    what.add_argument("directory", metavar="DIR", help="the results of a complete tournament")
    what.add_argument(
        "--bot",
        required=True,
        metavar="BOT",
        help="the bot to ask again: its name in the tournament, or, if it is started in another "
        "way now, as for arena match (name=mine,cmd=./mybot)",
    )
    what.add_argument(
        "--matches",
        type=int,
        default=_MATCHES,
        metavar="N",
        help=f"ask N of its matches again, spread over the tournament (default: {_MATCHES})",
    )
    add_database(what)
    add_isolation(what)
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print one JSON object")
    output.add_argument("--quiet", action="store_true", help="do not show progress")
    add_colour(output)
    add_help(
        parser,
        "arena names results/cup --bot mine",
        "arena names results/cup --bot name=mine,cmd=./mybot --matches 500",
        group=output,
    )


def run(args: argparse.Namespace) -> int:
    """Ask again; return 1 if names matter, or if nothing can be told."""
    if args.matches < 1:
        raise InputError(f"--matches must be at least 1, not {args.matches}")
    is_shown = not (args.quiet or args.json)
    with open_archive(Path(args.directory), args.db) as archive:
        spec = _spec(archive, args.bot)
        _check_tournament(archive)
        versions = {bot.name: bot.version for bot in archive.tournament.bots}
        check = NamesCheck(archive.config, versions, spec)
        matches, unfit = _recorded(archive, check, spec.name, args.matches)
    with Meter(is_shown=is_shown) as meter:
        if spec.builtin is not None or not matches:
            report = check.ask_inline(matches, meter)
        else:
            report = _ask_launched(args, check, spec, matches, meter)
    report = replace(report, left_out={**unfit, **report.left_out})
    if args.json:
        value = dataclasses.asdict(report)
        print(json.dumps({"tournament": archive.tournament.name, **value}))
    else:
        heading, aside = styles(is_coloured(args.color))
        print(heading(f"{inert(report.bot)}, asked again"))
        for line in _lines(report, is_told_names=spec.builtin is None):
            print(line)
        print(aside(_LIMITS))
    is_sound = report.matches > 0 and report.is_repeatable and not report.depends_on_names
    return DONE if is_sound else WRONG


def _ask_launched(
    args: argparse.Namespace,
    check: NamesCheck,
    spec: BotSpec,
    matches: Sequence[RecordedMatch],
    meter: Meter,
) -> NamesReport:
    isolation = asked_isolation(args)
    confinement = confine(isolation, [spec], [args.directory])
    is_shown = not (args.quiet or args.json)
    if is_shown and (told := describe_isolation(isolation, [spec])):
        print(told, file=sys.stderr)

    async def ask() -> NamesReport:
        builds = BuildView(is_shown=is_shown)
        async with Launcher(None, builds=builds, confinement=confinement) as launcher:
            return await check.ask_launched(launcher, matches, meter)

    logging.disable(logging.CRITICAL)  # what the bot did wrong is in the report
    try:
        return run_async(ask())
    finally:
        logging.disable(logging.NOTSET)


def _spec(archive: Archive, text: str) -> BotSpec:
    """Return the bot to ask: as the tournament started it, or as the flag says."""
    entered = archive.config.bots
    try:
        specs = [entered[text]] if text in entered else parse_bot(text)
    except UnknownBotError:
        specs = []
    known = [spec for spec in specs if spec.name in entered]
    if not known:
        names = ", ".join(entered)
        raise InputError(f"--bot {text!r}: no bot of this tournament; the bots are: {names}")
    if len(known) > 1:
        raise InputError(
            f"{text} names {len(known)} bots of this tournament: choose one, "
            f"for example: --bot {text}:{known[0].name}"
        )
    spec = known[0]
    if spec.connected:
        raise InputError(
            f"bot {spec.name} connected by itself: give the command that starts it, "
            f"--bot name={spec.name},cmd=COMMAND"
        )
    return spec


def _check_tournament(archive: Archive) -> None:
    if not release_of(archive).is_complete:
        raise InputError(
            "the tournament is not complete: its deals are not shown to a bot again until then"
        )
    if not archive.config.shows_names:
        raise InputError("this tournament hid the names from its bots (--hide-names)")


def _recorded(
    archive: Archive, check: NamesCheck, bot: str, most: int
) -> tuple[list[RecordedMatch], dict[str, str]]:
    """Return so many matches of the bot, and why others of those chosen cannot be asked again."""
    played = [match for match in archive.matches if bot in match.fixture.bots]
    if not played:
        raise InputError(f"bot {bot} has not finished a match in this tournament")
    step = max(1.0, len(played) / most)
    chosen = [played[int(place * step)] for place in range(min(most, len(played)))]
    found, unfit = [], {}
    for match in chosen:
        name = match.fixture.match
        replay, path = _replay(archive, match)
        if replay is None:
            unfit[name] = "its replay is missing"
            continue
        try:
            recorded = read_recorded(replay)
        except ReplayError as error:
            raise ResultsError(path, error.reason, error.line) from None
        made = RecordedMatch(match.fixture, recorded)
        if not check.fits(made):
            raise ResultsError(path, "is not the replay of this match")
        if recorded.has_faults:
            unfit[name] = "a bot had a fault in it"
        else:
            found.append(made)
    return found, unfit


def _replay(archive: Archive, match: StoredMatch) -> tuple[bytes | None, Path]:
    name = match.fixture.match
    path = replay_path(archive.directory, name)
    if archive.store is not None:
        text = archive.store.replay(name)
        return None if text is None else text.encode(), path
    try:
        return read_bytes(path), path
    except FileNotFoundError:
        return None, path


def _lines(report: NamesReport, *, is_told_names: bool) -> list[str]:
    asked = f"{report.decisions:,} decisions of {counted(report.matches, 'match', 'es')}"
    lines = [f"asked again: {asked}"]
    if report.left_out:
        reasons = sorted(set(report.left_out.values()))
        number = counted(len(report.left_out), "match", "es")
        lines.append(f"left out: {number} ({'; '.join(map(inert, reasons))})")
    if not report.matches:
        return [*lines, "nothing can be told: no match could be asked again"]
    same = report.same
    if same.changed:
        lines += [
            f"with the same names: {same.changed:,} answers differ ({same.share:.1%})",
            *_examples(same),
            _NOT_REPEATABLE,
        ]
        return lines
    lines.append("with the same names: every answer is the recorded move")
    for answers in report.others:
        share = f"{answers.share:.1%}"
        if answers.ci95 is not None:
            share += f", 95 % interval {answers.ci95[0]:.1%} to {answers.ci95[1]:.1%}"
        lines.append(
            f"{_WORDS[answers.names]}: {answers.changed:,} answers differ ({share}), "
            f"in {counted(answers.changed_matches, 'match', 'es')}"
        )
        lines += _examples(answers)
    if report.depends_on_names:
        lines.append("the bot decides by the names of the others")
    elif is_told_names:
        lines.append("no answer depends on the names of the others")
    else:
        lines.append("built-in bots are never told the names of the others")
    return lines


def _examples(answers: Answers) -> list[str]:
    return [
        f"    match {example.match}, decision {example.decision}: "
        f"{json.dumps(example.answer)} instead of {json.dumps(example.recorded)}"
        for example in answers.examples
    ]
