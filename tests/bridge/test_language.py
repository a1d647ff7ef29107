from __future__ import annotations

import pytest

from arena.bridge.language import language_of


@pytest.mark.parametrize(
    ("command", "language"),
    [
        (("awk", "-f", "bot.awk"), "awk"),
        (("/usr/bin/mawk", "-f", "bot.awk"), "awk"),
        (("lua5.4", "bot.lua"), "lua"),
        (("/opt/python3.11", "bot.py"), "python"),
        (("node", "bot.js"), "javascript"),
        (("env", "perl", "bot.pl"), "perl"),
        (("Rscript", "bot.R"), "r"),
        (("./bot", "perl"), "unknown"),
    ],
)
def test_interpreters_tell(command, language):
    """Whatever their version, and wherever they are."""
    assert language_of(command) == language


@pytest.mark.parametrize(
    ("first", "language"),
    [
        ("#!/usr/bin/env ruby\n", "ruby"),
        ("#!/bin/bash -e\n", "bash"),
        ("#! /usr/bin/perl", "perl"),
        ("#!\n", "unknown"),
        ("\x7fELF", "unknown"),
    ],
)
def test_scripts_tell_by_their_first_line(tmp_path, first, language):
    """A program that is none has no language that can be seen."""
    script = tmp_path / "bot"
    script.write_text(first)
    assert language_of((str(script),)) == language
