from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.counts import pack, size, unpack
from arena.games.ledger import (
    EMPTY,
    Ledger,
    Tier,
    arrive,
    certain,
    leave,
    mentioned,
    prune,
    slip,
)

A, B, C = 0, 1, 2


def ledger(*tiers: tuple[list[int], int]) -> Ledger:
    return tuple(Tier(pack(cards), unseen) for cards, unseen in tiers)


class TestArrive:
    def test_what_is_seen_to_arrive_is_certain(self):
        """Cards seen to arrive at an unknown place make a certain tier."""
        assert arrive(EMPTY, pack([A, B])) == ledger(([A, B], 0))

    def test_certain_cards_share_a_tier(self):
        """As long as nothing left unseen, later cards join the earlier ones."""
        assert arrive(ledger(([A], 0)), pack([A, B])) == ledger(([A, A, B], 0))

    def test_after_an_unseen_leaving_a_new_tier_begins(self):
        """Doubtful cards stay apart from those that arrive later."""
        assert arrive(ledger(([A], 1)), pack([B])) == ledger(([A], 1), ([B], 0))

    def test_only_the_last_tier_is_joined(self):
        """Older, doubtful tiers stay as they are."""
        assert arrive(ledger(([A], 2), ([B], 0)), pack([C])) == ledger(([A], 2), ([B, C], 0))

    def test_nothing_arriving_changes_nothing(self):
        """No cards make no tier."""
        assert arrive(EMPTY, 0) == EMPTY
        assert arrive(ledger(([A], 1)), 0) == ledger(([A], 1))


class TestLeave:
    def test_what_is_seen_to_leave_is_known_no_more(self):
        """A shown card is taken off the ledger, and an emptied tier with it."""
        assert leave(ledger(([A, B], 0)), pack([A])) == ledger(([B], 0))
        assert leave(ledger(([A], 0)), pack([A])) == EMPTY

    def test_the_surest_tier_gives_up_its_cards_first(self):
        """Of two equal cards the one that is sure leaves, the doubtful one stays in doubt."""
        assert leave(ledger(([A, B], 1), ([A], 0)), pack([A])) == ledger(([A, B], 1))

    def test_cards_leave_from_several_tiers(self):
        """What the surest tier cannot give is taken from the next, and the order stays."""
        before = ledger(([A, A, B], 2), ([A, B], 1), ([A, C], 0))

        assert leave(before, pack([A, A, C])) == ledger(([A, A, B], 2), ([B], 1))

    def test_unknown_cards_leave_no_trace(self):
        """A shown card that nobody knew of changes nothing."""
        assert leave(ledger(([A], 0)), pack([B])) == ledger(([A], 0))
        assert leave(EMPTY, pack([B])) == EMPTY


class TestSlip:
    def test_an_unseen_leaving_puts_all_tiers_in_doubt(self):
        """Any card of any tier may have been among those that left."""
        assert slip(ledger(([A], 1), ([B, C], 0)), 2) == ledger(([A], 3), ([B, C], 2))

    def test_no_leaving_changes_nothing(self):
        """Nothing slipped away."""
        assert slip(ledger(([A], 0)), 0) == ledger(([A], 0))
        assert slip(EMPTY, 3) == EMPTY


class TestReading:
    def test_only_an_undoubted_tier_is_certain(self):
        """Certain cards are those of the last tier, if nothing left unseen since."""
        assert certain(ledger(([A], 1), ([B, C], 0))) == pack([B, C])
        assert certain(ledger(([A, A], 1))) == 0
        assert certain(EMPTY) == 0

    def test_all_tiers_are_mentioned(self):
        """Every card of the ledger is mentioned, sure or not."""
        assert mentioned(ledger(([A], 1), ([A, C], 0))) == pack([A, A, C])
        assert mentioned(EMPTY) == 0

    def test_pruning_drops_tiers_that_may_all_be_gone(self):
        """A tier with as many unseen leavings as cards says nothing sure; with fewer it does."""
        before = ledger(([A, B], 2), ([A], 3), ([B, C, C], 2), ([A], 0))

        assert prune(before) == ledger(([B, C, C], 2), ([A], 0))
        assert prune(EMPTY) == EMPTY


steps = st.lists(
    st.tuples(
        st.sampled_from(["arrive", "arrive hidden", "leave", "slip"]),
        st.lists(st.integers(0, 3), max_size=3),
        st.integers(0, 10**6),
    ),
    max_size=25,
)


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), max_size=4), steps, st.booleans())
def test_what_a_ledger_claims_is_true(contents, history, pruning):
    """Of a tier and all later ones together no more cards are missing than left unseen since."""
    held = Counter(contents)
    known = EMPTY
    for what, cards, choice in history:
        if what == "arrive":
            held.update(cards)
            known = arrive(known, pack(cards))
        elif what == "arrive hidden":
            held.update(cards)
        else:
            there = sorted(held.elements())
            chosen = [there.pop((choice >> n) % len(there)) for n in range(len(cards)) if there]
            held.subtract(chosen)
            known = leave(known, pack(chosen)) if what == "leave" else slip(known, len(chosen))
        if pruning:
            known = prune(known)
        assert not Counter(unpack(certain(known))) - held
        for index, tier in enumerate(known):
            claimed = Counter(unpack(mentioned(known[index:])))
            assert (claimed - held).total() <= tier.unseen
            assert tier.cards
            assert not pruning or tier.unseen < size(tier.cards)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.lists(st.integers(0, 3), max_size=4)), max_size=20))
def test_without_unseen_leavings_all_that_was_seen_is_certain(history):
    """If every card is seen to arrive and to leave, the ledger is the place's content."""
    held: Counter[int] = Counter()
    known = EMPTY
    for arriving, cards in history:
        if arriving:
            held.update(cards)
            known = arrive(known, pack(cards))
        else:
            shown = Counter(cards) & held
            held -= shown
            known = leave(known, pack(shown.elements()))

    assert unpack(certain(known)) == unpack(mentioned(known)) == tuple(sorted(held.elements()))
