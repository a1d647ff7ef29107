from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.launch.log import BotLog

CHUNKS = st.lists(st.binary(max_size=30), max_size=12)


def capped(text: bytes, limit: int) -> bytes:
    if len(text) <= limit:
        return text
    half = limit // 2
    note = b"\n[arena: %d bytes were left out here]\n" % (len(text) - limit)
    return text[:half] + note + text[-half:]


@settings(deadline=None)
@given(CHUNKS, st.integers(1, 20).map(lambda half: 2 * half))
def test_the_first_and_the_last_half_are_kept(chunks: list[bytes], limit: int) -> None:
    """However it comes in pieces, all is kept up to the limit, and then both ends."""
    log = BotLog(None, limit)
    for chunk in chunks:
        log.write(chunk)
    assert log.contents() == capped(b"".join(chunks), limit)


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 19, 20, 21, 100])
def test_a_file_holds_the_same(tmp_path: Path, size: int) -> None:
    """The file grows as it comes, never beyond the limit, and gets its end when closed."""
    text = bytes(range(size))
    log = BotLog(tmp_path / "log", 20)
    for start in range(0, size, 7):
        log.write(text[start : start + 7])
        assert (tmp_path / "log").read_bytes() == text[: min(start + 7, 20)]
    log.close()
    log.close()
    assert (tmp_path / "log").read_bytes() == capped(text, 20)


def test_a_file_is_continued(tmp_path: Path) -> None:
    """What an earlier arena logged is not lost, but counts."""
    for text in (b"one\n", b"two\n", b"x" * 40):
        log = BotLog(tmp_path / "log", 20)
        log.write(text)
        log.close()
    kept = (tmp_path / "log").read_bytes()
    assert kept == b"one\ntwo\nxx\n[arena: 28 bytes were left out here]\n" + b"x" * 10


def test_a_full_disk_disturbs_nothing() -> None:
    """What cannot be written is lost, and the bot plays on."""
    log = BotLog(Path("/dev/full"))
    log.write(b"x")
    log.close()
    assert log.contents().endswith(b"x")


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The directory of logs is something a person chose."""
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file/log: cannot be written: \w+"):
        BotLog(tmp_path / "file" / "log")
