"""Writing for people: colour where it can be seen, and a line that is written over."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from arena.inert import cells, cut, inert

_SEAT_COLOURS = (36, 33, 35, 32, 34, 31)

Style = Callable[[str], str]


def add_help(
    parser: argparse.ArgumentParser,
    *examples: str,
    group: argparse._ActionsContainer | None = None,
) -> None:
    """Add `--help`, to the last group if there are groups, and examples below everything."""
    (group or parser).add_argument("-h", "--help", action="help", help="print this help and exit")
    parser.epilog = "\n  ".join(["examples:" if len(examples) > 1 else "example:", *examples])


def add_colour(parser: argparse._ActionsContainer) -> None:
    """Add `--color`."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour the output (default: auto, only on a terminal)",
    )


def is_coloured(choice: str, stream: TextIO | None = None) -> bool:
    """Return whether to use colour: as asked, else on terminals that do not refuse it."""
    if choice != "auto":
        return choice == "always"
    stream = stream or sys.stdout
    refused = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not refused


def styles(coloured: bool) -> tuple[Style, Style]:
    """Return how to write headings and asides."""
    if not coloured:
        return str, str
    return (lambda text: f"\x1b[1m{text}\x1b[0m"), (lambda text: f"\x1b[2m{text}\x1b[0m")


def seat_names(names: Sequence[str], coloured: bool) -> list[str]:
    """Return a name for each seat, distinct and harmless, coloured by seat if asked."""
    shown = [f"{inert(name)}[{seat}]" for seat, name in enumerate(names)]
    if coloured:
        shown = [
            f"\x1b[{_SEAT_COLOURS[seat % len(_SEAT_COLOURS)]}m{name}\x1b[0m"
            for seat, name in enumerate(shown)
        ]
    return shown


class LiveLine:
    """A line of stderr that is written over, on a terminal only; nothing of it goes to a file."""

    def __init__(self, *, is_shown: bool) -> None:
        """Show something only if asked to."""
        self.is_live = is_shown and sys.stderr.isatty()
        self._width = 0

    def show(self, text: str) -> None:
        """Show this harmless text instead; "" before anything else is printed."""
        if not self.is_live or not (text or self._width):
            return
        text = cut(text, shutil.get_terminal_size().columns - 1)
        width = cells(text)
        rest = " " * (self._width - width)
        print(f"\r{text}{rest}\r{text}", end="", file=sys.stderr, flush=True)
        self._width = width
