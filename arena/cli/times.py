"""Flags about time and faults that mean the same wherever matches are played."""

from __future__ import annotations

import argparse

from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.referee.match import Conditions

_DEFAULT = TimeControl()
_POLICY = FaultPolicy()


def add_time_options(parser: argparse._ActionsContainer) -> None:
    """Add the time control and what faults cost."""
    add_times(parser)
    add_max_faults(parser)


def add_times(parser: argparse._ActionsContainer, *, has_defaults: bool = True) -> None:
    """Add the time control; without defaults a flag that is not given is None."""
    for flag, default_s, meaning in (
        ("--move-time", _DEFAULT.move_time_s, "time for each decision"),
        ("--bank", _DEFAULT.bank_s, "extra time in each match, for decisions that take longer"),
        ("--start-timeout", _DEFAULT.start_timeout_s, "time for a bot to start and connect"),
    ):
        parser.add_argument(
            flag,
            type=float,
            default=default_s if has_defaults else None,
            metavar="SECONDS",
            help=f"{meaning} (default: {default_s:g})",
        )
    parser.add_argument(
        "--no-timeout", action="store_true", help="let bots think as long as they want"
    )


def add_max_faults(parser: argparse._ActionsContainer, *, has_defaults: bool = True) -> None:
    """Add what faults cost; likewise."""
    parser.add_argument(
        "--max-faults",
        type=int,
        default=_POLICY.max_faults if has_defaults else None,
        metavar="N",
        help=f"a seat forfeits the match at its Nth fault (default: {_POLICY.max_faults})",
    )


def conditions_from(args: argparse.Namespace) -> Conditions:
    """Return what the flags say; raises InputError."""
    move_time = None if args.no_timeout else args.move_time
    control = TimeControl(move_time, args.bank, args.start_timeout)
    return Conditions(control, FaultPolicy(args.max_faults))
