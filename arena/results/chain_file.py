"""The file `chain.jsonl`: the chain over finished matches, which only ever grows.

    {"format":"arena-chain/1","link":"…","tournament":"spring"}
    {"link":"…","match":"1-3","place":1,"replay":"…","result":"…"}

The database is what it is made from. It is appended to after matches are stored, so that it never
says more than the database: not even after a kill, which may cut off its last line at most.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from arena.errors import FormatError, ReplayError, ResultsError
from arena.games.fields import read_int, read_object, read_text
from arena.referee.replay import read_lines
from arena.storage.chain import ChainLink, first_link
from arena.storage.records import TournamentRecord

CHAIN_FILE = "chain.jsonl"
FORMAT = "arena-chain/1"

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def chain_bytes(tournament: TournamentRecord, chain: Iterable[ChainLink]) -> bytes:
    """Return the whole file."""
    return head_line(tournament.name, first_link(tournament)) + link_lines(chain)


def head_line(tournament: str, first: str) -> bytes:
    """Return the first line."""
    return (_encode({"format": FORMAT, "tournament": tournament, "link": first}) + "\n").encode()


def link_lines(chain: Iterable[ChainLink]) -> bytes:
    """Return the lines of these links."""
    lines = (
        _encode(
            {
                "place": link.place,
                "match": link.match,
                "result": link.result,
                "replay": link.replay,
                "link": link.link,
            }
        )
        for link in chain
    )
    return "".join(line + "\n" for line in lines).encode()


def publish_chain(directory: Path, due: bytes) -> int:
    """Append to the file what is missing of it; return its size. Nobody else may be writing.

    Raises ResultsError if it says something else than the database: one of them is not what it was.
    """
    path = directory / CHAIN_FILE
    try:
        found = path.read_bytes() if path.exists() else b""
        if not due.startswith(found):
            lines = zip(found.split(b"\n"), due.split(b"\n"), strict=False)
            same = next((place for place, (one, other) in enumerate(lines) if one != other), 0)
            raise ResultsError(
                path,
                "does not agree with the database: one of them was rewritten, or the database is "
                "an older copy. Keep this file and restore the database that belongs to it. To go "
                "on with this database all the same, move the file away, and say so to whoever "
                "relies on these results",
                same + 1,
            )
        append_chain(path, due[len(found) :])
    except OSError as error:
        raise ResultsError(path, f"cannot be written: {error.strerror or error}") from None
    return len(due)


def append_chain(path: Path, lines: bytes) -> None:
    """Append lines durably."""
    if not lines:
        return
    with path.open("ab") as file:
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def read_chain(data: bytes, path: Path) -> tuple[str, Sequence[ChainLink]]:
    """Return what a file says: what the first match is linked to, and the links.

    A last line that is cut off is left out: its match is not told yet. Raises ResultsError.
    """
    data = data[: data.rfind(b"\n") + 1]
    first, chain = "", []
    try:
        for number, value in read_lines(data):
            try:
                if number == 1:
                    first = _read_head(value)
                else:
                    chain.append(_read_link(value))
            except FormatError as error:
                raise ResultsError(path, str(error), number) from None
    except ReplayError as error:
        raise ResultsError(path, error.reason, error.line) from None
    if not first:
        raise ResultsError(path, "is empty")
    return first, chain


def _read_head(value: dict[str, object]) -> str:
    fields = read_object(value, "the first line", ("format", "tournament", "link"))
    if fields["format"] != FORMAT:
        raise FormatError(f"format must be {FORMAT!r}, not {fields['format']!r}")
    read_text(fields["tournament"], "tournament")
    return read_text(fields["link"], "link")


def _read_link(value: dict[str, object]) -> ChainLink:
    names = ("match", "result", "replay", "link")
    fields = read_object(value, "the line", ("place", *names))
    return ChainLink(
        read_int(fields["place"], "place"), *(read_text(fields[name], name) for name in names)
    )
