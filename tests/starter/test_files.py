from __future__ import annotations

from pathlib import Path

import pytest

from arena.starter import files
from arena.starter import languages as starter
from arena.starter.files import (
    GAMES,
    library_files,
    shipped_files,
    template_files,
)
from arena.starter.languages import CLIENTS, get_language, languages

DESCRIPTION = """
title = "Go"

[[needs]]
program = "go"
version = ["go", "version"]
at_least = "1.23"
install = "Go 1.23 or newer"

[library]
directory = "sdk"
files = ["go.mod", "*.go", "v1", "proto"]

[project]
edit = "src/my_bot.go"
test = "go test ./..."
"""


@pytest.fixture
def clients(tmp_path, monkeypatch):
    """A tree of clients with one SDK, in which builds have left their products."""
    monkeypatch.setattr(starter, "CLIENTS", tmp_path / "clients")
    monkeypatch.setattr(files, "CLIENTS", tmp_path / "clients")
    monkeypatch.setattr(starter, "_BY_STDIO", ())
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
    languages.cache_clear()
    yield tmp_path / "clients"
    languages.cache_clear()


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
    for language in languages():
        assert bool(language.needs) == (language.name != "python")
        assert all(need.install for need in language.needs)


@pytest.mark.parametrize("name", [language.name for language in languages() if language.has_sdk])
def test_an_sdk_is_where_its_description_says(name):
    """Every pattern finds files, and none of them takes the place of one of the template's."""
    language = get_language(name)

    assert all(list((CLIENTS / name).glob(pattern)) for pattern in language.library)
    for game in (None, *GAMES):
        assert not library_files(language).keys() & template_files(language, game).keys()
