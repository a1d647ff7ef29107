"""What organisers see of a running match, and what nobody else does."""

from __future__ import annotations

import contextlib
import json
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cli.serve import direct
from arena.client.channel import Destination
from arena.errors import ForbiddenError, UnknownDocumentError, UnknownTournamentError
from arena.games.registry import get_game
from arena.referee.clock import TimeControl
from arena.referee.fixture import plan_match
from arena.referee.match import Conditions
from arena.referee.player import InlinePlayer
from arena.referee.replay import Entrant, encode
from arena.results.page.document import page_policy
from arena.server.address import Address
from arena.server.app import Arena, ArenaOptions
from arena.server.hall import RECORD, HostedMatch, Sight
from arena.v1 import watch_pb2
from arena.web.arena_calls import ArenaCalls
from arena.web.documents import Viewer
from arena.web.following import Followers, RunningRecord, WatchedMatch
from arena.web.gateway import ArenaDocuments
from arena.web.steps import views_of
from tests.played_tournament import create, random_bots
from tests.recorded import RandomPlayer, record
from tests.server.served import make_tokens

pytestmark = pytest.mark.slow

GAMES = ("byzanz", "schwarzmarkt")
CONTROL = TimeControl(2.0, 30.0)
KEY = "cup/1-1"


class SlowPlayer:
    """Answers when the test says so."""

    is_present = True

    def __init__(self, chooser):
        self.question: Any = None
        self._player = InlinePlayer(chooser)

    def start(self, match, seat):
        self._player.start(match, seat)

    def ask(self, question):
        self.question = question

    def go_on(self):
        question, self.question = self.question, None
        self._player.ask(question)

    def withdraw(self, question):
        self._player.withdraw(question)

    def end(self, ending, events, faults):
        self._player.end(ending, events, faults)


def plan(name, number=1):
    entrants = [Entrant(f"bot-{seat}", "1") for seat in range(3)]
    return plan_match(get_game(name), bytes([number]) * 32, "1-1", number, entrants)


@contextlib.asynccontextmanager
async def arena_with_tokens(path, results=None):
    """Run an arena with a token for each role, and a gateway that has a bot's."""
    file, tokens = make_tokens(path)
    address = Address(f"unix:{path / 'arena'}")
    options = ArenaOptions(games=GAMES, admission=file, has_tokens=True)
    async with (
        Arena(options) as arena,
        direct(arena, results or path / "results", lambda _played: None),
    ):
        await arena.listen([address])
        calls = ArenaCalls(Destination(address.text, token=tokens["bot"]))
        documents = ArenaDocuments(calls, title="test", has_login=True)
        try:
            yield SimpleNamespace(
                arena=arena,
                calls=calls,
                documents=documents,
                source=Followers(documents, calls),
                viewers={role: Viewer(token) for role, token in tokens.items()},
            )
        finally:
            await calls.close()


async def test_an_organiser_follows_an_open_deal_with_all_hands(tmp_path):
    """From the first move on, in all views, with decisions and clocks; others are refused."""
    async with arena_with_tokens(tmp_path) as web:
        slow = SlowPlayer(RandomPlayer(1))
        players = [slow, InlinePlayer(RandomPlayer(2)), InlinePlayer(RandomPlayer(3))]
        conditions = Conditions(control=CONTROL)
        web.arena.hall.start(plan("byzanz"), players, conditions, key=KEY, is_released=False)
        slow.go_on()
        admin = web.viewers["admin"]
        async with contextlib.aclosing(web.source.follow(f"match/{KEY}", admin)) as events:
            document: Any = (await anext(events)).data["match"]
            shown = len(document["steps"])
            while slow.question is not None:
                slow.go_on()
            rest = [event async for event in events]

        assert document["views"] == [*views_of(3)]
        assert (document["tournament"], document["match"]) == ("cup", "1-1")
        assert document["clock"] == {"move_ms": 2000, "bank_ms": 30000}
        assert document["seed"] is None
        assert all(document["steps"][0]["own"][str(seat)]["hand"] for seat in range(3))
        steps: list[Any] = [event.data for event in rest if event.event == "step"]
        assert [step["number"] for step in steps] == [*range(shown, shown + len(steps))]
        assert any("decision" in step["step"] for step in steps)
        assert rest[-1].event == "ended"
        assert rest[-1].data["replay"] is None  # it is not released
        for viewer in (Viewer(), web.viewers["bot"]):
            told = [event async for event in web.source.follow(f"match/{KEY}", viewer)]
            assert [event.event for event in told] == ["gone"]


async def test_only_the_arena_says_who_sees_everything(tmp_path):
    """Without an admin's token it refuses, whatever a gateway asks for, casual matches too."""
    async with arena_with_tokens(tmp_path) as web:
        players = [InlinePlayer(RandomPlayer(seat)) for seat in range(3)]
        await web.arena.hall.start(plan("byzanz"), players, Conditions(), key="m1")
        for viewer in (Viewer(), web.viewers["bot"]):
            with pytest.raises(ForbiddenError, match="admin token"):
                await anext(web.calls.watch("m1", viewer.token, everything=True))
        pieces = [p async for p in web.calls.watch("m1", web.viewers["admin"].token)]
        assert not any(piece.HasField("record") for piece in pieces)


async def test_all_but_organisers_share_live_events(tmp_path):
    """One rendering serves every viewer who is shown the same."""
    async with arena_with_tokens(tmp_path) as web:
        assert await web.documents.common(web.viewers["bot"]) == Viewer()
        assert await web.documents.common(Viewer("nonsense")) == Viewer()
        assert await web.documents.common(web.viewers["admin"]) == web.viewers["admin"]


async def test_a_log_is_for_its_author_and_for_organisers(tmp_path):
    """On the page of a bot it is there for their tokens alone, as text that means nothing."""
    bots = ("bot", "greedy", "random")
    create(tmp_path / "results" / "cup", name="cup", bots=random_bots(*bots)).store.close()
    logs = tmp_path / "results" / "cup" / "logs"
    logs.mkdir(exist_ok=True)
    for bot in bots:
        (logs / f"{bot}.stderr").write_bytes(b"x" * 5000 + b"\n\x1b[31m<b>red\xff\n")
    async with arena_with_tokens(tmp_path) as web:

        async def log(role, bot):
            viewer = web.viewers.get(role, Viewer(role))
            return (await web.documents.bot(viewer, "cup", bot))["log"]

        for role, bot in (("bot", "bot"), ("admin", "bot"), ("admin", "greedy")):
            text = await log(role, bot)
            assert "<b>red" in text
            assert "\x1b" not in text
            assert len(text) < 2_100
        for role in ("bot", "", "nonsense"):
            assert await log(role, "greedy") is None


async def test_the_page_of_the_results_is_served(tmp_path):
    """For everybody once nothing is played any more, with its own policy; not before any match."""
    played = create(tmp_path / "results" / "cup", name="cup", rounds=1)
    played.play(1)
    played.store.close()
    create(tmp_path / "results" / "new", name="new").store.close()
    async with arena_with_tokens(tmp_path) as web:
        page = "t/cup/leaderboard.html"
        assert (await web.documents.tournament(Viewer(), "cup"))["page"] == f"data/{page}"
        served = await web.documents.get(page, Viewer())
        assert served.policy.startswith(page_policy())
        assert played.config.salt not in served.content.decode()  # until it is complete
        assert "page" not in await web.documents.tournament(Viewer(), "new")
        for name in ("new", "none"):
            with pytest.raises((UnknownDocumentError, UnknownTournamentError)):
                await web.documents.get(f"t/{name}/leaderboard.html", Viewer())


# Secrecy: two worlds that differ only in what a viewer may not know.


def watched(name, *, everything):
    """Return what is written to a spectator of a whole match, as messages."""
    slow = SlowPlayer(RandomPlayer(0))
    players: list[Any] = [slow, *(InlinePlayer(RandomPlayer(seat)) for seat in (1, 2))]
    hosted = HostedMatch(KEY, plan(name), players, Conditions(), is_released=False)
    hosted.match.begin()
    spectator = hosted.watch(Sight.EVERYTHING if everything else Sight.TABLES)
    while slow.question is not None:
        slow.go_on()
    queued = [spectator.queue.get_nowait() for _ in range(spectator.queue.qsize())]
    written = [spectator.read_record() if data is RECORD else data for data in queued]
    return [watch_pb2.WatchResponse.FromString(data) for data in written if data]


@pytest.mark.parametrize("name", GAMES)
def test_the_public_is_written_no_record(name):
    """What lies face down, the seed and the set-up are not in a single byte for others."""
    pieces = watched(name, everything=False)
    kinds = {piece.WhichOneof("piece") for piece in pieces}
    assert kinds == {"table", "events", "ended"}
    document = WatchedMatch(pieces[0].table).document
    assert document["views"] == ["public"]
    assert "setup" not in encode(document)

    pieces = watched(name, everything=True)
    order = [piece.WhichOneof("piece") for piece in pieces]
    assert order == ["table", "record", "record", "ended"]  # what waits to be read is one message
    assert json.loads(pieces[1].record.lines[0])["seed"] is None
    assert bytes(plan(name).seed).hex() not in "".join(map(str, pieces))


@pytest.mark.parametrize("name", GAMES)
def test_an_organiser_is_not_shown_what_no_seat_can_know(name):
    """Two worlds that differ in cards that nobody has drawn give organisers the same bytes."""
    lines = record(get_game(name), 3).splitlines()
    header = json.loads(lines[0])
    header["seed"] = None
    worlds = [lines[1:12]] * 2
    documents: list[str] = []
    steps: list[Any] = []
    for world, moves in enumerate(worlds):
        for pile in header["setup"].values() if world else ():
            if isinstance(pile[0], str):
                middle = len(pile) // 2
                other = next(n for n in range(middle, len(pile)) if pile[n] != pile[middle])
                pile[middle], pile[other] = pile[other], pile[middle]
        followed = RunningRecord("cup", watch_pb2.WatchedRecord(lines=[encode(header)]))
        steps = [*followed.take(watch_pb2.WatchedRecord(lines=moves))]
        documents.append(encode({"match": followed.document, "steps": steps}))

    assert lines[0] != encode(header)
    assert documents[0] == documents[1]
    assert len(steps) > 5


@pytest.mark.parametrize("name", GAMES)
def test_a_match_that_is_followed_is_the_one_that_is_replayed(name):
    """Steps that come one by one make the document of the whole record."""
    lines = record(get_game(name), 3).splitlines()[:-1]
    whole = RunningRecord(None, watch_pb2.WatchedRecord(lines=lines)).document
    chances = {n for n, line in enumerate(lines) if '"type":"chance"' in line}
    starts = [n for n in range(1, len(lines)) if n not in chances]
    followed = RunningRecord(None, watch_pb2.WatchedRecord(lines=lines[:1]))
    grown: Any = followed.document
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        for told in followed.take(watch_pb2.WatchedRecord(lines=lines[start:stop])):
            assert told["number"] == len(grown["steps"])
            grown["steps"].append(told["step"])
            for field in ("moves", "lines", "marks"):
                grown[field] += told[field]

    assert grown == whole


async def test_who_comes_late_is_shown_the_match_from_its_start(tmp_path):
    """An organiser may come when the match is over, while its deal is still a secret."""
    async with arena_with_tokens(tmp_path) as web:
        players = [InlinePlayer(RandomPlayer(seat)) for seat in range(3)]
        played = await web.arena.hall.start(
            plan("schwarzmarkt"), players, Conditions(), key=KEY, is_released=False
        )
        topic, admin = f"match/{KEY}", web.viewers["admin"]
        told: list[Any] = [event.data async for event in web.source.follow(topic, admin)]

        assert len(told[0]["match"]["steps"]) == played.moves + 1
        assert told[1]["outcome"]["ranks"] == [*played.outcome.ranks]
