from __future__ import annotations

import math

import pytest

from arena.errors import InputError
from arena.referee.clock import UNLIMITED, InlineClock, LoopClock, SeatClock, TimeControl
from arena.testing import VirtualLoop


class TestTimeControl:
    @pytest.mark.parametrize(
        ("times", "named"),
        [
            ((-1.0, 0.0, 1.0), "move time"),
            ((1.0, -0.1, 1.0), "bank"),
            ((1.0, 0.0, -1.0), "start timeout"),
            ((math.nan, 0.0, 1.0), "move time"),
            ((1.0, math.inf, 1.0), "bank"),
        ],
    )
    def test_times_that_make_no_sense(self, times, named):
        """A negative or endless time is refused, and the message says which."""
        with pytest.raises(InputError, match=f"the {named} must be 0 to"):
            TimeControl(*times)

    def test_no_limit(self):
        """Without a move time there is no allowance to run out."""
        assert SeatClock(UNLIMITED).allowance_s is None


class TestSeatClock:
    def test_within_the_move_time(self):
        """What stays within the move time costs nothing of the bank."""
        clock = SeatClock(TimeControl(1.0, 10.0))

        assert clock.charge(1.0)
        assert clock.bank_s == 10.0
        assert clock.allowance_s == 11.0

    def test_the_overrun_comes_out_of_the_bank(self):
        """The bank pays exactly what goes beyond the move time, and is not filled up again."""
        clock = SeatClock(TimeControl(1.0, 10.0))

        assert clock.charge(3.5)
        assert clock.bank_s == 7.5
        assert clock.charge(0.25)
        assert clock.bank_s == 7.5
        assert clock.charge(8.5)
        assert clock.bank_s == 0.0
        assert clock.allowance_s == 1.0

    def test_the_last_moment(self):
        """The whole allowance may be used, and nothing more."""
        assert SeatClock(TimeControl(1.0, 10.0)).charge(11.0)
        assert not SeatClock(TimeControl(1.0, 10.0)).charge(11.000001)

    def test_an_overrun_empties_the_bank(self):
        """After a timeout only the move time is left."""
        clock = SeatClock(TimeControl(1.0, 10.0))

        assert not clock.charge(50.0)
        assert clock.allowance_s == 1.0

    def test_the_statistics(self):
        """Decisions, time used, the slowest and the arena's own delay are kept apart."""
        clock = SeatClock(TimeControl(1.0, 10.0))
        clock.charge(0.5)
        clock.charge(2.0, 0.25)

        assert (clock.decisions, clock.used_s, clock.slowest_s, clock.delay_s) == (
            2,
            2.5,
            2.0,
            0.25,
        )

    def test_without_limit(self):
        """However long it takes, it is within the allowance, and counted."""
        clock = SeatClock(UNLIMITED)

        assert clock.charge(1e9)
        assert clock.used_s == 1e9


def test_a_match_in_process_has_no_timers():
    """The inline clock tells the time, never lags and refuses to wait."""
    clock = InlineClock()

    assert clock.time() <= clock.time()
    assert clock.lag() == 0.0
    with pytest.raises(InputError, match="no time limits"):
        clock.call_at(1.0, lambda: None)


class TestLoopClock:
    """The meter sees how late the loop runs; here time passes only when a test says so."""

    @pytest.fixture
    def loop(self):
        loop = VirtualLoop()
        yield loop
        loop.close()

    def run_for(self, loop: VirtualLoop, seconds: float) -> None:
        loop.call_later(seconds, loop.stop)
        loop.run_forever()

    def test_a_loop_in_time(self, loop):
        """A loop that is never late has no lag."""
        clock = LoopClock(loop)
        clock.start()
        self.run_for(loop, 1.0)

        assert clock.time() == 1.0
        assert clock.lag() == pytest.approx(0.0, abs=1e-8)

    def test_a_blocked_loop(self, loop):
        """The delay that is just building up counts at once: the meter itself has not run yet."""
        clock = LoopClock(loop)
        clock.start()
        self.run_for(loop, 0.105)
        loop.advance(0.3)

        assert clock.lag() == pytest.approx(0.295, abs=1e-6)  # the tick was due 5 ms after the stop

    def test_a_block_is_remembered_for_a_while(self, loop):
        """The worst delay of the last ticks counts, then it is forgotten."""
        clock = LoopClock(loop)
        clock.start()
        loop.call_at(0.105, loop.advance, 0.3)
        self.run_for(loop, 0.5)
        assert clock.lag() == pytest.approx(0.295, abs=1e-6)

        self.run_for(loop, clock.TICK_S * (clock.WINDOW + 1))
        assert clock.lag() == pytest.approx(0.0, abs=1e-8)

    def test_without_the_meter(self, loop):
        """Before it is started and after it is stopped there is no lag, and no timer is left."""
        clock = LoopClock(loop)
        assert clock.lag() == 0.0

        clock.start()
        clock.stop()
        clock.stop()
        loop.advance(5.0)
        assert clock.lag() == 0.0
        loop.run_until_idle()

    def test_starting_twice(self, loop):
        """There is only one meter, however often it is started."""
        clock = LoopClock(loop)
        clock.start()
        clock.start()
        clock.stop()

        self.run_for(loop, 1.0)
        loop.run_until_idle()  # would never return with a meter running
        assert loop.time() == 1.0

    def test_a_call_later(self, loop):
        """Calls come at their time, unless cancelled."""
        clock = LoopClock(loop)
        seen: list[float] = []
        clock.call_at(2.0, lambda: seen.append(clock.time()))
        clock.call_at(3.0, lambda: seen.append(clock.time())).cancel()
        loop.run_until_idle()

        assert seen == [2.0]
