"""Documents of a running arena, as a client of its services sees it.

What is asked of the arena does not grow with the number of readers: each answer counts for a
moment. A reader who has shown no token gets what a bot's author may know, whatever token the
gateway itself was given.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any, cast

from google.protobuf.timestamp_pb2 import Timestamp

from arena import __version__
from arena.errors import (
    ForbiddenError,
    FormatError,
    InputError,
    TokenError,
    UnknownDocumentError,
    UnknownMatchError,
    UnknownTournamentError,
    UnreleasedError,
)
from arena.games.game import Json
from arena.games.registry import game_names
from arena.inert import inert
from arena.rating.standings import make_leaderboard
from arena.rating.statistics import counting_matches
from arena.results.export import PAGE_FILE
from arena.results.formats import leaderboard_value
from arena.results.messages import TournamentPhase, read_result
from arena.storage.records import BotRecord, TournamentRecord
from arena.v1 import results_pb2, watch_pb2
from arena.web import FORMAT
from arena.web.arena_calls import ArenaCalls
from arena.web.directory import read_notes
from arena.web.documents import (
    Document,
    Documents,
    ReplayFile,
    Viewer,
    games_list,
    page_address,
    results_page,
)
from arena.web.remembered import Remembered, of_token
from arena.web.results import (
    ShownMatches,
    TournamentFacts,
    bot_document,
    moment,
    pages_of,
    rating_pause_s,
    tournament_document,
    tournament_summary,
)
from arena.web.running import running_matches, running_of

_HOME_S = 1.0  # how long an answer of the arena counts
_TOURNAMENT_S = 2.0
_LONGEST_S = 10.0  # between two looks at a tournament
_LOOKING = 20  # it is looked at in at most this part of the time
_PAGES_AT_ONCE = 4
_RATE_WINDOW_S = 60.0
_KEPT_TOURNAMENTS = 16
_NOTED_REPLAYS = 3
_LISTED_REPLAYS = 20
_MOST_NOTES = 20


class FollowedTournament:
    """A tournament of the arena with its matches, of which only new ones are asked for."""

    def __init__(self, calls: ArenaCalls, name: str) -> None:
        """Know nothing yet."""
        self._calls = calls
        self._name = name
        self._refreshing = asyncio.Lock()
        self._read_at = 0.0
        self._closed_until = 0  # below this place every match is there and released
        self._cursor = 0
        self._open: dict[int, int] = {}  # deals by place, of matches that are not released
        self._progress: deque[tuple[float, int]] = deque()
        self._board_at = self._board_cost_s = self._look_cost_s = 0.0
        self._document: asyncio.Future[dict[str, Json]] | None = None
        self._board_of = -1  # how many matches the leaderboard tells of
        self._is_final = False
        self._page = b""
        self._page_of = ("", 0)  # phase and matches played when it was read
        self.matches = ShownMatches(())
        self.facts: TournamentFacts

    async def refresh(self) -> None:
        """Ask for what is new, unless that was done a moment ago."""
        async with self._refreshing:
            now = time.monotonic()
            lasts_s = min(max(_TOURNAMENT_S, _LOOKING * self._look_cost_s), _LONGEST_S)
            if self._read_at and now - self._read_at < lasts_s:
                return
            try:
                state = await self._calls.tournament(self._name)
            except UnknownDocumentError as error:
                raise UnknownTournamentError(str(error)) from None
            names = [bot.name for bot in state.bots]
            if list(self.matches.bots) != names:
                self.matches = ShownMatches(names)
                self._closed_until = self._cursor = 0
            await self._read_results(state)
            self._look_cost_s = time.monotonic() - now
            self._progress.append((now, state.played))
            while now - self._progress[0][0] > _RATE_WINDOW_S:
                self._progress.popleft()
            self._is_final = TournamentPhase(state.phase).is_final
            board = await self._board(state, now)
            self.facts = self._facts(state, board)
            self._document = None
            self._read_at = time.monotonic()

    async def page(self) -> Document:
        """Return leaderboard.html once nothing is played; raises UnknownDocumentError.

        Before, the arena would have to write it anew, and it should play.
        """
        facts = self.facts
        if not self._is_final:
            raise UnknownDocumentError(
                f"there is no {PAGE_FILE} of {self._name!r} before its last match has ended"
            )
        if self._page_of != (facts.phase, facts.played):
            try:
                self._page = (await self._calls.page(self._name)).encode()
            except (UnreleasedError, InputError):
                self._page = b""  # nothing was played, or the arena is too old
            self._page_of = (facts.phase, facts.played)
        return results_page(self._page)

    async def _read_results(self, state: results_pb2.TournamentState) -> None:
        """Read pages from the first match that may have changed on, some at a time."""
        known = self.matches.by_index
        if len(known) >= state.played and not self._open:
            return
        is_first = not known
        start: int | None = max(self._closed_until, self._cursor)
        pages = 0
        while start is not None and (pages < _PAGES_AT_ONCE or is_first):
            page = await self._calls.results(self._name, start)
            self._take(page.matches, hides_names=state.hides_names)
            pages += 1
            start = page.next_start if page.HasField("next_start") else None
            if len(known) >= state.played and start is not None and start > max(known, default=0):
                start = None
        self._cursor = start or 0
        while self._closed_until in known and self._closed_until not in self._open:
            self._closed_until += 1
        self.matches.open_deals = frozenset(self._open.values())

    def _take(self, messages: Sequence[results_pb2.MatchResult], *, hides_names: bool) -> None:
        for message in messages:
            if hides_names and not message.released:
                continue  # the gateway's own token may show more than its readers may know
            index = message.fixture.index
            is_new = index not in self.matches.by_index
            was_open = index in self._open
            if not (is_new or was_open) or len(message.fixture.bots) != len(message.scores):
                continue  # known, or played under names that are not told yet
            try:
                match = read_result(message)
            except FormatError:
                continue
            self.matches.add([match])
            self.matches.by_index[index] = match  # in full, once it is released
            if message.released:
                self._open.pop(index, None)
            else:
                self._open[index] = message.fixture.deal

    async def _board(
        self, state: results_pb2.TournamentState, now: float
    ) -> Mapping[str, Json] | None:
        """Return the leaderboard: the arena's when all is played, until then one made here.

        The arena should play, not rate.
        """
        played = len(self.matches.by_index)
        if not played:
            return None
        last = getattr(self, "facts", None)
        if TournamentPhase(state.phase).is_done:
            if last is not None and last.phase in ("complete", "settled") and last.leaderboard:
                return cast("Mapping[str, Json]", last.leaderboard)
            value: dict[str, Json] = json.loads(await self._calls.leaderboard(self._name))
            return value
        is_due = now - self._board_at >= rating_pause_s(self._board_cost_s)
        if last is not None and (played == self._board_of or not is_due):
            return cast("Mapping[str, Json] | None", last.leaderboard)
        self._board_cost_s, board = await asyncio.to_thread(self._rate, state)
        self._board_at, self._board_of = now, played
        return board

    def _rate(self, state: results_pb2.TournamentState) -> tuple[float, Mapping[str, Json]]:
        """Return a leaderboard, and what it cost."""
        started = time.thread_time()
        record = TournamentRecord(
            name=state.name,
            config="",
            game=state.game,
            options={},
            players=state.players,
            seed=b"",
            seed_text="",
            salt=b"",
            bots=_bots(state),
            created="",
        )
        counting = counting_matches(self.matches.in_order(), ())
        board = leaderboard_value(make_leaderboard(record, counting, scheduled=state.scheduled))
        return time.thread_time() - started, board

    async def document(self, documents: Documents) -> dict[str, Json]:
        """Return what all readers are shown, made once."""
        if self._document is None:
            self._document = asyncio.ensure_future(
                documents.make(tournament_document, self.facts, self.matches)
            )
        return dict(await asyncio.shield(self._document))

    def _facts(
        self, state: results_pb2.TournamentState, board: Mapping[str, Json] | None
    ) -> TournamentFacts:
        phase = TournamentPhase(state.phase)
        (first_at, first), (last_at, last) = self._progress[0], self._progress[-1]
        is_running = not phase.is_final
        rate = 60 * (last - first) / (last_at - first_at) if is_running and last > first else None
        seed = board.get("seed") if board is not None and phase.is_done else None
        return TournamentFacts(
            name=state.name,
            title=state.name,
            game=state.game,
            players=state.players,
            phase=phase.name.lower(),
            bots=_bots(state),
            played=state.played,
            scheduled=state.scheduled,
            parked=state.parked,
            reason=state.reason,
            created=_moment(state, "created"),
            commitment=state.commitment,
            seed=str(seed) if seed else None,
            verify=f"arena tournament --server ADDRESS --fetch {state.name}"
            if phase.is_done
            else "",
            leaderboard=board,
            rate_per_min=rate,
        )


class ArenaDocuments(Documents):
    """The documents of a running arena."""

    def __init__(self, calls: ArenaCalls, *, title: str, has_login: bool) -> None:
        """Ask the arena with these calls."""
        super().__init__()
        self.calls = calls
        self.play: Mapping[str, Json] | None = None  # what people can play here
        self.kept: OrderedDict[str, ReplayFile] = OrderedDict()  # of tables that have ended
        self._title = title
        self._has_login = has_login
        self._remembered = Remembered(_HOME_S)
        self._tournaments: OrderedDict[str, FollowedTournament] = OrderedDict()

    async def home(self, viewer: Viewer) -> Mapping[str, Json]:
        states = await self._remembered.get("tournaments", self.calls.list_tournaments)
        matches = await self._remembered.get("matches", self.calls.list_matches)
        names = {state.name for state in states}
        is_organiser = await self.is_organiser(viewer)
        home: dict[str, Json] = {
            "format": FORMAT,
            "host": "live",
            "arena": __version__,
            "title": inert(self._title),
            "live": True,
            "online": True,
            "games": games_list(game_names()),
            **running_matches(matches, names, is_organiser=is_organiser),
            "tournaments": [tournament_summary(self._summary(state)) for state in states],
            "replays": [
                self._ended_row(match) for match in matches if self._is_shown(match, names)
            ][:_LISTED_REPLAYS],
        }
        token = viewer.token if is_organiser else None
        key = "bots" if token is None else of_token("bots", token)
        if (bots := await self._remembered.get(key, lambda: self._lobby(token))) is not None:
            home["bots"] = [{**bot, **self._rating(str(bot["name"]))} for bot in bots]
        if self._has_login:
            home["login"] = True
        if is_organiser:
            home["organiser"] = True
        elif viewer.token:
            home["known"] = True
        if self.play is not None:
            home["play"] = self.play
        return home

    def _is_shown(self, match: watch_pb2.MatchSummary, tournaments: set[str]) -> bool:
        """Return whether a match stands among the replays outside tournaments."""
        return match.ended and match.match_id.rpartition("/")[0] not in tournaments

    def _ended_row(self, match: watch_pb2.MatchSummary) -> dict[str, Json]:
        return {
            "id": match.match_id,
            "game": match.game,
            "match": inert(match.match_id),
            "seats": [inert(seat.bot) for seat in match.seats],
            "scores": [],
            "ranks": [],
            "moves": match.moves,
        }

    def _summary(self, state: results_pb2.TournamentState) -> TournamentFacts:
        known = self._tournaments.get(state.name)
        facts = getattr(known, "facts", None)
        return TournamentFacts(
            name=state.name,
            title=state.name,
            game=state.game,
            players=state.players,
            phase=TournamentPhase(state.phase).name.lower(),
            bots=_bots(state),
            played=state.played,
            scheduled=state.scheduled,
            created=_moment(state, "created"),
            leaderboard=None if facts is None else facts.leaderboard,
        )

    async def is_organiser(self, viewer: Viewer) -> bool:
        """Return whether the viewer has shown an admin's token, as the arena judges it."""
        if not viewer.token:
            return False
        key = of_token("role", viewer.token)
        return await self._remembered.get(key, lambda: self.calls.is_admin(viewer.token))

    async def _lobby(self, token: str | None) -> list[dict[str, Json]] | None:
        try:
            bots = await self.calls.list_bots(token)
        except (ForbiddenError, TokenError, InputError):
            return None
        return [
            {
                "name": inert(bot.name),
                "version": inert(bot.version),
                "language": inert(bot.language),
                "games": [*bot.games],
                "since": moment(_moment(bot, "connected_at")),
                "present": bot.present,
                "playing": bot.playing,
                "free": bot.free,
            }
            for bot in bots
        ]

    def _rating(self, bot: str) -> dict[str, Json]:
        """Return the rating on the newest leaderboard that has been looked at."""
        for name, followed in reversed(self._tournaments.items()):
            facts: TournamentFacts | None = getattr(followed, "facts", None)
            board = facts.leaderboard if facts is not None else None
            standings = board.get("bots") if board is not None else None
            for standing in standings if isinstance(standings, list) else ():
                if standing["name"] == bot:
                    return {"rating": standing["rating"], "tournament": name}
        return {}

    async def tournament(self, viewer: Viewer, name: str) -> Mapping[str, Json]:
        followed = await self._followed(name)
        matches = await self._remembered.get("matches", self.calls.list_matches)
        is_organiser = await self.is_organiser(viewer)
        document = await followed.document(self)
        document["running"] = running_of(matches, name, is_organiser=is_organiser)
        with contextlib.suppress(UnknownDocumentError):
            await followed.page()
            document["page"] = page_address(name)
        return document

    async def leaderboard(self, name: str) -> Document:
        return await (await self._followed(name)).page()

    async def matches(self, viewer: Viewer, name: str, page: int) -> Mapping[str, Json]:
        followed = await self._followed(name)
        pages = pages_of(followed.facts.scheduled)
        _check_page(page, pages)
        return await self.make(followed.matches.page, page, pages)

    async def bot(self, viewer: Viewer, name: str, bot: str) -> Mapping[str, Json]:
        followed = await self._followed(name)
        _check_bot(followed, bot)
        notes = await self._notes(followed, name, bot)
        log = await self._log(viewer, name, bot)
        return await self.make(
            bot_document, followed.facts, followed.matches, bot, notes=notes, log=log
        )

    async def bot_matches(
        self, viewer: Viewer, name: str, bot: str, page: int
    ) -> Mapping[str, Json]:
        followed = await self._followed(name)
        _check_bot(followed, bot)
        _check_page(page, pages_of(len(followed.matches.of_bot(bot))))
        return await self.make(followed.matches.bot_page, bot, page)

    async def replay_file(self, viewer: Viewer, name: str, match: str) -> ReplayFile:
        if name:
            return ReplayFile((await self.calls.replay(name, match)).encode(), name)
        if match in self.kept:
            return self.kept[match]
        async for piece in self.calls.watch(match, ""):
            if piece.WhichOneof("piece") == "ended":
                if not piece.ended.replay:
                    break
                return ReplayFile(piece.ended.replay.encode())
            if piece.WhichOneof("piece") == "events":
                raise UnknownMatchError(f"match {match!r} has not ended yet")
        raise UnknownMatchError(f"there is no replay of {match!r}")

    async def _notes(
        self, followed: FollowedTournament, name: str, bot: str
    ) -> list[Mapping[str, Json]]:
        notes: list[Mapping[str, Json]] = []
        matches = followed.matches
        shown = [m for m in matches.of_bot(bot) if m.fixture.deal not in matches.open_deals]
        for match in reversed(shown[-_NOTED_REPLAYS:]):
            text = await self._remembered.get(
                f"replay {name}/{match.fixture.match}",
                lambda match=match: self.calls.replay(name, match.fixture.match),  # type: ignore[misc]
            )
            seat = match.fixture.bots.index(bot)
            notes += read_notes(text.encode(), match.fixture.match, seat)
        return notes[:_MOST_NOTES]

    async def _log(self, viewer: Viewer, name: str, bot: str) -> str:
        """Return the end of a bot's log, "" where the arena does not show it to this viewer."""
        if not viewer.token:
            return ""
        try:
            return await self.calls.log(name, bot, viewer.token)
        except (ForbiddenError, TokenError, UnknownDocumentError, InputError):
            return ""

    async def _followed(self, name: str) -> FollowedTournament:
        followed = self._tournaments.get(name)
        is_new = followed is None
        if followed is None:
            followed = FollowedTournament(self.calls, name)
        await followed.refresh()
        if is_new:
            self._tournaments[name] = followed
            while len(self._tournaments) > _KEPT_TOURNAMENTS:
                self._tournaments.popitem(last=False)
        return followed


def _bots(state: results_pb2.TournamentState) -> tuple[BotRecord, ...]:
    return tuple(BotRecord(bot.name, bot.version, bot.group) for bot in state.bots)


def _moment(message: Any, field: str) -> Any:
    if not message.HasField(field):
        return None
    stamp: Timestamp = getattr(message, field)
    return stamp.ToDatetime(tzinfo=UTC)


def _check_bot(followed: FollowedTournament, bot: str) -> None:
    if bot not in followed.matches.bots:
        raise UnknownDocumentError(f"there is no bot {bot!r} in {followed.facts.name!r}")


def _check_page(number: int, pages: int) -> None:
    if number >= pages:
        raise UnknownDocumentError(f"there is no page {number}: there are {pages}")
