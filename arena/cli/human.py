"""A person at the table: sees the table, types a move, may take back what was typed."""

from __future__ import annotations

import contextlib
import importlib
import shutil
import sys
from collections.abc import Sequence
from typing import Any

from arena.errors import FormatError, LeftError
from arena.games.game import AnyGame, Move

_HELP = """\
Type a move's number, the move itself, or a few words of it (if several moves fit, they are listed).
    Enter   list all legal moves        t   show the table again        q   leave the match"""


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
        """Show the table and ask until a legal move is typed and confirmed."""
        self._show(observation)
        if not self._told:
            print(_HELP)
            self._told = True
        self._list(legal_moves, legal_moves)
        while True:
            typed = _ask(f"Your move (1-{len(legal_moves)})? ")
            if typed == "q":
                raise LeftError("you left the match")
            if typed == "t":
                self._show(observation)
            elif (move := self._choose(typed, legal_moves)) is not None:
                text = self._game.move_to_text(move)
                if _ask(f"  {text}   Enter: make it, u: undo typing? ") in ("", "y", "yes"):
                    return move
                print("  Not made.")

    def _show(self, observation: Any) -> None:
        print()
        print(self._game.show_table(observation, self._names))
        print(self._game.show_hand(observation))

    def _choose(self, typed: str, legal: Sequence[Move]) -> Move | None:
        """Return the move meant by what was typed, or say why there is none."""
        if typed.isdecimal():
            number = int(typed[:9])
            if 1 <= number <= len(legal):
                return legal[number - 1]
            print(f"  There are moves 1 to {len(legal)}.")
            return None
        try:
            move: Move = self._game.move_from_text(typed)
        except FormatError:
            pass
        else:
            if move in legal:
                return move
        words = typed.lower().split()
        found = [m for m in legal if _has_words(self._game.move_to_text(m), words)]
        if len(found) == 1 and words:
            return found[0]
        if found:
            self._list(found, legal)
        else:
            print("  No legal move like that; Enter lists them all.")
        return None

    def _list(self, moves: Sequence[Move], legal: Sequence[Move]) -> None:
        """List moves with their numbers, in columns."""
        texts = [f"{legal.index(m) + 1:>4}  {self._game.move_to_text(m)}" for m in moves]
        width = max(map(len, texts)) + 2
        columns = max(1, shutil.get_terminal_size().columns // width)
        rows = -(-len(texts) // columns)
        for row in range(rows):
            print("".join(f"{text:<{width}}" for text in texts[row::rows]).rstrip())


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
