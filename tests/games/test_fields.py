from __future__ import annotations

from types import MappingProxyType

import pytest

from arena.errors import FormatError
from arena.games.fields import (
    read_int,
    read_list,
    read_name,
    read_names,
    read_object,
    read_text,
)

NUMBERS = {"wine": 2, "wood": 3}


class Thing:
    pass


class TestObject:
    @pytest.mark.parametrize(
        "value", [{"a": 1, "b": None}, {"b": 2, "a": 1, "c": 3}, MappingProxyType({"a": 1, "b": 2})]
    )
    def test_the_fields_expected_are_accepted(self, value):
        """Required fields in any order, with or without the optional ones, are an object."""
        assert read_object(value, "it", ("a", "b"), ("c",)) is value

    def test_an_object_may_be_empty(self):
        """Where nothing is required nothing need be there."""
        assert read_object({}, "it", ()) == {}

    @pytest.mark.parametrize(
        ("value", "complaint"),
        [
            ({}, "^it lacks 'a'$"),
            ({"a": 1}, "^it lacks 'b'$"),
            ({"a": 1, "b": 2, "d": 3}, "^it has an unknown field 'd'$"),
            ({"a": 1, "b": 2, None: 3}, "^it has an unknown field None$"),
            (None, "^it must be an object, not null$"),
            ([], "^it must be an object, not a list$"),
            ("a", "^it must be an object, not a string$"),
            (1, "^it must be an object, not a whole number$"),
            (1.5, "^it must be an object, not a number$"),
            (True, "^it must be an object, not true or false$"),
        ],
    )
    def test_anything_else_is_refused(self, value, complaint):
        """A missing field, an unknown one and another type are named in the refusal."""
        with pytest.raises(FormatError, match=complaint):
            read_object(value, "it", ("a", "b"), ("c",))


class TestText:
    @pytest.mark.parametrize("value", ["", "wine", "é"])
    def test_a_string_is_text(self, value):
        """Any string is accepted as it is."""
        assert read_text(value, "it") == value

    @pytest.mark.parametrize(
        ("value", "kind"),
        [
            (None, "null"),
            (False, "true or false"),
            (0, "a whole number"),
            (0.0, "a number"),
            ([], "a list"),
            ({}, "an object"),
            (b"wine", "an object"),
            (Thing(), "an object"),
        ],
    )
    def test_anything_else_is_refused(self, value, kind):
        """The refusal says what was found instead."""
        with pytest.raises(FormatError, match=f"^it must be a string, not {kind}$"):
            read_text(value, "it")


class TestInt:
    @pytest.mark.parametrize("value", [0, -3, 10**30])
    def test_a_whole_number_is_accepted(self, value):
        """Any int is accepted as it is."""
        assert read_int(value, "it") == value

    @pytest.mark.parametrize(
        ("value", "kind"),
        [
            (True, "true or false"),
            (False, "true or false"),
            (1.0, "a number"),
            ("1", "a string"),
            (None, "null"),
            ([1], "a list"),
        ],
    )
    def test_anything_else_is_refused(self, value, kind):
        """Neither true nor 1.0 nor "1" is a whole number."""
        with pytest.raises(FormatError, match=f"^it must be a whole number, not {kind}$"):
            read_int(value, "it")


class TestList:
    @pytest.mark.parametrize("value", [[], [1, None], (1, 2)])
    def test_a_list_is_accepted(self, value):
        """Lists and tuples of anything are lists."""
        assert read_list(value, "it") is value

    @pytest.mark.parametrize(
        ("value", "kind"),
        [
            ("wine", "a string"),
            (None, "null"),
            ({"a": 1}, "an object"),
            (2, "a whole number"),
            ({1, 2}, "an object"),
        ],
    )
    def test_anything_else_is_refused(self, value, kind):
        """A string is no list of letters, an object no list of its fields."""
        with pytest.raises(FormatError, match=f"^it must be a list, not {kind}$"):
            read_list(value, "it")


class TestNames:
    def test_a_name_stands_for_its_number(self):
        """A known name is read as its number."""
        assert read_name("wood", "kind", NUMBERS) == 3

    @pytest.mark.parametrize(
        ("value", "complaint"),
        [
            ("salt", "^kind 'salt' does not exist$"),
            ("Wood", "^kind 'Wood' does not exist$"),
            ("", "^kind '' does not exist$"),
            (3, "^kind must be a string, not a whole number$"),
            (["wood"], "^kind must be a string, not a list$"),
        ],
    )
    def test_an_unknown_name_is_refused(self, value, complaint):
        """Names are exact; numbers are no names."""
        with pytest.raises(FormatError, match=complaint):
            read_name(value, "kind", NUMBERS)

    def test_a_list_of_names_is_read_in_its_order(self):
        """Names may repeat, and keep their order."""
        assert read_names(["wood", "wine", "wood"], "kinds", NUMBERS) == [3, 2, 3]
        assert read_names((), "kinds", NUMBERS) == []

    @pytest.mark.parametrize(
        ("value", "complaint"),
        [
            ("wood", "^kinds must be a list, not a string$"),
            (["wood", "salt"], r"^kinds\[1\] 'salt' does not exist$"),
            ([None], r"^kinds\[0\] must be a string, not null$"),
        ],
    )
    def test_a_wrong_entry_is_named_by_its_place(self, value, complaint):
        """The refusal says which entry of the list is wrong."""
        with pytest.raises(FormatError, match=complaint):
            read_names(value, "kinds", NUMBERS)
