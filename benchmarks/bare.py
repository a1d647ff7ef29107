"""Bare grpc.aio streams that play no game: what the transport alone can do.

    python -m benchmarks.bare --bots 1 ...    one stream to one process, ping-pong: BASE
    python -m benchmarks.bare --bots 4 ...    one message that goes round four processes

Prints one JSON object: messages and seconds. Started by benchmarks.arena, which gives it the sizes
of real decisions and answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from typing import Any

import grpc
import grpc.aio

from benchmarks.loops import run_on

WARM_UP_S = 0.5
PATH = "/bench.Relay/Play"


def main() -> None:
    """Be the server, or a bot of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bot", metavar="ADDRESS", help="be a bot that answers every message")
    parser.add_argument("--bots", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--question-bytes", type=int, default=750)
    parser.add_argument("--answer-bytes", type=int, default=20)
    parser.add_argument("--loop", choices=("asyncio", "uvloop"), default="asyncio")
    parser.add_argument("--tcp", action="store_true", help="loopback instead of a unix socket")
    args = parser.parse_args()
    run_on(args.loop, _answer_all(args) if args.bot else _serve(args))


async def _answer_all(args: argparse.Namespace) -> None:
    answer = bytes(args.answer_bytes)
    async with grpc.aio.insecure_channel(args.bot) as channel:
        call: Any = channel.stream_stream(PATH)()
        await call.write(answer)
        while isinstance(await call.read(), bytes):
            await call.write(answer)


class _Relay:
    """Hands every answer on as the next process's question."""

    def __init__(self, bots: int, question: bytes) -> None:
        self.count = 0
        self._bots = bots
        self._question = question
        self._contexts: list[Any] = []
        self.ready = asyncio.Event()
        self.is_over = False

    def handler(self) -> grpc.GenericRpcHandler:
        method: Any = grpc.stream_stream_rpc_method_handler(self.play)
        return grpc.method_handlers_generic_handler("bench.Relay", {"Play": method})

    async def play(self, _requests: Any, context: Any) -> None:
        await context.read()
        place = len(self._contexts)
        self._contexts.append(context)
        if len(self._contexts) == self._bots:
            self.ready.set()
        while not self.is_over and isinstance(await context.read(), bytes):
            self.count += 1
            await self._contexts[(place + 1) % self._bots].write(self._question)

    async def kick_off(self) -> None:
        await self._contexts[0].write(self._question)


async def _serve(args: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="bare-") as directory:
        relay = _Relay(args.bots, bytes(args.question_bytes))
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((relay.handler(),))
        address = "127.0.0.1:0" if args.tcp else f"unix:{directory}/s"
        port = server.add_insecure_port(address)
        await server.start()
        target = f"127.0.0.1:{port}" if args.tcp else address
        command = [sys.executable, "-m", "benchmarks.bare", "--bot", target, "--loop", args.loop]
        command += ["--answer-bytes", str(args.answer_bytes)]
        bots = [subprocess.Popen(command) for _ in range(args.bots)]  # noqa: ASYNC220 - before anything is measured
        try:
            async with asyncio.timeout(30):
                await relay.ready.wait()
            await relay.kick_off()
            await asyncio.sleep(WARM_UP_S)
            count, started, cpu = relay.count, time.perf_counter(), time.process_time()
            await asyncio.sleep(args.seconds)
            seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
            decisions = relay.count - count
            report = {"decisions": decisions, "seconds": seconds, "cpu_us": 1e6 * cpu / decisions}
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
