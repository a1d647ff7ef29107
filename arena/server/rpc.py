"""Methods of services as gRPC wants them: requests read, errors told by their status."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message

from arena.errors import ArenaError, FormatError, LimitError
from arena.server.status import end_call

Context = grpc.aio.ServicerContext[Any, Any]
RequestT = TypeVar("RequestT", bound=Message)


def unary_method(
    kind: type[RequestT], method: Callable[[RequestT, Context], Awaitable[Message]]
) -> Any:
    """Return the handler of a method with one response; it may raise ArenaError."""

    async def serve(data: bytes, context: Context) -> bytes:
        try:
            return (await method(_read(kind, data), context)).SerializeToString()
        except ArenaError as error:
            await end_call(context, error)
            return b""  # there is nobody to read it

    return grpc.unary_unary_rpc_method_handler(serve)


def stream_method(
    kind: type[RequestT], method: Callable[[RequestT, Context], Awaitable[None]]
) -> Any:
    """Return the handler of a method that writes its responses itself; it may raise ArenaError."""

    async def serve(data: bytes, context: Context) -> None:
        try:
            await method(_read(kind, data), context)
        except ArenaError as error:
            await end_call(context, error)

    return grpc.unary_stream_rpc_method_handler(serve)


async def write(context: Context, message: Message, timeout_s: float) -> None:
    """Write one of several responses; raises LimitError if the client does not read."""
    try:
        async with asyncio.timeout(timeout_s):
            await context.write(message.SerializeToString())
    except TimeoutError:
        raise LimitError("too slow a reader: call again and read faster") from None


def _read(kind: type[RequestT], data: bytes) -> RequestT:
    try:
        return kind.FromString(data)
    except Exception:  # noqa: BLE001 - whatever the decoder says, it is the client's message
        raise FormatError(f"not a {kind.__name__}") from None
