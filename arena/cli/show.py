"""`arena show`: a tournament's leaderboard, or how its bots did in it."""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
from pathlib import Path

from arena.cli import DONE
from arena.cli.meter import Meter
from arena.cli.rate import add_database
from arena.cli.show_field import show_field
from arena.cli.terminal import Style, add_colour, add_help, is_coloured, styles
from arena.counted import counted
from arena.errors import InputError, ResultsError
from arena.inert import cells, inert
from arena.rating.leaderboard import Leaderboard, Order, Standing
from arena.rating.standings import DEFAULT_MODEL
from arena.rating.versus import Versus, compare
from arena.referee.faults import ended_by
from arena.results.archive import Archive, open_archive, read_leaderboard
from arena.results.export import (
    PAGE_FILE,
    Release,
    make_board,
    rated_matches,
    release_of,
)
from arena.results.formats import leaderboard_text, leaderboard_value, rank_text
from arena.results.profile import BotMatch, BotProfile, DealSummary, make_profile

_SHOWN = 20  # matches, unless told otherwise
_DEALS = 3  # best ones, and worst ones
_LAST_LINES = 10  # of what a bot printed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena show`."""
    parser.add_argument("directory", metavar="DIR", help="a results directory")
    parser.add_argument(
        "--bot", metavar="NAME", help="show the matches, faults and deals of this bot"
    )
    parser.add_argument(
        "--matches",
        type=int,
        default=_SHOWN,
        metavar="N",
        help=f"with --bot: list its last N matches (default: {_SHOWN})",
    )
    parser.add_argument(
        "--versus",
        nargs=2,
        metavar=("A", "B"),
        help="compare two bots: how far A is ahead of B, with an interval",
    )
    parser.add_argument(
        "--field",
        action="store_true",
        help="show how the standings depend on who else plays",
    )
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="do not show progress")
    add_colour(parser)
    add_help(
        parser,
        "arena show results/cup",
        "arena show results/cup --bot mine",
        "arena show results/cup --versus mine other",
        "arena show results/cup --field",
    )


def run(args: argparse.Namespace) -> int:
    """Print the leaderboard, or one bot's part in it."""
    if args.matches < 0:
        raise InputError(f"--matches must be at least 0, not {args.matches}")
    if (args.bot is not None) + (args.versus is not None) + args.field > 1:
        raise InputError("give only one of --bot, --versus and --field")
    with open_archive(Path(args.directory), args.db) as archive:
        for name in args.versus or ([args.bot] if args.bot is not None else []):
            _check_bot(archive, name)
        if args.versus is not None:
            _show_versus(args, archive)
            return DONE
        if args.field:
            show_field(args, archive)
            return DONE
        with Meter(is_shown=not (args.quiet or args.json)) as meter:
            board, release = _board(archive, meter)
        if args.bot is None:
            _show_tournament(args, archive, board, release)
        else:
            _show_bot(args, archive, board)
    return DONE


def _check_bot(archive: Archive, name: str) -> None:
    names = [bot.name for bot in archive.tournament.bots]
    if name not in names:
        raise InputError(f"no bot {name!r} in this tournament; the bots are: {', '.join(names)}")


def _board(archive: Archive, meter: Meter) -> tuple[Leaderboard, Release]:
    """Return the leaderboard: the published one if it is up to date, or made anew."""
    release = release_of(archive)
    rated = len(rated_matches(archive, release))
    try:
        published = read_leaderboard(archive.directory)
        if (published.matches, published.model) == (rated, DEFAULT_MODEL):
            return published, release
    except (FileNotFoundError, ResultsError):  # `arena verify` says what is wrong with it
        pass
    return make_board(archive, release, on_progress=meter), release


# Two bots.


def _show_versus(args: argparse.Namespace, archive: Archive) -> None:
    first, second = args.versus
    if first == second:
        raise InputError(f"--versus needs two different bots, not {first!r} twice")
    names = [bot.name for bot in archive.tournament.bots]
    found = compare(rated_matches(archive, release_of(archive)), names, first, second)
    if args.json:
        value = {**dataclasses.asdict(found), "order": found.order and found.order.value}
        print(json.dumps({"tournament": archive.tournament.name, **value}))
        return
    heading, _ = styles(is_coloured(args.color))
    print(heading(f"{inert(first)} against {inert(second)}"))
    for line in _versus_lines(found):
        print(line)


def _versus_lines(found: Versus) -> list[str]:
    first, second = inert(found.first), inert(found.second)
    if not found.met:
        met = "they never played together"
    else:
        met = f"played together: {_matches(found.met)}; {first} above in {found.above}, "
        met += f"equal in {found.equal}, below in {found.below}"
    lines = [met]
    if found.ahead is None or found.values is None:
        return [*lines, found.reason]
    what = "mean rank" if found.order is Order.MEAN_RANK else "expected mean rank"
    lines.append(f"{what}, over all their matches: {found.values[0]:.2f} and {found.values[1]:.2f}")
    if found.ci95 is None or found.probability is None:
        return [*lines, found.reason]
    low, high = found.ci95
    lines.append(
        f"lead of {first}: {found.ahead:+.2f} ranks, 95 % interval [{low:+.2f}, {high:+.2f}], "
        f"from {counted(found.deals, 'deal')}"
    )
    sure = f"P({first} above {second}) = {found.probability:.3f}"
    if low <= 0 <= high:
        sure += ": too close to tell apart"
    return [*lines, sure]


# The whole tournament.


def _show_tournament(
    args: argparse.Namespace, archive: Archive, board: Leaderboard, release: Release
) -> None:
    page = archive.directory / PAGE_FILE
    if args.json:
        value = leaderboard_value(board) | {
            "complete": release.is_complete,
            "results": len(archive.matches),
            "page": str(page) if page.is_file() else None,
        }
        print(json.dumps(value))
        return
    heading, aside = styles(is_coloured(args.color))
    width = shutil.get_terminal_size().columns
    print(leaderboard_text(board, width, heading, aside), end="")
    print(_progress_line(archive, board, release))
    for bot in board.bots:
        _print_reasons(bot)
    if archive.parked:
        print(f"parked: {', '.join(fixture.match for fixture in archive.parked)}")
    if board.is_complete:
        print(f"seed: {inert(board.seed)}")
    else:
        print("seed: published when the tournament is complete")
    if page.is_file():
        print(f"page: {inert(str(page))}")


def _progress_line(archive: Archive, board: Leaderboard, release: Release) -> str:
    done, total = len(archive.matches), len(archive.fixtures)
    if board.settled_after is not None:
        state = f"settled after round {board.settled_after}"
    elif release.is_complete:
        state = "complete"
    else:
        state = "running" if archive.is_running else "not complete"
    return f"{done:,} of {_matches(total)} played, {state}"


def _matches(number: int) -> str:
    return counted(number, "match", "es")


def _print_reasons(bot: Standing) -> None:
    if not any(bot.faults.values()):
        return
    kinds = ", ".join(f"{count} {fault}" for fault, count in bot.faults.items() if count)
    print(f"faults of {inert(bot.name)}: {kinds}; {_matches(bot.forfeits)} forfeited")
    for reason in bot.reasons:
        if reason.detail:
            print(f"    {reason.count} × {reason.fault}: {inert(reason.detail)}")


# One bot.


def _show_bot(args: argparse.Namespace, archive: Archive, board: Leaderboard) -> None:
    standing = next(bot for bot in board.bots if bot.name == args.bot)
    profile = make_profile(archive.matches, args.bot)
    shown = profile.matches[max(0, len(profile.matches) - args.matches) :]
    stderr = archive.stderr(args.bot)
    if args.json:
        value = {
            "tournament": board.tournament,
            "standing": dataclasses.asdict(standing),
            "played": len(profile.matches),
            "matches": [_match_to_json(match) for match in shown],
            "deals": [dataclasses.asdict(deal) for deal in profile.deals],
            "faults": [
                {**dataclasses.asdict(kind), "fault": kind.fault.value} for kind in profile.faults
            ],
            "others": [
                {
                    "name": name,
                    "above": met.above,
                    "equal": met.equal,
                    "below": met.below,
                    "share": round(met.share, 4),
                }
                for name, met in profile.others
            ],
            "stderr": stderr,
        }
        print(json.dumps(value))
        return
    heading, aside = styles(is_coloured(args.color))
    _print_standing(standing, len(board.bots), heading)
    _print_faults(profile, stderr, heading)
    _print_deals(profile, heading)
    _print_others(profile, heading)
    _print_matches(profile, shown, heading, aside)


def _match_to_json(match: BotMatch) -> dict[str, object]:
    value = dataclasses.asdict(match)
    ended, faults = ended_by(value.pop("forfeit")), [fault.to_json() for fault in match.faults]
    return {**value, "ended": ended, "faults": faults}


def _print_standing(bot: Standing, bots: int, heading: Style) -> None:
    version = f" version {inert(bot.version)}" if bot.version else ""
    print(heading(f"{inert(bot.name)}{version}: rank {rank_text(bot)} of {bots}"))
    print(
        f"rating {bot.rating:.2f} (mu {bot.mu:.2f}, sigma {bot.sigma:.2f}), "
        f"{_matches(bot.matches)}, {bot.wins} won, mean rank {bot.mean_rank:.2f}, "
        f"mean score {bot.mean_score:.1f}"
    )
    counts = ", ".join(f"{count} × {rank + 1}." for rank, count in enumerate(bot.rank_counts))
    print(f"places: {counts}")


def _print_faults(profile: BotProfile, stderr: str, heading: Style) -> None:
    if profile.faults:
        print(heading("\nfaults"))
    for fault in profile.faults:
        detail = f": {inert(fault.detail)}" if fault.detail else ""
        cost = f", {counted(fault.forfeits, 'forfeit')}" if fault.forfeits else ""
        print(
            f"  {fault.count} × {fault.fault.value}{detail}{cost}; "
            f"first in match {fault.match}, move {fault.move}"
        )
    if stderr.strip():
        print(heading("\nlast lines it printed"))
        for line in stderr.splitlines()[-_LAST_LINES:]:
            print(f"  {inert(line)}")


def _print_deals(profile: BotProfile, heading: Style) -> None:
    def tell(what: str, deals: tuple[DealSummary, ...]) -> None:
        print(heading(f"\n{what} deals"))
        for deal in deals:
            print(
                f"  deal {deal.deal}: mean rank {deal.mean_rank:.2f}, score "
                f"{deal.mean_lead:+.1f} against the table, {_matches(deal.matches)}"
            )

    shown = min(_DEALS, (len(profile.deals) + 1) // 2)
    if shown:
        tell("best", profile.deals[:shown])
    if len(profile.deals) > 1:
        tell("worst", profile.deals[: -shown - 1 : -1])


def _print_others(profile: BotProfile, heading: Style) -> None:
    if not profile.others:
        return
    print(heading("\nagainst"))
    width = max(cells(inert(name)) for name, _ in profile.others)
    for name, met in profile.others:
        shown = inert(name)
        print(
            f"  {shown}{' ' * (width - cells(shown))}  {met.share:>4.0%}  {met.above} above, "
            f"{met.equal} equal, {met.below} below"
        )


def _print_matches(
    profile: BotProfile, shown: tuple[BotMatch, ...], heading: Style, aside: Style
) -> None:
    if not shown:
        return
    print(heading("\nmatches"))
    left = len(profile.matches) - len(shown)
    if left:
        earlier = f"{left} earlier match is" if left == 1 else f"{left} earlier matches are"
        print(aside(f"  {earlier} not listed (--matches {len(profile.matches)})"))
    width = max(len(match.match) for match in shown)
    for match in shown:
        bots = " ".join(
            f"[{inert(bot)}]" if seat == match.seat else inert(bot)
            for seat, bot in enumerate(match.bots)
        )
        faults = (
            f", faults: {', '.join(f.fault.value for f in match.faults)}" if match.faults else ""
        )
        print(
            f"  {match.match:<{width}}  rank {match.rank}  score {match.score:>4}  "
            f"{ended_by(match.forfeit)}{faults}  {bots}"
        )
