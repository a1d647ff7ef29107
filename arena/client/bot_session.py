"""A built-in bot as a program: dials an arena and plays until it is told goodbye."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from arena import __version__
from arena.bots.bot import Bot
from arena.bots.catalog import make_bot
from arena.client.channel import Destination
from arena.client.heads import response_with_heads, whole_decision
from arena.client.play_session import Patience, PlaySession
from arena.games.game import Move
from arena.games.registry import get_game
from arena.v1 import play_pb2
from arena.wire.codec import Codec, codec_for
from arena.wire.protocol import PROTOCOL

_DIAL_FOR_S = 10.0
_RESUME_FOR_S = 30.0


@dataclass(slots=True)
class _Seat:
    """One match: the bot that plays it and what it was last asked."""

    bot: Bot
    codec: Codec
    last_id: int = 0
    last_index: int = 0


class BotSession:
    """One session of a built-in bot; survives lost connections.

    It reads the heads of decisions, and the rest if the bot wants to know it.
    """

    response = response_with_heads(play_pb2)

    def __init__(
        self,
        bot: str,
        destination: Destination,
        max_matches: int,
        seed: str | None,
        name: str | None = None,
    ) -> None:
        """Prepare to dial; `seed` replaces the seeds that the arena gives, `name` the bot's."""
        self._bot = bot
        self._name = name or bot
        self._destination = destination
        self._max_matches = max_matches
        self._seed = seed
        self._seats: dict[str, _Seat] = {}

    async def run(self) -> None:
        """Play until goodbye; raises InputError if refused, LostError if the arena is gone."""
        await PlaySession(self._destination, self, Patience(_DIAL_FOR_S, _RESUME_FOR_S)).play()

    def hello(self) -> play_pb2.Hello:
        return play_pb2.Hello(
            protocol=PROTOCOL,
            bot=self._name,
            version="1",
            language="python",
            sdk=f"arena {__version__}",
            max_matches=self._max_matches,
        )

    def welcome(self, welcome: play_pb2.Welcome) -> None:
        if not welcome.resumed:
            self._seats = {}

    def take_in(self, response: Any) -> Sequence[play_pb2.Answer]:
        match response.WhichOneof("message"):
            case "decisions":
                return [self._decide(decision) for decision in response.decisions.decisions]
            case "match_started":
                self._sit_down(response.match_started)
            case "match_ended":
                self._seats.pop(response.match_ended.match_id, None)
        return ()

    def _sit_down(self, started: play_pb2.MatchStarted) -> None:
        if started.match_id in self._seats:
            return  # said again after a reconnect
        game = get_game(started.game).configure(json.loads(started.options_json))
        seed = started.bot_seed if self._seed is None else self._seed.encode()
        self._seats[started.match_id] = _Seat(make_bot(self._bot, game, seed), codec_for(game))

    def _decide(self, head: Any) -> play_pb2.Answer:
        match_id, decision_id = head.match_id, head.decision_id
        seat = self._seats[match_id]
        if decision_id != seat.last_id:
            read = partial(_read, seat.codec, head)
            seat.last_index = seat.bot.choose(head.legal_count, read)
            seat.last_id = decision_id
        return play_pb2.Answer(
            match_id=match_id, decision_id=decision_id, move_index=seat.last_index
        )


def _read(codec: Codec, head: Any) -> tuple[Any, Sequence[Move]]:
    return codec.read_decision(whole_decision(play_pb2, head))
