from __future__ import annotations

import difflib
from itertools import islice

import pytest

from tests.wire.regenerate import DIRECTORY, golden_messages

MESSAGES = golden_messages()
MOST_SHOWN = 60


@pytest.mark.parametrize("file", MESSAGES)
def test_the_message_is_what_it_always_was(file):
    """Bytes and content of a message are the same as in its golden file."""
    expected = (DIRECTORY / file).read_text(encoding="utf-8").splitlines()
    written = MESSAGES[file].splitlines()

    if written != expected:
        diff = difflib.unified_diff(expected, written, file, "written now", lineterm="", n=4)
        shown = "\n".join(islice(diff, MOST_SHOWN))
        pytest.fail(
            f"{file} differs. If that is meant: python -m tests.wire.regenerate, and review the "
            f"diff.\n{shown}",
            pytrace=False,
        )


def test_there_are_no_other_files():
    """A golden file that nothing compares with would only look like a test."""
    assert {path.name for path in DIRECTORY.glob("*.txt")} == set(MESSAGES)
