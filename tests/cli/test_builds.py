from __future__ import annotations

import asyncio
import io

import pytest

from arena.cli.builds import BuildView
from arena.config.bot_spec import BotSpec
from arena.testing import VirtualLoop

MINE = BotSpec(name="mine", command=("./mine",), build=(("make",), ("cp", "a b", "c")))
OTHER = BotSpec(name="other", command=("./other",), build=(("make",),))


class Stream(io.StringIO):
    """A stream that may be a terminal."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


@pytest.fixture
def loop_factory() -> type[VirtualLoop]:
    """Without waiting."""
    return VirtualLoop


def stderr(monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool) -> Stream:
    stream = Stream(is_terminal=is_terminal)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stderr", stream)
    return stream


def last_line(stream: Stream) -> str:
    """Return what a terminal shows in the line that is written over."""
    return stream.getvalue().rpartition("\r")[2]


async def test_plain_lines(monkeypatch):
    """Elsewhere than on a terminal there is a line at the start and one at the end."""
    stream = stderr(monkeypatch, is_terminal=False)
    view = BuildView(is_shown=True)
    view.begun(MINE)
    view.begun(OTHER)
    view.printed(MINE, b"compiling\n")
    await asyncio.sleep(3.0)
    view.ended(OTHER, 2.0, is_built=False)
    view.ended(MINE, 3.0, is_built=True)
    view.begun(OTHER)  # which is tried again, as often as there are matches
    view.printed(OTHER, b"x")
    view.ended(OTHER, 2.0, is_built=False)
    assert stream.getvalue().splitlines() == [
        "building mine: make && cp 'a b' c",
        "building other: make",
        "building other failed after 2.0 s",
        "built mine in 3.0 s",
    ]


async def test_a_live_line(monkeypatch):
    """On a terminal the elapsed time and the last line printed are shown, made harmless."""
    stream = stderr(monkeypatch, is_terminal=True)
    view = BuildView(is_shown=True)
    view.begun(MINE)
    view.printed(MINE, b"one\ntwo: \x1b[31mred\n\nthr")
    await asyncio.sleep(12.0)
    assert last_line(stream) == "mine: 12 s: thr"
    view.printed(MINE, b"ee\r\n \n")
    view.begun(OTHER)
    await asyncio.sleep(1.0)
    assert last_line(stream) == "mine (and 1 more): 13 s: three"
    view.printed(MINE, b"50 %\r" + b"\x1b[31m" + b"x" * 5000)
    await asyncio.sleep(1.0)
    assert len(last_line(stream)) == 59
    assert "\x1b" not in stream.getvalue()
    view.ended(MINE, 14.0, is_built=True)
    assert stream.getvalue().endswith("\rbuilt mine in 14.0 s\n")
    view.ended(OTHER, 2.0, is_built=True)
    before = stream.getvalue()
    await asyncio.sleep(5.0)
    assert stream.getvalue() == before


async def test_nothing_is_shown_unless_asked(monkeypatch):
    """--quiet and --json leave builds silent."""
    stream = stderr(monkeypatch, is_terminal=True)
    view = BuildView(is_shown=False)
    view.begun(MINE)
    view.printed(MINE, b"x")
    await asyncio.sleep(1.0)
    view.ended(MINE, 1.0, is_built=True)
    assert stream.getvalue() == ""
