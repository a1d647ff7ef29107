"""Compiled modules are loaded as long as they fit their sources, and never otherwise."""

from __future__ import annotations

import shutil
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from pathlib import Path

import pytest

from arena import compiled


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources with what looks like modules that were compiled from them."""
    for module in compiled.RULES:
        source = Path(compiled.source_of(module))
        copy = tmp_path / source.relative_to(compiled.PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    monkeypatch.delenv("ARENA_PURE", raising=False)
    monkeypatch.setattr(compiled, "PACKAGE", str(tmp_path))
    monkeypatch.setattr(compiled, "DIRECTORY", str(tmp_path / "_compiled"))
    monkeypatch.setattr(compiled, "CHECKSUM", str(tmp_path / "_compiled" / "sources.crc32"))
    (tmp_path / "_compiled").mkdir()
    (tmp_path / "_compiled" / f"{compiled.SHARED}{EXTENSION_SUFFIXES[0]}").touch()
    Path(compiled.CHECKSUM).write_text(compiled.sum_up_sources(), encoding="utf-8")
    return tmp_path


def test_modules_that_fit_are_there(package, monkeypatch):
    """They count, unless pure Python is asked for."""
    assert compiled.are_rules_compiled()
    monkeypatch.setenv("ARENA_PURE", "1")
    assert not compiled.are_rules_compiled()


@pytest.mark.parametrize("module", compiled.RULES)
def test_an_edited_source_counts_more(package, module):
    """Whichever source has changed since: what was compiled would play by the old rules."""
    with Path(compiled.source_of(module)).open("a", encoding="utf-8") as source:
        source.write("# edited\n")
    assert not compiled.are_rules_compiled()


def test_modules_of_another_python_do_not_count(package):
    """Their files have other names."""
    (package / "_compiled" / f"{compiled.SHARED}{EXTENSION_SUFFIXES[0]}").unlink()
    assert not compiled.are_rules_compiled()


def test_nothing_is_there_without_a_checksum(package):
    """A directory by half is as good as none."""
    Path(compiled.CHECKSUM).unlink()
    assert not compiled.are_rules_compiled()


def test_only_what_is_compiled_is_found():
    """All other modules are found as ever."""
    finder = compiled.CompiledFinder(
        {"arena.games.counts": f"/there/counts{EXTENSION_SUFFIXES[0]}"}
    )
    spec = finder.find_spec("arena.games.counts")
    assert spec is not None
    assert spec.origin == f"/there/counts{EXTENSION_SUFFIXES[0]}"
    assert isinstance(spec.loader, ExtensionFileLoader)
    assert finder.find_spec("arena.games.game") is None


def test_an_encoder_of_another_source_is_passed_over(tmp_path, monkeypatch):
    """As after a pull: the source has changed, and what was compiled before cannot know."""
    monkeypatch.delenv("ARENA_PURE", raising=False)
    monkeypatch.setattr(compiled, "PACKAGE", str(tmp_path))
    assert not compiled.is_encoder_compiled()
    source = tmp_path / "wire" / "_encoder.c"
    source.parent.mkdir()
    source.write_bytes(b"int one;")
    module = source.with_name(f"_encoder{EXTENSION_SUFFIXES[0]}")
    module.write_bytes(b"\x7fELF" + compiled.encoder_mark(b"int one;").encode() + b"\0")
    assert compiled.is_encoder_compiled()
    monkeypatch.setenv("ARENA_PURE", "1")
    assert not compiled.is_encoder_compiled()
    monkeypatch.delenv("ARENA_PURE")
    source.write_bytes(b"int two;")
    assert not compiled.is_encoder_compiled()
    source.unlink()  # as where only the module was installed
    assert compiled.is_encoder_compiled()
