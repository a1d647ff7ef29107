from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ResultsError
from arena.inert import cells, cut, inert, inert_cell, inert_markdown
from arena.rating.leaderboard import FaultReason, Meeting, Order
from arena.results.formats import (
    crosstable_csv,
    leaderboard_csv,
    leaderboard_json,
    leaderboard_md,
    leaderboard_text,
    rank_text,
    share_above,
)
from arena.results.published import leaderboard_from_json
from tests.results.boards import HOSTILE, make_board

PATH = Path("cup/leaderboard.json")
NEW_KEYS = (
    "rank_set",
    "ahead",
    "expected_rank",
    "expected_rank_ci95",
    "strength",
    "strength_ci95",
    "order_spread",
    "mix_weight",
    "mix_share",
    "mix_share_ci95",
)
"""Of a bot, that older files lack."""


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text), strict=True))


def test_json_has_the_published_keys_first_and_in_order():
    """leaderboard.json begins with the keys of its format; more may follow."""
    text = leaderboard_json(make_board())
    value = json.loads(text)

    assert list(value)[:8] == "format tournament game players matches blocks seed bots".split()
    assert value["format"] == "arena-leaderboard/1"
    keys = "rank name version rating mu sigma matches wins mean_rank mean_rank_ci95 mean_score"
    keys += " mean_score_ci95 rank_counts faults"
    assert list(value["bots"][0])[:14] == keys.split()
    assert value["bots"][1]["mean_score"] == 13.25
    assert value["bots"][1]["mean_score_ci95"] == [11.75, 15.75]
    assert text.endswith("}\n")
    assert text == leaderboard_json(make_board())


@pytest.mark.parametrize(
    "board",
    [
        make_board(),
        make_board(HOSTILE, idle=2, parked=("17-3",)),
        make_board(3, players=3, deals=5),
        make_board(0),
        replace(make_board(2), settled_after=12, draw_probability=None, scheduled=9999),
    ],
)
def test_json_reads_back_as_it_was_written(board):
    """Nothing but the meetings is lost on the way through leaderboard.json."""
    assert leaderboard_from_json(leaderboard_json(board), PATH) == replace(board, meetings={})


def test_json_of_half_a_surrogate_pair_can_be_encoded():
    """A text that has no UTF-8 is escaped, and reads back."""
    board = make_board(2)
    reason = FaultReason("crash", "bytes \udcff", 1)
    board = replace(board, bots=(replace(board.bots[0], reasons=(reason,)), board.bots[1]))
    text = leaderboard_json(board)

    assert text.encode()
    assert leaderboard_from_json(text, PATH).bots[0].reasons == (reason,)


def test_json_with_only_the_published_keys_is_read():
    """A leaderboard.json without the further keys is a leaderboard all the same."""
    value = json.loads(leaderboard_json(make_board(2)))
    known = "model draw_probability deals scheduled parked settled_after variance order passes"
    for key in known.split():
        del value[key]
    for bot in value["bots"]:
        del bot["forfeits"], bot["reasons"]
        for key in NEW_KEYS:
            del bot[key]
    value["later"] = {"anything": 1}

    board = leaderboard_from_json(json.dumps(value), PATH)

    assert board.bots[1].name == "bot-1"
    assert board.scheduled == board.matches
    assert (board.order, board.passes) == (Order.RATING, 1)
    assert (board.bots[1].rank_set, board.bots[1].ahead) == (None, None)


Spoil = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("spoil", "place"),
    [
        (lambda value: value.update(format="arena-leaderboard/9"), "format must be"),
        (lambda value: value.update(order="luck"), "order must be one of"),
        (lambda value: value["bots"][0].update(rank_set=[1]), "rank_set must have two ends"),
        (lambda value: value.pop("game"), "game is missing"),
        (lambda value: value.update(players="4"), "players must be a whole number"),
        (lambda value: value.update(bots={}), "bots must be a list"),
        (lambda value: value["bots"].append(3), r"bots\[2\] must be an object"),
        (lambda value: value["bots"][1].pop("sigma"), r"bots\[1\].sigma is missing"),
        (lambda value: value["bots"][1].update(mu=True), r"bots\[1\].mu must be a number"),
        (lambda value: value["bots"][0].update(mu=float("nan")), r"bots\[0\].mu must be a number"),
        (lambda value: value["bots"][0].update(mean_rank_ci95=[1]), "must have two ends"),
        (lambda value: value["bots"][0]["faults"].update(crash="x"), r"bots\[0\].faults.crash"),
        (lambda value: value["bots"][0].update(rank_counts=[1, None]), r"rank_counts\[1\]"),
        (lambda value: value.update(variance={"factor": 1}), "variance.matches_saved is missing"),
    ],
)
def test_bad_json_is_refused_with_its_place(spoil: Spoil, place):
    """A leaderboard.json that is wrong says where."""
    value = json.loads(leaderboard_json(make_board(2)))
    spoil(value)

    with pytest.raises(ResultsError, match=place) as caught:
        leaderboard_from_json(json.dumps(value), PATH)
    assert "cup/leaderboard.json" in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "3", "null"])
def test_what_is_no_leaderboard_at_all_is_refused(text):
    """Broken JSON and JSON of something else are refused, however deep."""
    with pytest.raises(ResultsError, match=r"leaderboard\.json"):
        leaderboard_from_json(text, PATH)


def test_a_rank_is_a_set_where_bots_are_not_told_apart():
    """Tables show 1–3 for a bot that may have these ranks, and its place with too few deals."""
    board = make_board(4)

    assert [rank_text(bot) for bot in board.bots] == ["1–2", "1–3", "2–4", "3–5"]
    assert rank_text(replace(board.bots[0], rank_set=(2, 2))) == "2"
    assert rank_text(make_board(4, deals=5).bots[1]) == "2"
    assert "their order is arbitrary" in leaderboard_text(board, 300)
    assert "+0.01 ± 0.03" in leaderboard_text(board, 120)


def test_an_unbalanced_order_says_so():
    """Where mean ranks would be unfair, the table says what it is ordered by instead."""
    board = replace(make_board(2), order=Order.EXPECTED_RANK)

    assert "Ordered by expected rank" in leaderboard_text(board, 300)


def test_csv_has_a_line_for_each_bot():
    """leaderboard.csv can be read back column by column."""
    head, *rows = rows_of(leaderboard_csv(make_board(3, idle=2)))

    by_name = [dict(zip(head, row, strict=True)) for row in rows]
    assert [row["name"] for row in by_name] == ["bot-0", "bot-1", "bot-2"]
    assert by_name[1]["mean_score_low"] == "11.75"
    assert by_name[1]["timeout"] == "3"
    assert by_name[1]["rank_4"] == "150"
    assert by_name[2]["mean_rank_low"] == ""
    assert (by_name[1]["best_rank"], by_name[1]["worst_rank"]) == ("1", "3")
    assert (by_name[1]["ahead"], by_name[1]["ahead_high"]) == ("0.01", "0.04")
    assert (by_name[0]["strength"], by_name[0]["strength_low"]) == ("1.5", "")
    assert (by_name[2]["best_rank"], by_name[2]["strength"]) == ("", "")


def test_negative_numbers_in_csv_stay_numbers():
    """Only texts get an apostrophe; a mean score below nothing is a number."""
    head, *rows = rows_of(leaderboard_csv(make_board(5)))

    assert float(rows[4][head.index("mean_score")]) == -7.75


@pytest.mark.parametrize("sign", [*"=+-@", "\t", "\r", "＝", " ="])
def test_no_cell_is_a_formula(sign):
    """A name that spreadsheets would calculate begins with an apostrophe."""
    board = make_board([f"{sign}1+1", "b"])

    assert rows_of(leaderboard_csv(board))[1][1].startswith("'")
    table = rows_of(crosstable_csv(board))
    assert table[0][1].startswith("'")
    assert table[1][0].startswith("'")
    assert inert_cell("a=1") == "a=1"


def test_hostile_names_do_not_add_csv_cells_or_lines():
    """Quotes, commas and line ends in names stay inside their cell."""
    board = make_board([*HOSTILE, 'a,"b"\r\nc'])

    rows = rows_of(leaderboard_csv(board))
    assert len(rows) == len(HOSTILE) + 2
    assert len({len(row) for row in rows}) == 1
    assert rows[-1][1] == 'a,"b"\\r\\nc'
    assert leaderboard_csv(board).count("\n") == len(rows)


def test_crosstable_counts_ties_half():
    """A cell is the share of meetings that the row's bot ended above, ties half."""
    board = make_board(["a", "b", "c"], players=3)
    meetings = {("a", "b"): Meeting(5, 2, 3, 0.8), ("b", "a"): Meeting(3, 2, 5, 0.2)}
    board = replace(board, meetings=meetings)

    assert rows_of(crosstable_csv(board)) == [
        ["bot", "a", "b", "c"],
        ["a", "", "0.6", ""],
        ["b", "0.4", "", ""],
        ["c", "", "", ""],
    ]
    assert json.loads(leaderboard_json(board))["p_above"]["a"] == {"b": 0.8}
    assert share_above(board, "a", "c") is None


def test_markdown_names_are_code_and_columns_stay():
    """No name makes markup, a link or a column of its own."""
    text = leaderboard_md(make_board(HOSTILE))
    table = [line for line in text.splitlines() if line.startswith("|")]

    assert len(table) == len(HOSTILE) + 2
    assert {line.replace("\\|", "").count("|") for line in table} == {11}
    assert "`` `a\\|b` [x](y) www.example.com ``" in text
    assert "`<script>document.title='owned'</script>`" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "arena verify DIR" in text
    assert "- Seed: `7`" in text


def test_markdown_shows_intervals_as_margins():
    """Half the width of an interval follows the mean; without intervals there is no ± but mu's."""
    assert "13.25 ± 2.00" in leaderboard_md(make_board(2))
    few = leaderboard_md(make_board(2, deals=5))
    assert "13.25 |" in few
    assert "Too few deals" in few


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "`a`"),
        ("a`b", "`` a`b ``"),
        ("``", "``` `` ```"),
        ("a\\|b", "`a⧵\\|b`"),
        ("", ""),
        ("\n", "`\\n`"),
    ],
)
def test_markdown_code_is_fenced_by_what_it_contains(text, shown):
    """A name cannot leave the code that it stands in."""
    assert inert_markdown(text) == shown


@pytest.mark.parametrize("width", [48, 60, 72, 80, 100, 120, 150, 200])
@pytest.mark.parametrize("names", [HOSTILE, ["a", "b", "c", "d"]])
def test_terminal_table_fits_and_is_aligned(names, width):
    """No line of the table is wider than the terminal, and columns end at the same place."""
    text = leaderboard_text(make_board(names, idle=3), width)
    lines = text.splitlines()[1 : len(names) + 2]

    assert all(cells(line) <= width for line in lines)
    assert len({cells(line) for line in lines}) == 1
    assert lines[0].split()[:3] == ["rank", "bot", "rating"]
    assert inert(text.replace("\n", "")) == text.replace("\n", "")


def test_terminal_table_shows_as_much_as_there_is_room_for():
    """Wide terminals get whole intervals, narrower ones margins, the narrowest none."""
    board = make_board(3)

    assert "13.25 [11.75, 15.75]" in leaderboard_text(board, 150)
    assert "13.25 ± 2.00" in leaderboard_text(board, 100)
    assert "±" not in leaderboard_text(board, 48).splitlines()[2]


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (150, ["The ± of mu is 2 sigma, that of a mean its 95 % interval."]),
        (80, ["The ± of a mean is its 95 % interval."]),
        (48, []),
    ],
)
def test_notes_are_about_what_is_shown(width, told):
    """Nothing is explained that a narrow table leaves out."""
    lines = leaderboard_text(make_board(3), width).splitlines()
    assert [line for line in lines if line.startswith("The ± ")] == told


def test_terminal_table_is_styled_where_asked():
    """The heading and the notes carry the styles of the caller."""
    text = leaderboard_text(make_board(2), 100, lambda text: f"<{text}>", lambda text: f"({text})")

    assert text.splitlines()[1].startswith("<rank")
    assert text.splitlines()[-1].startswith("(")


def test_notes_say_what_is_missing():
    """Parked matches, an early end and missing intervals are told."""
    board = replace(make_board(2, deals=5, parked=("17-3", "18-1")), settled_after=4)
    text = leaderboard_text(board, 200)

    assert "2 matches could not be played" in text
    assert "17-3, 18-1" in text
    assert "settled after round 4" in text
    assert "Too few deals" in text
    assert f"{board.matches:,} of {board.scheduled:,} matches" in text


def test_an_empty_leaderboard_is_still_a_leaderboard():
    """Without bots every format has its heading."""
    board = make_board(0)

    assert leaderboard_text(board, 80).count("\n") >= 2
    assert len(rows_of(leaderboard_csv(board))) == 1
    assert "| rank |" in leaderboard_md(board)


def test_wide_characters_count_double():
    """Texts are cut by the columns they take, not by their number of characters."""
    assert cells("漢a") == 3
    assert cells("e\u0301") == 1
    assert cut("漢漢漢", 5) == "漢漢…"
    assert cut("漢漢漢", 4) == "漢…"
    assert cut("abc", 3) == "abc"
