from __future__ import annotations

import inspect

import grpc
import pytest

from arena import errors
from arena.errors import ArenaError
from arena.server.status import STATUS, status_of

TREE = [
    kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, ArenaError)
]
INHERITED = {  # on purpose: nothing that a stream would be told apart
    errors.TableSizeError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.OptionError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.CardFileError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.UnknownBotError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.BuildError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.SandboxError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.DamagedError: grpc.StatusCode.FAILED_PRECONDITION,
    errors.SocketLostError: grpc.StatusCode.INTERNAL,
    errors.LaunchError: grpc.StatusCode.INTERNAL,
    errors.RewrittenError: grpc.StatusCode.DATA_LOSS,
    errors.WorkerError: grpc.StatusCode.INTERNAL,
    errors.ShortcomingError: grpc.StatusCode.INTERNAL,
    errors.LostError: grpc.StatusCode.INTERNAL,
    errors.LeftError: grpc.StatusCode.INTERNAL,
    errors.ProgramError: grpc.StatusCode.INTERNAL,
}


@pytest.mark.parametrize("kind", TREE)
def test_every_error_has_a_status(kind):
    """Every kind of error has a status of its own, or inherits one on purpose."""
    error = kind.__new__(kind)
    assert status_of(error) is (STATUS[kind] if kind in STATUS else INHERITED[kind])


def test_the_table_holds_only_errors_of_the_tree():
    """No status is kept for an error that is gone."""
    assert set(STATUS) | set(INHERITED) <= set(TREE)
    assert not set(STATUS) & set(INHERITED)


def test_no_refusal_of_a_session_looks_like_a_bug():
    """What a bot did wrong never ends as UNKNOWN, INTERNAL or OK."""
    sessions = [kind for kind in TREE if issubclass(kind, errors.SessionError)]
    bad = {grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.OK}
    assert not bad & {STATUS[kind] for kind in sessions}
