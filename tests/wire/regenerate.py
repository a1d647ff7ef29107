"""Write the golden messages again: `python -m tests.wire.regenerate`.

Each file is one message as the arena sends it: its bytes in hex, then what they decode to. They
change only when the protocol, the rules or their order of legal moves do; a difference is reviewed
as a diff, and one in the bytes alone concerns every bot there is.
"""

from __future__ import annotations

import textwrap
from itertools import pairwise
from pathlib import Path

from google.protobuf import text_format

from arena.games.game import AnyGame, Event
from arena.referee.faults import Fault, SeatFault
from arena.v1 import play_pb2, watch_pb2
from arena.wire import play, watch
from arena.wire.codec import codec_for
from tests.wire.played import BYZANZ, SCHWARZMARKT, Moment, moments

DIRECTORY = Path(__file__).parents[1] / "golden" / "wire"
DECISION = 45
"""The decision of the match that is written."""
SEATS = 3

Sent = tuple[bytes, type[play_pb2.PlayResponse] | type[watch_pb2.WatchResponse]]


def golden_messages() -> dict[str, str]:
    """Return the content of every golden file by its name."""
    sent = session_messages()
    for game in (BYZANZ, SCHWARZMARKT):
        sent |= match_messages(game)
    return {f"{name}.txt": describe(*one) for name, one in sent.items()}


def session_messages() -> dict[str, Sent]:
    """Return the messages that are the same for every game."""
    limits = play_pb2.Limits(
        max_matches=4, max_message_bytes=65536, max_note_bytes=1024, max_messages_per_second=50
    )
    sent = {
        "welcome": play.welcome(
            session="s-1",
            resume_token=bytes(range(16)),
            resumed=True,
            arena="1.0",
            bot="example",
            limits=limits,
        ),
        "rejected": play.rejected(
            match_id="m-1",
            decision_id=7,
            reason=play_pb2.Rejected.REASON_LATE,
            message="the time was up: answer sooner",
        ),
        "goodbye": play.goodbye(play_pb2.Goodbye.REASON_FINISHED, "there is nothing more to play"),
    }
    return {name: (data, play_pb2.PlayResponse) for name, data in sent.items()}


def match_messages(game: AnyGame) -> dict[str, Sent]:
    """Return one of each message of a match of random moves."""
    codec = codec_for(game)
    match = list(moments(game, SEATS, 0))
    seats = [play_pb2.SeatInfo(bot=f"bot-{seat}", version="1") for seat in range(SEATS)]
    faults = [
        SeatFault(1, 4, Fault.TIMEOUT, "a secret", False),
        SeatFault(2, 5, Fault.CRASH, "another", True),
    ]
    started = play.match_started(
        match_id="m-1",
        game=game,
        seat=1,
        seats=seats,
        time_control=play.time_control(move_time_s=0.1, bank_s=10.0, max_faults=3),
        bot_seed=bytes(range(32)),
    )
    ended = play.match_ended(
        match_id="m-1",
        scores=(7, 12, 0),
        ranks=(2, 1, 3),
        forfeits=(None, None, Fault.CRASH),
        faults=faults,
        events=codec.events([event for moment in match[-4:] for event in moment.events[0]]),
    )
    public = match[DECISION]
    table = watch.table(
        match_id="m-1",
        game=game,
        seats=seats,
        observation=codec.observation(public.observations[-1]),
    )
    watched = watch.watched_events(faults=faults, events=codec.events(public.events[-1]))
    return {
        f"{game.name}-match-started": (started, play_pb2.PlayResponse),
        f"{game.name}-decisions": (decisions(game, match, faults), play_pb2.PlayResponse),
        f"{game.name}-match-ended": (ended, play_pb2.PlayResponse),
        f"{game.name}-table": (table, watch_pb2.WatchResponse),
        f"{game.name}-watched-events": (watched, watch_pb2.WatchResponse),
    }


def decisions(game: AnyGame, match: list[Moment], faults: list[SeatFault]) -> bytes:
    """Return the first proper decision from `DECISION` on and the one before, in one message."""
    asked = [moment for moment in match if len(moment.legal_moves) > 1]
    parts = []
    for decision_id, (before, moment) in enumerate(pairwise(asked[DECISION - 1 : DECISION + 2]), 1):
        seat = moment.to_act
        assert seat is not None
        since = match[match.index(before) + 1 : match.index(moment) + 1]
        events: list[Event] = [event for one in since for event in one.events[seat]]
        part = codec_for(game).decision(moment.observations[seat], moment.legal_moves, events)
        legal = len(moment.legal_moves)
        parts.append(play.decision("m-1", decision_id, 0.1, 9.75, legal, faults, part))
    return play.decisions(parts)


def describe(data: bytes, message: type[play_pb2.PlayResponse | watch_pb2.WatchResponse]) -> str:
    """Return a message as text: bytes, then content."""
    content = text_format.MessageToString(message.FromString(data), as_utf8=True)
    lines = [f"{message.DESCRIPTOR.full_name}, {len(data)} bytes", ""]
    lines += textwrap.wrap(data.hex(" "), 96)
    return "\n".join([*lines, "", content])


def main() -> None:
    """Write all files, and remove those that are no longer made."""
    DIRECTORY.mkdir(exist_ok=True)
    content = golden_messages()
    for path in DIRECTORY.glob("*.txt"):
        if path.name not in content:
            path.unlink()
    for name, text in content.items():
        (DIRECTORY / name).write_text(text, encoding="utf-8")
        print(f"wrote {name}")


if __name__ == "__main__":
    main()
