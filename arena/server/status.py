"""Which gRPC status tells which error: one table, complete."""

from __future__ import annotations

import contextlib
from typing import Any

import grpc
import grpc.aio

from arena import errors
from arena.errors import ArenaError

STATUS: dict[type[ArenaError], grpc.StatusCode] = {
    errors.ArenaError: grpc.StatusCode.INTERNAL,
    errors.InputError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.UnknownGameError: grpc.StatusCode.NOT_FOUND,
    errors.IllegalMoveError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.FormatError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.ReplayError: grpc.StatusCode.DATA_LOSS,
    errors.MatchNotOverError: grpc.StatusCode.FAILED_PRECONDITION,
    errors.UnknownMatchError: grpc.StatusCode.NOT_FOUND,
    errors.UnknownDocumentError: grpc.StatusCode.NOT_FOUND,
    errors.StorageError: grpc.StatusCode.FAILED_PRECONDITION,
    errors.ResultsError: grpc.StatusCode.DATA_LOSS,
    errors.TournamentError: grpc.StatusCode.FAILED_PRECONDITION,
    errors.UnknownTournamentError: grpc.StatusCode.NOT_FOUND,
    errors.TournamentExistsError: grpc.StatusCode.ALREADY_EXISTS,
    errors.UnfitError: grpc.StatusCode.FAILED_PRECONDITION,
    errors.UnreleasedError: grpc.StatusCode.FAILED_PRECONDITION,
    errors.ForbiddenError: grpc.StatusCode.PERMISSION_DENIED,
    errors.SessionError: grpc.StatusCode.ABORTED,
    errors.TokenError: grpc.StatusCode.UNAUTHENTICATED,
    errors.TokenInUseError: grpc.StatusCode.ALREADY_EXISTS,
    errors.VersionError: grpc.StatusCode.FAILED_PRECONDITION,
    errors.NoCommonGameError: grpc.StatusCode.FAILED_PRECONDITION,
    errors.MessageError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.FloodError: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.LimitError: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.HelloTimeoutError: grpc.StatusCode.DEADLINE_EXCEEDED,
    errors.ResumeError: grpc.StatusCode.NOT_FOUND,
    errors.StoppingError: grpc.StatusCode.UNAVAILABLE,
}


def status_of(error: ArenaError) -> grpc.StatusCode:
    """Return the status of an error: its own, else that of the nearest kind above it."""
    for kind in type(error).__mro__:
        if kind in STATUS:
            return STATUS[kind]
    return grpc.StatusCode.INTERNAL


async def end_call(context: grpc.aio.ServicerContext[Any, Any], error: ArenaError) -> None:
    """End a call with the status of an error: raises what gRPC wants raised.

    Waits until the client has read what was written before, or is gone; then it returns.
    """
    with contextlib.suppress(grpc.aio.InternalError):  # gone: there is nobody to tell
        await context.abort(status_of(error), str(error))
