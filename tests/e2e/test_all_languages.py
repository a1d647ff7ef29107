"""Bots of every language in one tournament, launched as processes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.config.bot_spec import BotSpec
from clients.conformance.sdks import Sdk
from tests.e2e.tournaments import (
    NAME,
    SALT,
    Files,
    attempts,
    leaderboard,
    matches,
    read_files,
    to_end,
)
from tests.sdks import all_built, built, program, write_bots

GAMES = ("byzanz", "schwarzmarkt")
MOST_SEATS = {"byzanz": 6, "schwarzmarkt": 5}
ROUNDS = {"byzanz": 2, "schwarzmarkt": 1}
"""With six languages and one bot more each plays 12 and 15 matches at such tables."""


def words(game: str, players: int, rounds: int, *more: object) -> list[str]:
    """Return the flags of a tournament that gives the same results each time."""
    plan = ("--game", game, "--players", players, "--rounds", rounds)
    return [str(word) for word in (*plan, "--seed", 7, "--salt", SALT, "--name", NAME, *more)]


def play(place: Path, specs: Sequence[BotSpec], *more: str) -> Files:
    """Play a tournament of these bots in which nothing goes wrong; return its files."""
    bots = write_bots(place / "bots.toml", specs)
    to_end("tournament", "--out", place / NAME, *more, "--bot", bots)
    assert {attempt.number for attempt in attempts(place / NAME)} == {1}
    for bot in leaderboard(place / NAME)["bots"].values():
        assert (bot["forfeits"], sum(bot["faults"].values())) == (0, 0), bot
    return read_files(place / NAME)


def sensible(sdk: Sdk, game: str, name: str = "") -> BotSpec:
    """Return the sensible bot of a language."""
    return program(sdk, f"{game}_sensible_bot", name or sdk.name)


Moves = dict[str, list[tuple[str, object]]]


def moves(place: Path) -> Moves:
    """Return who moved how, match for match."""
    found = {}
    for fixture in (match.fixture for match in matches(place / NAME)):
        path = place / NAME / "replays" / f"{fixture.match}.jsonl"
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found[fixture.match] = [
            (fixture.bots[line["seat"]], line["move"]) for line in lines if line["type"] == "move"
        ]
    return found


def first_to_differ(found: Moves, model: Moves) -> set[str]:
    """Return the bots that were the first in a match to move otherwise than in the model."""
    firsts = set()
    for match, made in found.items():
        pairs = zip(made, model[match], strict=False)
        firsts.update([one[0] for one, other in pairs if one != other][:1])
    return firsts


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_all_languages_at_one_table(game, place):
    """One sensible bot per language in the seats, and one that plays anything and comes out last.

    Batches change nothing. Nor does it change a move if the sensible bot of Python sits there in
    the place of the others.
    """
    sdks = all_built()
    others = [BotSpec("random", builtin="random")]
    others += [BotSpec(f"more-{number}", builtin="greedy") for number in range(3 - len(sdks))]
    players = min(len(sdks) + len(others) - 1, MOST_SEATS[game])
    plan = words(game, players, ROUNDS[game], "--rotation", "none")

    def play_in(directory: str, specs: list[BotSpec], *flags: str) -> Files:
        (place / directory).mkdir()
        files = play(place / directory, [*specs, *others], *plan, *flags)
        del files["tournament.toml"]  # it holds the directory and the commands
        return files

    found = play_in("batches", [sensible(sdk, game) for sdk in sdks], "-j", "16")
    told = to_end("verify", place / "batches" / NAME)
    assert f"{NAME}: ok, " in told
    assert "matches, complete\n" in told
    seated = [set(match.fixture.bots) for match in matches(place / "batches" / NAME)]
    assert {len(names) for names in seated} == {players}
    assert any("random" not in names for names in seated)  # languages alone
    ranks = {
        n: bot["mean_rank"] for n, bot in leaderboard(place / "batches" / NAME)["bots"].items()
    }
    assert all(ranks[sdk.name] < ranks["random"] - 0.5 for sdk in sdks), ranks

    if game == GAMES[0]:  # how messages are batched is the same code for every game
        assert play_in("one-by-one", [sensible(sdk, game) for sdk in sdks], "-j", "1") == found
        assert moves(place / "one-by-one") == moves(place / "batches")

    model = built("python")
    files = play_in("model", [sensible(model, game, sdk.name) for sdk in sdks])
    assert first_to_differ(moves(place / "batches"), moves(place / "model")) == set()
    assert files == found


@pytest.mark.slow
def test_random_bots_of_all_languages(place):
    """The smallest example of every language plays a match without a fault."""
    specs = [program(sdk, "random_bot", sdk.name) for sdk in all_built()]
    specs += [BotSpec(f"more-{number}", builtin="random") for number in range(3 - len(specs))]
    bots = write_bots(place / "bots.toml", specs)
    played = json.loads(to_end("match", "byzanz", "--bot", bots, "--seed", "7", "--json"))
    assert (played["faults"], played["ended"]) == ([], ["normal"] * len(specs))


@pytest.mark.slow
def test_a_program_that_starts_slowly_costs_no_match(place):
    """What takes seconds to be ready is waited for, and has no fault to its name."""
    sdk = built("python")
    quick = program(sdk, "random_bot", "quick")
    assert quick.command is not None
    slow = BotSpec(
        "slow", command=("sh", "-c", 'sleep 2; exec "$@"', "sh", *quick.command), dir=quick.dir
    )
    others = [BotSpec("greedy", builtin="greedy")]
    once = ("--rotation", "none", "--fresh")
    play(place, [slow, quick, *others], *words("byzanz", 3, 1, *once))
