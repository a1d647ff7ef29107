from __future__ import annotations

import json
from collections import Counter
from functools import cache
from random import Random

import pytest
from highcard.rules import HighCard, HighCardState

from arena.errors import UnknownGameError
from arena.games.byzanz import Byzanz
from arena.games.counts import pack, unpack
from arena.games.game import Seat
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.games.shuffle import bot_seed
from arena.referee import match as referee
from arena.referee.match import Match
from arena.server import hall
from arena.server.outbox import Outbox
from arena.server.players import SessionPlayer
from arena.server.session import Session
from arena.testing import ContractError, check_wire
from arena.testing.trial import Trial
from arena.testing.twin_worlds import FIRST, SECOND, Conduct, plan_twins
from arena.testing.wire_secrecy import REDEAL_EVERY, compare_worlds, fixture_in
from arena.v1 import play_pb2
from arena.wire import codec, play
from arena.wire.derived import DerivedCodec
from arena.wire.fields import bytes_field
from tests.high_card import with_state

GAMES = (Byzanz(), Schwarzmarkt())
each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


@cache
def planned(game, watcher, number):
    return plan_twins(Trial(game, 3, number), watcher, REDEAL_EVERY[number])


def compare(game, watcher=Seat(1)):  # noqa: B008 - a number
    """A few matches for one watcher: enough to catch what is planted."""
    for number in range(len(REDEAL_EVERY)):
        compare_worlds(planned(game, watcher, number))


def neighbour_of(question):
    """The hand of the seat after the one that is asked, which that seat cannot see."""
    state = question.match.state
    hand = state.holdings(Seat((question.seat + 1) % state.seats))
    return sorted(Counter(hand).elements())


class EntryPoint:
    def __init__(self, made):
        self.value = made.__name__
        self._made = made

    def load(self):
        return self._made


@pytest.fixture
def plug_in(monkeypatch):
    """Have High Card brought by a package, with the codec it is called with."""

    def install(made):
        monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [EntryPoint(made)])

    codec.codec_for.cache_clear()
    yield install
    codec.codec_for.cache_clear()


def test_a_game_from_a_package_is_checked_with_its_codec(plug_in):
    """Authors of games can check what they send."""
    plug_in(DerivedCodec)

    assert check_wire(HighCard(), matches=1).differing > 0


def test_a_game_without_codec_is_refused():
    """Without a codec nothing can be sent."""
    with pytest.raises(UnknownGameError, match="highcard"):
        check_wire(HighCard())


class ForgetfulCodec(DerivedCodec):
    """It tells spectators nothing."""

    def read_events(self, message):
        return []


class SloppyCodec(DerivedCodec):
    """It mixes up the moves."""

    def read_decision(self, message):
        seen, moves = super().read_decision(message)
        return seen, moves[::-1]


@pytest.mark.parametrize("made", [ForgetfulCodec, SloppyCodec])
def test_what_is_read_wrong_is_found(plug_in, made):
    """Built-in bots and spectators depend on what a codec reads."""
    plug_in(made)

    with pytest.raises(ContractError, match="sent and read back as"):
        check_wire(HighCard(), matches=1)


# A check that tests nothing fails.


class EmptyHanded(HighCardState):
    """Nobody is said to hold anything, so no hand ever differs."""

    def holdings(self, seat):
        return {}


def test_a_run_without_hidden_differences_fails(plug_in):
    """A game whose hidden hands never differ has not been tested."""
    plug_in(DerivedCodec)

    with pytest.raises(ContractError, match="nothing was tested for seat 0"):
        check_wire(with_state(EmptyHanded), matches=1)


@each_game
def test_plans_hold_all_that_may_go_wrong(game):
    """Faults of all kinds, secret moves with another content and new deals are in the plans."""
    plans = [plan_twins(Trial(game, 3, number), Seat(0), 3) for number in range(1, 8, 2)]
    steps = [step for plan in plans for step in plan.steps]

    assert {step.conduct for step in steps} == set(Conduct)
    assert any(step.moves[FIRST] != step.moves[SECOND] for step in steps)
    assert sum(step.redealt is not None for step in steps) > len(steps) / 4


def test_worlds_differ_where_they_should():
    """The same plan starts with another deal, the same hand for the watching seat."""
    plan = plan_twins(Trial(GAMES[0], 4, 0), Seat(2))
    first, second = [plan.game_in(world).start(None, None) for world in (FIRST, SECOND)]

    assert first.observe(Seat(2)) == second.observe(Seat(2))
    assert first.holdings(Seat(0)) != second.holdings(Seat(0))


def test_bot_seeds_are_the_same_for_another_deal():
    """Master seed, match and seat make a bot's seed; the deal has no part in it."""
    plan = plan_twins(Trial(GAMES[0], 3, 0), Seat(0))
    first, second = fixture_in(plan, FIRST), fixture_in(plan, SECOND)

    assert first.seed != second.seed
    assert first.bot_seeds == second.bot_seeds
    assert first.bot_seeds[1] == bot_seed(b"master", first.match, 1)
    assert len({*first.bot_seeds, first.seed, second.seed}) == 5


# Planted leaks: each is found, and found where it was planted.


def show_byzanz_card(observation, state, seat):
    """Add a card of the next hand to those that are out of the game."""
    hidden = unpack(state.hands[(seat + 1) % state.seats])[:1]
    return observation._replace(out=observation.out + pack(hidden))


def show_schwarzmarkt_card(observation, state, seat):
    """Add a good of the next hand to those that were traded."""
    hidden = unpack(state.goods[(seat + 1) % state.seats])[:1]
    return observation._replace(traded=(*observation.traded, *hidden))


SHOW_CARD = dict(zip(GAMES, (show_byzanz_card, show_schwarzmarkt_card), strict=True))


def plant_in_ask(monkeypatch, change):
    asked = SessionPlayer.ask

    def ask(player, question):
        change(question)
        asked(player, question)

    monkeypatch.setattr(SessionPlayer, "ask", ask)


@each_game
def test_a_card_that_shows_is_found(game, monkeypatch):
    """(a) The id of a card in another hand is in the observation."""

    def change(question):
        state = question.match.state
        question.observation = SHOW_CARD[game](question.observation, state, question.seat)

    plant_in_ask(monkeypatch, change)

    with pytest.raises(ContractError, match=r"is sent depends .*\(decisions\)"):
        compare(game)


TOP_CARD = {
    GAMES[0]: lambda state: state.deck[state.drawn : state.drawn + 1],
    GAMES[1]: lambda state: state.goods_pile[:1],
}


@each_game
def test_a_card_of_a_pile_that_shows_is_found(game, monkeypatch):
    """What lies on top of a pile, which nobody can see, is in what a seat is sent."""
    asked = Outbox.ask

    def ask(outbox, question, part):
        top = TOP_CARD[game](question.match.state)
        asked(outbox, question, part + bytes_field(15, bytes(top)))

    monkeypatch.setattr(Outbox, "ask", ask)

    with pytest.raises(ContractError, match=r"\(decisions\) says the same in other bytes"):
        compare(game)


@each_game
def test_an_order_that_tells_is_found(game, monkeypatch):
    """(b) The same legal moves, in an order that depends on another hand."""

    def change(question):
        moves = list(question.legal_moves)
        Random(str(neighbour_of(question))).shuffle(moves)
        question.legal_moves = moves

    plant_in_ask(monkeypatch, change)

    with pytest.raises(ContractError, match=r"is sent depends .*\(decisions\)"):
        compare(game)


@each_game
def test_a_length_that_tells_is_found(game, monkeypatch):
    """(c) Filling that says nothing, as long as another hand has different cards."""
    asked = Outbox.ask

    def ask(outbox, question, part):
        filling = bytes(len(set(neighbour_of(question))))
        asked(outbox, question, part + bytes_field(15, filling))

    monkeypatch.setattr(Outbox, "ask", ask)

    with pytest.raises(
        ContractError, match=r"\(decisions\) says the same in other bytes, \d+ and "
    ):
        compare(game)


@each_game
def test_a_text_that_tells_is_found(game, monkeypatch):
    """(d) What a bot is told about its mistake names the cards of another hand."""
    sent = Session.send

    def send(session, message):
        response = play_pb2.PlayResponse.FromString(message)
        if response.WhichOneof("message") == "rejected" and session.seats:
            (player,) = session.seats.values()
            response.rejected.message += f"; {neighbour_of(player.question)} are not yours"
            message = response.SerializeToString()
        sent(session, message)

    monkeypatch.setattr(Session, "send", send)

    with pytest.raises(ContractError, match=r"is sent depends .*\(rejected\).* are not yours"):
        compare(game)


@each_game
def test_the_seed_among_the_options_is_found(game, monkeypatch):
    """(e) The options in MatchStarted hold the deal's seed."""
    started = SessionPlayer.start

    def start(player, match, seat):
        options = json.dumps({"seed": match.fixture.seed.hex()})
        with monkeypatch.context() as patch:
            patch.setattr(play, "options_json", lambda _game: options)
            started(player, match, seat)

    monkeypatch.setattr(SessionPlayer, "start", start)

    with pytest.raises(ContractError, match=r"message 2 \(match_started\) has `options_json: "):
        compare(game)


@each_game
def test_a_bot_seed_made_from_the_deal_is_found(game, monkeypatch):
    """The seed that a bot is given must not come from the deal."""
    started = SessionPlayer.start

    def start(player, match, seat):
        object.__setattr__(match.fixture, "bot_seeds", [match.fixture.seed] * 9)
        started(player, match, seat)

    monkeypatch.setattr(SessionPlayer, "start", start)

    with pytest.raises(ContractError, match=r"message 2 \(match_started\) has `bot_seed: "):
        compare(game)


@each_game
def test_an_id_that_counts_the_others_decisions_is_found(game, monkeypatch):
    """Who had no choice is not asked: an id that counts all decisions tells who had one."""
    asked = SessionPlayer.ask
    counts: Counter[Match] = Counter()

    def ask(player, question):
        counts[question.match] += 1
        question.id = counts[question.match]
        asked(player, question)

    monkeypatch.setattr(SessionPlayer, "ask", ask)

    with pytest.raises(ContractError, match=r"\(decisions\) has `decision_id: "):
        compare(game)


@each_game
def test_an_event_that_passes_the_gate_whole_is_found(game, monkeypatch):
    """Events that only one seat may see go to all."""
    monkeypatch.setattr(referee, "seen_by", lambda event, _seat: event)

    with pytest.raises(ContractError, match=r"is sent depends .*\((decisions|match_ended)\)"):
        compare(game)


@each_game
def test_an_event_that_spectators_see_whole_is_found(game, monkeypatch):
    """Events that only one seat may see go to spectators."""
    monkeypatch.setattr(hall, "seen_by", lambda event, _seat: event)

    with pytest.raises(ContractError, match=r"spectators are shown depends .* the public .*event"):
        compare(game, None)


@each_game
def test_a_table_that_spectators_see_with_a_hand_is_found(game, monkeypatch):
    """Spectators who come are shown what a seat sees."""
    state = type(planned(game, None, 0).start)
    observe = state.observe
    monkeypatch.setattr(state, "observe", lambda state, seat: observe(state, seat or Seat(0)))

    with pytest.raises(ContractError, match=r"spectators are shown .* message 1 \(table\)"):
        compare(game, None)


def test_what_is_said_of_an_answer_comes_before_the_end():
    """A rejection does not move behind the end of a match when the others had no choice left."""
    compare_worlds(plan_twins(Trial(Byzanz(), 3, 5), Seat(1), 5))
