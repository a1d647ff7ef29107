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

outgoing: queue.SimpleQueue[PlayRequest] = queue.SimpleQueue()


def hello() -> PlayRequest:
    message = play_pb2.Hello(protocol=1, bot=HOW, token=os.environ.get("ARENA_TOKEN", ""))
    return PlayRequest(hello=message)


def answer(match_id: str, decision_id: int, index: int) -> PlayRequest:
    one = play_pb2.Answer(match_id=match_id, decision_id=decision_id, move_index=index)
    return PlayRequest(answers=play_pb2.Answers(answers=[one]))


def speech() -> Iterator[PlayRequest]:
    """Yield what is said, whatever comes back."""
    if HOW == "mute":
        time.sleep(3600)
    yield hello()
    if HOW == "flood":
        for number in itertools.count(1):
            yield answer("nonsense", number, 0)
    if HOW == "unread":
        # Each of these makes the arena say thousands of times that there is no such match.
        one = play_pb2.Answer(match_id="m", decision_id=1, move_index=0)
        many = PlayRequest(answers=play_pb2.Answers(answers=[one] * 6000))
        for _ in range(150):
            yield many
            time.sleep(0.02)
        time.sleep(3600)
    while True:
        yield outgoing.get()


def react(response: PlayResponse) -> None:
    if HOW == "illegal":
        for decision in response.decisions.decisions:
            outgoing.put(answer(decision.match_id, decision.decision_id, BEYOND))


def main() -> None:
    if HOW == "absent":
        print("I would rather not", file=sys.stderr, flush=True)
        time.sleep(3600)
    with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
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
        except grpc.RpcError as error:
            print(f"{call.code().name}: {call.details()}", file=sys.stderr, flush=True)
            print(error.__class__.__name__, file=sys.stderr, flush=True)
    os._exit(4)


if __name__ == "__main__":
    main()
