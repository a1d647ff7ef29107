"""Following a replay with the rules: every line is checked against what must stand there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from arena.errors import FormatError, IllegalMoveError, InputError, ReplayError
from arena.games.fields import read_int, read_list, read_name, read_names, read_object, read_text
from arena.games.game import AnyGame, AnyState, Event, Move, Outcome, Seat
from arena.games.registry import get_game
from arena.games.shuffle import SeededChance
from arena.referee.faults import FAULTS, Fault, Forfeits, rank_with_forfeits, read_endings
from arena.referee.replay import FORMAT, Entrant, Header, read_lines

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


@dataclass(frozen=True, slots=True)
class FollowedMove:
    """One move of a replay and what it brought about.

    `observation` is the acting seat's before the move, `state` the match after it.
    """

    line: int
    seat: Seat
    observation: Any
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

    def __init__(self, data: bytes, find_game: FindGame = get_game) -> None:
        """Read and check the match line; `find_game` turns the game's name into its rules."""
        self._lines = read_lines(data)
        line = self._next_line(1)
        try:
            self.game, self.header = read_header(line, find_game)
            self.outcome: Outcome | None = None
            self.forfeits: Forfeits = ()
            setup = self.game.setup_from_json(self.header.setup, len(self.header.seats))
            self._recorded = RecordedChance()
            chance = self._recorded if self.header.seed is None else SeededChance(self.header.seed)
            if self.header.seed is not None:
                self._check_derived(self.header.seed, setup)
            self.state = self.game.start(setup, chance)
        except (FormatError, InputError) as error:
            raise ReplayError(1, str(error)) from None

    def __iter__(self) -> Iterator[FollowedMove]:
        """Yield every move after the rules have accepted it."""
        number, line = 2, self._next_line(2)
        count = 0
        while line.get("type") == "move":
            chances: list[dict[str, object]] = []
            following = self._next_line(number + 1)
            while following.get("type") == "chance":
                chances.append(following)
                following = self._next_line(number + 1 + len(chances))
            yield self._follow(number, line, chances, count)
            count += 1 + len(chances)
            number, line = number + 1 + len(chances), following
        self._end(number, line)

    def _check_derived(self, seed: bytes, setup: object) -> None:
        labels = tuple(self.game.kinds.index(name) for name in self.header.relabel)
        if self.game.relabel(self.game.setup(seed, len(self.header.seats)), labels) != setup:
            raise FormatError("setup is not the one that seed and relabel make")

    def _next_line(self, number: int) -> dict[str, object]:
        found = next(self._lines, None)
        if found is not None:
            return found[1]
        missing = "the match line" if number == 1 else "the outcome line"
        raise ReplayError(number, f"the file ends before {missing}")

    def _follow(
        self, number: int, line: dict[str, object], chances: list[dict[str, object]], count: int
    ) -> FollowedMove:
        state = self.state
        try:
            move, fault = self._read_move(line, count + 1)
        except (FormatError, IllegalMoveError) as error:
            raise ReplayError(number, str(error)) from None
        legal = read_int(line["legal"], "legal")
        seat = Seat(read_int(line["seat"], "seat"))
        expected = []
        for index, chance in enumerate(chances, start=1):
            try:
                expected.append(_read_chance(self.game, chance, count + 1 + index))
            except FormatError as error:
                raise ReplayError(number + index, str(error)) from None
        observation = state.observe(seat)
        self._recorded.expect([drawn for drawn, _ in expected])
        try:
            events = state.apply(move)
        except IllegalMoveError as error:
            raise ReplayError(number, f"illegal move: {error}") from None
        except FormatError as error:
            raise ReplayError(number + 1 + self._recorded.used, str(error)) from None
        self._check_chance(number, [value for _, value in expected], events)
        return FollowedMove(
            line=number,
            seat=seat,
            observation=observation,
            move=move,
            legal=legal,
            fault=fault,
            ms=line.get("ms"),
            note=line.get("note"),
            events=events,
            state=state,
        )

    def _read_move(self, line: dict[str, object], n: int) -> tuple[Move, Fault | None]:
        state = self.state
        read_object(
            line,
            "the move line",
            ("type", "n", "seat", "move", "legal"),
            ("forced", "fault", *_FREE_FIELDS),
        )
        _check_number(line, n)
        if state.to_act is None:
            raise FormatError("the match is already over")
        if read_int(line["seat"], "seat") != state.to_act:
            raise FormatError(f"seat {state.to_act} is to act, not {line['seat']}")
        legal = len(state.legal_moves())
        if read_int(line["legal"], "legal") != legal:
            raise FormatError(f"there are {legal} legal moves, not {line['legal']}")
        if ("forced" in line) != (legal == 1) or line.get("forced", True) is not True:
            raise FormatError("forced is true exactly when there is one legal move")
        move: Move = self.game.move_from_json(line["move"])
        fault = None
        if "fault" in line:
            fault = read_name(line["fault"], "fault", FAULTS)
            if move != state.default_move():
                raise FormatError("a fault is followed by the default move, this is another")
        return move, fault

    def _check_chance(
        self, number: int, recorded: list[dict[str, object]], events: Sequence[Event]
    ) -> None:
        """Compare the recorded outcomes of chance with those the rules made."""
        made = [self.game.chance_to_json(event) for event in events if event.by_chance]
        for index in range(max(len(made), len(recorded))):
            line = number + 1 + index
            if index >= len(recorded):
                raise ReplayError(line, "a chance line is missing here")
            if index >= len(made):
                raise ReplayError(line, "nothing is left to chance here")
            if made[index] != recorded[index]:
                raise ReplayError(
                    line, "this is not what chance decided here by the rules and the seed"
                )

    def _end(self, number: int, line: dict[str, object]) -> None:
        try:
            self._read_outcome(line)
        except FormatError as error:
            raise ReplayError(number, str(error)) from None
        for extra, _ in self._lines:
            raise ReplayError(extra, "the file goes on after the outcome")

    def _read_outcome(self, line: dict[str, object]) -> None:
        if line.get("type") != "outcome":
            raise FormatError(
                f"a line of type move, chance or outcome is due, not {line.get('type')!r}"
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
    game = find_game(read_text(line["game"], "game")).configure(options)
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


def _read_chance(
    game: AnyGame, line: Mapping[str, object], n: int
) -> tuple[Drawn, dict[str, object]]:
    """Return a chance line in the words of `Chance`, and as the rules would write it."""
    if "n" not in line:
        raise FormatError("the chance line lacks 'n'")
    _check_number(line, n)
    value = {name: field for name, field in line.items() if name not in ("type", "n")}
    return game.chance_from_json(value), value
