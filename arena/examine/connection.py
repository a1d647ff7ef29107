"""The situation of a lost connection."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

from arena.counted import counted
from arena.examine.finding import Report, Weight, failed, passed
from arena.examine.host import Host, Seating, check_faults
from arena.examine.situation import ExamState, Situation
from arena.games.game import AnyGame
from arena.referee.match import PlayedMatch
from arena.referee.player import Question
from arena.server.players import SessionPlayer
from arena.server.session import Session

RESUME_S = 6.0
_GLANCE_S = 0.01
_CUT_AT = (2, 5)  # decisions of the bot

_ADVICE = (
    "when the stream breaks without a goodbye, connect again and put the resume_token of the last "
    "welcome into the hello"
)


class _CutPlayer(SessionPlayer):
    """Has the connection cut while the bot is being asked."""

    def __init__(self, host: Host, session: Session, match_id: str) -> None:
        super().__init__(session, match_id)
        self._host = host
        self._asked = 0

    def ask(self, question: Question) -> None:
        super().ask(question)
        self._asked += 1
        if self._asked in _CUT_AT and self._host.proxy is not None:
            self._host.proxy.cut()


async def _reconnect(state: ExamState, game: AnyGame) -> Report:
    # Its clock runs while it is away: here it is to fail by not coming back, not by a short clock.
    control = state.conditions.control
    control = replace(control, bank_s=max(control.bank_s, 2 * RESUME_S))
    conditions = replace(state.conditions, control=control)
    async with Host(state.candidate, conditions, state.games, is_proxied=True) as host:
        session = await host.session()
        seating = Seating(game, 51, game.table_sizes[0], 0)
        playing = asyncio.ensure_future(host.play(seating, partial(_CutPlayer, host)))
        try:
            await _wait_for_return(state, host, session, playing)
            return _judge(state, host, playing)
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await state.candidate.stop()


async def _wait_for_return(
    state: ExamState, host: Host, session: Session, playing: asyncio.Future[PlayedMatch]
) -> None:
    """Wait until the match is over, or the bot has been away for too long."""
    loop = asyncio.get_running_loop()
    left_at = loop.time()
    while not playing.done() and loop.time() < left_at + RESUME_S:
        if session.is_present:
            left_at = loop.time()
        if host.refusal or not state.candidate.is_running:
            return
        await asyncio.wait({playing}, timeout=_GLANCE_S)


def _judge(state: ExamState, host: Host, playing: asyncio.Future[PlayedMatch]) -> Report:
    end = state.candidate.exit
    if end is not None:
        level = Weight.MUST if end.signal is not None else None
        return failed(f"when the connection was cut, the process {end.describe()}", _ADVICE, level)
    if host.refusal:
        return failed("it sent a new hello instead of resuming, and was refused", _ADVICE)
    if not playing.done():
        return failed(f"it did not come back within {RESUME_S:g} s", _ADVICE)
    played = playing.result()
    check_faults(played, 0)
    connections = host.proxy.connections if host.proxy is not None else 0
    return passed(f"cut {counted(connections - 1, 'time')}, resumed, and played to the end")


RECONNECTS = Situation(
    "reconnect",
    "comes back after a lost connection",
    Weight.SHOULD,
    "network connections break; a bot that does not resume loses its running matches",
    _reconnect,
    is_long=True,
)
