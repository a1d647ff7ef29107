"""Situations about the process: how it starts, introduces itself, prints and ends."""

from __future__ import annotations

from arena.counted import counted
from arena.examine.candidate import Candidate
from arena.examine.conversation import meet
from arena.examine.finding import Report, Weight, failed, not_applicable, passed
from arena.examine.situation import ExamState, Situation
from arena.examine.table import ExamTable
from arena.games.game import AnyGame
from arena.games.registry import game_names

GOODBYE_S = 5.0
MUCH_PRINTED = 256 * 1024  # bytes; 1 MiB is kept of all that a bot prints in a competition

_GOODBYE_ADVICE = "when a Goodbye comes, close the stream and end the program with exit code 0"


async def _start(state: ExamState, _game: AnyGame) -> Report:
    conversation = state.conversation = await meet(
        state.candidate, state.scripted, state.conditions
    )
    state.hello = conversation.hello
    await conversation.welcome()
    offered = [game.name for game in state.games]
    said = list(state.hello.games)
    if said and not set(offered) & set(said):
        return failed(
            f"the hello names the games {', '.join(said)}; arena offers {', '.join(offered)}",
            f"use arena's names for the games: {', '.join(game_names())}",
        )
    state.games = [game for game in state.games if not said or game.name in said]
    process = state.candidate.process
    assert process is not None
    plays = ", ".join(game.name for game in state.games)
    most = max(state.hello.max_matches, 1)
    return passed(f"plays {plays}; {most} match{'es' if most > 1 else ''} at once")


async def _introduce(state: ExamState, _game: AnyGame) -> Report:
    hello = state.hello
    missing = [name for name in ("bot", "version", "language") if not getattr(hello, name)]
    unknown = [name for name in hello.games if name not in game_names()]
    if unknown:
        return failed(
            f"it says it plays {', '.join(unknown)}, which is unknown here",
            f"the games are: {', '.join(game_names())}",
        )
    if missing:
        return failed(
            f"the hello leaves out {', '.join(missing)}",
            "set them: replays and leaderboards show which version played",
        )
    return passed(f"{hello.bot} {hello.version}, {hello.sdk or hello.language}")


async def _leave_idle(state: ExamState, _game: AnyGame) -> Report:
    conversation = await state.converse()
    await conversation.part()
    state.conversation = None
    return await _judge_end(state.candidate)


async def _leave_after_matches(state: ExamState, _game: AnyGame) -> Report:
    if state.host is None or not state.candidate.is_running:
        return not_applicable("the bot is no longer running")
    await state.host.close()
    return await _judge_end(state.candidate)


async def _leave_thinking(state: ExamState, game: AnyGame) -> Report:
    conversation = await state.converse()
    table = ExamTable(game, state.next_match_id(), deal=21, seats=game.table_sizes[0])
    await conversation.introduce(table)
    await conversation.ask(table)
    if table.question is not None:
        await conversation.pose(table)
    await conversation.part()
    state.conversation = None
    return await _judge_end(state.candidate)


async def _judge_end(candidate: Candidate) -> Report:
    end = await candidate.ends(GOODBYE_S)
    if end is None:
        return failed(f"still running {GOODBYE_S:g} s after the goodbye", _GOODBYE_ADVICE)
    if end.code != 0:
        return failed(f"after the goodbye the process {end.describe()}", _GOODBYE_ADVICE)
    return passed()


async def _print(state: ExamState, _game: AnyGame) -> Report:
    size = state.log.stat().st_size if state.log.exists() else 0
    if size > MUCH_PRINTED:
        return failed(
            f"printed {size // 1024} KiB or more in this exam",
            "print less: of a whole competition 1 MiB is kept, and printing costs thinking time",
        )
    return passed(counted(size, "byte"))


async def _weigh(state: ExamState, _game: AnyGame) -> Report:
    usage = await state.candidate.usage()
    if usage is None:
        return not_applicable("not available on this system")
    return passed(f"{usage.memory_mb:.0f} MB at most, {usage.cpu_s:.1f} s of processor time")


STARTS = Situation(
    "start",
    "starts and says hello",
    Weight.MUST,
    "a bot that is not ready in time forfeits its matches",
    _start,
)
INTRODUCES = Situation(
    "introduction",
    "introduces itself",
    Weight.SHOULD,
    "without a name and a version nobody can tell later which program played",
    _introduce,
)
LEAVES_IDLE = Situation(
    "goodbye-idle",
    "ends after a goodbye before any match",
    Weight.MUST,
    "a bot that does not exit by itself is killed, and may lose what it wanted to save",
    _leave_idle,
)
LEAVES_AFTER_MATCHES = Situation(
    "goodbye-after-matches",
    "ends after its matches",
    Weight.MUST,
    LEAVES_IDLE.meaning,
    _leave_after_matches,
)
LEAVES_THINKING = Situation(
    "goodbye-thinking",
    "ends after a goodbye in the middle of a decision",
    Weight.MUST,
    "a server that stops can say goodbye at any moment",
    _leave_thinking,
)
PRINTS = Situation(
    "printing",
    "does not flood its log",
    Weight.SHOULD,
    "what a bot prints is kept for its author, up to a limit",
    _print,
)
WEIGHS = Situation(
    "weight",
    "memory and processor time",
    Weight.NOTE,
    "an organiser may limit both",
    _weigh,
)
