"""Bots of every language in one tournament, launched as processes."""

from __future__ import annotations

import functools
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.cli import DONE
from arena.config.bot_spec import BotSpec
from clients.conformance.sdks import Sdk
from tests.e2e.command import arena
from tests.e2e.tournaments import (
    NAME,
    SALT,
    Files,
    attempts,
    complete,
    leaderboard,
    matches,
    read_files,
    tournament,
)
from tests.sdks import NAMES, all_built, built, program, write_bots

GAMES = ("byzanz", "schwarzmarkt")
MOST_SEATS = {"byzanz": 6, "schwarzmarkt": 5}


def words(game: str, players: int, rounds: int, *more: object) -> list[str]:
    """Return the flags of a tournament that gives the same results each time."""
    plan = ("--game", game, "--players", players, "--rounds", rounds)
    return [str(word) for word in (*plan, "--seed", 7, "--salt", SALT, "--name", NAME, *more)]


def play(place: Path, specs: Sequence[BotSpec], *more: str) -> Files:
    """Play a tournament of these bots in which nothing goes wrong; return its files."""
    complete(tournament(place, *more, "--bot", write_bots(place / "bots.toml", specs)))
    assert {attempt.number for attempt in attempts(place / NAME)} == {1}
    for bot in leaderboard(place / NAME)["bots"].values():
        assert (bot["forfeits"], sum(bot["faults"].values())) == (0, 0), bot
    return read_files(place / NAME)


def sensible(sdk: Sdk, game: str, name: str = "") -> BotSpec:
    """Return the sensible bot of a language."""
    return program(sdk, f"{game}_sensible_bot", name or sdk.name)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_all_languages_at_one_table(game, place):
    """One bot per language in the seats, with batches and without: the same, and verified."""
    specs = [sensible(sdk, game) for sdk in all_built()]
    more = [BotSpec(f"more-{number}", builtin="greedy") for number in range(3 - len(specs))]
    players = min(len(specs) + len(more), MOST_SEATS[game])
    found = []
    for concurrency, directory in ((16, "batches"), (1, "one-by-one")):
        (place / directory).mkdir()
        flags = words(game, players, 1, "-j", concurrency)
        found.append(play(place / directory, [*specs, *more], *flags))
        told = complete(arena("verify", place / directory / NAME, place=place), DONE).out
        assert f"{NAME}: ok, " in told
        assert "matches, complete\n" in told
        del found[-1]["tournament.toml"]  # it holds the directory
    assert found[0] == found[1]
    assert {len(match.fixture.bots) for match in matches(place / "batches" / NAME)} == {players}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_sensible_bots_beat_random_ones(game, place):
    """In every language the sensible example ends far above the random one."""
    found = all_built()
    specs = [sensible(sdk, game, f"{sdk.name}-sensible") for sdk in found]
    specs += [program(sdk, "random_bot", f"{sdk.name}-random") for sdk in found]
    specs += [BotSpec(f"more-{number}", builtin="random") for number in range(4 - len(specs))]
    play(place, specs, *words(game, 4, 6, "--tables", "balanced"))
    bots = leaderboard(place / NAME)["bots"]
    ranks = {name: bot["mean_rank"] for name, bot in bots.items()}
    best_random = min(rank for name, rank in ranks.items() if not name.endswith("-sensible"))
    for sdk in found:
        assert ranks[f"{sdk.name}-sensible"] < best_random - 0.5, ranks


@functools.cache
def _model(game: str) -> Files:
    """Return what the tournament writes in which Python's sensible bot plays."""
    with tempfile.TemporaryDirectory(prefix="e2e-") as directory:
        return _beside_built_in(Path(directory), built("python"), game)


def _beside_built_in(place: Path, sdk: Sdk, game: str) -> Files:
    others = [BotSpec("greedy", builtin="greedy"), BotSpec("random", builtin="random")]
    files = play(place, [sensible(sdk, game, "sensible"), *others], *words(game, 3, 8))
    del files["tournament.toml"]  # it holds the command
    replays = sorted((place / NAME / "replays").iterdir())
    for path in replays:
        moves = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
        files[path.name] = repr([(move.get("seat"), move.get("move")) for move in moves]).encode()
    assert len(replays) == 24
    return files


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", [name for name in NAMES if name != "python"])
def test_sensible_bots_play_alike(name, game, place):
    """The sensible example makes the same moves in every language, deal for deal."""
    sdk = built(name)
    assert _beside_built_in(place, sdk, game) == _model(game)


@pytest.mark.slow
def test_a_program_that_starts_slowly_costs_no_match(place):
    """What takes seconds to be ready is waited for, and has no fault to its name."""
    sdk = built("python")
    quick = program(sdk, "random_bot", "quick")
    assert quick.command is not None
    slow = BotSpec(
        "slow", command=("sh", "-c", 'sleep 4; exec "$@"', "sh", *quick.command), dir=quick.dir
    )
    others = [BotSpec("greedy", builtin="greedy")]
    play(place, [slow, quick, *others], *words("byzanz", 3, 1, "--isolate"))
