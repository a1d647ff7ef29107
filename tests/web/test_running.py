"""The matches of a tournament that this machine plays: who sees which of them, and when."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import grpc.aio
import pytest

from arena.errors import LostError
from arena.referee.match import Conditions
from arena.referee.player import InlinePlayer
from arena.referee.replay import encode
from arena.server.app import Arena, ArenaOptions
from arena.server.auth import hash_token
from arena.server.gallery import Gallery
from arena.v1 import table_pb2
from arena.v1.table_pb2_grpc import TableServiceStub
from arena.web.documents import Viewer
from arena.web.following import Followers
from arena.web.running import GalleryCalls, RunningDocuments
from arena.web.steps import views_of
from tests.played_tournament import create, random_bots
from tests.recorded import RandomPlayer
from tests.web.test_organiser import GAMES, SlowPlayer, plan

pytestmark = pytest.mark.slow

TOKEN = "the organiser's own token"
ORGANISER = Viewer(TOKEN)
OTHERS = (Viewer(), Viewer("nonsense"))


@contextlib.asynccontextmanager
async def tournament(path, arenas=1):
    """Run the arenas of a tournament, and what a gateway beside it knows."""
    create(path / "cup", name="cup", bots=random_bots("ann", "ben", "cem")).store.close()
    gallery = Gallery(path / "gallery", hash_token(TOKEN))
    gallery.directory.mkdir()
    calls = GalleryCalls(gallery.directory, "cup")
    async with contextlib.AsyncExitStack() as exits:
        opened = []
        for number in range(1, arenas + 1):
            arena = await exits.enter_async_context(Arena(ArenaOptions(games=GAMES)))
            await arena.open_gallery(Gallery(gallery.directory, gallery.sha256, number))
            opened.append(arena)
        documents = RunningDocuments(path / "cup", calls)
        try:
            yield SimpleNamespace(
                arenas=opened,
                gallery=gallery,
                calls=calls,
                documents=documents,
                source=Followers(documents, calls),
            )
        finally:
            await calls.close()


def begin(arena, name, match, world=1, moves=3):
    """Begin a match on an open deal, make some moves, and return who answers next."""
    slow = SlowPlayer(RandomPlayer(1))
    players = [slow, InlinePlayer(RandomPlayer(2)), InlinePlayer(RandomPlayer(3))]
    fixture = plan(name, world)
    arena.hall.start(fixture, players, Conditions(), key=match, is_released=False)
    while moves:
        slow.go_on()
        moves -= 1
    return slow


async def test_the_organiser_follows_the_matches_of_every_arena(tmp_path):
    """With all hands, from a link on the pages; for everybody else they are lines in a list."""
    async with tournament(tmp_path, arenas=2) as web:
        slow = [begin(arena, "byzanz", f"{n}-1") for n, arena in enumerate(web.arenas, 1)]
        home: Any = await web.documents.home(ORGANISER)
        page: Any = await web.documents.tournament(ORGANISER, "cup")
        assert home["organiser"]
        assert [match["id"] for match in page["running"]] == ["cup/1-1", "cup/2-1"]
        assert all(match["watch"] for match in (*home["running"], *page["running"]))
        async with contextlib.aclosing(web.source.follow("match/cup/2-1", ORGANISER)) as events:
            document: Any = (await anext(events)).data["match"]
            while slow[1].question is not None:
                slow[1].go_on()
            last = [event async for event in events][-1]
        assert document["views"] == [*views_of(3)]
        assert (document["tournament"], document["seed"]) == ("cup", None)
        assert (last.event, last.data["replay"]) == ("ended", None)  # it is not released

        for viewer in OTHERS:
            page = await web.documents.tournament(viewer, "cup")
            assert not any(match["watch"] for match in page["running"])
            for match in ("1-1", "2-1"):  # it runs, it has ended
                told = [e async for e in web.source.follow(f"match/cup/{match}", viewer)]
                assert [event.event for event in told] == ["gone"]


@pytest.mark.parametrize("name", GAMES)
async def test_an_open_deal_is_not_in_what_others_are_shown(tmp_path, name):
    """Two worlds that differ in the deal give everybody but the organiser the same bytes."""
    worlds = []
    for world in (1, 2):
        async with tournament(tmp_path / str(world)) as web:
            begin(web.arenas[0], name, "1-1", world, moves=1)
            shown = [
                [
                    await web.documents.home(viewer),
                    (await web.documents.tournament(viewer, "cup"))["running"],
                    [event.data async for event in web.source.follow("match/cup/1-1", viewer)],
                ]
                for viewer in OTHERS
            ]
            first = await anext(web.source.follow("match/cup/1-1", ORGANISER))
            for lists in shown:  # who moves how often may depend on the deal, and everybody sees it
                for match in (*lists[0]["running"], *lists[1]):
                    match["moves"] = 0
                lists[0]["tournaments"][0]["created"] = ""
            worlds.append((encode(shown), encode(first.data)))

    assert worlds[0][0] == worlds[1][0]
    assert worlds[0][1] != worlds[1][1]


async def test_only_watching_is_possible_there(tmp_path):
    """The socket of the gallery lets nobody start or play a match, whatever the token."""
    async with (
        tournament(tmp_path) as web,
        grpc.aio.insecure_channel(web.gallery.address.text) as channel,
    ):
        request = table_pb2.StartMatchRequest(game="byzanz", bots=["ann", "ben", "cem"])
        metadata = (("authorization", f"Bearer {TOKEN}"),)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await TableServiceStub(channel).StartMatch(request, metadata=metadata)
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_logs_are_for_the_organiser(tmp_path):
    """On the page of a bot, as text that means nothing."""
    async with tournament(tmp_path) as web:
        logs = tmp_path / "cup" / "logs"
        logs.mkdir(exist_ok=True)
        (logs / "ann.stderr").write_bytes(b"\x1b[31m<b>red\n")
        log = (await web.documents.bot(ORGANISER, "cup", "ann"))["log"]
        assert "<b>red" in log
        assert "\x1b" not in log
        for viewer in OTHERS:
            assert (await web.documents.bot(viewer, "cup", "ann"))["log"] is None


async def test_without_an_arena_nobody_is_the_organiser(tmp_path):
    """Before the first match and after the last one there are no matches, and no error."""
    async with tournament(tmp_path, arenas=0) as web:
        home = await web.documents.home(ORGANISER)
        assert home["running"] == []
        assert "organiser" not in home
        with pytest.raises(LostError, match="nothing is being played"):
            await web.calls.is_known(TOKEN)
