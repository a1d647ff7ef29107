"""Structured logs: one line each, for people or for machines."""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time

from arena.inert import inert

_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def add_log_options(parser: argparse._ActionsContainer, default: str) -> None:
    """Add `--log` and `--log-level`."""
    parser.add_argument(
        "--log",
        choices=("text", "json"),
        default="text",
        help="format of the log lines on stderr (default: text)",
    )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default=default,
        help=f"log messages of this level and above (default: {default})",
    )


def set_up_logs(style: str, level: str) -> None:
    """Log on stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else TextLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


class TextLines(logging.Formatter):
    """`12:30:01 info  arena.session: session opened bot=mine session=1f2e3d4c`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; texts from outside are harmless in it."""
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        fields = "".join(f" {key}={_word(value)}" for key, value in _extra(record).items())
        text = f"{at} {record.levelname.lower():<7} {record.name}: {inert(record.getMessage())}"
        trouble = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return text + fields + trouble


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message and the record's own fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "time": round(record.created, 6),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_extra(record),
        }
        if record.exc_info:
            line["trouble"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def _extra(record: logging.LogRecord) -> dict[str, object]:
    return {
        key: value
        for key, value in vars(record).items()
        if key not in _OWN and value is not None and value != ""
    }


def _word(value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    text = inert(text)
    return f'"{text}"' if " " in text else text
