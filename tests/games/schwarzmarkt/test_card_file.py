"""S1: the card file: what it must hold, and where a mistake in it is reported."""

import json
import re
from importlib import resources

import pytest

from arena.errors import CardFileError, OptionError
from arena.games.counts import MAX_TYPES
from arena.games.schwarzmarkt.material import (
    GOODS,
    TEXT_NAMES,
    line_of_entry,
    make_material,
    parse_card_file,
)
from tests.games.schwarzmarkt.positions import BASIC, PRINTED

TEXT = resources.files("arena.games.schwarzmarkt").joinpath("cards.toml").read_text("utf-8")
LINES = TEXT.splitlines()


def line_with(words, text=TEXT):
    """Return the number of the first line with these words."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if words in line)


def edited(old, new):
    """Return the printed file with the first `old` replaced."""
    assert old in TEXT
    return TEXT.replace(old, new, 1)


def complaint_about(text):
    with pytest.raises(CardFileError) as refusal:
        parse_card_file(text)
    return refusal.value


def test_the_printed_file_is_accepted_and_describes_the_material():
    """S1: the file beside the code is what the game is played with."""
    assert parse_card_file(TEXT) == PRINTED
    assert make_material(parse_card_file(TEXT), "basic") == BASIC.material


def test_the_content_survives_a_replay():
    """A card file's content can be written as JSON and read back."""
    content = json.loads(json.dumps(PRINTED))

    assert make_material(content, "uneven") == BASIC.configure({"deck": "uneven"}).material


EDITS = {
    # what: (old text, new text, entry, reason, words of the line reported; None: some line)
    "price not a number": (
        "price = 9,",
        'price = "9",',
        "track[4].price",
        "must be a whole number",
        'price = "9"',
    ),
    "price true": (
        "price = 9,",
        "price = true,",
        "track[4].price",
        "must be a whole number",
        "price = true",
    ),
    "price a fraction": (
        "price = 9,",
        "price = 9.0,",
        "track[4].price",
        "must be a whole number",
        "price = 9.0",
    ),
    "price nothing": (
        "price = 1,",
        "price = 0,",
        "track[0].price",
        "must be 1 to 1000000, is 0",
        "price = 0",
    ),
    "price beyond all bounds": (
        "price = 50,",
        "price = 1000001,",
        "track[13].price",
        "must be 1 to 1000000, is 1000001",
        "price = 1000001",
    ),
    "price falling": (
        "price = 15,",
        "price = 11,",
        "track[6].price",
        "must be higher than the price before",
        "price = 11",
    ),
    "price repeated": (
        "price = 15,",
        "price =  12,",
        "track[6].price",
        "must be higher than the price before",
        "price =  12,",
    ),
    "no steps": (
        "{ price = 20, steps = 2 }",
        "{ price = 20, steps = 0 }",
        "track[7].steps",
        "must be 1 to 127, is 0",
        "price = 20",
    ),
    "too many steps": (
        "{ price = 20, steps = 2 }",
        "{ price = 20, steps = 128 }",
        "track[7].steps",
        "must be 1 to 127, is 128",
        "price = 20",
    ),
    "steps on the last space": (
        "price = 50, steps = 0",
        "price = 50, steps = 1",
        "track[13].steps",
        "must be 0, is 1",
        "price = 50",
    ),
    "a space without steps": (
        "{ price = 25, steps = 2 }",
        "{ price = 25 }",
        "track[8]",
        "lacks 'steps'",
        "price = 25",
    ),
    "a space with a colour": (
        "{ price = 25, steps = 2 }",
        '{ price = 25, steps = 2, colour = "red" }',
        "track[8].colour",
        "is unknown here (known: price, steps)",
        "price = 25",
    ),
    "a space that is a number": (
        "{ price = 25, steps = 2 }",
        "25",
        "track[8]",
        "must be a table",
        None,
    ),
    "an offer of nothing": (
        "{ flour = 3 }",
        "{ }",
        "offers[9]",
        "must want at least one good",
        "{ }",
    ),
    "an offer of something else": (
        "{ flour = 3 }",
        "{ tea = 3 }",
        "offers[9].tea",
        "is unknown here (known: potatoes, butter, sugar, coffee, flour)",
        "tea",
    ),
    "an offer of none": (
        "{ flour = 3 }",
        "{ flour = 0 }",
        "offers[9].flour",
        "must be 1 to 9, is 0",
        "flour = 0",
    ),
    "an offer of ten": (
        "{ flour = 3 }",
        "{ flour = 10 }",
        "offers[9].flour",
        "must be 1 to 9, is 10",
        "flour = 10",
    ),
    "an offer with a wrong second good": (
        "{ potatoes = 1, butter = 1, coffee = 2 }",
        "{ potatoes = 1, butter = -1, coffee = 2 }",
        "offers[13].butter",
        "must be 1 to 9, is -1",
        "butter = -1",
    ),
    "an offer that is text": (
        "{ flour = 3 }",
        '"flour"',
        "offers[9]",
        "must be a table",
        None,
    ),
    "a text card missing": ("raid = 1\n", "", "texts", "lacks 'raid'", "[texts]"),
    "a text card too many": (
        "raid = 1\n",
        "raid = 1\nblackout = 1\n",
        "texts.blackout",
        "is unknown here (known: " + ", ".join(TEXT_NAMES) + ")",
        "blackout",
    ),
    "fewer than no copies": (
        "raid = 1\n",
        "raid = -1\n",
        "texts.raid",
        "must be 0 to 127, is -1",
        "raid = -1",
    ),
    "copies as text": (
        "raid = 1\n",
        'raid = "one"\n',
        "texts.raid",
        "must be a whole number",
        'raid = "one"',
    ),
    "a deck missing": (
        "[decks.uneven]",
        "[decks.odd]",
        "decks",
        "lacks 'uneven'",
        None,
    ),
    "a deck too many": (
        "[decks.uneven]",
        "[decks.odd]\n[decks.uneven]",
        "decks.odd",
        "is unknown here (known: basic, uneven)",
        "[decks.odd]",
    ),
    "a deck without flour": (
        "coffee = 8\nflour = 14",
        "coffee = 8",
        "decks.uneven",
        "lacks 'flour'",
        "[decks.uneven]",
    ),
    "a deck with tea": (
        "coffee = 8\n",
        "coffee = 8\ntea = 8\n",
        "decks.uneven.tea",
        "is unknown here (known: " + ", ".join(GOODS) + ")",
        "tea = 8",
    ),
    "fewer goods than none": (
        "flour = 14",
        "flour = -14",
        "decks.uneven.flour",
        "must be 0 to 127, is -14",
        "flour = -14",
    ),
    "a deck too small": (
        "potatoes = 12\nbutter = 12\nsugar = 12",
        "potatoes = 12\nbutter = 1\nsugar = 7",
        "decks.basic",
        "must have 45 to 254 cards, has 44",
        "[decks.basic]",
    ),
    "a deck too large": (
        "potatoes = 16\nbutter = 12",
        "potatoes = 127\nbutter = 127",
        "decks.uneven",
        "must have 45 to 254 cards, has 286",
        "[decks.uneven]",
    ),
    "an unknown part": (
        "[texts]",
        "[colours]\nred = 1\n[texts]",
        "colours",
        "is unknown here (known: track, offers, texts, decks)",
        "[colours]",
    ),
}


@pytest.mark.parametrize("what", EDITS)
def test_a_mistake_is_reported_with_its_entry(what):
    """A card file with one mistake is refused, naming the entry and the reason."""
    old, new, entry, reason, words = EDITS[what]
    text = edited(old, new)

    complaint = complaint_about(text)

    assert (complaint.entry, complaint.reason) == (entry, reason)
    assert str(complaint) == f"{entry}: {reason}"
    if words is None:
        assert 1 <= complaint.line <= len(text.splitlines())
    else:
        assert complaint.line == line_with(words, text)


@pytest.mark.parametrize("part", ["track", "offers", "texts", "decks"])
def test_a_missing_part_is_named(part):
    """A card file has track, offers, texts and decks."""
    content = {name: value for name, value in PRINTED.items() if name != part}

    with pytest.raises(CardFileError, match=f"^lacks '{part}'$") as refusal:
        make_material(content, "basic")
    assert refusal.value.entry == ""
    assert refusal.value.line is None


def test_an_empty_file_is_refused_on_its_first_line():
    """A card file that says nothing lacks everything."""
    complaint = complaint_about("")

    assert (complaint.entry, complaint.line) == ("", 1)


@pytest.mark.parametrize("content", [None, [], 3])
def test_content_that_is_no_table_is_refused(content):
    """The content of a card file given as an option must be a table."""
    with pytest.raises(CardFileError, match=r"^option cards: must be a table$"):
        BASIC.configure({"cards": content})


def test_a_path_is_no_content():
    """Only the command line names files; whoever writes one elsewhere is told so."""
    with pytest.raises(OptionError, match=r"^option cards must be the content of a card file"):
        BASIC.configure({"cards": "mine.toml"})


@pytest.mark.parametrize("part", ["track", "offers"])
def test_lists_must_be_lists(part):
    """Track and offers are lists."""
    with pytest.raises(CardFileError, match=f"{part}: must be a list"):
        make_material({**PRINTED, part: {}}, "basic")


@pytest.mark.parametrize("part", ["texts", "decks"])
def test_tables_must_be_tables(part):
    """Text cards and decks are tables."""
    with pytest.raises(CardFileError, match=f"{part}: must be a table"):
        make_material({**PRINTED, part: []}, "basic")


def test_a_deck_must_be_a_table():
    """A deck says how many of each good."""
    decks = {**PRINTED["decks"], "basic": 60}

    with pytest.raises(CardFileError, match=r"decks\.basic: must be a table"):
        make_material({**PRINTED, "decks": decks}, "basic")


@pytest.mark.parametrize("spaces", [0, 1])
def test_a_track_needs_two_spaces(spaces):
    """S1.4: a track goes from a first to a last space."""
    track = [{"price": 1, "steps": 0}] * spaces

    with pytest.raises(CardFileError, match="track: must have at least 2 spaces"):
        make_material({**PRINTED, "track": track}, "basic")


def test_there_must_be_an_offer():
    """S1.3: without offers nothing could ever be traded."""
    with pytest.raises(CardFileError, match="offers: must have at least one offer"):
        make_material({**PRINTED, "offers": []}, "basic")


def with_cards(offers, **texts):
    """Return content with that many equal offers and these text cards."""
    copies = {**dict.fromkeys(TEXT_NAMES, 0), **texts}
    return {**PRINTED, "offers": [{"sugar": 2}] * offers, "texts": copies}


@pytest.mark.parametrize(
    ("offers", "texts", "needed"),
    [(16, {}, 16), (16, {"raid": 2}, 18), (14, {"scarce_goods": 1, "old_debt": 2}, 17)],
)
def test_enough_cards_are_needed_for_a_draw_in_every_case(offers, texts, needed):
    """S3.1: five hands, all lasting cards open and the card played must leave one to draw."""
    total = offers + sum(texts.values())
    make_material(with_cards(offers + needed - total, **texts), "basic")

    with pytest.raises(CardFileError, match=f"offers: {needed - 1} .* too few: {needed} needed"):
        make_material(with_cards(offers + needed - total - 1, **texts), "basic")


def test_a_file_with_too_many_cards_is_refused():
    """S1.3: there is a limit to the number of cards."""
    make_material(with_cards(127, raid=100, old_debt=27), "basic")

    with pytest.raises(CardFileError, match="offers: 255 black-market cards are too many"):
        make_material(with_cards(127, raid=100, old_debt=28), "basic")


def test_a_file_with_too_many_different_offers_is_refused():
    """S1.3: there is a limit to the number of different cards, text cards included."""
    offers = [
        {"potatoes": a, "butter": b, "sugar": c}
        for a in range(1, 6)
        for b in range(1, 6)
        for c in range(1, 6)
    ]
    room = MAX_TYPES - len(TEXT_NAMES)
    make_material({**PRINTED, "offers": offers[:room]}, "basic")

    with pytest.raises(CardFileError, match="are too many"):
        make_material({**PRINTED, "offers": offers[: room + 1]}, "basic")


def test_an_offer_is_not_repeated_without_limit():
    """S1.3: the copies of one offer are limited as those of a text card are."""
    with pytest.raises(CardFileError, match="more than 127 times"):
        make_material(with_cards(128), "basic")


def test_equal_offers_are_copies_of_one_card():
    """Moves: equal cards make one move, so equal offers are one type of card."""
    material = make_material(with_cards(30), "basic")

    assert [card.name for card in material.cards if card.copies] == ["offer:sugar-2"]
    assert len(material.black_market_cards()) == 30


# Files that are no TOML


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (edited("price = 9,", "price = ,"), line_with("price = 9,")),
        (TEXT + "raid = ", len(LINES) + 1),
        ("track = [\n  { price = 1, steps = 4 },\n", 3),
        ("track = 1\ntrack = 2\n", 2),
        ("a = " + "[" * 100_000, 1),
        ("price = " + "9" * 5000, 1),
        (edited("price = 9,", "price = 1979-99-99,"), line_with("price = 9,")),
    ],
    ids=["no value", "no value at the end", "no end", "twice", "nested", "huge", "no date"],
)
def test_a_file_that_is_no_toml_is_refused_with_its_line(text, line):
    """A card file that is no TOML at all names the line."""
    complaint = complaint_about(text)

    assert complaint.entry == ""
    assert str(complaint).startswith("not valid TOML: ")
    assert "(at " not in str(complaint)
    assert complaint.line == line


# Other ways to write the same


def test_a_file_on_few_lines_means_the_same():
    """Arrays on one line are read alike, and a mistake is found on that line."""

    def join(match):
        return re.sub(r"\s*(#[^\n]*)?\n\s*", " ", match[0])

    text = re.sub(r"^(track|offers) = \[.*?^\]", join, TEXT, flags=re.DOTALL | re.MULTILINE)
    assert parse_card_file(text) == PRINTED

    complaint = complaint_about(text.replace("{ flour = 3 }", "{ flour = 99 }"))

    assert complaint.entry == "offers[9].flour"
    assert complaint.line == line_with("offers = [", text)


def as_tables(name):
    entries = PRINTED[name]
    return "".join(
        f"[[{name}]]\n" + "".join(f"{key} = {value}\n" for key, value in entry.items())
        for entry in entries
    )


TABLES_TEXT = "\n".join([as_tables("track"), as_tables("offers"), TEXT[TEXT.index("[texts]") :]])


def test_arrays_of_tables_mean_the_same():
    """The [[track]] syntax is read alike."""
    assert parse_card_file(TABLES_TEXT) == PRINTED


@pytest.mark.parametrize(
    ("old", "new", "entry"),
    [
        ("price = 9\n", "price = 0\n", "track[4].price"),
        ("price = 50\nsteps = 0\n", "price = 50\nsteps = 99\n", "track[13].steps"),
        ("[[offers]]\nflour = 3\n", "[[offers]]\nflour = 33\n", "offers[9].flour"),
        ("raid = 1\n", "raid = -1\n", "texts.raid"),
    ],
)
def test_a_mistake_in_an_array_of_tables_is_found(old, new, entry):
    """With the [[track]] syntax the line reported is the one with the mistake."""
    text = TABLES_TEXT.replace(old, new, 1)

    complaint = complaint_about(text)

    assert complaint.entry == entry
    assert complaint.line == line_with(new.splitlines()[-1], text)


def test_inline_tables_for_decks_and_texts_mean_the_same():
    """Text cards and decks may be inline tables; mistakes are found on their lines."""

    def inline(table):
        return "{ " + ", ".join(f"{key} = {value}" for key, value in table.items()) + " }"

    decks = PRINTED["decks"]
    text = TEXT[: TEXT.index("[texts]")]
    text += f"texts = {inline(PRINTED['texts'])}\n"
    text += "[decks]\n" + "".join(f"{name} = {inline(deck)}\n" for name, deck in decks.items())
    assert parse_card_file(text) == PRINTED

    wrong_texts = complaint_about(text.replace("raid = 1", "raid = 999"))
    wrong_deck = complaint_about(text.replace("flour = 14", "flour = 999"))

    assert (wrong_texts.entry, wrong_texts.line) == ("texts.raid", line_with("texts = {", text))
    assert wrong_deck.entry == "decks.uneven.flour"
    assert wrong_deck.line == line_with("uneven = {", text)


def test_dotted_keys_mean_the_same():
    """Text cards written as dotted keys are found, too."""
    texts = "".join(f"texts.{key} = {value}\n" for key, value in PRINTED["texts"].items())
    start = TEXT.index("[texts]")
    text = texts + TEXT[:start] + TEXT[TEXT.index("[decks.basic]") :]
    assert parse_card_file(text) == PRINTED

    complaint = complaint_about(text.replace("texts.raid = 1", "texts.raid = 999"))

    assert (complaint.entry, complaint.line) == ("texts.raid", 6)


def test_a_comment_is_never_mistaken_for_an_entry():
    """Names and braces in comments do not lead the search for the line astray."""
    text = edited("track = [", "# track = [ { price = 1 }, {\ntrack = [ # { price = 2 }")
    text = text.replace("{ price = 15,", "{ price = 2,")

    complaint = complaint_about(text)

    assert complaint.entry == "track[6].price"
    assert complaint.line == line_with("{ price = 2, steps", text)


@pytest.mark.parametrize(
    "key",
    ['"("', '"a b"', '"a.b"', '"-"', '"x[3]"', '"track[99999999999999999999]"', '"ä"', '""', '"["'],
)
def test_an_odd_key_is_refused_and_never_a_crash(key):
    """An unknown key of any spelling is refused with some line of the file."""
    text = f"{key} = 3\n{TEXT}"

    complaint = complaint_about(text)

    assert "is unknown here" in complaint.reason
    assert 1 <= complaint.line <= text.count("\n") + 1


@pytest.mark.parametrize(
    "entry", ["", "track[99]", "nothing", "offers[3].tea", "decks.basic.tea", "[", "track[0].x.y"]
)
def test_the_line_of_an_entry_that_is_not_there_is_some_line(entry):
    """Looking for an entry that the text does not have never fails."""
    assert 1 <= line_of_entry(TEXT, entry) <= len(LINES)
    assert line_of_entry("", entry) == 1
