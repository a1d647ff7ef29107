"""Flags about time and faults that mean the same wherever matches are played."""

from __future__ import annotations

import argparse

from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.referee.match import Conditions

_DEFAULT = TimeControl()
_POLICY = FaultPolicy()


def add_time_options(parser: argparse.ArgumentParser) -> None:
    """Add the time control and what faults cost."""
    parser.add_argument(
        "--move-time",
        type=float,
        default=_DEFAULT.move_time_s,
        metavar="SECONDS",
        help=f"for each decision (default: {_DEFAULT.move_time_s:g})",
    )
    parser.add_argument(
        "--bank",
        type=float,
        default=_DEFAULT.bank_s,
        metavar="SECONDS",
        help=f"reserve for a match, beyond the move time (default: {_DEFAULT.bank_s:g})",
    )
    parser.add_argument(
        "--start-timeout",
        type=float,
        default=_DEFAULT.start_timeout_s,
        metavar="SECONDS",
        help=f"until a bot must be ready (default: {_DEFAULT.start_timeout_s:g})",
    )
    parser.add_argument(
        "--no-timeout", action="store_true", help="let bots think as long as they like"
    )
    parser.add_argument(
        "--max-faults",
        type=int,
        default=_POLICY.max_faults,
        metavar="N",
        help=f"with the N-th fault a seat forfeits (default: {_POLICY.max_faults})",
    )


def conditions_from(args: argparse.Namespace) -> Conditions:
    """Return what the flags say; raises InputError."""
    move_time = None if args.no_timeout else args.move_time
    control = TimeControl(move_time, args.bank, args.start_timeout)
    return Conditions(control, FaultPolicy(args.max_faults))
