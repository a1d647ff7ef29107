"""Records to store."""

from __future__ import annotations

from arena.referee.faults import Fault, SeatFault
from arena.storage.records import (
    BotRecord,
    Claim,
    FixtureRecord,
    MatchReport,
    SeatTimes,
    TournamentRecord,
)

BOTS = ("Anna", "bot,2", "ß→\u202e")


def tournament(name: str = "cup") -> TournamentRecord:
    """A tournament whose every field says something of its own."""
    return TournamentRecord(
        name=name,
        config='[tournament]\nname = "cup"\n',
        game="byzanz",
        options={"deck": "uneven", "cards": {"lots": [1, 2, None]}},
        players=3,
        seed=bytes(range(32)),
        seed_text="hex:00ff",
        salt=bytes(range(255, 223, -1)),
        bots=tuple(BotRecord(name, f"1.{place}", "g" * place) for place, name in enumerate(BOTS)),
        created="2026-05-01T10:00:00+02:00",
    )


def fixtures(count: int) -> list[FixtureRecord]:
    """A schedule of blocks of three matches."""
    return [
        FixtureRecord(
            index=index,
            match=f"{index // 3 + 1}-{index % 3}",
            block=index // 3 + 1,
            round=index // 6 + 1,
            table=index // 3 % 2 + 1,
            deal=index // 6 + 10,
            seating=index % 3,
            bots=BOTS[index % 3 :] + BOTS[: index % 3],
        )
        for index in range(count)
    ]


def report(claim: Claim, replay: str = "line 1\nline 2 ß\n", score: int = 7) -> MatchReport:
    """The end of a claimed match."""
    return MatchReport(
        match=claim.fixture.match,
        scores=(score, -3, 0),
        ranks=(1, 3, 2),
        forfeits=(None, Fault.TIMEOUT, None),
        faults=(
            SeatFault(1, 4, Fault.ILLEGAL_MOVE, 'said "\0\ud800"', forfeited=False),
            SeatFault(1, 9, Fault.TIMEOUT, "", forfeited=True),
        ),
        times=(
            SeatTimes(20, 1.25, 0.3, 0.001),
            SeatTimes(9, 0.1 + 0.2, 1e-9, 0.0),
            SeatTimes(0, 0.0, 0.0, 0.0),
        ),
        moves=29,
        replay=replay,
    )
