from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from operator import eq
from random import Random
from typing import Any

import pytest
from highcard.rules import HighCard

from arena.errors import ReplayError
from arena.games.game import AnyGame
from arena.games.registry import get_game
from arena.referee.faults import Fault, Forfeits, rank_with_forfeits
from arena.referee.follow import FollowedReplay
from arena.referee.replay import MOVE_LINE, Entrant, Header, Recording, split_lines
from tests.oracle import byzanz as byzanz_oracle
from tests.oracle import schwarzmarkt as schwarzmarkt_oracle
from tests.recorded import SHORT, play_random, record, seed_of

Line = dict[str, Any]

GAMES = tuple(SHORT)


@pytest.fixture(autouse=True)
def _high_card_is_registered(high_card: HighCard) -> None:
    """Let replays of the toy game be followed, too."""


@cache
def short_replay(name: str) -> str:
    replay = record(HighCard() if name == HighCard.name else get_game(name), 3, SHORT[name])
    return re.sub(r'"ms":[0-9.e-]+', '"ms":0.25', replay)


def short_lines(name: str) -> list[Line]:
    return [json.loads(line) for line in short_replay(name).splitlines()]


def dump(line: object) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()


def join(lines: list[bytes]) -> bytes:
    return b"\n".join([*lines, b""])


def file_of(lines: list[Line]) -> bytes:
    return join([dump(line) for line in lines])


def follow(data: bytes) -> FollowedReplay:
    replay = FollowedReplay(data)
    for _ in replay:
        pass
    return replay


def fork(replay: FollowedReplay) -> FollowedReplay:
    """Return a twin of a replay with a seed that can be followed on its own."""
    twin = copy.copy(replay)
    twin.state = replay.state.copy()
    return twin


@cache
def followed(data: bytes) -> dict[int, FollowedReplay]:
    """Return a sound replay as it is before each of its moves, by line."""
    replay = FollowedReplay(data)
    at = {replay._next: fork(replay)}
    for _ in replay:
        at[replay._next] = fork(replay)
    return at


def resume(data: bytes, sound: bytes) -> FollowedReplay:
    """Return a replay that has been followed up to the last move before it differs."""
    same = sum(1 for _ in takewhile(bool, map(eq, data.split(b"\n"), sound.split(b"\n"))))
    reached = [line for line in followed(sound) if line <= same]
    if not reached:
        return FollowedReplay(data)
    replay = fork(followed(sound)[max(reached)])
    replay._lines = split_lines(data)
    return replay


def complaint(data: bytes, sound: bytes | None = None) -> ReplayError | None:
    """Return what is wrong with a replay, None if nothing; any other exception is a bug.

    What it has in common with a sound one need not be followed again.
    """
    try:
        for _ in FollowedReplay(data) if sound is None else resume(data, sound):
            pass
    except ReplayError as error:
        return error
    return None


def check_refused(data: bytes, line: int, what: str, sound: bytes | None = None) -> None:
    error = complaint(data, sound)
    assert error is not None, f"accepted: {what}"
    assert error.line == line, f"line {error.line} instead of {line}: {what}: {error.reason}"
    assert error.reason
    assert "\n" not in str(error), what


def refused_line(data: bytes) -> int:
    error = complaint(data)
    assert error is not None
    return error.line


def one_of_each_shape(lines: list[Line]) -> set[int]:
    """Return the indices of the first line of every shape: its type, its fields, its move's."""
    first: dict[str, int] = {}
    for index, line in enumerate(lines):
        move = line.get("move", {})
        shape = [sorted(line), line["type"], sorted(move), move.get("type"), line.get("what")]
        first.setdefault(repr(shape), index)
    return set(first.values())


# Changing values


def other_values(value: Any) -> Iterator[Any]:
    """Yield values that are wrong where `value` is right: other ones, and of other types."""
    match value:
        case bool():
            yield from (not value, int(value), str(value).lower(), None)
        case int():
            yield from (value + 1, -value - 1, float(value), str(value), None, [value])
            yield from (10**400, value + 0.5)
            if value in (0, 1):
                yield bool(value)
        case str():
            yield from (value + "x", value.upper() + " ", "", 0, None, [value], {"name": value})
        case list():
            yield from ([*value, "x"], [*value, None], {}, None, "", 0, [value])
            if value:
                yield from (value[1:], [*value, value[0]], [value[0]] * (len(value) + 1))
        case dict():
            yield from ([], None, "", 0, [value], {**value, "extra": 1})
            yield from ({k: v for k, v in value.items() if k != name} for name in value)


def with_field(line: Line, path: tuple[str | int, ...], value: Any) -> Line:
    """Return the line with the value at that place replaced."""
    changed = json.loads(json.dumps(line))
    place = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return changed  # type: ignore[no-any-return]


def renumbered(lines: list[Line], shift: int) -> list[Line]:
    """Return the lines with `n` counted on."""
    return [{**line, "n": line["n"] + shift} if "n" in line else line for line in lines]


def without_field(line: Line, name: str) -> Line:
    return {key: value for key, value in line.items() if key != name}


FREE = {"ms", "note", "arena"}


def checked_places(line: Line) -> list[tuple[str | int, ...]]:
    """Return the places of a line whose every change must be noticed."""
    places: list[tuple[str | int, ...]] = [(name,) for name in line if name not in FREE]
    if line["type"] == "match":
        named = {("match",), ("deal",)}  # any text will do
        places = [place for place in places if place not in named]
        places += [("setup", name) for name in line["setup"]]
        places += [("setup", "hands", 1), ("seats", 1)]
    elif line["type"] == "move":
        places += [("move", name) for name in line["move"]]
    elif line["type"] == "outcome":
        places += [(name, seat) for name in ("scores", "ranks", "ended") for seat in range(3)]
    return places


def value_at(line: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        line = line[step]
    return line


def spelling(move: Any) -> str:
    """Return a move as text, the order of its cards left out of account."""
    if isinstance(move, dict):
        move = {
            name: sorted(value, key=repr) if isinstance(value, list) else value
            for name, value in move.items()
        }
    return json.dumps(move, sort_keys=True)


def legal_by_line(name: str) -> dict[int, set[str]]:
    """Return the moves that were legal at each move line of the short match, by index."""
    lines = short_lines(name)
    replay = FollowedReplay(file_of(lines))
    game, state = replay.game, replay.state
    legal: dict[int, set[str]] = {}
    for index, line in enumerate(lines):
        if line["type"] == "move":
            legal[index] = {spelling(game.move_to_json(move)) for move in state.legal_moves()}
            state.apply(game.move_from_json(line["move"]))
    return legal


class TestMutations:
    """Every change of a field that matters is noticed, at its line."""

    @pytest.mark.slow
    @pytest.mark.parametrize("name", GAMES)
    def test_every_field_of_every_line(self, name):
        """A field with another value or type is refused, and the complaint names its line.

        The first line of every shape has all its fields changed in all ways, the others each
        field in one way, in turn.
        """
        lines = short_lines(name)
        data = [dump(line) for line in lines]
        sound = join(data)
        thorough = one_of_each_shape(lines)
        legal = legal_by_line(name)
        turn = 0
        for index, line in enumerate(lines):
            places = checked_places(line)
            if index not in thorough:
                places = [place for place in places if len(place) == 1]
            for place in places:
                others = list(other_values(value_at(line, place)))
                if index not in thorough:
                    turn += 1
                    others = [others[turn % len(others)]]
                for other in others:
                    if place == ("seed",) and other is None:
                        continue  # a constructed deal: see below
                    changed = with_field(line, place, other)
                    if place[0] == "move" and spelling(changed["move"]) in legal[index]:
                        continue  # another match: see below
                    what = f"line {index + 1}, {place} = {str(other)[:60]}"
                    mutated = join([*data[:index], dump(changed), *data[index + 1 :]])
                    check_refused(mutated, index + 1, what, sound)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", GAMES)
    def test_every_field_removed_and_others_added(self, name):
        """Each line has exactly its fields; the first of a shape is tried without each of them."""
        lines = short_lines(name)
        data = [dump(line) for line in lines]
        sound = join(data)
        thorough = one_of_each_shape(lines)
        for index, line in enumerate(lines):
            changes = [without_field(line, field) for field in line if field not in FREE]
            changes += [{**line, "extra": None}, {**line, "forced": "forced" not in line}]
            if index not in thorough:
                changes = [changes[index % len(changes)], *changes[-2:]]
            for changed in changes:
                what = f"line {index + 1}: {str(changed)[:80]}"
                mutated = join([*data[:index], dump(changed), *data[index + 1 :]])
                check_refused(mutated, index + 1, what, sound)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", GAMES)
    def test_lines_removed_doubled_and_swapped(self, name):
        """No line can be missing, stand twice or change places with the next one."""
        data = short_replay(name).encode()
        lines = data.splitlines()
        for index, line in enumerate(lines):
            number = index + 1
            removed = join([*lines[:index], *lines[index + 1 :]])
            check_refused(removed, number, f"removed {number}", data)
            doubled = join([*lines[:number], line, *lines[number:]])
            check_refused(doubled, number + 1, f"doubled {number}", data)
            if index + 1 < len(lines):
                swapped = join([*lines[:index], lines[index + 1], line, *lines[index + 2 :]])
                check_refused(swapped, number, f"swapped {number}", data)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", GAMES)
    def test_lines_spoilt(self, name):
        """A line that is cut, blank, not UTF-8 or not one strict JSON object is refused."""
        sound = short_replay(name).encode()
        lines = sound.splitlines()
        for index, line in enumerate(lines):
            spoilt = {
                "cut": line[: len(line) // 2],
                "cut by one": line[:-1],
                "blank": b"",
                "two in one": line + line,
                "not UTF-8": line.replace(b'"', b'"\xff', 1),
                "in a list": b"[" + line + b"]",
                "doubled name": line.replace(b"{", b'{"type":"move",', 1),
                "not a number": line.replace(b"}", b',"extra":NaN}', 1),
            }
            kinds = list(spoilt)
            if index > 2:
                kinds = [kinds[index % len(kinds)], kinds[(index + 3) % len(kinds)]]
            for kind in kinds:
                mutated = join([*lines[:index], spoilt[kind], *lines[index + 1 :]])
                check_refused(mutated, index + 1, f"line {index + 1} {kind}", sound)
            inserted = join([*lines[:index], b"", *lines[index:]])
            check_refused(inserted, index + 1, f"blank before line {index + 1}", sound)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", GAMES)
    def test_the_file_cut_after_every_line(self, name):
        """A file that ends too early is refused at the line that is missing."""
        lines = short_replay(name).encode().splitlines()
        for kept in range(len(lines)):
            check_refused(join(lines[:kept]), kept + 1, f"cut after line {kept}", join(lines))
            cut = join(lines[:kept]) + lines[kept][: len(lines[kept]) // 3 + 1]
            check_refused(cut, kept + 1, f"cut in line {kept + 1}", join(lines))

    @pytest.mark.parametrize("name", GAMES)
    @pytest.mark.parametrize(
        "more", [b"\n", b"{}\n", b"x", b" ", b"\x00", b'{"type":"move"}\n', b"\xff"]
    )
    def test_nothing_follows_the_outcome(self, name, more):
        """Whatever stands behind the outcome is refused at its line."""
        data = short_replay(name).encode()

        check_refused(data + more, data.count(b"\n") + 1, repr(more))

    @pytest.mark.slow
    @pytest.mark.parametrize("name", GAMES)
    def test_every_move_replaced_by_another_legal_one(self, name):
        """A match that went otherwise is noticed soon after, unless all the rest fits as well."""
        lines = short_lines(name)
        data = [dump(line) for line in lines]
        rng = Random(name)
        tried = noticed = 0
        for index, moves in legal_by_line(name).items():
            line = lines[index]
            others = sorted(moves - {spelling(line["move"])})
            if others:
                other = dump({**line, "move": json.loads(rng.choice(others))})
                error = complaint(join([*data[:index], other, *data[index + 1 :]]), join(data))
                tried += 1
                if error is not None:
                    noticed += 1
                    assert error.line > index + 1
        assert noticed > 0.7 * tried

    @pytest.mark.parametrize("name", GAMES)
    def test_a_move_that_is_not_legal(self, name):
        """A move that could be made at another time is refused with the rule."""
        lines = short_lines(name)
        last = next(line["move"] for line in reversed(lines) if line["type"] == "move")
        lines[1]["move"] = last

        with pytest.raises(ReplayError, match=r"line 2: illegal move: .*\([A-Z]\d"):
            follow(file_of(lines))

    @pytest.mark.parametrize("name", GAMES)
    def test_cards_swapped_in_the_set_up(self, name):
        """The set-up is the one that the seed makes, card by card."""
        lines = short_lines(name)
        setup = lines[0]["setup"]
        piles = [[name_] for name_ in setup if name_ != "hands"] + [["hands", 0], ["hands", 2]]
        for path in piles:
            pile = value_at(setup, tuple(path))
            if not isinstance(pile[0], str):
                pile = pile[0]
            other = next(i for i, card in enumerate(pile) if card != pile[0])
            pile[0], pile[other] = pile[other], pile[0]
            check_refused(file_of(lines), 1, f"swapped in {path}")
            pile[0], pile[other] = pile[other], pile[0]
        assert complaint(file_of(lines)) is None

    @pytest.mark.parametrize("name", ["highcard", "schwarzmarkt"])
    def test_cards_swapped_in_a_shuffle(self, name):
        """Later chance is derived from the seed and compared, card by card."""
        lines = short_lines(name)
        for index, line in enumerate(lines):
            if line.get("what") != "shuffle":
                continue
            order = line["order"]
            other = next(i for i, card in enumerate(order) if card != order[0])
            order[0], order[other] = order[other], order[0]
            check_refused(file_of(lines), index + 1, "swapped in a shuffle")
            order[0], order[other] = order[other], order[0]
        assert complaint(file_of(lines)) is None

    def test_another_draw(self):
        """A card drawn by chance is the one that the seed decides."""
        lines = short_lines("schwarzmarkt")
        index = next(i for i, line in enumerate(lines) if line.get("what") == "draw")
        for good in {"potatoes", "butter", "sugar", "coffee", "flour"} - {lines[index]["good"]}:
            changed = [*lines[:index], {**lines[index], "good": good}, *lines[index + 1 :]]
            check_refused(file_of(changed), index + 1, good)

    @pytest.mark.parametrize("name", GAMES)
    def test_another_seed_or_renaming(self, name):
        """Seed and renaming must make this very set-up."""
        lines = short_lines(name)
        kinds = lines[0]["relabel"]
        rotated = [*kinds[1:], kinds[0]]
        for field, value in {
            "seed": seed_of(999).hex(),
            "relabel": rotated,
        }.items():
            changed = [{**lines[0], field: value}, *lines[1:]]
            check_refused(file_of(changed), 1, field)

    @pytest.mark.parametrize(
        "seed", ["", "00", "0" * 63, "0" * 65, "A" * 64, "g" * 64, "0x" + "0" * 62, " " * 64, 0, []]
    )
    def test_a_seed_is_64_lower_case_digits(self, seed):
        """A seed in any other form is refused, even if it means the same."""
        lines = short_lines("highcard")

        check_refused(file_of([{**lines[0], "seed": seed}, *lines[1:]]), 1, repr(seed))

    def test_a_seed_in_capitals(self):
        """There is one way to write a seed."""
        lines = short_lines("highcard")
        lines[0]["seed"] = lines[0]["seed"].upper()

        check_refused(file_of(lines), 1, "capitals")


class TestWhatDoesNotMatter:
    @pytest.mark.parametrize("name", GAMES)
    def test_times_notes_and_the_version_of_arena(self, name):
        """`ms`, `note` and `arena` may be anything or missing."""
        original = follow(short_replay(name).encode())
        values: list[object] = [None, 1, -2.5, "x", [], {}, True, 10**300, "\x1b[31m", "\ud800"]
        for value in [*values, ...]:
            lines = short_lines(name)
            for line in lines:
                fields = {"match": ["arena"], "move": ["ms", "note"]}.get(line["type"], [])
                for field in fields:
                    line.pop(field, None)
                    if value is not ...:
                        line[field] = value
            data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
            assert follow(data).outcome == original.outcome

    def test_who_played(self):
        """Names of bots, match and deal are texts that a replay alone cannot check."""
        lines = short_lines("highcard")
        lines[0]["match"] = "another"
        lines[0]["deal"] = ""
        lines[0]["seats"][1] = {"bot": "\x1b[31mred", "version": "ü"}

        header = follow(file_of(lines)).header

        assert (header.match, header.deal) == ("another", "")
        assert header.seats[1] == Entrant("\x1b[31mred", "ü")

    @pytest.mark.parametrize("field", ["match", "deal"])
    @pytest.mark.parametrize("value", [1, None, [], True])
    def test_identifiers_are_texts(self, field, value):
        """An identifier that is no text is refused."""
        lines = short_lines("highcard")

        check_refused(file_of([{**lines[0], field: value}, *lines[1:]]), 1, field)

    @pytest.mark.parametrize("seat", [{}, {"bot": "a"}, {"bot": 1, "version": "1"}, "a", None])
    def test_a_seat_has_a_bot_and_its_version(self, seat):
        """A seat without them, or with something else, is refused."""
        lines = short_lines("highcard")
        lines[0]["seats"][2] = seat

        check_refused(file_of(lines), 1, repr(seat))

    def test_the_order_of_cards_in_a_move(self):
        """The cards of a bid or a sale may be named in any order."""
        lines = short_lines("byzanz")
        moves = [line["move"] for line in lines if len(line.get("move", {}).get("cards", [])) > 1]
        for move in moves:
            move["cards"].reverse()

        assert moves
        assert complaint(file_of(lines)) is None

    def test_spaces_and_the_last_line_end(self):
        """Spaces between the tokens, CRLF and a missing last line end say nothing."""
        lines = short_lines("highcard")
        spaced = [json.dumps(line, indent=None).encode() for line in lines]

        assert complaint(b"\r\n".join(spaced)) is None


class TestHowItIsWritten:
    """A move line in the arena's own words is recognised, any other decoded: to the same end."""

    @staticmethod
    def spaced(data: bytes) -> bytes:
        """Return the same file in words that are not the arena's."""
        return data.replace(b'{"type":"move"', b'{ "type":"move"')

    @pytest.mark.parametrize("name", GAMES)
    def test_the_same_moves(self, name):
        """What is followed does not depend on how the lines are written."""
        data = short_replay(name).encode()
        moves, others = list(FollowedReplay(data)), list(FollowedReplay(self.spaced(data)))

        assert MOVE_LINE.fullmatch(data.split(b"\n")[1])
        assert not MOVE_LINE.fullmatch(self.spaced(data).split(b"\n")[1])
        assert [move[:-2] for move in moves] == [move[:-2] for move in others]

    @pytest.mark.slow
    @pytest.mark.parametrize("name", GAMES)
    def test_the_same_complaints(self, name):
        """What is wrong is found at the same line, in the same words."""
        data = short_replay(name).encode()
        rng = Random(f"written {name}")
        found = 0
        for _ in range(300):
            place = rng.randrange(data.index(b"\n"), len(data))
            byte = rng.choice([data[place] ^ 1 << rng.randrange(7), *b'0"}1,'])
            changed = data[:place] + bytes([byte]) + data[place + 1 :]
            error = complaint(changed, data)
            other = complaint(self.spaced(changed), self.spaced(data))
            if error is None or error.reason.startswith("not a line of JSON"):  # other columns
                assert (error is None) == (other is None)
            else:
                found += 1
                assert str(error) == str(other)
        assert found > 50


class TestWholeFiles:
    @pytest.mark.parametrize(
        ("data", "line"),
        [
            (b"", 1),
            (b"\n", 1),
            (b"\x00" * 100, 1),
            (b"\x89PNG\r\n\x1a\n", 1),
            (b"{}\n", 1),
            (b"[]\n", 1),
            (b"null\n", 1),
            (b'"match"\n', 1),
            (b"1" * 5000, 1),
            (b"[" * 100_000, 1),
            (b'{"a":' * 100_000, 1),
            (b'{"type":"move"}\n', 1),
            (b'{"type":"match","format":"arena-replay/2"}\n', 1),
        ],
        ids=lambda value: repr(value[:12]) if isinstance(value, bytes) else "",
    )
    def test_what_is_no_replay_at_all(self, data, line):
        """Any other file is refused at its first line."""
        check_refused(data, line, "")

    def test_a_byte_order_mark(self):
        """A replay starts with its first brace."""
        check_refused(b"\xef\xbb\xbf" + short_replay("highcard").encode(), 1, "BOM")

    def test_another_encoding(self):
        """A replay is UTF-8."""
        check_refused(short_replay("highcard").encode("utf-16"), 1, "UTF-16")

    @pytest.mark.parametrize("field", ["type", "format", "game", "options", "seed", "players"])
    @pytest.mark.parametrize("depth", [50, *range(880, 1000, 5), 5_000])
    def test_deep_nesting_in_the_match_line(self, field, depth):
        """However deep a value is nested, the answer is a complaint."""
        lines = short_replay("highcard").splitlines()
        head = json.loads(lines[0])
        nested = dump({**head, field: "@"}).replace(b'"@"', b"[" * depth + b"]" * depth)

        check_refused(join([nested, *(line.encode() for line in lines[1:])]), 1, f"{field} {depth}")

    @pytest.mark.parametrize("field", ["type", "n", "seat", "move", "legal", "forced", "fault"])
    @pytest.mark.parametrize("depth", [50, *range(880, 1000, 10), 5_000])
    def test_deep_nesting_in_a_move_line(self, field, depth):
        """However deep a value is nested, the answer is a complaint."""
        lines = [dump(line) for line in short_lines("highcard")]
        move = json.loads(lines[1])
        lines[1] = dump({**move, field: "@"}).replace(b'"@"', b"[" * depth + b"]" * depth)

        check_refused(join(lines), 2, f"{field} {depth}")

    @pytest.mark.parametrize("number", [b"1e999", b"-1e999", b"9" * 4000, b"9" * 5000, b"1E400"])
    @pytest.mark.parametrize("field", ["n", "seat", "legal"])
    def test_huge_numbers(self, field, number):
        """A number of any size is read, or refused as what it is."""
        lines = [dump(line) for line in short_lines("highcard")]
        move = json.loads(lines[2])
        lines[2] = dump({**move, field: "@"}).replace(b'"@"', number)

        check_refused(join(lines), 3, f"{field} {number[:9]!r}")

    @pytest.mark.parametrize("number", [b"1e999", b"9" * 4000])
    def test_a_huge_time(self, number):
        """Nobody cares how long a move took."""
        lines = [dump(line) for line in short_lines("highcard")]
        lines[2] = dump({**json.loads(lines[2]), "ms": "@"}).replace(b'"@"', number)

        assert complaint(join(lines)) is None


def normalised(data: bytes) -> list[str]:
    """Return the lines with everything that does not matter taken out."""
    lines = []
    for text in data.decode().rstrip("\n").split("\n"):
        line = json.loads(text)
        for field in (*FREE, "match", "deal"):
            line.pop(field, None)
        for seat in line.get("seats", []):
            seat["bot"] = seat["version"] = ""
        for field in ("cards", "goods"):
            if field in line.get("move", {}):
                line["move"][field].sort()
        lines.append(json.dumps(line, sort_keys=True))
    return lines


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "flips"), [("highcard", 1500), ("byzanz", 250), ("schwarzmarkt", 250)]
)
def test_random_bytes_changed(name, flips):
    """A changed byte is refused, or it did not matter; nothing else ever happens."""
    original = short_replay(name).encode()
    meaning = normalised(original)
    rng = Random(f"flips {name}")
    for _ in range(flips):
        place = rng.randrange(len(original))
        byte = rng.choice([rng.randrange(256), original[place] ^ 1 << rng.randrange(8), *b'0"}1,'])
        data = original[:place] + bytes([byte]) + original[place + 1 :]
        error = complaint(data, original)
        assert error is not None or normalised(data) == meaning, (place, byte)
        assert error is None or error.line <= data.count(b"\n") + 1


class TestConstructedDeals:
    """A replay without a seed is followed with the chance it records."""

    @pytest.mark.parametrize("name", GAMES)
    def test_the_seed_taken_away(self, name):
        """What is recorded of chance is enough to follow a match."""
        lines = short_lines(name)
        with_seed = follow(file_of(lines))
        lines[0]["seed"] = None

        without_seed = follow(file_of(lines))

        assert without_seed.header.seed is None
        assert without_seed.outcome == with_seed.outcome

    @pytest.mark.parametrize("players", [3, 4, 5, 6])
    def test_matches_of_the_byzanz_oracle(self, players):
        """A match made by the other reading of the rules is accepted."""
        assert complaint(file_of(byzanz_oracle.random_match(5, players))) is None

    @pytest.mark.parametrize("players", [3, 4, 5])
    @pytest.mark.parametrize("deck", ["basic", "uneven"])
    def test_matches_of_the_schwarzmarkt_oracle(self, players, deck):
        """A match made by the other reading of the rules is accepted, with its own chance."""
        for seed in range(3):
            lines = schwarzmarkt_oracle.random_match(seed, players, deck)
            assert complaint(file_of(lines)) is None

    def test_an_order_of_other_cards(self):
        """A shuffle keeps the cards of the pile."""
        lines = short_lines("schwarzmarkt")
        lines[0]["seed"] = None
        index = next(i for i, line in enumerate(lines) if line.get("what") == "shuffle")
        order = lines[index]["order"]
        order[0] = next(card for card in order if card != order[0])

        check_refused(file_of(lines), index + 1, "another card in the pile")

    def test_a_draw_of_a_card_that_is_not_there(self):
        """A card drawn from a hand was in it."""
        lines = short_lines("schwarzmarkt")
        lines[0]["seed"] = None
        index = next(i for i, line in enumerate(lines) if line.get("what") == "draw")
        held = set(lines[0]["setup"]["hands"][lines[index]["from"]])
        missing = {"potatoes", "butter", "sugar", "coffee", "flour"} - held
        for good in missing:
            lines[index]["good"] = good
            check_refused(file_of(lines), index + 1, good)

    @pytest.mark.parametrize("name", ["highcard", "schwarzmarkt"])
    def test_chance_lines_removed_doubled_or_changed(self, name):
        """Without a seed every chance line must still be there, once, and say what it is."""
        lines = short_lines(name)
        lines[0]["seed"] = None
        for index, line in enumerate(lines):
            if line["type"] != "chance":
                continue
            changes = {
                "removed": [],
                "doubled": [line, {**line, "n": line["n"] + 1}],
                "unknown": [{**line, "what": "dice"}],
                "a field more": [{**line, "extra": 1}],
                "no n": [without_field(line, "n")],
                "no what": [without_field(line, "what")],
            }
            for what, changed in changes.items():
                shift = len(changed) - 1
                data = file_of([*lines[:index], *changed, *renumbered(lines[index + 1 :], shift)])
                wrong = index + 2 if what == "doubled" else index + 1
                check_refused(data, wrong, f"line {index + 1} {what}")

    def test_a_set_up_that_is_no_deal(self):
        """Without a seed the set-up must still be a proper deal."""
        lines = short_lines("byzanz")
        lines[0]["seed"] = None
        lines[0]["setup"]["deck"][0] = "trader"
        lines[0]["setup"]["deck"][1] = "trader"

        check_refused(file_of(lines), 1, "too many traders")

    def test_another_deal_from_the_same_cards(self):
        """Cards that only nobody saw may be swapped in a constructed deal."""
        lines = short_lines("byzanz")
        lines[0]["seed"] = None
        removed = lines[0]["setup"]["removed"]
        removed.reverse()

        assert complaint(file_of(lines)) is None


class TestFollowing:
    @pytest.mark.parametrize("name", GAMES)
    def test_every_move_is_told(self, name):
        """Following yields each move with its line, seat, events and time, and what it led to."""
        lines = short_lines(name)
        replay = FollowedReplay(file_of(lines))
        seats, moves = [replay.state.to_act], []
        for move in replay:
            moves.append(move)
            seats.append(move.state.to_act)
        recorded = [(i, line) for i, line in enumerate(lines, 1) if line["type"] == "move"]

        assert [move.line for move in moves] == [i for i, _ in recorded]
        assert [move.seat for move in moves] == [line["seat"] for _, line in recorded]
        assert [move.legal for move in moves] == [line["legal"] for _, line in recorded]
        assert [move.ms for move in moves] == [line["ms"] for _, line in recorded]
        assert seats == [*(move.seat for move in moves), None]
        assert all(move.events and move.fault is None and move.note is None for move in moves)

    def test_the_outcome_is_known_at_the_end(self):
        """Outcome and endings are there once all moves have been followed."""
        replay = FollowedReplay(short_replay("highcard").encode())
        before = replay.outcome
        played = play_random(HighCard(), 3, SHORT["highcard"])
        for _ in replay:
            pass

        assert before is None
        assert replay.outcome == played.outcome
        assert replay.forfeits == (None,) * 3

    def test_a_renamed_deal(self):
        """A set-up renamed as the header says is derived and accepted."""
        for game, labels in (
            (get_game("byzanz"), (5, 4, 3, 2, 1, 0)),
            (get_game("schwarzmarkt"), (1, 2, 3, 4, 0)),
            (HighCard(), (1, 0)),
        ):
            assert labels in game.relabelings()
            replay = follow(play_random(game, 3, 1, labels).replay.encode())
            assert list(replay.header.relabel) == [game.kinds[kind] for kind in labels]

    def test_options_are_followed(self):
        """A match under options is followed under the same."""
        game = get_game("schwarzmarkt").configure({"deck": "uneven"})
        lines = [json.loads(line) for line in record(game, 4, 2).splitlines()]

        assert complaint(file_of(lines)) is None
        check_refused(file_of([{**lines[0], "options": {}}, *lines[1:]]), 1, "other deck")

    def test_a_game_under_options_is_made_once(self):
        """Replays under the same options share the game, and what it has learnt to read."""
        game = get_game("schwarzmarkt").configure({"deck": "uneven"})
        first, second = (FollowedReplay(record(game, 4, n).encode()).game for n in (2, 3))

        assert first is second
        assert first.options == {"deck": "uneven"}

    @pytest.mark.parametrize(
        "options", [{"deck": "odd"}, {"decks": "uneven"}, {"deck": []}, {"cards": {}}, {"cards": 1}]
    )
    def test_options_that_do_not_exist(self, options):
        """Unknown options and impossible values are refused at the first line."""
        lines = short_lines("schwarzmarkt")

        check_refused(file_of([{**lines[0], "options": options}, *lines[1:]]), 1, repr(options))

    @pytest.mark.parametrize("players", [0, 2, 5, 7, -1])
    def test_a_table_the_game_is_not_played_at(self, players):
        """The number of players must fit the game, the seats and the hands."""
        lines = short_lines("highcard")

        check_refused(file_of([{**lines[0], "players": players}, *lines[1:]]), 1, "players")


def faulty_match(game: AnyGame, faults: dict[int, Fault], forfeits: Forfeits) -> list[Line]:
    """Return a match in which seat 0 fails at some of its decisions, all moves being default."""
    seed = seed_of(7)
    setup = game.setup(seed, 3)
    seats = [Entrant("a", "1"), Entrant("b", "1"), Entrant("c", "1")]
    header = Header(
        "0", game.name, {}, "m", "d", seed, game.kinds, seats, game.setup_to_json(setup)
    )
    recording = Recording(game, lambda: header)
    state = game.deal(seed, 3)
    decisions = 0
    while (seat := state.to_act) is not None:
        move, legal = state.default_move(), len(state.legal_moves())
        fault = None
        if seat == 0 and legal > 1:
            fault = faults.get(decisions)
            decisions += 1
        recording.steps.append((seat, move, legal, 0.0, fault, None, state.apply(move)))
    recording.ending = state.outcome(), forfeits
    return list(map(json.loads, recording.lines()))


class TestFaults:
    def test_a_default_move_with_its_fault(self):
        """A fault is followed by the default move and handed on."""
        lines = faulty_match(HighCard(), {0: Fault.TIMEOUT, 2: Fault.CRASH}, (None,) * 3)
        found = [move.fault for move in FollowedReplay(file_of(lines)) if move.fault]

        assert found == [Fault.TIMEOUT, Fault.CRASH]

    def test_a_fault_followed_by_another_move(self):
        """A seat that failed gets the default move, nothing else."""
        lines = short_lines("byzanz")
        index = next(i for i, line in enumerate(lines) if line.get("move", {}).get("type") == "bid")
        lines[index]["fault"] = "timeout"

        check_refused(file_of(lines), index + 1, "fault with a bid")

    @pytest.mark.parametrize("fault", ["slow", "", "TIMEOUT", "normal", None, 1, [], True])
    def test_an_unknown_fault(self, fault):
        """A fault is one of those told apart."""
        lines = faulty_match(HighCard(), {0: Fault.TIMEOUT}, (None,) * 3)
        lines[1]["fault"] = fault

        check_refused(file_of(lines), 2, repr(fault))

    def test_a_forfeit_is_ranked_last(self):
        """A forfeited seat keeps its points and has the rank after all others."""
        faults = dict.fromkeys(range(9), Fault.TIMEOUT)
        forfeits = (Fault.TIMEOUT, None, None)
        lines = faulty_match(HighCard(), faults, forfeits)
        scores = lines[-1]["scores"]
        lines[-1]["ranks"] = rank_with_forfeits(tuple(lines[-1]["ranks"]), forfeits)

        replay = follow(file_of(lines))

        assert replay.forfeits == forfeits
        assert replay.outcome is not None
        assert replay.outcome.ranks[0] == 3
        assert list(replay.outcome.scores) == scores

    def test_ranks_that_forget_a_forfeit(self):
        """Ranks by points alone are refused when the winner forfeited."""
        lines = faulty_match(HighCard(), {}, (None,) * 3)
        winner = lines[-1]["ranks"].index(1)
        lines[-1]["ended"][winner] = "forfeit:crash"

        check_refused(file_of(lines), len(lines), "the winner forfeited")

    @pytest.mark.parametrize(
        "ended",
        [
            ["normal", "normal"],
            ["normal"] * 4,
            ["normal", "normal", "lost"],
            ["normal", "normal", "forfeit"],
            ["normal", "normal", "forfeit:"],
            ["normal", "normal", "forfeit:slow"],
            ["normal", "normal", None],
            "normal",
            {},
        ],
    )
    def test_endings_that_do_not_exist(self, ended):
        """Each seat ended normally or forfeited by a known fault."""
        lines = short_lines("highcard")
        lines[-1]["ended"] = ended

        check_refused(file_of(lines), len(lines), repr(ended))
