"""Speaks the protocol by hand, as badly as HOW says."""

from __future__ import annotations

import itertools
import os
import queue
import sys
import time
from collections.abc import Iterator

import grpc
from arena_client.v1 import play_pb2
from arena_client.v1.play_pb2 import PlayRequest, PlayResponse

HOW = os.environ["HOW"]
BEYOND = 1_000_000
SMALL = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 8192))  # what it takes unread

outgoing: queue.SimpleQueue[PlayRequest | None] = queue.SimpleQueue()


def hello() -> PlayRequest:
    token = os.environ.get("ARENA_TOKEN", "")
    return PlayRequest(hello=play_pb2.Hello(protocol=1, bot=HOW, token=token, max_matches=64))


def answer(match_id: str, decision_id: int, index: int) -> PlayRequest:
    one = play_pb2.Answer(match_id=match_id, decision_id=decision_id, move_index=index)
    return PlayRequest(answers=play_pb2.Answers(answers=[one]))


def speech() -> Iterator[PlayRequest]:
    """Yield what is said, whatever comes back."""
    if HOW == "mute":
        time.sleep(3600)
    yield hello()
    while (request := outgoing.get()) is not None:
        yield request
    for number in itertools.count(1):
        yield answer("nonsense", number, 0)


def react(response: PlayResponse) -> None:
    if HOW == "illegal":
        for decision in response.decisions.decisions:
            outgoing.put(answer(decision.match_id, decision.decision_id, BEYOND))
    if HOW == "flood" and response.HasField("decisions"):
        outgoing.put(None)


def main() -> None:
    if HOW == "absent":
        print("I would rather not", file=sys.stderr, flush=True)
        time.sleep(3600)
    with grpc.insecure_channel(os.environ["ARENA_ADDRESS"], options=SMALL) as channel:
        play = channel.stream_stream(
            "/arena.v1.PlayService/Play",
            request_serializer=PlayRequest.SerializeToString,
            response_deserializer=PlayResponse.FromString,
        )
        call = play(speech())
        try:
            if HOW == "unread":
                time.sleep(3600)
            for response in call:
                react(response)
        except grpc.RpcError:
            print(f"{call.code().name}: {call.details()}", file=sys.stderr, flush=True)
    os._exit(4)


if __name__ == "__main__":
    main()
