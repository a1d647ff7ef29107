"""What the Store protocol promises, on each database."""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arena.errors import StorageError
from arena.storage.owner import new_owner
from arena.storage.records import Claim, StoreProgress
from arena.storage.store import MAX_VOID, Store
from tests.e2e.command import Command
from tests.storage.samples import fixtures, report, tournament

ME, OTHER = "me", "other"


def created(store: Store, count: int = 6) -> Store:
    store.create(tournament(), fixtures(count))
    return store


def indices(claims: list[Claim]) -> list[int]:
    return [claim.fixture.index for claim in claims]


def dead_owner() -> str:
    """The owner text of a process that has ended."""
    code = "from arena.storage.owner import new_owner; print(new_owner())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def finish_until_killed(place: str, boundary: str, count: int, size: int, directory: Path) -> None:
    """Finish a group of that size in a process that dies at the boundary's count-th match."""
    program = """
import os, signal, sys
from arena.storage.opening import open_store
from arena.storage.owner import new_owner
from tests.storage.samples import report

place, point, count, size = sys.argv[1:]
reached = []

def kill(boundary):
    reached.append(boundary)
    if reached.count(point) == int(count):
        os.kill(os.getpid(), signal.SIGKILL)

store = open_store(place, "cup", fail_point=kill)
owner = new_owner()
store.finish_all(owner, [(claim, report(claim)) for claim in store.claim(owner, int(size))])
"""
    with Command("-c", program, place, boundary, count, size, place=directory) as command:
        assert command.wait() == -signal.SIGKILL, command.err


class TestTournament:
    def test_an_empty_database_has_no_tournament(self, store):
        """Before it was created there is nothing, and whatever needs it says so."""
        assert store.tournament() is None
        with pytest.raises(StorageError, match="there is no tournament cup"):
            store.progress()
        with pytest.raises(StorageError, match="there is no tournament cup"):
            store.claim(ME, 1)

    def test_what_was_created_comes_back(self, store, opened):
        """Tournament and schedule are the same values again, in another store too."""
        schedule = fixtures(7)
        store.create(tournament(), reversed(schedule))
        for each in (store, opened()):
            assert each.tournament() == tournament()
            assert each.fixtures() == schedule
            assert each.progress() == StoreProgress(fixtures=7, results=0, parked=0, claimed=0)

    def test_a_second_create_changes_nothing(self, store, opened):
        """Whoever creates what is there gets an error, and the first one stands."""
        created(store)
        with pytest.raises(StorageError, match=r"there is a tournament cup .* already: resume"):
            opened().create(dataclasses.replace(tournament(), seed_text="8"), fixtures(2))
        with pytest.raises(StorageError, match="already"):
            store.create(tournament(), fixtures(6))
        assert store.tournament() == tournament()
        assert len(store.fixtures()) == 6

    def test_a_schedule_that_contradicts_itself_leaves_nothing(self, store):
        """A doubled match is refused with the whole tournament."""
        twice = [*fixtures(3), dataclasses.replace(fixtures(1)[0], index=3)]
        with pytest.raises(StorageError):
            store.create(tournament(), twice)
        assert store.tournament() is None
        created(store)

    def test_a_store_is_for_one_name(self, store):
        """A tournament of another name does not get in."""
        with pytest.raises(ValueError, match="for cup, not for league"):
            store.create(tournament("league"), [])

    def test_tournaments_of_one_database_do_not_meet(self, store, opened):
        """Claims, results and counts of one are nothing to the other."""
        created(store)
        league = opened("league")
        assert league.tournament() is None
        league.create(tournament("league"), fixtures(2))

        [claim] = league.claim(ME, 1)
        assert league.finish(ME, claim, report(claim))
        league.claim(ME, 1)
        store.release(ME)

        assert store.progress() == StoreProgress(fixtures=6, results=0, parked=0, claimed=0)
        assert league.progress() == StoreProgress(fixtures=2, results=1, parked=0, claimed=1)
        assert list(store.matches()) == []
        assert store.replay("1-0") is None
        assert indices(store.claim(ME, 10)) == [0, 1, 2, 3, 4, 5]

    def test_a_closed_store_says_so(self, store):
        """After close, which may come twice, every call is a StorageError."""
        created(store)
        store.close()
        store.close()
        with pytest.raises(StorageError):
            store.progress()
        with pytest.raises(StorageError):
            store.release(ME)


class TestReadOnly:
    def test_reading_does_not_write(self, store, opened):
        """A store for reading reads everything and refuses to write."""
        [claim] = created(store).claim(ME, 1)
        store.finish(ME, claim, report(claim))
        reader = opened(is_read_only=True)
        assert reader.tournament() == tournament()
        assert len(list(reader.matches())) == 1
        with pytest.raises(StorageError, match=r"cannot be written|only be read"):
            reader.claim(ME, 1)
        assert indices(store.claim(ME, 1)) == [1]

    def test_an_empty_database_cannot_be_read(self, opened):
        """Where nothing was started, reading fails instead of making tables."""
        with pytest.raises(StorageError, match=r"no such file|is empty"):
            opened(is_read_only=True)


class TestClaim:
    def test_the_first_ones_in_order(self, store):
        """Claims follow the schedule, each match once, up to the limit."""
        created(store)
        assert [dataclasses.replace(c) for c in store.claim(ME, 2)] == [
            Claim(fixture, 1) for fixture in fixtures(2)
        ]
        assert indices(store.claim(OTHER, 2)) == [2, 3]
        assert store.claim(ME, 0) == []
        assert indices(store.claim(ME, 9)) == [4, 5]
        assert store.progress().claimed == 6

    def test_a_lease_that_ran_out_is_taken_over(self, store):
        """Without renewal a claim passes on, as a new attempt; the old one is closed."""
        created(store)
        store.claim(OTHER, 2, lease_s=-1)
        store.claim(OTHER, 1)
        assert store.progress().claimed == 1
        taken = store.claim(ME, 3)
        assert indices(taken) == [0, 1, 3]
        assert [claim.attempt for claim in taken] == [2, 2, 1]
        first, second, *_ = store.attempts()
        assert (first.number, first.owner) == (1, OTHER)
        assert first.ended is not None
        assert first.void_reason == "the arena that played it stopped responding"
        assert (second.number, second.owner, second.ended) == (2, ME, None)

    def test_renewed_claims_hold(self, store):
        """Renewal keeps all of an owner's claims, even late ones nobody has taken yet."""
        created(store)
        store.claim(OTHER, 2, lease_s=-1)
        store.renew(OTHER)
        assert indices(store.claim(ME, 1)) == [2]

    def test_renewal_does_not_take_back(self, store):
        """What somebody else has taken over stays theirs."""
        created(store, 1)
        store.claim(OTHER, 1, lease_s=-1)
        store.claim(ME, 1)
        store.renew(OTHER, lease_s=-1)
        assert store.claim(OTHER, 1) == []

    def test_nobody_takes_over_from_himself(self, store):
        """An owner whose lease ran out while it slept is not handed what it is playing."""
        created(store, 2)
        store.claim(ME, 1, lease_s=-1)
        assert indices(store.claim(ME, 5)) == [1]

    def test_a_dead_arenas_claims_are_free_at_once(self, store):
        """The lease of a process that has ended is not waited for."""
        created(store)
        store.claim(new_owner(), 1)
        store.claim(dead_owner(), 2)
        assert store.progress().claimed == 1
        assert indices(store.claim(ME, 2)) == [1, 2]
        assert [a.void_reason for a in store.attempts() if a.ended] == [
            "the arena that played it ended"
        ] * 2

    def test_being_killed_often_parks_nothing(self, store):
        """Attempts that ended with their arena do not count as void."""
        created(store, 1)
        for number in range(1, 21):
            [claim] = store.claim(f"arena {number}", 1, lease_s=-1)
            assert claim.attempt == number
        assert store.progress().parked == 0
        assert len(list(store.attempts())) == 20

    def test_released_claims_never_happened(self, store):
        """Given back, a match is free and its attempt is forgotten; ended ones stay."""
        created(store, 2)
        [first] = store.claim(ME, 1)
        store.void(ME, first, "power cut")
        store.claim(ME, 2)
        store.claim(OTHER, 1)
        store.release(ME)
        assert [(a.match, a.number) for a in store.attempts()] == [("1-0", 1)]
        assert [claim.attempt for claim in store.claim(OTHER, 2)] == [2, 1]

    @pytest.mark.slow
    def test_competing_arenas_claim_each_match_once(self, store, opened):
        """Threads with stores of their own share out the schedule without overlap."""
        store.create(tournament(), fixtures(120))
        claimed: list[list[int]] = [[] for _ in range(4)]
        errors: list[BaseException] = []

        def play(mine: list[int]) -> None:
            try:
                with opened() as own:
                    owner = new_owner()
                    while claims := own.claim(owner, 3):
                        mine.extend(indices(claims))
                        for claim in claims:
                            assert own.finish(owner, claim, report(claim))
            except BaseException as error:
                errors.append(error)
                raise

        threads = [threading.Thread(target=play, args=(mine,)) for mine in claimed]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        assert sorted(itertools.chain(*claimed)) == list(range(120))
        assert store.progress().results == 120
        assert all(attempt.number == 1 for attempt in store.attempts())

    @pytest.mark.slow
    def test_competing_processes_claim_each_match_once(self, store, place, tmp_path):
        """Likewise processes."""
        store.create(tournament(), fixtures(80))
        program = """
import sys
from arena.storage.opening import open_store
from arena.storage.owner import new_owner
from tests.storage.samples import report
with open_store(sys.argv[1], "cup") as store:
    owner = new_owner()
    while claims := store.claim(owner, 2):
        for claim in claims:
            assert store.finish(owner, claim, report(claim))
            print(claim.fixture.index)
"""
        processes = [Command("-c", program, place, place=tmp_path) for _ in range(2)]
        assert [process.wait() for process in processes] == [0, 0]
        outputs = [process.out.split() for process in processes]
        assert sorted(int(index) for index in itertools.chain(*outputs)) == list(range(80))
        assert store.progress().results == 80

    def test_arenas_that_start_together(self, opened):
        """Of several that make the tables and create the same tournament, one succeeds."""
        outcomes: list[str] = []
        start = threading.Barrier(4)

        def begin() -> None:
            start.wait()
            try:
                opened().create(tournament(), fixtures(6))
            except StorageError as error:
                outcomes.append(str(error))
            else:
                outcomes.append("created")

        threads = [threading.Thread(target=begin) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert outcomes.count("created") == 1
        assert sum("resume it" in outcome for outcome in outcomes) == 3


class TestFinish:
    def test_a_result_comes_back(self, store, opened):
        """Fixture, report and replay are the same values again; only the replay is apart."""
        created(store)
        claims = store.claim(ME, 3)
        for claim in reversed(claims):
            assert store.finish(ME, claim, report(claim, f"replay of {claim.fixture.match}"))
        for each in (store, opened()):
            matches = list(each.matches())
            assert [match.fixture for match in matches] == fixtures(3)
            assert [match.report for match in matches] == [report(c, "") for c in claims]
            assert each.replay("1-1") == "replay of 1-1"
            assert each.replay("2-0") is None
            assert dict(each.replays(["1-0", "1-2", "2-0", "none"])) == {
                "1-0": "replay of 1-0",
                "1-2": "replay of 1-2",
            }
            assert each.progress() == StoreProgress(fixtures=6, results=3, parked=0, claimed=0)

    def test_a_finished_match_is_never_claimed_again(self, store):
        """What has a result is left alone, also by renew and release."""
        [claim] = created(store, 1).claim(ME, 1)
        store.finish(ME, claim, report(claim))
        store.renew(ME, lease_s=-1)
        store.release(ME)
        assert store.claim(OTHER, 1) == []
        [attempt] = store.attempts()
        assert attempt.void_reason is None
        assert attempt.ended is not None
        assert dt.datetime.fromisoformat(attempt.started) <= dt.datetime.fromisoformat(
            attempt.ended
        )
        assert dt.datetime.fromisoformat(attempt.started).tzinfo is not None

    def test_the_first_result_stands(self, store):
        """Of two that played the same match, the second is told so and changes nothing."""
        [late] = created(store, 1).claim(ME, 1, lease_s=-1)
        [claim] = store.claim(OTHER, 1)
        assert store.finish(OTHER, claim, report(claim, "theirs", score=1))
        assert not store.finish(ME, late, report(late, "mine", score=2))
        assert store.replay("1-0") == "theirs"
        assert [match.report.scores[0] for match in store.matches()] == [1]

    def test_a_late_result_is_still_one(self, store):
        """Who finishes first after all has the result, and the other attempt is closed."""
        [late] = created(store, 1).claim(ME, 1, lease_s=-1)
        [claim] = store.claim(OTHER, 1)
        assert store.finish(ME, late, report(late, "mine"))
        store.renew(OTHER)
        assert not store.finish(OTHER, claim, report(claim, "theirs"))
        store.void(OTHER, claim, "engine failed")
        assert [(a.owner, a.void_reason) for a in store.attempts()] == [
            (ME, None),
            (OTHER, "another arena stored a result first"),
        ]
        assert store.progress() == StoreProgress(fixtures=1, results=1, parked=0, claimed=0)

    def test_finishing_twice_is_finishing_once(self, store):
        """The same result again, as after a lost answer, is the result still."""
        [claim] = created(store, 1).claim(ME, 1)
        assert store.finish(ME, claim, report(claim))
        assert store.finish(ME, claim, report(claim))
        assert store.progress().results == 1

    def test_a_match_that_is_not_scheduled(self, store):
        """A claim of another schedule is refused."""
        created(store, 1)
        stray = Claim(fixtures(2)[1], 1)
        with pytest.raises(StorageError, match="1-1 is not in the schedule"):
            store.finish(ME, stray, report(stray))

    @pytest.mark.parametrize("boundary", ["before write", "after write", "after commit"])
    def test_failing_at_a_boundary(self, boundary, store, opened):
        """A failure before the commit leaves nothing, one after it everything."""
        reached = []

        def fail(name: str) -> None:
            reached.append(name)
            if name == boundary:
                raise KeyboardInterrupt

        [claim] = created(store).claim(ME, 1)
        failing = opened(fail_point=fail)
        with pytest.raises(KeyboardInterrupt):
            failing.finish(ME, claim, report(claim))
        is_stored = boundary == "after commit"
        for each in (store, failing):
            assert each.progress().results == is_stored
            assert (each.replay("1-0") is not None) == is_stored
            assert sum(attempt.ended is None for attempt in each.attempts()) == (not is_stored)
        assert reached == ["before write", "after write", "after commit"][: len(reached)]
        assert reached[-1] == boundary
        assert store.finish(ME, claim, report(claim))

    @pytest.mark.slow
    @pytest.mark.parametrize("boundary", ["before write", "after write", "after commit"])
    def test_being_killed_at_a_boundary(self, boundary, store, place, tmp_path):
        """A kill before the commit leaves nothing but the attempt, one after it everything."""
        created(store)
        finish_until_killed(place, boundary, 1, 1, tmp_path)
        is_stored = boundary == "after commit"
        assert store.progress() == StoreProgress(fixtures=6, results=is_stored, parked=0, claimed=0)
        assert (store.replay("1-0") is not None) == is_stored
        assert indices(store.claim(ME, 1)) == [int(is_stored)]
        assert store.parked() == []


class TestFinishAll:
    def test_results_come_back(self, store, opened):
        """Each of a group is a result like any other, with its own replay."""
        created(store)
        claims = store.claim(ME, 4)
        ended = [
            (claim, report(claim, claim.fixture.match, score=n)) for n, claim in enumerate(claims)
        ]
        assert store.finish_all(ME, ended[::-1]) == [True] * 4
        for each in (store, opened()):
            assert [match.report.scores[0] for match in each.matches()] == [0, 1, 2, 3]
            assert dict(each.replays(["1-0", "2-0"])) == {"1-0": "1-0", "2-0": "2-0"}
            assert each.progress() == StoreProgress(fixtures=6, results=4, parked=0, claimed=0)
        assert all(attempt.ended for attempt in store.attempts())

    def test_only_the_match_that_came_too_late_is_refused(self, store):
        """Another arena's result stands, and whatever came with the late one is stored."""
        claims = created(store).claim(ME, 3, lease_s=-1)
        _, theirs, _ = store.claim(OTHER, 3)
        assert store.finish(OTHER, theirs, report(theirs, "theirs"))
        ended = [(claim, report(claim, "mine")) for claim in claims]
        for _ in range(2):  # again, as after a lost answer
            assert store.finish_all(ME, ended) == [True, False, True]
        assert dict(store.replays(["1-0", "1-1", "1-2"])) == {
            "1-0": "mine",
            "1-1": "theirs",
            "1-2": "mine",
        }
        assert store.progress() == StoreProgress(fixtures=6, results=3, parked=0, claimed=0)

    def test_what_was_stored_before_is_recognised(self, store):
        """A match that got through alone and comes again in a group is the same result."""
        claims = created(store).claim(ME, 3)
        assert store.finish(ME, claims[1], report(claims[1], "first"))
        assert (
            store.finish_all(ME, [(each, report(each, "again")) for each in claims]) == [True] * 3
        )
        assert store.replay("1-1") == "first"
        assert store.progress().results == 3

    def test_one_that_cannot_be_stored_leaves_nothing_of_the_others(self, store):
        """A database's refusal is for the whole group."""
        [claim] = created(store, 1).claim(ME, 1)
        stray = Claim(fixtures(2)[1], 1)
        with pytest.raises(StorageError, match="1-1 is not in the schedule"):
            store.finish_all(ME, [(claim, report(claim)), (stray, report(stray))])
        assert store.progress() == StoreProgress(fixtures=1, results=0, parked=0, claimed=1)
        assert store.replay("1-0") is None
        assert store.finish(ME, claim, report(claim))

    def test_boundaries_are_reached_for_every_match(self, store, opened):
        """Match by match before the commit, and once for each behind it."""
        claims = created(store).claim(ME, 2)
        reached: list[str] = []
        failing = opened(fail_point=reached.append)
        failing.finish_all(ME, [(claim, report(claim)) for claim in claims])
        assert reached == ["before write", "after write"] * 2 + ["after commit"] * 2

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("boundary", "count"),
        [("after write", 2), ("after write", 4), ("after commit", 1)],
    )
    def test_being_killed_inside_a_group(self, boundary, count, store, place, tmp_path):
        """Before the commit nothing of the group is there, whatever was written; then all is."""
        created(store)
        finish_until_killed(place, boundary, count, 4, tmp_path)
        stored = 4 if boundary == "after commit" else 0
        assert store.progress() == StoreProgress(fixtures=6, results=stored, parked=0, claimed=0)
        assert len(dict(store.replays([fixture.match for fixture in fixtures(6)]))) == stored
        claims = store.claim(ME, 6)
        assert indices(claims) == list(range(stored, 6))
        assert store.finish_all(ME, [(each, report(each)) for each in claims]) == [True] * len(
            claims
        )
        assert len(list(store.matches())) == 6
        assert store.parked() == []


class TestVoid:
    def test_a_void_match_is_tried_again_until_it_is_parked(self, store):
        """Each attempt is kept with its reason; after the last one the match is given up."""
        created(store, 2)
        for number in range(1, MAX_VOID + 1):
            [claim] = store.claim(ME, 1)
            assert claim.attempt == number
            is_parked = store.void(ME, claim, f"reason {number} \0\ud800")
            assert is_parked == (number == MAX_VOID)
        assert indices(store.claim(ME, 2)) == [1]
        store.release(ME)
        assert store.parked() == fixtures(1)
        assert store.progress() == StoreProgress(fixtures=2, results=0, parked=1, claimed=0)
        assert [(a.match, a.number, a.void_reason) for a in store.attempts()] == [
            ("1-0", number, f"reason {number} �?") for number in range(1, MAX_VOID + 1)
        ]

    def test_voiding_twice_counts_once(self, store):
        """The same attempt again, as after a lost answer, does not bring parking nearer."""
        created(store, 1)
        for _ in range(MAX_VOID - 1):
            [claim] = store.claim(ME, 1)
            for _ in range(3):
                store.void(ME, claim, "again")
        assert store.parked() == []

    def test_who_lost_the_claim_cannot_void_the_match(self, store):
        """A late void does not touch what somebody else is playing."""
        [late] = created(store, 1).claim(ME, 1, lease_s=-1)
        [claim] = store.claim(OTHER, 1)
        store.void(ME, late, "late")
        assert store.claim("third", 1) == []
        assert store.finish(OTHER, claim, report(claim))


class TestReading:
    def test_a_range_of_matches(self, store):
        """Start is included, stop is not, and unfinished ones are left out."""
        created(store)
        claims = store.claim(ME, 6)
        for claim in claims:
            if claim.fixture.index != 2:
                store.finish(ME, claim, report(claim))
        assert [match.fixture.index for match in store.matches()] == [0, 1, 3, 4, 5]
        assert [match.fixture.index for match in store.matches(1, 4)] == [1, 3]
        assert list(store.matches(6)) == []

    def test_what_is_missing(self, store):
        """Open and claimed matches are missing; finished and parked ones are not."""
        created(store)
        for _ in range(MAX_VOID):
            [claim] = store.claim(ME, 1)
            store.void(ME, claim, "no")
        finished, _ = store.claim(ME, 2)
        store.finish(ME, finished, report(finished))
        assert [fixture.index for fixture in store.missing()] == [2, 3, 4, 5]
        assert store.secret_deals() == {fixture.deal for fixture in store.missing()}

    def test_pages_join_without_a_seam(self, store, monkeypatch):
        """Matches, attempts and replays beyond one page come each once and in order."""
        monkeypatch.setattr("arena.storage.sql_reader._PAGE", 4)
        monkeypatch.setattr("arena.storage.sql_reader._REPLAY_PAGE", 3)
        created(store, 9)
        for claim in store.claim(ME, 9):
            if claim.fixture.index % 2:
                store.void(ME, claim, "odd")
            else:
                store.finish(ME, claim, report(claim))
        for claim in store.claim(ME, 9):
            store.finish(ME, claim, report(claim, claim.fixture.match))
        assert [match.fixture.index for match in store.matches()] == list(range(9))
        assert [(a.match, a.number) for a in store.attempts()] == [
            (fixture.match, number)
            for fixture in fixtures(9)
            for number in range(1, 2 + fixture.index % 2)
        ]
        assert len(dict(store.replays([f.match for f in fixtures(9)]))) == 9

    @pytest.mark.slow
    def test_others_may_write_while_matches_are_read(self, store, opened):
        """A reader that has stopped halfway is in nobody's way."""
        created(store)
        for claim in store.claim(ME, 3):
            store.finish(ME, claim, report(claim))
        halfway = store.matches()
        next(halfway)
        with opened() as other:
            [claim] = other.claim(OTHER, 1)
            assert other.finish(OTHER, claim, report(claim))
        assert [match.fixture.index for match in halfway][:2] == [1, 2]
