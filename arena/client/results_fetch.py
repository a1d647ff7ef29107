"""The results of a tournament, brought from the arena that played it into a directory here."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from arena.atomic import replace_files
from arena.client.organiser import OrganiserClient
from arena.errors import InputError
from arena.results.archive import CONFIG_FILE, DATABASE_FILE, REPLAYS
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
    await asyncio.to_thread(replace_files, directory, files)


def find_commitment(directory: Path, name: str) -> str | None:
    """Return the commitment of the tournament in a directory's database, None if there is none."""
    path = directory / DATABASE_FILE
    if not path.exists():
        return None
    with open_store(path, name, is_read_only=True) as store:
        tournament = store.tournament()
    return None if tournament is None else commitment(tournament.seed, tournament.salt)
