"""Decisions of which only the head has been read: what names them, and how many moves there are.

Reading all of a decision, dozens of moves among it, takes ten times as long, and a bot may never
look. A message type that lacks fields of another reads the other's bytes all the same and keeps
what it does not know, as protobuf promises: so a head, serialised again, is the whole decision.

The SDK and the arena's own client both have this file, by a link; so it imports nothing of either,
and takes their messages as they are.
"""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass

HEAD = ("match_id", "decision_id", "legal_count")


def response_with_heads(messages: Any) -> Any:
    """Return the class PlayResponse, but with the heads of decisions in place of decisions.

    Args:
        messages: the module that play.proto was made into.
    """
    whole = messages.DESCRIPTOR
    package = f"{whole.package}.heads"  # a program may have both the SDK's and the arena's messages
    file = FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
    file.dependency.append(whole.name)
    parts = {name: file.message_type.add() for name in ("PlayResponse", "Decisions", "Decision")}
    for name, part in parts.items():
        whole.message_types_by_name[name].CopyToProto(part)
        for field in part.field:
            if field.name == "decisions":
                field.type_name = field.type_name.replace(whole.package, package)
    head = parts["Decision"]
    kept = [field for field in head.field if field.name in HEAD]
    head.ClearField("field")
    head.ClearField("oneof_decl")
    head.field.extend(kept)
    pool = Default()
    pool.AddSerializedFile(file.SerializeToString())
    return GetMessageClass(pool.FindMessageTypeByName(f"{package}.PlayResponse"))


def whole_decision(messages: Any, head: Any) -> Any:
    """Return the Decision that a head is the head of."""
    return messages.Decision.FromString(head.SerializeToString())
