from __future__ import annotations

from tests.async_tests import loop_factory, pytest_pycollect_makeitem, pytest_pyfunc_call

import arena_client  # noqa: F401 - before a test imports gRPC

__all__ = ["loop_factory", "pytest_pycollect_makeitem", "pytest_pyfunc_call"]
