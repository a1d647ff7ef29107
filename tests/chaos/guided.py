"""Coverage-guided fuzzing by atheris of what decodes messages and of the session that takes them.

`python -m tests.chaos.guided CORPUS -runs=N` runs it; the other flags are libFuzzer's. It adds what
reaches new code to the corpus, and stops at the first input that raises.
"""

from __future__ import annotations

import logging
import sys

import atheris


def main() -> None:
    """Hand this process over to libFuzzer, which ends it."""
    with atheris.instrument_imports(include=["arena"]):
        from tests.chaos.session_target import take  # noqa: PLC0415 - it is watched as it is loaded

    logging.disable()
    atheris.Setup(sys.argv, take)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
