"""Calls of services for people: requests read, errors told by their status."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import Message

from arena.errors import ArenaError, FormatError, LimitError
from arena.server.status import end_call

Context = grpc.aio.ServicerContext[Any, Any]

TOO_SLOW = "the reader is too slow: call again and read faster"


class Guarded:
    """Stands for a server while generated code adds a service to it.

    Methods may then raise ArenaError, and give bytes for a message. A request that cannot be read
    is such an error too: gRPC would call it UNKNOWN and log it as ours.
    """

    def __init__(self, server: grpc.aio.Server, services: list[str]) -> None:
        """Add to this server; the names of services are added to the list."""
        self._server = server
        self._services = services

    def add_generic_rpc_handlers(self, _handlers: Iterable[grpc.GenericRpcHandler]) -> None:
        """Do nothing: the same come once more, by their names."""

    def add_registered_method_handlers(self, service: str, methods: Mapping[str, Any]) -> None:
        """Add a service with its methods guarded."""
        guarded = {name: _guard(name, method) for name, method in methods.items()}
        handler = grpc.method_handlers_generic_handler(service, guarded)
        self._server.add_generic_rpc_handlers((handler,))
        self._services.append(service)


def _guard(name: str, method: Any) -> grpc.RpcMethodHandler[Any, Any]:
    serve = method.unary_stream or method.unary_unary

    async def guarded(data: bytes, context: Context) -> Any:
        try:
            return await serve(_read(method.request_deserializer, data, name), context)
        except ArenaError as error:
            await end_call(context, error)
            return b""  # there is nobody to read it

    if method.response_streaming:
        return grpc.unary_stream_rpc_method_handler(guarded, None, _serialize)
    return grpc.unary_unary_rpc_method_handler(guarded, None, _serialize)


async def write(context: Context, message: Message | bytes, timeout_s: float) -> None:
    """Write one of several responses; raises LimitError if the client does not read."""
    try:
        async with asyncio.timeout(timeout_s):
            await context.write(message)
    except TimeoutError:
        raise LimitError(TOO_SLOW) from None


def _read(decode: Callable[[bytes], Message], data: bytes, method: str) -> Message:
    try:
        return decode(data)
    except Exception:  # noqa: BLE001 - whatever the decoder says, it is the client's message
        raise FormatError(f"not a {method}Request") from None


def _serialize(message: Message | bytes) -> bytes:
    return message if isinstance(message, bytes) else message.SerializeToString()
