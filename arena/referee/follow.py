"""Following a replay with the rules: every line is checked against what must stand there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import zip_longest
from re import Match
from typing import NamedTuple, TypeAlias

from arena.errors import FormatError, IllegalMoveError, InputError, ReplayError
from arena.games.fields import read_int, read_list, read_name, read_names, read_object, read_text
from arena.games.game import AnyGame, AnyState, Event, Json, Move, Outcome, Seat
from arena.games.registry import get_game
from arena.games.shuffle import SeededChance
from arena.games.tuples import new_record
from arena.referee.faults import FAULTS, Fault, Forfeits, rank_with_forfeits, read_endings
from arena.referee.replay import (
    FORMAT,
    MOVE_LINE,
    Entrant,
    Header,
    encode,
    read_json,
    read_line,
    split_lines,
)

_HEADER_FIELDS = (
    "type",
    "format",
    "game",
    "options",
    "match",
    "deal",
    "seed",
    "relabel",
    "players",
    "seats",
    "setup",
)
_FREE_FIELDS = ("ms", "note")
"""Fields of a move line that do not matter."""

Line: TypeAlias = dict[str, object] | Match[bytes]
"""A line as an object, or as what `MOVE_LINE` has found in it."""

_MoveLine: TypeAlias = tuple[Seat, Move, int, Fault | None, object, object]
"""What a move line says: seat, move, number of legal moves, fault, ms and note."""

_NUMBERS = {b"%d" % number: number for number in range(1000)}
"""The numbers of most move lines. Others are read as `_decode` does, which takes longer."""

_NOT_YET: dict[str, object] = {}
"""In place of the line behind the last one of a replay that is growing."""

FindGame: TypeAlias = Callable[[str], AnyGame]

Drawn: TypeAlias = tuple[str, tuple[int, ...]]
"""An outcome of chance: what was decided, and the cards."""


class RecordedChance:
    """Chance that repeats what a replay recorded."""

    def __init__(self, recorded: Sequence[Drawn] = ()) -> None:
        """Have these outcomes ready, in order."""
        self.expect(recorded)

    def expect(self, recorded: Sequence[Drawn]) -> None:
        """Set what the next move will ask for, in order."""
        self._recorded = tuple(recorded)
        self.used = 0

    def shuffle(self, pile: str, cards: Sequence[int]) -> list[int]:
        """Return the recorded order, which must be one of these very cards."""
        order = self._next(f"shuffle {pile}")
        if sorted(order) != sorted(cards):
            self.used -= 1
            raise FormatError(f"the order is not one of the cards in the {pile} pile")
        return list(order)

    def pick(self, what: str, cards: Sequence[int]) -> int:
        """Return the recorded card, which must be one of these."""
        (card,) = self._next("draw")
        if card not in cards:
            self.used -= 1
            raise FormatError("the card drawn is not there")
        return card

    def copy(self) -> RecordedChance:
        """Return a source that repeats the same."""
        return RecordedChance(self._recorded[self.used :])

    def _next(self, what: str) -> tuple[int, ...]:
        if self.used >= len(self._recorded) or self._recorded[self.used][0] != what:
            raise FormatError(f"a chance line is missing here: {what}")
        self.used += 1
        return self._recorded[self.used - 1][1]


class FollowedMove(NamedTuple):
    """One move of a replay and what it brought about; `state` is the match after it."""

    line: int
    seat: Seat
    move: Move
    legal: int
    fault: Fault | None
    ms: object
    note: object
    events: Sequence[Event]
    state: AnyState


class FollowedReplay:
    """A replay whose header has been checked; iterating follows the moves and checks them.

    With a seed, set-up and every chance line are derived from it and compared; without one they
    need only be possible. Raises ReplayError with the line at the first thing wrong.
    """

    def __init__(
        self, data: bytes, find_game: FindGame = get_game, *, is_growing: bool = False
    ) -> None:
        """Read and check the match line; `find_game` turns the game's name into its rules.

        While a replay is growing, iterating ends with the last move that is known.
        """
        self._lines = split_lines(data)
        self._is_growing = is_growing
        self._next = 2  # the line that is followed next
        if not self._lines:
            raise ReplayError(1, "the file ends before the match line")
        line = read_line(1, self._lines[0])
        try:
            self.game, self.header = read_header(line, find_game)
            self.outcome: Outcome | None = None
            self.forfeits: Forfeits = ()
            self._recorded = RecordedChance()
            chance = self._recorded if self.header.seed is None else SeededChance(self.header.seed)
            self.state = self.game.start(self._read_setup(), chance)
        except (FormatError, InputError) as error:
            raise ReplayError(1, str(error)) from None

    def extend(self, data: bytes) -> None:
        """Add lines to a replay that is growing: moves, each with what chance decided by it."""
        self._lines += split_lines(data)

    def __iter__(self) -> Iterator[FollowedMove]:
        """Yield every move after the rules have accepted it; later, go on where that was left."""
        number, line = self._next, self._read(self._next)
        while isinstance(line, Match) or line.get("type") == "move":
            following = self._read(number + 1)
            chances: list[dict[str, object]] = []
            while not isinstance(following, Match) and following.get("type") == "chance":
                chances.append(following)
                following = self._read(number + 1 + len(chances))
            move = self._follow(number, line, chances)
            number, line = number + 1 + len(chances), following
            self._next = number
            yield move
        if line is not _NOT_YET:
            self._end(number, line)

    def _read_setup(self) -> object:
        """Return the set-up, which must be the one that the seed makes, if there is a seed."""
        game, header = self.game, self.header
        seats = len(header.seats)
        if header.seed is None:
            return game.setup_from_json(header.setup, seats)
        labels = tuple(game.kinds.index(name) for name in header.relabel)
        derived = game.relabel(game.setup(header.seed, seats), labels)
        written = game.setup_to_json(derived)
        # As texts too, because 1 equals true.
        if header.setup == written and encode(header.setup) == encode(written):
            return derived
        if game.setup_from_json(header.setup, seats) != derived:  # which may say what is wrong
            raise FormatError("setup is not the one that seed and relabel make")
        return derived

    def _read(self, number: int) -> Line:
        if number > len(self._lines):
            if self._is_growing:
                return _NOT_YET
            raise ReplayError(number, "the file ends before the outcome line")
        line = self._lines[number - 1]
        return MOVE_LINE.fullmatch(line) or read_line(number, line)

    def _follow(self, number: int, line: Line, chances: list[dict[str, object]]) -> FollowedMove:
        said = self._recognise(line, number - 1) if isinstance(line, Match) else None
        if said is None:
            said = self._decode(number, line)
        seat, move, legal, fault, ms, note = said
        outcomes = []
        if chances or self._recorded.used:
            outcomes = [self._read_chance(at, line) for at, line in enumerate(chances, number + 1)]
            self._recorded.expect([drawn for drawn, _ in outcomes])
        try:
            events = self.state.apply(move)
        except IllegalMoveError as error:
            raise ReplayError(number, f"illegal move: {error}") from None
        except FormatError as error:
            raise ReplayError(number + 1 + self._recorded.used, str(error)) from None
        made = [self.game.chance_to_json(event) for event in events if event.by_chance]
        if made or outcomes:
            _compare_chance(number + 1, made, [value for _, value in outcomes])
        told = (number, seat, move, legal, fault, ms, note, events, self.state)
        return new_record(FollowedMove, told)

    def _recognise(self, line: Match[bytes], n: int) -> _MoveLine | None:
        """Return what a move line says if that is due, else None: `_decode` says what is wrong."""
        said_n, said_seat, text, said_legal, forced, said_fault, ms = line.groups()
        state = self.state
        seat = state.to_act
        legal = state.count_legal_moves()
        move = _read_text(self.game, text)
        if (
            move is None
            or seat is None
            or _NUMBERS.get(said_n) != n
            or _NUMBERS.get(said_seat) != seat
            or _NUMBERS.get(said_legal) != legal
            or (forced is not None) != (legal == 1)
        ):
            return None
        fault = None
        if said_fault is not None:
            fault = FAULTS.get(said_fault.decode())
            if fault is None or move != state.default_move():
                return None
        return seat, move, legal, fault, float(ms), None

    def _decode(self, number: int, line: Line) -> _MoveLine:
        """Return what a move line says, after comparing it with what is due."""
        fields = read_line(number, line.string) if isinstance(line, Match) else line
        try:
            return self._read_move(fields, number - 1)
        except (FormatError, IllegalMoveError) as error:
            raise ReplayError(number, str(error)) from None

    def _read_move(self, line: dict[str, object], n: int) -> _MoveLine:
        state = self.state
        read_object(
            line,
            "the move line",
            ("type", "n", "seat", "move", "legal"),
            ("forced", "fault", *_FREE_FIELDS),
        )
        _check_number(line, n)
        seat = state.to_act
        if seat is None:
            raise FormatError("the match is already over")
        if read_int(line["seat"], "seat") != seat:
            raise FormatError(f"seat {seat} is to act, not {line['seat']}")
        legal = state.count_legal_moves()
        if read_int(line["legal"], "legal") != legal:
            raise FormatError(f"there are {legal} legal moves, not {line['legal']}")
        if ("forced" in line) != (legal == 1) or line.get("forced", True) is not True:
            raise FormatError("forced is true exactly when there is one legal move")
        move: Move = self.game.move_from_json(line["move"])
        fault = None
        if "fault" in line:
            fault = read_name(line["fault"], "fault", FAULTS)
            if move != state.default_move():
                raise FormatError(
                    "a fault is followed by the default move, but this is another move"
                )
        return seat, move, legal, fault, line.get("ms"), line.get("note")

    def _read_chance(self, number: int, line: dict[str, object]) -> tuple[Drawn, dict[str, object]]:
        """Return a chance line in the words of `Chance`, and as the rules would write it."""
        try:
            if "n" not in line:
                raise FormatError("the chance line lacks 'n'")
            _check_number(line, number - 1)
            value = {name: field for name, field in line.items() if name not in ("type", "n")}
            return self.game.chance_from_json(value), value
        except FormatError as error:
            raise ReplayError(number, str(error)) from None

    def _end(self, number: int, line: dict[str, object]) -> None:
        try:
            self._read_outcome(line)
        except FormatError as error:
            raise ReplayError(number, str(error)) from None
        if number < len(self._lines):
            self._read(number + 1)  # it may not even be a line
            raise ReplayError(number + 1, "the file goes on after the outcome")

    def _read_outcome(self, line: dict[str, object]) -> None:
        if line.get("type") != "outcome":
            raise FormatError(
                f"a line of type move, chance or outcome is expected, not {line.get('type')!r}"
            )
        read_object(line, "the outcome line", ("type", "scores", "ranks", "ended"))
        if self.state.to_act is not None:
            raise FormatError(f"the match is not over: seat {self.state.to_act} is to act")
        made = self.state.outcome()
        self.forfeits = read_endings(line["ended"], self.state.seats)
        self.outcome = Outcome(made.scores, rank_with_forfeits(made.ranks, self.forfeits))
        for name, right in (("scores", made.scores), ("ranks", self.outcome.ranks)):
            read = partial(read_int, what=name)
            if tuple(map(read, read_list(line[name], name))) != right:
                raise FormatError(f"{name} must be {list(right)}, not {line[name]}")


def read_header(
    line: Mapping[str, object], find_game: FindGame = get_game
) -> tuple[AnyGame, Header]:
    """Return the game with its options and the header; raises FormatError or InputError."""
    if line.get("type") != "match":
        raise FormatError("the first line must be of type match")
    if line.get("format") != FORMAT:
        raise FormatError(f"format must be {FORMAT!r}, not {line.get('format')!r}")
    read_object(line, "the match line", _HEADER_FIELDS, ("arena",))
    options = line["options"]
    if not isinstance(options, dict):
        raise FormatError("options must be an object")
    game = _configure(find_game(read_text(line["game"], "game")), options)
    players = read_int(line["players"], "players")
    game.check_table(players)
    seats = tuple(
        _read_entrant(seat, f"seats[{index}]")
        for index, seat in enumerate(read_list(line["seats"], "seats"))
    )
    if len(seats) != players:
        raise FormatError(f"seats must have {players} entries, not {len(seats)}")
    header = Header(
        arena=str(line.get("arena")),
        game=game.name,
        options=options,
        match=read_text(line["match"], "match"),
        deal=read_text(line["deal"], "deal"),
        seed=_read_seed(line["seed"]),
        relabel=tuple(game.kinds[kind] for kind in _read_labels(game, line["relabel"])),
        seats=seats,
        setup=line["setup"],  # type: ignore[arg-type] # any JSON: the game reads it
    )
    return game, header


def _configure(game: AnyGame, options: dict[str, Json]) -> AnyGame:
    """Return the game under these options, the same one for the same options."""
    try:
        return _configured(game, encode(options))
    except RecursionError:  # nested so deeply that they are no options
        return game.configure(options)


@lru_cache(maxsize=8)
def _configured(game: AnyGame, options: str) -> AnyGame:
    return game.configure(json.loads(options))


def _read_entrant(value: object, what: str) -> Entrant:
    fields = read_object(value, what, ("bot", "version"))
    return Entrant(
        read_text(fields["bot"], f"{what}.bot"), read_text(fields["version"], f"{what}.version")
    )


def _read_seed(value: object) -> bytes | None:
    if value is None:
        return None
    text = read_text(value, "seed")
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):
        raise FormatError("seed must be null or 64 digits 0-9a-f")
    return bytes.fromhex(text)


def _read_labels(game: AnyGame, value: object) -> tuple[int, ...]:
    labels = tuple(read_names(value, "relabel", {name: i for i, name in enumerate(game.kinds)}))
    if labels not in game.relabelings():
        raise FormatError("relabel is not a renaming that leaves the game the same")
    return labels


def _check_number(line: Mapping[str, object], n: int) -> None:
    if read_int(line["n"], "n") != n:
        raise FormatError(f"n must be {n} here, not {line['n']}")


def _compare_chance(
    line: int, made: Sequence[object], recorded: Sequence[dict[str, object]]
) -> None:
    """Compare the outcomes of chance that the rules made with those recorded, from that line on."""
    for number, (due, said) in enumerate(zip_longest(made, recorded), start=line):
        if said is None:
            raise ReplayError(number, "a chance line is missing here")
        if number - line >= len(made):
            raise ReplayError(number, "nothing is left to chance here")
        if due != said:
            raise ReplayError(
                number, "this is not what chance decided here by the rules and the seed"
            )


@lru_cache(maxsize=1 << 14)
def _read_text(game: AnyGame, text: bytes) -> Move | None:
    """Return the move a JSON text says, None if it says none; the same ones come all the time."""
    try:
        move: Move = game.move_from_json(read_json(text))
    except (ValueError, RecursionError, FormatError):
        return None
    return move
