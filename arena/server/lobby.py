"""Where bots wait: who is here, who comes back, who may come in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any

from arena.config.bot_fields import LONGEST_NAME, fold_name
from arena.errors import (
    LimitError,
    MessageError,
    NoCommonGameError,
    ResumeError,
    SessionError,
    StoppingError,
    TokenError,
    TokenInUseError,
    VersionError,
)
from arena.referee.clock import Clock
from arena.referee.faults import Fault
from arena.server.auth import Admission, hash_token
from arena.server.limits import SessionLimits
from arena.server.metrics import Metrics
from arena.server.session import Introduction, Session, SessionPhase
from arena.v1 import play_pb2
from arena.wire.protocol import PROTOCOL

LOG = logging.getLogger("arena.lobby")

_MOST_GAMES = 64
_REVOKED = "the token of this session was revoked or has expired: ask the organiser for one"


class Lobby:
    """The sessions of an arena, by the name they play under: one for each.

    Names that differ only in case are one: they could not meet in a tournament.
    """

    def __init__(
        self,
        admission: Admission,
        games: Sequence[str],
        limits: SessionLimits,
        clock: Clock,
        metrics: Metrics | None = None,
    ) -> None:
        """Open for bots that play one of the games."""
        self.admission = admission
        self.limits = limits
        self.is_stopping = False
        self._games = frozenset(games)
        self._clock = clock
        self._metrics = metrics
        self._sessions: dict[str, Session] = {}  # by folded name
        self._changed = asyncio.Event()
        self._reserved: dict[str, float] = {}  # until when, by name

    def reserve(self, bots: Iterable[str], lasts_s: float) -> None:
        """Let casual matches pass over bots of these names for a while."""
        now = self._clock.time()
        self._reserved = {name: until for name, until in self._reserved.items() if until > now}
        self._reserved |= dict.fromkeys(bots, now + lasts_s)

    def is_reserved(self, bot: str) -> bool:
        """Return whether a bot is kept for a match that names it."""
        return self._reserved.get(bot, 0.0) > self._clock.time()

    # Coming in.

    def enter(self, hello: play_pb2.Hello, socket: str = "") -> Session:
        """Return the session a hello opens or resumes; raises SessionError.

        `socket` is the private one that it came by; empty for an address that others dial.
        """
        if self.is_stopping:
            raise StoppingError("the arena is stopping: try again later")
        if hello.protocol != PROTOCOL:
            raise VersionError(
                f"the bot speaks protocol {hello.protocol}, this arena speaks {PROTOCOL}: "
                f"use an SDK for protocol {PROTOCOL}"
            )
        if hello.resume_token:
            return self._resume(hello.resume_token, socket)
        return self._admit(hello, socket)

    def _resume(self, token: bytes, socket: str) -> Session:
        for session in self._sessions.values():
            if session.socket == socket and session.is_resumed_by(token):
                self.admission.refresh()
                if not self.admission.still_admits(session.bot, session.token_sha256):
                    session.end(Fault.DISCONNECT, _REVOKED)
                    raise TokenError(_REVOKED)
                session.attach(token)
                LOG.info("session resumed", extra={"session": session.id, "bot": session.bot})
                return session
        raise ResumeError("there is no session to resume: say hello without a resume token")

    def _admit(self, hello: play_pb2.Hello, socket: str) -> Session:
        check_hello(hello)
        is_expected = self.admission.expects(hello.token)
        name = self.admission.admit(hello.token, hello.bot, socket)
        if hello.games and self._games.isdisjoint(hello.games):
            offered = ", ".join(sorted(self._games))
            raise NoCommonGameError(f"the bot plays none of the games offered here: {offered}")
        self._replace(name)
        lost = None if is_expected else self._find_room()
        if lost is not None:
            lost.end(Fault.DISCONNECT, "the session did not come back and its place was needed")
        profile = Introduction(
            bot=name,
            version=hello.version,
            language=hello.language,
            sdk=hello.sdk,
            games=frozenset(hello.games),
            max_matches=min(max(hello.max_matches, 1), self.limits.max_matches),
            batches_matches=hello.batches_matches,
        )
        session = Session(profile, self.limits, self._clock, self._metrics)
        session.token_sha256 = hash_token(hello.token)
        session.socket = socket
        session.on_change = self._on_change
        self._sessions[fold_name(name)] = session
        LOG.info(
            "session opened",
            extra={"session": session.id, "bot": name, "sdk": profile.sdk or profile.language},
        )
        session.attach()
        return session

    def _replace(self, name: str) -> None:
        """End what is left of the last session of that name; raises TokenInUseError."""
        old = self._sessions.get(fold_name(name))
        if old is None:
            return
        if old.bot != name:
            raise TokenInUseError(
                f"a session of {old.bot!r} is open, which differs from {name!r} only in case or "
                "accents: use another name"
            )
        if old.is_present:
            raise TokenInUseError(
                f"a session of {name!r} is already open: end it first, or use another token"
            )
        old.end(Fault.DISCONNECT, "the bot sent a new hello instead of resuming")

    def _find_room(self) -> Session | None:
        """Return the session whose place may be taken, if there is no free one; raises LimitError.

        It is one that is away and in no match: whoever plays may come back.
        """
        if len(self._sessions) < self.limits.max_sessions:
            return None
        for session in self._sessions.values():
            if not session.is_present and not session.seats:
                return session
        raise LimitError(
            f"{self.limits.max_sessions} sessions are open, which is the limit: try again later"
        )

    # Sending away.

    def recheck(self) -> None:
        """End the sessions whose tokens were revoked or have expired."""
        self.admission.refresh()
        for session in self.sessions():
            if not self.admission.still_admits(session.bot, session.token_sha256):
                self._send_away(session, TokenError(_REVOKED))

    def kick(self, name: str, reason: str) -> bool:
        """End the session of a name; return whether there was one. It may come again."""
        session = self.find(name)
        if session is not None:
            why = f": {reason}" if reason else ""
            self._send_away(session, SessionError(f"the organiser ended the session{why}"))
        return session is not None

    def _send_away(self, session: Session, parting: SessionError) -> None:
        session.part(parting)
        session.end(Fault.DISCONNECT, str(parting))

    # Who is here.

    def find(self, name: str) -> Session | None:
        """Return the session that plays under a name, None if there is none."""
        session = self._sessions.get(fold_name(name))
        return session if session is not None and session.bot == name else None

    def sessions(self) -> list[Session]:
        """Return all sessions, oldest first."""
        return list(self._sessions.values())

    async def arrival(self, name: str) -> Session:
        """Return the session of a name once it is present, free or not."""
        while (session := self.find(name)) is None or not session.is_present:
            await self.change()
        return session

    async def wait_for(self, name: str, timeout_s: float | None = None) -> Session | None:
        """Return the session of a name once it is present with a free place; None if too late."""
        try:
            async with asyncio.timeout(timeout_s):
                while (session := self.find(name)) is None or session.free < 1:
                    await self.change()
                return session
        except TimeoutError:
            return None

    def change(self) -> Coroutine[Any, Any, object]:
        """Return what waits until any session comes, goes, or gains or loses a seat.

        From this call on, not from when it is awaited: a task would begin too late to see what
        changes before its first step.
        """
        return self._changed.wait()

    def _on_change(self, session: Session) -> None:
        if session.phase is SessionPhase.ENDED and self.find(session.bot) is session:
            del self._sessions[fold_name(session.bot)]
        self._changed.set()
        self._changed = asyncio.Event()
        if self._metrics is not None:
            phases = [other.phase for other in self._sessions.values()]
            self._metrics.sessions.labels("live").set(phases.count(SessionPhase.LIVE))
            self._metrics.sessions.labels("parked").set(phases.count(SessionPhase.PARKED))


def check_hello(hello: play_pb2.Hello) -> None:
    """Raise MessageError for lists and texts that nobody would send in earnest."""
    for field in ("bot", "version", "language", "sdk"):
        text = getattr(hello, field)
        if len(text) > LONGEST_NAME or not text.isprintable():
            raise MessageError(
                f"{field} in the hello must be up to {LONGEST_NAME} printable characters"
            )
    if len(hello.games) > _MOST_GAMES:
        raise MessageError(f"the hello names more than {_MOST_GAMES} games")
