"""A bot that does one thing wrong, as CONFORMANCE says, for the tests of the conformance runner."""

import os
import queue
import subprocess
import sys

import grpc

from arena.v1.play_pb2 import PlayRequest, PlayResponse

WHAT = os.environ["CONFORMANCE"]
requests: queue.SimpleQueue[PlayRequest | None] = queue.SimpleQueue()


def report(text: str) -> None:
    print(f"arena_client: {text}", file=sys.stderr, flush=True)


def answer(response: PlayResponse) -> None:
    request = PlayRequest()
    for asked in response.decisions.decisions:
        added = request.answers.answers.add(
            match_id=asked.match_id, decision_id=asked.decision_id, move_index=0
        )
        if WHAT == "makes up a move":
            added.move_index = 1
        elif WHAT == "leaves index 0 out":
            added.ClearField("move_index")
        elif WHAT == "notes":
            added.note = "unasked"
        elif WHAT == "writes long notes":
            added.note = 2000 * "x"
    if WHAT == "crashes":
        os._exit(3)
    if WHAT == "closes without an answer":
        requests.put(None)
        return
    requests.put(request)
    if WHAT == "answers twice":
        requests.put(request)
    if WHAT == "answers in pieces":
        requests.put(PlayRequest(answers={}))


def play() -> None:
    protocol = 2 if WHAT == "speaks another protocol" else 1
    token = b"made up" if WHAT == "makes up a resume token" else b""
    hello = {"protocol": protocol, "token": os.environ["ARENA_TOKEN"], "resume_token": token}
    requests.put(PlayRequest(hello=hello))
    with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        call = channel.stream_stream(
            "/arena.v1.PlayService/Play",
            request_serializer=PlayRequest.SerializeToString,
            response_deserializer=PlayResponse.FromString,
        )(iter(requests.get, None))
        for response in call:
            if response.HasField("welcome"):
                report(f"playing in process {os.getpid()}")
            elif response.HasField("decisions"):
                answer(response)
            elif response.HasField("goodbye"):
                if WHAT == "breaks the stream off":
                    call.cancel()
                    return
                requests.put(None)


play()
match WHAT:
    case "ends with 7":
        sys.exit(7)
    case "talks on stdout":
        print("thinking")
    case "talks on stderr":
        print("thinking", file=sys.stderr)
    case "prints its token":
        report(os.environ["ARENA_TOKEN"])
    case "says what it should not":
        report("trying to resume")
    case "leaves a process":
        subprocess.Popen(["sleep", "60"])  # ended by the runner
    case "does not end":
        requests.get()
    case "dials again":
        play()
