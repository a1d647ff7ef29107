from __future__ import annotations

from tests.async_tests import loop_factory, pytest_pycollect_makeitem, pytest_pyfunc_call

__all__ = ["loop_factory", "pytest_pycollect_makeitem", "pytest_pyfunc_call"]
