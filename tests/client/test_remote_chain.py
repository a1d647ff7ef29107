"""The chain of a tournament elsewhere, kept here as it grows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.client.results_fetch import RemoteChain, fetch_results
from arena.errors import RewrittenError
from arena.results.chain_file import CHAIN_FILE, head_line, link_lines, read_chain
from arena.storage.chain import ChainLink, next_link
from arena.v1 import results_pb2

FIRST = "ab" * 32


def links(count: int, result: str = "00") -> list[ChainLink]:
    made: list[ChainLink] = []
    for place in range(1, count + 1):
        before = made[-1].link if made else FIRST
        made.append(next_link(before, place, f"1-{place}", result, "11"))
    return made


class Client:
    """An arena that has stored so much of a chain."""

    def __init__(self, chain: list[ChainLink]) -> None:
        self.chain = chain

    async def list_chain(self, _name: str, after: int) -> tuple[str, list[ChainLink]]:
        return FIRST, self.chain[after:]

    async def fetch_files(self, name: str, _replays: int | None) -> Any:
        yield CHAIN_FILE, head_line(name, FIRST) + link_lines(self.chain)


async def test_it_grows(tmp_path: Path):
    """What is new is appended, also by a command that goes on with what another has kept."""
    client: Any = Client(links(2))
    kept = RemoteChain(client, "cup", tmp_path)
    await kept.grow()
    client.chain = links(3)
    await kept.grow()
    client.chain = links(5)
    await RemoteChain(client, "cup", tmp_path).grow()
    path = tmp_path / CHAIN_FILE

    assert read_chain(path.read_bytes(), path) == (FIRST, links(5))


@pytest.mark.parametrize("sent", [links(5, "ff"), links(3)])
async def test_rewritten(tmp_path: Path, sent: list[ChainLink]):
    """An arena that sends another chain than before is told so, and nothing is written."""
    client: Any = Client(links(4))
    await RemoteChain(client, "cup", tmp_path).grow()
    client.chain = sent
    state = results_pb2.TournamentState(name="cup")
    before = (tmp_path / CHAIN_FILE).read_bytes()
    with pytest.raises(RewrittenError, match="another chain than it told during play"):
        await fetch_results(client, state, tmp_path, None, lambda *_: None)

    assert (tmp_path / CHAIN_FILE).read_bytes() == before
