"""The results of a tournament, brought from the arena that played it into a directory here."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from arena.atomic import replace_files
from arena.client.organiser import OrganiserClient
from arena.errors import InputError, RewrittenError
from arena.results.archive import CONFIG_FILE, DATABASE_FILE, REPLAYS
from arena.results.chain_file import (
    CHAIN_FILE,
    append_chain,
    head_line,
    link_lines,
    read_chain,
)
from arena.results.export import EXPORTS
from arena.results.replay_files import OnProgress
from arena.schedule.deals import commitment
from arena.storage.opening import open_store
from arena.v1 import results_pb2

_AT_ONCE = 200  # replays
_REPLAY = re.compile(rf"{REPLAYS}/(\d+-\d+\.jsonl)")
_FILES = frozenset({CONFIG_FILE, *EXPORTS})


async def fetch_results(
    client: OrganiserClient,
    state: results_pb2.TournamentState,
    directory: Path,
    max_replays: int | None,
    on_progress: OnProgress,
) -> None:
    """Write all that the arena sends of a tournament; the files that matter most come last.

    Raises what the client does, InputError for a file that does not belong to results,
    ResultsError if one cannot be written.
    """
    replays: dict[str, bytes] = {}
    files: dict[str, bytes] = {}
    done = 0
    async for name, content in client.fetch_files(state.name, max_replays):
        if found := _REPLAY.fullmatch(name):
            replays[found[1]] = content
        elif name in _FILES:
            files[name] = content
        else:
            raise InputError(f"the arena sent a file {name!r}, which does not belong to results")
        done += 1
        on_progress("fetching results", done, max(done, state.played + len(_FILES)))
        if len(replays) >= _AT_ONCE:
            await asyncio.to_thread(replace_files, directory / REPLAYS, replays)
            replays = {}
    if replays:
        await asyncio.to_thread(replace_files, directory / REPLAYS, replays)
    _check_chain(directory / CHAIN_FILE, files.get(CHAIN_FILE, b""))
    await asyncio.to_thread(replace_files, directory, files)


def _check_chain(path: Path, sent: bytes) -> None:
    """Raise RewrittenError if the arena has rewritten what it told while matches were played."""
    if path.exists() and not sent.startswith(path.read_bytes()):
        raise RewrittenError(
            path,
            "the server sent another chain than it told during play: its results were rewritten. "
            "Keep this file; the server's files were not written",
        )


class RemoteChain:
    """Keeps the chain of a tournament elsewhere, as it grows, in a directory here."""

    def __init__(self, client: OrganiserClient, name: str, directory: Path) -> None:
        """Go on with what is kept there of the tournament."""
        self._client = client
        self._name = name
        self._path = directory / CHAIN_FILE
        self._known = 0
        if self._path.exists():
            self._known = len(read_chain(self._path.read_bytes(), self._path)[1])

    async def grow(self) -> None:
        """Ask for what is new and append it; raises what the client does."""
        first, links = await self._client.list_chain(self._name, self._known)
        if not links:
            return
        lines = link_lines(links)
        if not self._path.exists():
            lines = head_line(self._name, first) + lines
        await asyncio.to_thread(append_chain, self._path, lines)
        self._known += len(links)


def find_commitment(directory: Path, name: str) -> str | None:
    """Return the commitment of the tournament in a directory's database, None if there is none."""
    path = directory / DATABASE_FILE
    if not path.exists():
        return None
    with open_store(path, name, is_read_only=True) as store:
        tournament = store.tournament()
    return None if tournament is None else commitment(tournament.seed, tournament.salt)
