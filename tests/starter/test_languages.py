from __future__ import annotations

import pytest

from arena.errors import InputError
from arena.starter.files import GAMES, template_files
from arena.starter.languages import CLIENTS, STDIO, get_language, languages
from clients.conformance.sdks import read_sdks

NAMES = [language.name for language in languages()]


@pytest.mark.parametrize("name", NAMES)
def test_a_language_is_found_by_its_name(name):
    """Every language is known by its own name."""
    assert get_language(name).name == name


@pytest.mark.parametrize(
    ("name", "meant"),
    [("pyton", "python"), ("Rust", "rust"), ("js", "javascript"), ("C++", "cpp"), ("ts", "type")],
)
def test_an_unknown_language_is_told_with_the_nearest(name, meant):
    """A slip or another usual name is understood, though not obeyed."""
    with pytest.raises(InputError, match=f"did you mean {meant}") as caught:
        get_language(name)

    assert all(known in str(caught.value) for known in NAMES)


def test_a_language_like_no_other_is_told_without_a_guess():
    """Where nothing is near, only the list is given."""
    with pytest.raises(InputError, match=r"language 'cobol' \(there are: python, ") as caught:
        get_language("cobol")

    assert "mean" not in str(caught.value)


def test_every_sdk_and_every_stdio_template_is_a_language():
    """What lies in clients/ can be begun with, and nothing else."""
    stdio = {path.name for path in (CLIENTS / STDIO / "template").iterdir()} - {"common"}

    assert {sdk.name: sdk.title for sdk in read_sdks()} | dict.fromkeys(stdio) == {
        language.name: language.title if language.has_sdk else None for language in languages()
    }


@pytest.mark.parametrize("game", [None, *GAMES])
@pytest.mark.parametrize("name", NAMES)
def test_every_template_has_what_a_project_needs(name, game):
    """The file to edit, how the arena starts it, a README, and what of a build git ignores."""
    language = get_language(name)
    needed = {language.edit, "bots.toml", "README.md"} | (
        {".gitignore"} if language.has_sdk else set()
    )

    assert needed <= template_files(language, game).keys()
