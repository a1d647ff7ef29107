"""What idle sessions cost, and whether any is lost: `make bench`.

A thousand sessions dial in and wait. Then 200 of them play 50 matches at once among each other, and
every match must end without a fault.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import grpc.aio

from arena.games.registry import get_game
from arena.referee.fixture import plan_match
from arena.referee.replay import Entrant
from arena.server.address import Address
from arena.server.app import Arena, ArenaOptions
from arena.server.loop import run_async
from arena.v1 import play_pb2
from benchmarks.traffic import RULES

GAME = "byzanz"
PLAYERS = 4


async def _hold_sessions(address: str, first: int, number: int) -> None:
    """Hold so many sessions, each over a connection of its own, and answer with the first move."""
    options = [("grpc.use_local_subchannel_pool", 1)]

    async def hold(index: int) -> None:
        async with grpc.aio.insecure_channel(address, options=options) as channel:
            call: Any = channel.stream_stream(
                "/arena.v1.PlayService/Play",
                request_serializer=play_pb2.PlayRequest.SerializeToString,
                response_deserializer=play_pb2.PlayResponse.FromString,
            )()
            hello = play_pb2.Hello(protocol=1, bot=f"idle-{index}", version="1", max_matches=4)
            await call.write(play_pb2.PlayRequest(hello=hello))
            while isinstance(response := await call.read(), play_pb2.PlayResponse):
                answers = [
                    play_pb2.Answer(
                        match_id=decision.match_id, decision_id=decision.decision_id, move_index=0
                    )
                    for decision in response.decisions.decisions
                ]
                if answers:
                    request = play_pb2.PlayRequest(answers=play_pb2.Answers(answers=answers))
                    await call.write(request)

    await asyncio.gather(*(hold(index) for index in range(first, first + number)))


async def _measure(sessions: int, seconds: float, playing: int) -> bool:
    with tempfile.TemporaryDirectory(prefix="idle-") as directory:
        address = Address(f"unix:{directory}/s")
        async with Arena(ArenaOptions(games=[GAME])) as arena:
            await arena.listen([address])
            before = _resident_kib()
            half = sessions // 2
            command = [sys.executable, "-m", "benchmarks.idle", "--hold", address.text]
            bots = [
                subprocess.Popen([*command, str(first), str(number)])  # noqa: ASYNC220 - a handful, at the start
                for first, number in ((0, half), (half, sessions - half))
            ]
            try:
                async with asyncio.timeout(120):
                    while len(_present(arena)) < sessions:
                        await arena.lobby.change()
                each = (_resident_kib() - before) / sessions
                cpu, started = time.process_time(), time.perf_counter()
                await asyncio.sleep(seconds)
                cpu = (time.process_time() - cpu) / (time.perf_counter() - started)
                lost = sessions - len(_present(arena))
                print(
                    f"idle: {sessions:,} sessions held for {seconds:.0f} s: {lost} lost, "
                    f"{each:.0f} KiB a session, {cpu:.1%} of a core",
                    flush=True,
                )
                return await _play(arena, playing) and not lost
            finally:
                for process in bots:
                    process.kill()
                    process.wait()


def _present(arena: Arena) -> list[Any]:
    return [session for session in arena.lobby.sessions() if session.is_present]


async def _play(arena: Arena, playing: int) -> bool:
    sessions = _present(arena)[:playing]
    ends: list[float] = []
    faults = 0
    started = time.perf_counter()

    async def play(number: int) -> None:
        nonlocal faults
        seats = sessions[number * PLAYERS : (number + 1) * PLAYERS]
        entrants = [Entrant(session.bot, "1") for session in seats]
        fixture = plan_match(get_game(GAME), b"idle", str(number), number, entrants)
        played = await arena.hall.start(fixture, seats, RULES)
        faults += len(played.faults)
        ends.append(time.perf_counter() - started)

    await asyncio.gather(*(play(number) for number in range(len(sessions) // PLAYERS)))
    print(
        f"idle: then {len(sessions)} of them played {len(ends)} matches at once: {faults} faults, "
        f"first ended after {min(ends):.1f} s, last after {max(ends):.1f} s",
        flush=True,
    )
    return faults == 0


def _resident_kib() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4


def main() -> int:
    """Measure; the exit code says whether nothing was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--hold", nargs=3, metavar=("ADDRESS", "FIRST", "NUMBER"), help="be the bots, not the arena"
    )
    parser.add_argument("--sessions", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--playing", type=int, default=200)
    args = parser.parse_args()
    if args.hold:
        address, first, number = args.hold
        run_async(_hold_sessions(address, int(first), int(number)))
        return 0
    return 0 if run_async(_measure(args.sessions, args.seconds, args.playing)) else 1


if __name__ == "__main__":
    sys.exit(main())
