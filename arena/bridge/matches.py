"""What a bridged program has been told and asked, and what it has answered. No network, no process.

The program must not notice when a connection is lost and the session resumed: of what the arena
then says again, it hears only what it has not heard.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from arena.bridge.choices import refuse_choice
from arena.errors import ProgramError
from arena.v1 import play_pb2

LOG = logging.getLogger("arena.bridge")

_MOST_OWED = 1000  # answers to matches that have ended; a program need not give them


@dataclass(slots=True)
class _Match:
    """One match, and the last decision that the program was asked in it."""

    started: play_pb2.MatchStarted
    decision: play_pb2.Decision | None = None
    answer: play_pb2.Answer | None = None
    link: int = 0  # the connection over which the decision was asked last

    @property
    def asked(self) -> int:
        """The id of the last decision; ids rise."""
        return 0 if self.decision is None else self.decision.decision_id


class Matches:
    """The matches of a session."""

    def __init__(self) -> None:
        self._matches: dict[str, _Match] = {}
        self._owed: dict[tuple[str, int], None] = {}  # decisions overtaken by their match's end
        self._link = 0
        self._max_note_bytes = 0

    def welcome(self, welcome: play_pb2.Welcome) -> play_pb2.PlayResponse | None:
        """A connection is there; return what the program is told: nothing if the session goes on.

        Its resume token is the bridge's business, and kept out of what a program might print.
        """
        self._link += 1
        self._max_note_bytes = welcome.limits.max_note_bytes
        if welcome.resumed:
            return None
        for match_id in list(self._matches):
            self._drop(match_id)
        told = play_pb2.PlayResponse(welcome=welcome)
        told.welcome.ClearField("resume_token")
        return told

    def hear(
        self, response: play_pb2.PlayResponse
    ) -> tuple[play_pb2.PlayResponse | None, Sequence[play_pb2.Answer]]:
        """Take in what the arena says; return what the program is told, and known answers."""
        match response.WhichOneof("message"):
            case "decisions":
                return self._ask(response)
            case "match_started":
                match_id = response.match_started.match_id
                if match_id in self._matches:
                    return None, ()
                self._matches[match_id] = _Match(response.match_started)
            case "match_ended":
                if not self._drop(response.match_ended.match_id):
                    return None, ()
            case None:
                return None, ()  # from a later arena
        return response, ()

    def answer(self, answers: play_pb2.Answers, number: int) -> list[play_pb2.Answer]:
        """Take answers that the program wrote in a line; return those to be sent now.

        Raises ProgramError, and takes none of them, if one makes no sense. An answer to a match
        that has ended meanwhile is dropped.
        """
        if not answers.answers:
            raise ProgramError(f"line {number} of the program's output has no answers in it")
        for answer in answers.answers:
            self._check(answer, number)
        return [answer for answer in answers.answers if self._take(answer)]

    def _ask(
        self, response: play_pb2.PlayResponse
    ) -> tuple[play_pb2.PlayResponse | None, Sequence[play_pb2.Answer]]:
        new: list[play_pb2.Decision] = []
        known: list[play_pb2.Answer] = []
        for decision in response.decisions.decisions:
            match = self._matches.get(decision.match_id)
            if match is None:
                continue  # its match has ended in the meantime
            match.link = self._link
            if decision.decision_id > match.asked:
                match.decision, match.answer = decision, None
                new.append(decision)
            elif decision.decision_id == match.asked and match.answer is not None:
                known.append(match.answer)  # it got lost with the last connection
        if len(new) == len(response.decisions.decisions):
            return response, known
        told = play_pb2.PlayResponse(decisions=play_pb2.Decisions(decisions=new))
        return told if new else None, known

    def _drop(self, match_id: str) -> bool:
        """Forget a match; return whether there was one."""
        match = self._matches.pop(match_id, None)
        if match is None:
            return False
        if match.decision is not None and match.answer is None:
            self._owed[match_id, match.asked] = None
            if len(self._owed) > _MOST_OWED:
                del self._owed[next(iter(self._owed))]
        return True

    def _check(self, answer: play_pb2.Answer, number: int) -> None:
        match_id, decision_id = answer.match_id, answer.decision_id
        where = f"line {number} of the program's output answers decision {decision_id} of match"
        if not answer.HasField("move_index"):
            raise ProgramError(f"{where} {match_id!r} without moveIndex: write it even if it is 0")
        if (match_id, decision_id) in self._owed:
            return
        match = self._matches.get(match_id)
        if match is None:
            running = ", ".join(self._matches) or "none"
            raise ProgramError(
                f"{where} {match_id!r}, which it does not play (its matches: {running})"
            )
        if match.decision is None or not 1 <= decision_id <= match.asked:
            last = f"{match.asked} is the last" if match.asked else "none has been asked so far"
            raise ProgramError(f"{where} {match_id!r}, which was not asked ({last})")
        if decision_id == match.asked and answer.move_index >= match.decision.legal_count:
            raise refuse_choice(match.started, match.decision, answer.move_index, number)

    def _take(self, answer: play_pb2.Answer) -> bool:
        """Note a checked answer; return whether it is to be sent now."""
        key = answer.match_id, answer.decision_id
        if key in self._owed:
            del self._owed[key]
            return False
        self._cut_note(answer)
        match = self._matches[answer.match_id]
        if answer.decision_id == match.asked and match.answer is None:
            match.answer = answer
        # One asked over a lost connection is kept only: it will be asked again over the new one.
        return match.link == self._link

    def _cut_note(self, answer: play_pb2.Answer) -> None:
        content, limit = answer.note.encode(), self._max_note_bytes
        if limit and len(content) > limit:
            LOG.warning("a note of %d bytes was cut to %d", len(content), limit)
            answer.note = content[:limit].decode(errors="ignore")
