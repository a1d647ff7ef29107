"""A plain, proper bot on gRPC alone. The bad bots of this directory differ from it in one point."""

from __future__ import annotations

import gc
import os
import queue
import sys
from pathlib import Path
from typing import Any, ClassVar

gc.disable()  # there is no garbage: looking for it takes a fifth of a start

import grpc  # noqa: E402

from arena.v1 import play_pb2  # noqa: E402

Requests = queue.SimpleQueue[play_pb2.PlayRequest | None]


class RawBot:
    """Plays the first legal move and ends when it is told goodbye; does not resume."""

    games: ClassVar[tuple[str, ...]] = ("byzanz",)
    max_matches = 1
    exit_code = 0

    def __init__(self) -> None:
        self.out: Requests = queue.SimpleQueue()
        self.resume_token = b""

    def run(self) -> int:
        """Play until the goodbye and return the exit code."""
        options = [("grpc.use_local_subchannel_pool", 1)]
        with grpc.insecure_channel(os.environ["ARENA_ADDRESS"], options) as channel:
            method: Any = channel.stream_stream(
                "/arena.v1.PlayService/Play",
                request_serializer=play_pb2.PlayRequest.SerializeToString,
                response_deserializer=play_pb2.PlayResponse.FromString,
            )
            self.greet()
            try:
                for response in method(iter(self.out.get, None)):
                    self.take(response)
            finally:
                self.out.put(None)
        return self.exit_code

    def greet(self) -> None:
        """Say hello."""
        self.out.put(play_pb2.PlayRequest(hello=self.hello()))

    def hello(self) -> play_pb2.Hello:
        """Return what it says about itself."""
        return play_pb2.Hello(
            protocol=1,
            token=os.environ["ARENA_TOKEN"],
            bot=Path(sys.argv[0]).stem,
            version="1",
            language="python",
            games=self.games,
            max_matches=self.max_matches,
            resume_token=self.resume_token,
        )

    def take(self, response: play_pb2.PlayResponse) -> None:
        """Take a message."""
        which = response.WhichOneof("message")
        if which == "match_started":
            self.start(response.match_started)
        elif which == "decisions":
            self.decide(list(response.decisions.decisions))
        elif which == "match_ended":
            self.end(response.match_ended)
        elif which == "rejected":
            self.rejected(response.rejected)
        elif which == "goodbye":
            self.leave()

    def start(self, started: play_pb2.MatchStarted) -> None:
        """Begin a match."""

    def decide(self, decisions: list[play_pb2.Decision]) -> None:
        """Answer decisions."""
        self.answer(*map(self.choose, decisions))

    def choose(self, decision: play_pb2.Decision) -> play_pb2.Answer:
        """Return the answer to a decision."""
        return play_pb2.Answer(
            match_id=decision.match_id, decision_id=decision.decision_id, move_index=0
        )

    def answer(self, *answers: play_pb2.Answer) -> None:
        """Send answers."""
        self.out.put(play_pb2.PlayRequest(answers=play_pb2.Answers(answers=answers)))

    def end(self, ended: play_pb2.MatchEnded) -> None:
        """End a match."""

    def rejected(self, rejected: play_pb2.Rejected) -> None:
        """Hear of an answer that was not used."""

    def leave(self) -> None:
        """Hear the goodbye: close the own side, the arena then ends the stream."""
        self.out.put(None)


def main(bot: type[RawBot]) -> None:
    """Run a bot as a program."""
    code = bot().run()
    sys.stderr.flush()
    os._exit(code)  # gRPC's threads need no farewell
