"""The file `manifest.json`: SHA-256 sums of the exports and the end of the chain; its signature.

    {"format":"arena-manifest/1","arena":"…","tournament":"…","complete":true,
     "chain":{"place":120,"link":"…"},"key":"ed25519:…","files":{"leaderboard.json":"…",…}}

The config is covered by timing.json, which has its digest; replays and results by the chain.
`key` is the public key of whoever signed, null without a signature. The signature in `manifest.sig`
is of the file's bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.errors import FormatError, ReplayError, ResultsError
from arena.games.fields import read_int, read_object, read_text
from arena.referee.replay import read_line
from arena.results.timing_file import digest
from arena.storage.chain import ChainLink

MANIFEST_FILE = "manifest.json"
SIGNATURE_FILE = "manifest.sig"
FORMAT = "arena-manifest/1"


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest, read."""

    arena: str
    tournament: str
    is_complete: bool
    chain: tuple[int, str] | None  # place and link of its end; None: there is no chain
    key: str | None
    files: Mapping[str, str]


def write_manifest(
    arena: str,
    tournament: str,
    contents: Mapping[str, bytes],
    end: ChainLink | None,
    key: str | None,
    *,
    is_complete: bool,
) -> bytes:
    """Return the file over these files."""
    said = {
        "format": FORMAT,
        "arena": arena,
        "tournament": tournament,
        "complete": is_complete,
        "chain": None if end is None else {"place": end.place, "link": end.link},
        "key": key,
        "files": {name: digest(contents[name]) for name in sorted(contents)},
    }
    return (json.dumps(said, indent=1, ensure_ascii=False) + "\n").encode()


def read_manifest(data: bytes, path: Path) -> Manifest:
    """Return what a file says; raises ResultsError that names it."""
    try:
        return _read(read_line(1, data))
    except ReplayError as error:
        raise ResultsError(path, error.reason) from None
    except FormatError as error:
        raise ResultsError(path, str(error)) from None


def _read(value: dict[str, object]) -> Manifest:
    names = ("format", "arena", "tournament", "complete", "chain", "key", "files")
    fields = read_object(value, "the file", names)
    if fields["format"] != FORMAT:
        raise FormatError(f"format must be {FORMAT!r}, not {fields['format']!r}")
    if not isinstance(fields["complete"], bool):
        raise FormatError("complete must be true or false")
    chain, files = None, fields["files"]
    if fields["chain"] is not None:
        end = read_object(fields["chain"], "chain", ("place", "link"))
        chain = read_int(end["place"], "chain.place"), read_text(end["link"], "chain.link")
    if not isinstance(files, dict):
        raise FormatError("files must be an object")
    return Manifest(
        arena=read_text(fields["arena"], "arena"),
        tournament=read_text(fields["tournament"], "tournament"),
        is_complete=fields["complete"],
        chain=chain,
        key=None if fields["key"] is None else read_text(fields["key"], "key"),
        files={name: read_text(made, f"files.{name}") for name, made in files.items()},
    )
