from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

import pytest

from tests.requirements import skip_lacking
from tests.wire import compiled_encoder


@pytest.fixture(scope="session")
def compiler():
    found = shutil.which("cc")
    if found is None or not Path(sysconfig.get_paths()["include"], "Python.h").exists():
        skip_lacking("no C compiler, or no headers of Python: the compiled encoder is not tested")
    return found


@pytest.fixture(scope="session")
def compiled_module(compiler, tmp_path_factory):
    path = tmp_path_factory.mktemp("encoder") / "_encoder.so"
    compiled_encoder.build(compiler, path)
    return compiled_encoder.load(path)


@pytest.fixture(scope="session")
def compiled(compiled_module):
    return compiled_module.Layout
