"""A person at the table: sees the table and types a move."""

from __future__ import annotations

import contextlib
import importlib
import shutil
import sys
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from arena.errors import FormatError, LeftError
from arena.games.game import AnyGame, Move
from arena.games.notation import type_name
from arena.inert import cells

_HINT = "Type a move or its number, or help."
_HELP = """\
Type the number of a move, the move itself, or the beginnings of its words. If
several moves fit, they are listed. Enter makes the move.
    Enter   (without anything) list all legal moves
    t       show the table again
    help    show this help
    q       leave the match"""


class Human:
    """A `Chooser` that asks on the terminal; raises LeftError if the person leaves."""

    def __init__(self, game: AnyGame, names: Sequence[str]) -> None:
        """Sit down; `names` are those of all seats."""
        self._game = game
        self._names = names
        self._told = False
        with contextlib.suppress(ImportError):
            importlib.import_module("readline")  # gives input() line editing where there is one

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        """Show the table and ask until a legal move is typed."""
        shown = [self._game.show_move(m, observation, self._names) for m in legal_moves]
        everything = range(len(legal_moves))
        self._show(observation)
        print(self._game.show_decision(observation, legal_moves, self._names))
        self._list(everything, legal_moves, shown)
        if not self._told:
            print(_HINT)
            self._told = True
        while True:
            match _ask(f"Your move (1-{len(legal_moves)})? "):
                case "q" | "quit":
                    raise LeftError("you left the match")
                case "t" | "table":
                    self._show(observation)
                case "help" | "?":
                    self._help()
                case "":
                    self._list(everything, legal_moves, shown)
                case typed:
                    found = self._find(typed, legal_moves, shown)
                    if len(found) == 1:
                        return legal_moves[found[0]]
                    self._list(found, legal_moves, shown)

    def _show(self, observation: Any) -> None:
        print()
        print(self._game.show_table(observation, self._names))
        print(self._game.show_hand(observation))

    def _help(self) -> None:
        print(_HELP)
        print(f"The moves of {self._game.title}, with the rules that they follow:")
        width = max(len(type_name(kind)) for kind in self._game.move_types)
        for kind in self._game.move_types:
            meaning = (kind.__doc__ or "").partition("\n")[0]
            print(f"    {type_name(kind):<{width}}  {meaning}".rstrip())

    def _find(self, typed: str, legal: Sequence[Move], shown: Sequence[str]) -> Sequence[int]:
        """Return the moves that may be meant by what was typed, or say why there are none."""
        if typed.isdecimal():
            number = int(typed[:9])
            if 1 <= number <= len(legal):
                return [number - 1]
            print(f"  The moves have the numbers 1 to {len(legal)}.")
            return ()
        try:
            move: Move = self._game.move_from_text(typed)
        except FormatError:
            pass
        else:
            if move in legal:
                return [legal.index(move)]
        words = typed.lower().split()
        found = [
            number
            for number, move in enumerate(legal)
            if _has_words(f"{self._game.move_to_text(move)} {shown[number]}", words)
        ]
        if not found:
            print("  No legal move fits that. Press Enter to list the moves, or type help.")
        return found

    def _list(self, numbers: Sequence[int], legal: Sequence[Move], shown: Sequence[str]) -> None:
        """List moves with their numbers, each kind in columns of its own."""
        for _, kind in groupby(numbers, key=lambda number: type(legal[number])):
            texts = [f"{number + 1:>4}  {shown[number]}" for number in kind]
            for line in _columns(texts, shutil.get_terminal_size().columns):
                print(line)


def _columns(texts: Sequence[str], width: int) -> list[str]:
    """Return lines with the texts one below the other, in as many columns as fit."""
    rows = 0
    taken = [cells(text) for text in texts]
    widths = [width + 3]  # too much
    while sum(widths) - 2 > width and rows < len(texts):
        rows += 1
        widths = [max(taken[start : start + rows]) + 2 for start in range(0, len(texts), rows)]
    lines = [""] * rows
    for number, text in enumerate(texts):
        lines[number % rows] += text + " " * (widths[number // rows] - taken[number])
    return [line.rstrip() for line in lines]


def _has_words(text: str, words: Sequence[str]) -> bool:
    parts = text.lower().split()
    return all(any(part.startswith(word) for part in parts) for word in words)


def _ask(prompt: str) -> str:
    sys.stdout.flush()
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        raise LeftError("the input ended") from None
