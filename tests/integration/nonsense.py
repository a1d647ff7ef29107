"""Nonsense of every kind beside honest matches: it ends its own stream properly and nothing else.

What a bot may say is drawn from a seeded generator, so a failure can be played again. Some of it is
made of the messages in `corpus`, each of which once reached code that nothing else did.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import grpc

from arena.referee.match import PlayedMatch
from arena.server.limits import SessionLimits
from arena.server.session import Session
from arena.v1 import play_pb2
from tests.integration.bots import Code, House, Stream, answers, hello, leave, open_house

PROPER = {
    Code.OK,
    Code.INVALID_ARGUMENT,
    Code.FAILED_PRECONDITION,
    Code.UNAUTHENTICATED,
    Code.ALREADY_EXISTS,
    Code.RESOURCE_EXHAUSTED,
    Code.NOT_FOUND,
    Code.DEADLINE_EXCEEDED,
    Code.ABORTED,
    Code.CANCELLED,  # by the fuzzer itself alone
}
LIMITS = SessionLimits(hello_timeout_s=1.0, resume_window_s=0.5)
NUMBERS = (0, 1, 2, 3, 127, 128, 2**31 - 1, 2**31, 2**32 - 1)
MOST = 40  # messages on one stream
CORPUS = Path(__file__).parent / "corpus"


def corpus() -> list[bytes]:
    """Return the kept messages, always in the same order."""
    return [path.read_bytes() for path in sorted(CORPUS.iterdir())]


_KEPT = corpus()


class Nonsense:
    """Makes messages, more and less wrong."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.seen: list[play_pb2.Decision] = []
        self._kinds: list[Callable[[], bytes]] = [
            self.noise,
            self.mutant,
            self.mutant,
            self.answers,
            self.answers,
            self.hello,
            self.oversized,
            self.doubled,
            self.unknown_fields,
            lambda: b"",
        ]

    def message(self) -> bytes:
        """Return a message of some kind."""
        return self.rng.choice(self._kinds)()

    def noise(self) -> bytes:
        return self.rng.randbytes(self.rng.choice((1, 2, 8, 100, 5_000)))

    def mutant(self) -> bytes:
        """A valid message with bits flipped, cut, or with some bytes in another order."""
        rng = self.rng
        kinds = (self.hello, self.answers, lambda: leave("why"), lambda: rng.choice(_KEPT))
        data = bytearray(rng.choice(kinds)())
        for _ in range(rng.randint(1, 4)):
            if not data:
                break
            place = rng.randrange(len(data))
            match rng.randrange(4):
                case 0:
                    data[place] ^= 1 << rng.randrange(8)
                case 1:
                    del data[place:]
                case 2:
                    data[place:place] = data[: rng.randrange(20)]
                case 3:
                    some = data[place : place + 200]
                    rng.shuffle(some)
                    data[place : place + 200] = some
        return bytes(data)

    def answers(self) -> bytes:
        """Answers to what was asked, to what was not, with every wrong number."""
        rng = self.rng
        parts = []
        for _ in range(rng.choice((0, 1, 1, 2, 10))):
            part = play_pb2.Answer(match_id=rng.choice(("m1", "m9999", "", "x" * 3_000)))
            part.decision_id = rng.choice(NUMBERS)
            if self.seen and rng.random() < 0.7:
                part.match_id = rng.choice(self.seen).match_id
                part.decision_id = rng.choice(self.seen).decision_id
            if rng.random() < 0.8:
                part.move_index = rng.choice(NUMBERS)
            if rng.random() < 0.2:
                part.note = rng.choice(("n", "ü" * 3_000, "\0", "\U0010ffff"))
            parts.append(part)
        data = answers(*parts)
        if rng.random() < 0.1:  # a negative number, ten bytes long, where a small one belongs
            data += b"\x12\x0d\x0a\x0b\x10" + b"\xff" * 9 + b"\x01"
        return data

    def hello(self) -> bytes:
        rng = self.rng
        return hello(
            rng.choice(("", "fuzz", "honest-0", "x" * 64, "x" * 65, "\x00", "\u202e", "日本")),
            protocol=rng.choice((1, 1, 1, 1, *NUMBERS)),
            version=rng.choice(("", "1", "v" * 60_000)),
            games=rng.choice(([], ["byzanz"], ["chess"], ["g"] * 1_000)),
            max_matches=rng.choice(NUMBERS),
            resume_token=rng.choice((b"", b"", b"", b"\xff", rng.randbytes(16))),
        )

    def oversized(self) -> bytes:
        return leave("x" * self.rng.choice((65_530, 65_537, 100_000, 300_000)))

    def doubled(self) -> bytes:
        """Two messages in one: the last member of a oneof counts."""
        return self.mutant() + self.answers() + self.rng.choice((b"", self.hello()))

    def unknown_fields(self) -> bytes:
        return self.answers() + b"\xfa\x3f\x03abc\x08\x01"


async def attack(
    house: House, channel: grpc.aio.Channel, number: int, seed: int
) -> tuple[Code, int]:
    """Let one stream say nonsense until it has ended; return how, and how much was said."""
    nonsense = Nonsense((seed << 32) + number)
    rng = nonsense.rng
    stream = house.stream(channel)
    said = 0
    listening = None
    if rng.random() < 0.7:  # come in properly first
        name = f"fuzz-{number}"
        await stream.say(hello(name, max_matches=4))
        if await stream.hear() is None:  # not within the time for a hello: the machine is busy
            code, details = await stream.status()
            assert code is Code.DEADLINE_EXCEEDED, details
            return code, 1
        session = house.arena.lobby.find(name)
        assert session is not None
        if rng.random() < 0.5:
            house.start_alone(session)
        listening = asyncio.ensure_future(listen(stream, nonsense))
        said += 1
    for _ in range(rng.randint(1, MOST)):
        if not await stream.say(nonsense.message()):
            break
        said += 1
        if rng.random() < 0.1:
            await asyncio.sleep(0)
    is_cut = False
    match rng.randrange(3):
        case 0 if not stream.call.done():
            await stream.cut()
            is_cut = True
        case 1 if not stream.call.done():
            await stream.close()
        case _:
            while await stream.say(b"\xff"):
                said += 1
    if listening is not None:
        await listening
    code, details = await stream.status()
    assert code is Code.OK or details, "a status without a word of explanation"
    assert code is not Code.CANCELLED or is_cut, details
    return code, said


async def listen(stream: Stream, nonsense: Nonsense) -> None:
    while (message := await stream.hear()) is not None:
        nonsense.seen += message.decisions.decisions
        del nonsense.seen[:-5]


async def fuzz(
    path: Path, messages: int, tables: int, crowd: int, seed: int = 0
) -> tuple[Counter[str], list[PlayedMatch], int]:
    """Say at least so many messages beside so many honest tables that play without a pause.

    As many connections as `crowd` says carry 24 streams each at the same time: some of them wait
    for the arena to lose its patience. Returns how streams ended, the honest matches, and how many
    messages were said.
    """
    statuses: Counter[str] = Counter()
    played: list[PlayedMatch] = []
    said = 0
    async with open_house(path, limits=LIMITS) as house:
        honest = [await house.honest(f"honest-{seat}", max_matches=64) for seat in range(3)]
        sessions: list[Session] = [session for _, session in honest]
        is_over = False

        async def keep_playing() -> None:
            while not is_over:
                played.append(await house.start(sessions))

        playing = [asyncio.ensure_future(keep_playing()) for _ in range(tables)]
        number = 0
        try:
            while said < messages:
                channels = [house.channel() for _ in range(crowd)]
                places = range(24 * crowd)
                group = [
                    attack(house, channels[place // 24], number + place, seed) for place in places
                ]
                number += len(group)
                for code, count in await asyncio.gather(*group):
                    statuses[code.name] += 1
                    said += count
                for channel in channels:
                    await channel.close()
        finally:
            is_over = True  # once the hall closes, matches are void at once, and without a pause
        await asyncio.gather(*playing)
        for bot, session in honest:
            assert session.is_present
            assert not bot.heard_of("rejected")
            assert not bot.heard_of("goodbye")
    return statuses, played, said


def check_fuzzed(statuses: Counter[str], played: list[PlayedMatch], tables: int) -> None:
    """Every bad stream ended with a proper status; honest matches normally, without faults."""
    assert set(statuses) <= {code.name for code in PROPER}, statuses
    assert len(statuses) > 2, "the nonsense is too much alike"
    assert len(played) >= tables
    for match in played:
        assert match.outcome is not None
        assert not match.faults
        assert set(match.ended) == {"normal"}
