"""Between binary and JSON form, line by line, for the tests of clients/conformance."""

import base64
import json
import sys

from google.protobuf import json_format
from google.protobuf.message import Message

from arena_client.v1 import play_pb2

TYPES: dict[str, type[Message]] = {
    "PlayRequest": play_pb2.PlayRequest,
    "PlayResponse": play_pb2.PlayResponse,
}


def answer(line: str) -> str:
    """Return a message in its other form."""
    form, name, content = line.split(" ", 2)
    message = TYPES[name]()
    if form == "binary":
        message.ParseFromString(base64.b64decode(content, validate=True))
        return json.dumps(json_format.MessageToDict(message), ensure_ascii=False)
    if form != "json":
        raise ValueError(f"a line begins with binary or json, not {form}")
    json_format.Parse(content, message)
    return base64.b64encode(message.SerializeToString(deterministic=True)).decode()


for text in sys.stdin:
    try:
        print(answer(text.rstrip("\n")), flush=True)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a line is told
        print("error", type(error).__name__, str(error).replace("\n", " "), flush=True)
