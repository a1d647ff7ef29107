from __future__ import annotations

import re

import pytest

BOTS = ("--bots", "random,random", "--seed", "7")
SEAT_0 = ("play", "byzanz", *BOTS, "--human", "0")


@pytest.mark.slow
def test_a_whole_match_by_numbers(run, tmp_path):
    """A person plays to the end by typing numbers, each with one Enter."""
    file = tmp_path / "match.jsonl"
    done = run(*SEAT_0, "--replay", file, typed="1\n" * 500)

    assert (done.code, done.err) == (0, "")
    assert done.out.count("Type a move or its number, or help.") == 1
    assert "Your move (1-" in done.out
    assert "rank  score  bot" in done.out
    assert "you[0]" in done.out
    assert run("verify", file).code == 0


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("game", ["byzanz", "schwarzmarkt"])
def test_any_seat_of_any_game(run, game, seat):
    """The bots take the other seats, in order."""
    done = run("play", game, *BOTS, "--human", seat, typed="1\n" * 500)

    assert done.code == 0
    assert f"you[{seat}]" in done.out
    assert f"you[{(seat + 1) % 3}]" not in done.out


def test_a_move_by_its_words(run):
    """A move may be typed as it is written, or by words that only it has, and is made at once."""
    done = run(*SEAT_0, typed="pass\npa\nq\n")

    assert done.out.count("you[0] passes") == 2
    assert done.code == 3


def test_a_bid_by_its_total(run):
    """The words of a move as it is listed count, too: a bid is found by what it comes to."""
    done = run(*SEAT_0, typed="bid 6\nq\n")

    assert re.search(r" \d+  bid  6: ", done.out, re.MULTILINE)
    assert "you[0] bids 6" in done.out


def test_words_that_several_moves_have(run):
    """Words that fit several moves list them, with their numbers."""
    done = run(*SEAT_0, typed="bid\nq\n")
    listed = done.out.split("Your move")[1]

    assert "bid " in listed
    assert "pass" not in listed


def test_enter_lists_all_moves(run):
    """Enter alone lists the moves again."""
    once, twice = run(*SEAT_0, typed="q\n"), run(*SEAT_0, typed="\nq\n")

    assert once.out.count("   1  pass") == 1
    assert twice.out.count("   1  pass") == 2


@pytest.mark.parametrize(
    "typed",
    ["0", "9999", "99999999999999999999", "-1", "xyzzy", "bid gold-1", "²", "\x1b[A"],
)
def test_wrong_input_is_asked_for_again(run, typed):
    """Whatever is typed wrong is said, and nothing is moved."""
    done = run(*SEAT_0, typed=f"{typed}\nq\n")
    answer = done.out.split("Your move")[1]

    assert "have the numbers 1 to" in answer or "No legal move fits that" in answer
    assert done.code == 3
    assert done.err == "arena: you left the match; the match is not recorded\n"


@pytest.mark.parametrize("typed", ["help", "?"])
def test_help(run, typed):
    """The help says what can be typed, and what the moves of the game mean."""
    answer = run(*SEAT_0, typed=f"{typed}\nq\n").out.split("Your move")[1]

    assert "    q       leave the match" in answer
    assert "    bid      Add these goods to your bid (B3.5)." in answer


def test_the_decision_is_told(run):
    """Before the moves it is said what they are about."""
    done = run(*SEAT_0, typed="q\n")

    assert "Bid or pass. You may sell first.\n   1  pass\n" in done.out


def test_moves_stand_in_columns(run, monkeypatch):
    """Each kind of move has columns of its own, as many as fit, whatever the longest takes."""
    for width in ("200", "70", "20"):
        monkeypatch.setenv("COLUMNS", width)
        listed = run(*SEAT_0, typed="q\n").out.partition("first.\n")[2].splitlines()
        bids = [line for line in listed if ": " in line]
        numbers = [int(number) for line in bids for number in re.findall(r"(\d+)  bid", line)]

        assert listed[0] == "   1  pass"
        assert sorted(numbers) == list(range(2, len(numbers) + 2))
        assert [int(line.split()[0]) for line in bids] == list(range(2, len(bids) + 2))
        assert width == "20" or max(map(len, bids)) <= int(width)
        assert (len(bids) == len(numbers)) is (width == "20")


def test_the_table_can_be_shown_again(run):
    """The key t shows table and hand once more."""
    shown = run(*SEAT_0, typed="q\n").out.count("Hand: ")
    again = run(*SEAT_0, typed="t\nq\n").out.count("Hand: ")

    assert (shown, again) == (1, 2)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("q\n", "you left the match"),
        ("quit\n", "you left the match"),
        ("1\nq\n", "you left the match"),
        ("", "the input ended"),
        ("1\n", "the input ended"),
        ("1", "the input ended"),
    ],
)
def test_leaving(run, tmp_path, typed, said):
    """Leaving, or the end of the input, stops the match with exit code 3 and no replay."""
    file = tmp_path / "match.jsonl"
    done = run(*SEAT_0, "--replay", file, typed=typed)

    assert done.code == 3
    assert done.err == f"arena: {said}; the match is not recorded\n"
    assert not file.exists()
    assert "rank  score" not in done.out


def test_an_interrupt(run, monkeypatch):
    """Ctrl-C ends with exit code 130 and one line."""

    def interrupt(_prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    done = run(*SEAT_0)

    assert done.code == 130
    assert done.err == "arena: interrupted\n"


def test_nothing_hidden_is_told(run):
    """The person sees the others' secret events only as everybody does."""
    done = run("play", "schwarzmarkt", *BOTS, "--human", 0, typed="1\n" * 500)
    others = [line for line in done.out.splitlines() if re.match(r"random\[[12]\] ", line)]
    drawn = {line.partition(" draws ")[2] for line in others if " draws " in line}
    dealt = {line.partition(" is dealt ")[2] for line in others if " is dealt " in line}

    assert done.code == 0
    assert drawn
    for card in drawn:
        assert card == "a black-market card." or card.startswith("a card from") or "you[0]" in card
    assert all(re.fullmatch(r"\d goods\.", goods) for goods in dealt)
    assert all("Goods: " not in line for line in others)
