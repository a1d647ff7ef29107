"""Bare grpc.aio streams that play no game: what the transport alone can do.

    python -m benchmarks.bare --bots 1 ...                 one stream to one process: BASE
    python -m benchmarks.bare --bots 4 ...                 one question round four processes
    python -m benchmarks.bare --bots 4 --questions 64 ...  many of them, in batches as the arena's

Prints one JSON object: questions answered, seconds, the server's processor time for each, and how
long one waited there. Started by benchmarks.arena, which gives it the sizes of real decisions and
answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from arena.grpc_settings import SETTING, VARIABLE
from benchmarks.delays import middle_and_tail
from benchmarks.loops import run_on

WARM_UP_S = 0.5
PATH = "/bench.Relay/Play"


def main() -> None:
    """Be the server, or a bot of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bot", metavar="ADDRESS", help="be a bot that answers every message")
    parser.add_argument("--bots", type=int, default=1)
    parser.add_argument("--questions", type=int, default=1, help="on their way at once")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--question-bytes", type=int, default=750)
    parser.add_argument("--answer-bytes", type=int, default=20)
    parser.add_argument("--loop", choices=("asyncio", "uvloop"), default="asyncio")
    parser.add_argument("--tcp", action="store_true", help="loopback instead of a unix socket")
    parser.add_argument("--as-arena", action="store_true", help="listen with the arena's settings")
    args = parser.parse_args()
    if args.as_arena:
        os.environ[VARIABLE] = SETTING
    run_on(args.loop, _answer_all(args) if args.bot else _serve(args))


async def _answer_all(args: argparse.Namespace) -> None:
    import grpc.aio  # noqa: PLC0415 - reads its settings when it is imported

    answer = bytes(args.answer_bytes)
    async with grpc.aio.insecure_channel(args.bot) as channel:
        call: Any = channel.stream_stream(PATH)()
        await call.write(answer)
        while isinstance(data := await call.read(), bytes):
            await call.write(answer * (len(data) // args.question_bytes))


class _Relay:
    """Hands every answer on as the next process's question.

    As in the arena, a process that owes answers gets no question before it has given them, and
    then all that wait for it in one message.
    """

    def __init__(self, bots: int, question: bytes, answer_bytes: int) -> None:
        self.count = self.writes = 0
        self.delays: list[float] = []
        self.ready = asyncio.Event()
        self.is_over = False
        self._bots = bots
        self._question = question
        self._answer_bytes = answer_bytes
        self._wakes: list[asyncio.Event] = []
        self._waiting: list[list[float]] = [[] for _ in range(bots)]  # since when, by process
        self._owes = [False] * bots

    async def play(self, _requests: Any, context: Any) -> None:
        await context.read()
        place = len(self._wakes)
        wake = asyncio.Event()
        self._wakes.append(wake)
        if len(self._wakes) == self._bots:
            self.ready.set()
        writer = asyncio.create_task(self._write_all(place, wake, context))
        try:
            while not self.is_over and isinstance(data := await context.read(), bytes):
                answered = len(data) // self._answer_bytes
                self.count += answered
                self._owes[place] = False
                wake.set()
                self.ask([(place + 1 + i) % self._bots for i in range(answered)])
        finally:
            writer.cancel()

    def ask(self, places: list[int]) -> None:
        """Have these processes asked, one question each time they are named."""
        now = time.perf_counter()
        for place in places:
            self._waiting[place].append(now)
            self._wakes[place].set()

    async def _write_all(self, place: int, wake: asyncio.Event, context: Any) -> None:
        while True:
            await wake.wait()
            wake.clear()
            waiting = self._waiting[place]
            if not waiting or self._owes[place]:
                continue
            self._waiting[place] = []
            self._owes[place] = True
            self.writes += 1
            await context.write(self._question * len(waiting))
            now = time.perf_counter()
            self.delays += [now - since for since in waiting]


async def _serve(args: argparse.Namespace) -> None:
    import grpc  # noqa: PLC0415 - reads its settings when it is imported
    import grpc.aio  # noqa: PLC0415 - likewise

    with tempfile.TemporaryDirectory(prefix="bare-") as directory:
        relay = _Relay(args.bots, bytes(args.question_bytes), args.answer_bytes)
        server = grpc.aio.server()
        method: Any = grpc.stream_stream_rpc_method_handler(relay.play)
        handler = grpc.method_handlers_generic_handler("bench.Relay", {"Play": method})
        server.add_generic_rpc_handlers((handler,))
        address = "127.0.0.1:0" if args.tcp else f"unix:{directory}/s"
        port = server.add_insecure_port(address)
        await server.start()
        target = f"127.0.0.1:{port}" if args.tcp else address
        command = [sys.executable, "-m", "benchmarks.bare", "--bot", target, "--loop", args.loop]
        command += ["--answer-bytes", str(args.answer_bytes)]
        command += ["--question-bytes", str(args.question_bytes)]
        environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
        bots = [
            subprocess.Popen(command, env=environment)  # noqa: ASYNC220 - before anything is measured
            for _ in range(args.bots)
        ]
        try:
            async with asyncio.timeout(30):
                await relay.ready.wait()
            relay.ask([place % args.bots for place in range(args.questions)])
            await asyncio.sleep(WARM_UP_S)
            count, writes, started = relay.count, relay.writes, time.perf_counter()
            cpu = time.process_time()
            relay.delays.clear()
            await asyncio.sleep(args.seconds)
            seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
            decisions = relay.count - count
            p50, p99 = middle_and_tail(relay.delays)
            report = {
                "decisions": decisions,
                "seconds": seconds,
                "cpu_us": 1e6 * cpu / decisions,
                "batch": decisions / (relay.writes - writes),
                "p50_us": p50,
                "p99_us": p99,
            }
            print(json.dumps(report))
        finally:
            relay.is_over = True
            for bot in bots:
                bot.terminate()
            for bot in bots:
                bot.wait()
            await server.stop(None)


if __name__ == "__main__":
    main()
