"""Bots of every language in one tournament, launched as processes."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from arena_client.players import GAMES as CLASSES
from arena_client.v1 import play_pb2

from arena.config.bot_spec import BotSpec
from arena.games.game import AnyState, Move
from arena.referee.follow import FollowedReplay
from arena.v1.play_pb2 import SeatInfo
from arena.wire import play as wire
from arena.wire.codec import codec_for
from clients.conformance.sdks import CLIENTS, Sdk
from tests.e2e.tournaments import (
    NAME,
    SALT,
    attempts,
    leaderboard,
    matches,
    to_end,
)
from tests.sdks import all_built, built, program, write_bots

AT_ONCE = {"byzanz": 1, "schwarzmarkt": 16}  # messages are batched by the same code in all games
MOST_SEATS = {"byzanz": 6, "schwarzmarkt": 5}


def words(game: str, players: int, rounds: int, *more: object) -> list[str]:
    """Return the flags of a tournament that gives the same results each time."""
    plan = ("--game", game, "--players", players, "--rounds", rounds)
    return [str(word) for word in (*plan, "--seed", 7, "--salt", SALT, "--name", NAME, *more)]


def play(place: Path, specs: Sequence[BotSpec], *more: str) -> None:
    """Play a tournament of these bots in which nothing goes wrong."""
    bots = write_bots(place / "bots.toml", specs)
    to_end("tournament", "--out", place / NAME, *more, "--bot", bots)
    assert {attempt.number for attempt in attempts(place / NAME)} == {1}
    for bot in leaderboard(place / NAME)["bots"].values():
        assert (bot["forfeits"], sum(bot["faults"].values())) == (0, 0), bot


def sensible(sdk: Sdk, game: str) -> BotSpec:
    """Return the sensible bot of a language."""
    return program(sdk, f"{game}_sensible_bot", sdk.name)


def replays(place: Path) -> list[FollowedReplay]:
    """Return all matches of the tournament."""
    paths = (place / NAME / "replays").iterdir()
    return [FollowedReplay(path.read_bytes()) for path in paths]


class Model:
    """The sensible bot of Python for all seats of a match, in this process."""

    def __init__(self, replay: FollowedReplay) -> None:
        name = replay.game.name
        path = CLIENTS / "python" / "examples" / f"{name}_sensible_bot.py"
        bot_class = runpy.run_path(str(path))["SensibleBot"]
        match_class, self._decision_class = CLASSES[name]
        self._codec = codec_for(replay.game)
        self._bots = []
        for seat in range(len(replay.header.seats)):
            message = wire.match_started(
                match_id="m",
                game=replay.game,
                seat=seat,
                seats=[SeatInfo() for _ in replay.header.seats],
                time_control=wire.time_control(move_time_s=None, bank_s=0.0, max_faults=1),
                bot_seed=b"",
            )
            match = match_class(play_pb2.PlayResponse.FromString(message).match_started)
            self._bots.append((bot_class(match), match))

    def decide(self, state: AnyState) -> Move | None:
        """Return the move of the seat whose turn it is; None if there is no choice."""
        seat, legal = state.to_act, state.legal_moves()
        if seat is None or len(legal) == 1:
            return None
        part = self._codec.decision(state.observe(seat), legal, ())
        message = wire.decisions([wire.decision("m", 1, None, 0.0, len(legal), (), part)])
        [asked] = play_pb2.PlayResponse.FromString(message).decisions.decisions
        bot, match = self._bots[seat]
        decision = self._decision_class(match, asked)
        chosen: Move = legal[decision.index_of(bot.decide(decision))]
        return chosen


def differing(replay: FollowedReplay) -> Iterator[str]:
    """Yield the bot of each move that the model would not have made."""
    model = Model(replay)
    expected = model.decide(replay.state)
    for step in replay:
        if expected is not None and step.move != expected:
            yield replay.header.seats[step.seat].bot
        expected = model.decide(step.state)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "at_once"), AT_ONCE.items())
def test_all_languages_at_one_table(game, at_once, place):
    """One sensible bot per language in the seats, and one that plays anything and comes out last.

    With and without batches, each language makes the moves that Python would make there.
    """
    sdks = all_built()
    others = [BotSpec("random", builtin="random")]
    others += [BotSpec(f"more-{number}", builtin="greedy") for number in range(3 - len(sdks))]
    players = min(len(sdks) + len(others) - 1, MOST_SEATS[game])
    plan = words(game, players, 1, "--rotation", "none", "-j", at_once)
    play(place, [*(sensible(sdk, game) for sdk in sdks), *others], *plan)
    told = to_end("verify", place / NAME)
    assert f"{NAME}: ok, " in told
    assert "matches, complete\n" in told
    seated = [set(match.fixture.bots) for match in matches(place / NAME)]
    assert {len(names) for names in seated} == {players}
    assert any("random" not in names for names in seated)  # languages alone
    ranks = {name: bot["mean_rank"] for name, bot in leaderboard(place / NAME)["bots"].items()}
    assert all(ranks[sdk.name] < ranks["random"] - 0.5 for sdk in sdks), ranks

    others_than_model = {bot for one in replays(place) for bot in differing(one)}
    assert others_than_model == {bot.name for bot in others}


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
