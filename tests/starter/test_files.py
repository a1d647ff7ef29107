from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from arena.starter import files
from arena.starter.files import (
    CLIENTS,
    GAMES,
    library_files,
    needs_of,
    shipped_files,
    template_files,
)
from arena.starter.languages import LANGUAGES, get_language

DESCRIPTION = """
[[needs]]
program = "go"
version = ["go", "version"]
at_least = "1.23"
install = "Go 1.23 or newer"

[library]
directory = "sdk"
files = ["go.mod", "*.go", "v1", "proto"]
"""


@pytest.fixture
def clients(tmp_path, monkeypatch):
    """A tree of clients with one SDK, in which builds have left their products."""
    monkeypatch.setattr(files, "CLIENTS", tmp_path / "clients")
    monkeypatch.setattr(files, "LANGUAGES", [get_language("go")])
    for place in (
        "proto/play.proto",
        "clients/go/go.mod",
        "clients/go/bot.go",
        "clients/go/bot.txt",
        "clients/go/build/made.go",
        "clients/go/v1/play.go",
        "clients/go/v1/target/made.go",
        "clients/go/v1/deep/node_modules/made.go",
        "clients/go/template/common/.gitignore",
        "clients/go/template/common/bots.toml",
        "clients/go/template/any/src/my_bot.go",
        "clients/go/template/byzanz/src/my_bot.go",
        "clients/go/template/byzanz/build/made",
        "clients/go/template/schwarzmarkt/src/my_bot.go",
        "clients/conformance/golden/byzanz-decisions.binpb",
        "clients/conformance/golden/goodbye.binpb",
    ):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "clients/go/sdk.toml").write_text(DESCRIPTION)
    (tmp_path / "clients/go/proto").symlink_to("../../proto")
    return tmp_path / "clients"


def test_an_sdk_comes_along_as_it_describes_itself(clients: Path):
    """Patterns and directories are looked up, links followed, build products left out."""
    places = {"sdk/go.mod", "sdk/bot.go", "sdk/v1/play.go", "sdk/proto/play.proto"}

    assert library_files(get_language("go")).keys() == places


def test_a_template_is_what_is_common_and_what_is_of_the_game(clients: Path):
    """Without a game it is the bot for any."""
    go = get_language("go")

    assert template_files(go, None) == {
        ".gitignore": clients / "go/template/common/.gitignore",
        "bots.toml": clients / "go/template/common/bots.toml",
        "src/my_bot.go": clients / "go/template/any/src/my_bot.go",
    }
    assert template_files(go, "byzanz")["src/my_bot.go"].parts[-3] == "byzanz"


def test_only_what_projects_are_made_of_is_shipped(clients: Path):
    """The wheel carries templates, SDK and samples under the places they are looked for."""
    shipped = shipped_files()

    assert {place for place in shipped if place.startswith("go/")} == {
        "go/bot.go",
        "go/go.mod",
        "go/proto/play.proto",
        "go/sdk.toml",
        "go/template/any/src/my_bot.go",
        "go/template/byzanz/src/my_bot.go",
        "go/template/common/.gitignore",
        "go/template/common/bots.toml",
        "go/template/schwarzmarkt/src/my_bot.go",
        "go/v1/play.go",
    }
    assert {place for place in shipped if not place.startswith("go/")} == {
        f"conformance/golden/{game}-{sample}.binpb"
        for game in ("byzanz", "schwarzmarkt")
        for sample in ("match-started", "decisions")
    }


def test_every_language_but_pythons_says_what_it_needs():
    """What is to be installed is told in words; whoever runs arena has Python."""
    for language in LANGUAGES:
        needs = needs_of(language)
        assert bool(needs) == (language.name != "python")
        assert all(need.install for need in needs)


@pytest.mark.parametrize("name", [language.name for language in LANGUAGES if language.has_sdk])
def test_an_sdk_is_where_its_description_says(name):
    """Every pattern finds files, and none of them takes the place of one of the template's."""
    language = get_language(name)
    table = tomllib.loads((CLIENTS / name / "sdk.toml").read_text())

    assert all(list((CLIENTS / name).glob(pattern)) for pattern in table["library"]["files"])
    for game in (None, *GAMES):
        assert not library_files(language).keys() & template_files(language, game).keys()
