"""`arena init`: a new project for a bot or a game, ready to be checked and played."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from arena.cli import DONE
from arena.cli.terminal import add_help
from arena.config.bot_fields import check_text
from arena.config.bot_spec import read_specs
from arena.errors import InputError
from arena.games.registry import get_game
from arena.inert import inert
from arena.starter.files import GAMES
from arena.starter.languages import CLIENTS, Language, get_language, languages
from arena.starter.naming import check_game_name, check_name, name_after
from arena.starter.project import Project, fill, make_game_project, make_project
from arena.starter.toolchain import arena_command, find_lack, python_command

GAME = "game"  # in the place of a language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena init`."""
    parser.usage = (
        "arena init LANGUAGE DIR [--game GAME] [--name NAME]\n"
        "       arena init game DIR [--name NAME]\n"
        "       arena init --list"
    )
    parser.add_argument(
        "language",
        nargs="?",
        metavar="LANGUAGE",
        help="python, rust, bash, … (see --list), or the word game for a new game",
    )
    parser.add_argument(
        "directory",
        nargs="?",
        metavar="DIR",
        help="the directory to create; if it exists it must be empty",
    )
    parser.add_argument(
        "--game",
        metavar="GAME",
        help="start from a bot for this game (default: a bot for all games)",
    )
    parser.add_argument(
        "--name",
        metavar="NAME",
        help="the name of the bot or game (default: the name of the directory)",
    )
    parser.add_argument(
        "--list", action="store_true", help="list the languages and what each of them needs"
    )
    add_help(
        parser,
        "arena init python mybot --game byzanz",
        "arena init game mygame",
        "arena init --list",
    )


def run(args: argparse.Namespace) -> int:
    """Make a project and say what comes next, or list the languages."""
    if args.list or args.language is None:
        for line in _languages():
            print(line)
        return DONE
    language = None if args.language == GAME else get_language(args.language)
    if args.directory is None:
        raise InputError(f"name the directory to create: arena init {args.language} DIR")
    directory = Path(check_text(args.directory, "DIR"))
    if language is None:
        return _make_game(directory, args)
    game = None if args.game is None else _check_game(args.game)
    name = name_after(directory.resolve()) if args.name is None else check_name(args.name)
    values = {"name": name, "arena": arena_command()}
    if language.name == "python":
        values["python"] = python_command(CLIENTS / "python")
    project = Project(language, directory, game, values)
    make_project(project)
    for line in _report(project):
        print(inert(line))
    return DONE


def _make_game(directory: Path, args: argparse.Namespace) -> int:
    if args.game is not None:
        raise InputError("--game is for bots; name a new game with --name")
    after = args.name is None and name_after(directory.resolve(), GAME).replace("-", "_")
    name = check_game_name(after or args.name)
    make_game_project(directory, name)
    arena, python = arena_command(), shlex.quote(sys.executable)
    steps = {
        f"cd {shlex.quote(str(directory))}": "",
        f"{python} -m pip install --editable '.[test]'": "so that arena finds it",
        f"edit {name}/rules.py": "the game",
        f"{python} -m pytest": "does it follow the rules for games, and hide what is hidden?",
        f"{arena} play {name} --bots random,random,random --watch": "a match in this process",
        f"{arena} match {name} --bot random --bot random --bot random": "a match over gRPC",
    }
    print(inert(f"created {directory}: a game called {name}, for now the game High Card"))
    for line in _told(steps):
        print(inert(line))
    return DONE


def _check_game(name: str) -> str:
    get_game(name)
    if name not in GAMES:
        raise InputError(
            f"there is no template for {name} (there are: {', '.join(GAMES)}); "
            "without --game the bot plays every game"
        )
    return name


def _languages() -> Iterator[str]:
    with ThreadPoolExecutor() as pool:  # asking a dozen tools for their versions takes a while
        lacks = list(pool.map(_lack, languages()))
    for language, lack in zip(languages(), lacks, strict=True):
        needs = [need.install.partition(" (")[0] for need in language.needs]  # without hints
        state = "missing" if lack else "here"
        yield f"{language.name:<10}  {state:<7}  {', '.join(needs) or 'only arena'}"


def _lack(language: Language) -> str | None:
    """Return what the machine lacks for the language; None if nothing."""
    lacks = ((find_lack(need), need) for need in language.needs)
    return next((f"{lack}: install {need.install}" for lack, need in lacks if lack), None)


def _report(project: Project) -> Iterator[str]:
    """Yield what was made, what is missing, and the commands that come next."""
    language, directory, name = project.language, project.directory, project.values["name"]
    what = f"a bot called {name} in {language.title}, which plays {project.plays}"
    yield f"created {directory}: {what}"
    lack = _lack(language)
    if lack:
        yield f"before it can play: {lack}"
    test = fill(language.test.encode(), project.values).decode()
    arena = project.values["arena"]
    match = f"{arena} match {project.sample_game} --bot bots.toml --bot greedy --bot random"
    spec = read_specs(directory / "bots.toml")[0]
    play = shlex.join(spec.command or (*shlex.split(arena), "bridge", "--", *(spec.stdio or ())))
    steps = {
        f"cd {shlex.quote(str(directory))}": "",
        f"edit {language.edit}": "the bot",
        f"{arena} check": "would it survive a tournament?",
        test: "its own tests, without a server",
        match: "a match against built-in bots",
        f"ARENA_ADDRESS=HOST:PORT ARENA_TOKEN=TOKEN {play}": "on a running server",
    }
    yield from _told(steps)


def _told(steps: Mapping[str, str]) -> Iterator[str]:
    """Yield what comes next, each command with its meaning."""
    width = max(map(len, steps))
    yield "next:"
    for step, meaning in steps.items():
        yield f"  {step:<{width}}  {meaning}".rstrip()
