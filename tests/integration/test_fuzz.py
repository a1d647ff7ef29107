"""Nonsense of every kind beside honest matches: it ends its own stream and nothing else."""

from __future__ import annotations

import pytest

from tests.integration.nonsense import check_fuzzed, fuzz


@pytest.mark.parametrize(
    ("messages", "tables", "crowd"),
    [
        pytest.param(100, 1, 1, id="some"),
        pytest.param(2_500, 3, 8, id="much", marks=pytest.mark.slow),
    ],
)
async def test_nonsense_harms_nobody_else(tmp_path, messages, tables, crowd):
    """Every bad stream ends with a proper status; honest matches end normally, without faults."""
    statuses, played, _ = await fuzz(tmp_path, messages, tables, crowd)
    check_fuzzed(statuses, played, tables)
