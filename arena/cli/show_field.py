"""`arena show --field`: how much the standings depend on who else plays."""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from arena.cli.terminal import is_coloured, styles
from arena.inert import cells, cut, inert
from arena.rating.company import Companies, Company, Shift, compare_companies
from arena.rating.mix import HardestMix, MixShare, hardest_mix
from arena.rating.statistics import MIN_DEALS, tabulate
from arena.results.archive import Archive
from arena.results.export import rated_matches, release_of

_NAME_CELLS = 20
_SHIFTS = 10  # leads that depend on others; --json lists all
_GAP = "  "


def show_field(args: argparse.Namespace, archive: Archive) -> None:
    """Print the hardest mix, and the standings with and without each bot."""
    names = [bot.name for bot in archive.tournament.bots]
    table = tabulate(rated_matches(archive, release_of(archive)), names)
    mix, companies = hardest_mix(table), compare_companies(table)
    if args.json:
        print(json.dumps(_to_json(archive.tournament.name, table.deal_count, mix, companies)))
        return
    heading, aside = styles(is_coloured(args.color))
    width = max(shutil.get_terminal_size().columns, 40)

    def tell(lines: Iterable[str]) -> None:
        for line in lines:
            print("\n".join(textwrap.wrap(line, width, subsequent_indent="    ")))

    print(heading("the hardest mix of opponents"))
    tell([f"left out: {inert(mix.reason)}"] if mix.reason else [])
    for line in _mix_lines(mix, companies.means):
        print(line)
    print(heading("\nmean rank with / without the column's bot"))
    for line in _company_lines(companies, width):
        print(line)
    print(heading("\nleads that depend on who else plays"))
    tell(_shift_lines(companies))
    for part in textwrap.wrap(_NOTE, width):
        print(aside(part))


_NOTE = (
    "The hardest mix is the mix of bots that no bot finishes above in more than half of their "
    "meetings. Share above: how often a bot finishes above a bot drawn from it, a tie half. More "
    "copies of a bot do not change it. Mean ranks and their order do depend on who plays."
)


def _mix_lines(mix: HardestMix, means: Mapping[str, float]) -> Iterator[str]:
    if not mix.bots:
        return
    lines = (
        [_name(bot.name), f"{bot.weight:.0%}", _share_text(bot), f"{means[bot.name]:.2f}"]
        for bot in mix.bots
    )
    yield from _aligned([["bot", "in the mix", "share above", "mean rank"], *lines])


def _share_text(bot: MixShare) -> str:
    if bot.ci95 is None:
        return f"{bot.share:.0%}"
    return f"{bot.share:.0%} [{bot.ci95[0]:.0%}, {bot.ci95[1]:.0%}]"


def _company_lines(companies: Companies, width: int) -> Iterator[str]:
    """Yield one table, or several with a part of the columns where a terminal is too narrow."""
    if not companies.means:
        yield "no match that counts has been played"
        return
    first = [
        ["bot", "all"],
        *([_name(bot), f"{mean:.2f}"] for bot, mean in companies.means.items()),
    ]
    columns = [
        [_name(split.bot), *(_cell(split, bot) for bot in companies.means)]
        for split in companies.splits
    ]
    room = width - sum(max(map(cells, column)) + len(_GAP) for column in zip(*first, strict=True))
    while columns:
        taken, used = 0, 0
        while taken < len(columns):
            used += max(map(cells, columns[taken])) + (len(_GAP) if taken else 0)
            if taken and used > room:
                break
            taken += 1
        part, columns = columns[:taken], columns[taken:]
        yield from _aligned(
            [row + [column[place] for column in part] for place, row in enumerate(first)]
        )


def _cell(split: Company, bot: str) -> str:
    if bot == split.bot:
        return ""
    present, absent = (
        f"{side[bot]:.2f}" if bot in side else "–" for side in (split.present, split.absent)
    )
    return f"{present} / {absent}"


def _shift_lines(companies: Companies) -> Iterator[str]:
    if not companies.tested:
        yield f"too few deals to tell: it takes {MIN_DEALS} with a third bot, and as many without"
        return
    if not companies.shifts:
        yield f"none of {companies.tested}, as far as these deals can tell"
        return
    turned = [shift for shift in companies.shifts if shift.present * shift.absent < 0]
    for shift in turned[:_SHIFTS]:
        yield _shift_text(shift)
    if len(turned) > _SHIFTS:
        yield f"{len(turned) - _SHIFTS} more that turn round; --json lists all"
    if rest := len(companies.shifts) - len(turned):
        yield (
            f"{rest} of {companies.tested} leads become larger or smaller with a third bot; the "
            "same bot stays ahead (--json lists them)"
        )


def _shift_text(shift: Shift) -> str:
    first, second, bot = (inert(name) for name in (shift.first, shift.second, shift.bot))
    low, high = shift.ci95
    return (
        f"{first} over {second}: {shift.present:+.2f} ranks with {bot}, {shift.absent:+.2f} "
        f"without; difference {shift.present - shift.absent:+.2f} [{low:+.2f}, {high:+.2f}]"
    )


def _name(name: str) -> str:
    return cut(inert(name), _NAME_CELLS)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows with their columns in line, the first one to the left."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        room = [" " * (width - cells(text)) for text, width in zip(row, widths, strict=True)]
        others = (space + text for text, space in zip(row[1:], room[1:], strict=True))
        yield _GAP.join([row[0] + room[0], *others]).rstrip()


def _to_json(
    tournament: str, deals: int, mix: HardestMix, companies: Companies
) -> dict[str, object]:
    return {
        "tournament": tournament,
        "deals": deals,
        "mix": [dataclasses.asdict(bot) for bot in mix.bots],
        "reason": mix.reason,
        "mean_ranks": dict(companies.means),
        "company": [dataclasses.asdict(split) for split in companies.splits],
        "shifts": [dataclasses.asdict(shift) for shift in companies.shifts],
        "tested": companies.tested,
    }
