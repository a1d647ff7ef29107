"""Write the golden playthroughs again: `python -m tests.golden.regenerate`, or `make golden`.

Each is one seeded match of random moves, decision by decision, as readable text. They change only
when the rules, their order of legal moves or their words do; a difference is reviewed as a diff.
"""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from arena.games.byzanz import text as byzanz_text
from arena.games.byzanz.game import Byzanz
from arena.games.counts import unpack
from arena.games.game import AnyGame, AnyState, Event, Json, Seat
from arena.games.ledger import Ledger
from arena.games.registry import BUILT_IN, get_game
from arena.games.schwarzmarkt import text as schwarzmarkt_text
from arena.games.schwarzmarkt.game import Schwarzmarkt
from arena.games.schwarzmarkt.material import GOODS

DIRECTORY = Path(__file__).parent
MOST_LISTED = 12
"""Of more legal moves than this only the first and the last are listed."""
LOOK_EVERY = 12
"""Every so many decisions the observations of the acting seat and of the public are written."""


def playthroughs() -> dict[str, tuple[AnyGame, int]]:
    """Return the matches to write, by name of file."""
    found: dict[str, tuple[AnyGame, int]] = {}
    for name in BUILT_IN:
        game = get_game(name)
        for players in game.table_sizes:
            found[f"{name}-{players}p.txt"] = (game, players)
    found["schwarzmarkt-uneven-4p.txt"] = (Schwarzmarkt({"deck": "uneven"}), 4)
    return found


def play_through(file: str, game: AnyGame, players: int) -> str:
    """Return one match as text."""
    seed = hashlib.sha256(file.encode()).digest()
    state = game.deal(seed, players)
    names = [f"seat {seat}" for seat in range(players)]
    lines = [*_describe_start(game, seed, players), ""]
    rng = Random(file)
    number = 0
    while (seat := state.to_act) is not None:
        if number % LOOK_EVERY == 0:
            lines += [*_describe_look(game, state, seat), ""]
        number += 1
        legal = state.legal_moves()
        move = rng.choice(legal)
        texts = [game.move_to_text(one) for one in legal]
        lines.append(f"decision {number}: {names[seat]}, {len(legal)} legal")
        lines += _wrapped(_abbreviated(texts), "    ")
        lines.append(f"  > {game.move_to_text(move)}")
        lines += [
            f"    {told}" for event in state.apply(move) for told in _tell(game, event, names)
        ]
        lines.append("")
    lines += [*_describe_look(game, state, Seat(0)), ""]
    outcome = state.outcome()
    lines += ["outcome", f"  scores  {outcome.scores}", f"  ranks   {outcome.ranks}"]
    return "\n".join(lines) + "\n"


def _describe_start(game: AnyGame, seed: bytes, players: int) -> Iterator[str]:
    yield f"{game.title}, {players} players"
    yield f"options {json.dumps(dict(game.options))}"
    yield f"seed {seed.hex()}"
    yield "set-up"
    for name, place in game.setup_to_json(game.setup(seed, players)).items():
        yield f"  {name}"
        for part in _parts(place):
            yield from _wrapped(part, "    ")


def _parts(place: Json) -> Iterator[list[str]]:
    """Yield a pile whole, hands one by one."""
    assert isinstance(place, Sequence)
    if place and not isinstance(place[0], str):
        for seat, hand in enumerate(place):
            assert isinstance(hand, Sequence)
            yield [f"{seat}:", *map(str, hand)]
    else:
        yield [str(card) for card in place]


def _abbreviated(texts: list[str]) -> list[str]:
    marked = [f"{text};" for text in texts]
    if len(marked) <= MOST_LISTED:
        return marked
    half = MOST_LISTED // 2
    return [*marked[:half], f"… {len(marked) - 2 * half} more …", *marked[-half:]]


def _wrapped(words: Sequence[str], indent: str) -> list[str]:
    return textwrap.wrap(
        " ".join(words),
        100,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _tell(game: AnyGame, event: Event, names: Sequence[str]) -> Iterator[str]:
    yield game.tell(event, names)
    if event.audience is not None:
        audience = ", ".join(names[seat] for seat in event.audience) or "nobody"
        redacted = event.redacted()
        others = "nothing" if redacted is None else game.tell(redacted, names)
        yield f"  (seen by {audience}; the others: {others})"
    chance = game.chance_to_json(event) if event.by_chance else None
    if chance is not None:
        yield from _wrapped(["chance:", json.dumps(chance, separators=(", ", ": "))], "  ")


def _describe_look(game: AnyGame, state: AnyState, seat: Seat) -> Iterator[str]:
    own, public = state.observe(seat), state.observe(None)
    yield f"observation of seat {seat}"
    for field in own._fields:
        yield f"    {field:<22} {_describe(game, field, getattr(own, field))}"
    yield "observation of the public, where it differs"
    for field in public._fields:
        if getattr(public, field) != getattr(own, field):
            yield f"    {field:<22} {_describe(game, field, getattr(public, field))}"


_BYZANZ_CARDS = {"hand", "own_discards", "lot", "market", "out"}
_BYZANZ_CARDS_BY_SEAT = {"laid", "kept"}


def _describe(game: AnyGame, field: str, value: Any) -> str:
    """Return a field of an observation with its cards by name."""
    if isinstance(game, Byzanz):
        if field in _BYZANZ_CARDS:
            return byzanz_text.list_cards(value)
        if field in _BYZANZ_CARDS_BY_SEAT:
            return _by_seat(map(byzanz_text.list_cards, value))
        if field == "known":
            return _by_seat(_describe_ledger(ledger, byzanz_text.list_cards) for ledger in value)
    if isinstance(game, Schwarzmarkt):
        return _describe_schwarzmarkt(game, field, value)
    return _plain(value)


def _describe_schwarzmarkt(game: Schwarzmarkt, field: str, value: Any) -> str:
    cards = game.material.cards
    match field:
        case "goods" | "demand":
            return schwarzmarkt_text.list_goods(value)
        case "cards" | "seen_cards":
            return ", ".join(cards[card].name for card in unpack(value)) or "nothing"
        case "offer" | "resolving":
            return "nothing" if value is None else cards[value].name
        case "traded":
            return " ".join(GOODS[good] for good in value) or "nothing"
        case "open_cards":
            shown = [f"{cards[one.card].name} against {one.target}" for one in value]
            return ", ".join(shown) or "nothing"
        case "pile_known":
            return _describe_ledger(value, schwarzmarkt_text.list_goods)
        case "hands_known":
            return _by_seat(
                _describe_ledger(ledger, schwarzmarkt_text.list_goods) for ledger in value
            )
    return _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return _by_seat(map(_plain, value))
    return str(getattr(value, "name", value))


def _by_seat(texts: Iterator[str]) -> str:
    return " | ".join(texts)


def _describe_ledger(ledger: Ledger, list_cards: Any) -> str:
    tiers = [f"{list_cards(tier.cards)} but for {tier.unseen}" for tier in ledger]
    return ", then ".join(tiers) or "nothing"


def main() -> None:
    """Write every file."""
    for file, (game, players) in playthroughs().items():
        (DIRECTORY / file).write_text(play_through(file, game, players), encoding="utf-8")
        print(f"wrote {file}")


if __name__ == "__main__":
    main()
