from __future__ import annotations

from arena.launch.backoff import Backoff


def test_waits_double_up_to_the_cap() -> None:
    """The first restart is immediate, and the longest wait is the cap."""
    backoff = Backoff(first_s=1.0, cap_s=5.0, stable_s=30.0)
    assert [backoff.next_wait(0.1) for _ in range(6)] == [0.0, 1.0, 2.0, 4.0, 5.0, 5.0]


def test_a_bot_that_ran_well_starts_from_the_beginning() -> None:
    """A crash after a long run is a first crash."""
    backoff = Backoff(first_s=1.0, cap_s=5.0, stable_s=30.0)
    ran = [0.1, 0.1, 0.1, 30.0, 0.1]
    assert [backoff.next_wait(each) for each in ran] == [0.0, 1.0, 2.0, 0.0, 1.0]
