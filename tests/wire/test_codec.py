from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from google.protobuf import any_pb2, wrappers_pb2
from highcard.rules import HighCard

from arena.errors import FormatError, UnknownGameError
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.v1 import play_pb2, watch_pb2
from arena.wire import codec as codec_module
from arena.wire.byzanz import ByzanzCodec
from arena.wire.codec import codec_for, other_field, read_other
from arena.wire.schwarzmarkt import SchwarzmarktCodec
from tests.plug_ins import put_on_path
from tests.wire import reference
from tests.wire.played import BYZANZ, SCHWARZMARKT, UNEVEN

Install = Callable[[str, str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that puts a distribution with a codec for the toy game on the path."""
    codec_for.cache_clear()

    def put(name: str, target: str, source: str) -> None:
        group, entry = codec_module.ENTRY_POINT_GROUP, f"highcard = {target}"
        put_on_path(
            tmp_path / name, monkeypatch, group, entry, **{target.partition(":")[0]: source}
        )

    yield put
    codec_for.cache_clear()


TOY_CODEC = """
from google.protobuf import wrappers_pb2
from arena.wire.codec import Codec, other_field, read_other

class ToyCodec(Codec):
    def __init__(self, game):
        self.game = game
    def material(self, seats):
        return other_field(wrappers_pb2.UInt32Value(value=seats))
    def decision(self, observation, legal_moves, events):
        return other_field(wrappers_pb2.StringValue(value=repr(observation)))
    def events(self, events):
        return other_field(wrappers_pb2.StringValue(value=repr(events)))
    def observation(self, observation):
        return other_field(wrappers_pb2.StringValue(value=repr(observation)))
    def read_decision(self, message):
        return read_other(message.other, wrappers_pb2.StringValue()).value, []
    def read_events(self, message):
        return []
    def read_observation(self, message):
        return read_other(message.other, wrappers_pb2.StringValue()).value
"""


class TestBuiltIn:
    def test_each_game_has_its_codec(self):
        """The two built-in games are found by name."""
        assert isinstance(codec_for(BYZANZ), ByzanzCodec)
        assert isinstance(codec_for(SCHWARZMARKT), SchwarzmarktCodec)

    def test_there_is_one_for_each_game_object(self):
        """The same game gets the same codec, another deck another one."""
        assert codec_for(UNEVEN) is codec_for(UNEVEN)
        assert codec_for(UNEVEN) is not codec_for(SCHWARZMARKT)
        assert codec_for(UNEVEN).material(4) != codec_for(SCHWARZMARKT).material(4)

    def test_only_a_limited_number_is_kept(self):
        """Games with card files of their own do not pile up."""
        for _ in range(100):
            codec_for(Schwarzmarkt({"deck": "uneven"}))

        assert codec_for.cache_info().currsize <= 64


class TestPlugIn:
    def test_a_package_brings_its_codec(self, install):
        """Its messages travel in the field `other` of every message that differs by game."""
        install("toy", "toy_codec:ToyCodec", TOY_CODEC)
        game = HighCard()
        codec = codec_for(game)
        seen = game.deal(b"seed", 3).observe(None)

        started = play_pb2.MatchStarted.FromString(codec.material(3))
        decision = play_pb2.Decision.FromString(codec.decision(seen, [], []))
        ended = play_pb2.MatchEnded.FromString(codec.events([]))
        table = watch_pb2.WatchedTable.FromString(codec.observation(seen))
        watched = watch_pb2.WatchedEvents.FromString(codec.events([]))
        assert read_other(started.other, wrappers_pb2.UInt32Value()).value == 3
        assert codec.read_decision(decision) == (repr(seen), [])
        assert codec.read_observation(table) == repr(seen)
        assert ended.other == watched.other

    def test_a_game_without_a_codec(self, install):
        """The complaint says what is missing."""
        with pytest.raises(UnknownGameError, match=r"'highcard' cannot be played.*'arena\.wire'"):
            codec_for(HighCard())

    @pytest.mark.parametrize(
        ("source", "complaint"),
        [
            ("raise RuntimeError('broken')", "cannot be loaded: broken"),
            ("", "cannot be loaded"),
            ("def ToyCodec(game): return game", "does not make a codec"),
        ],
    )
    def test_a_codec_that_cannot_be_used(self, install, source, complaint):
        """The complaint names game and package."""
        install("toy", "toy_codec:ToyCodec", source)

        with pytest.raises(UnknownGameError, match=complaint) as caught:
            codec_for(HighCard())
        assert "toy_codec:ToyCodec" in str(caught.value)
        assert "'highcard'" in str(caught.value)

    def test_two_packages_bring_a_codec(self, install):
        """Neither is preferred in silence."""
        install("toy", "toy_codec:ToyCodec", TOY_CODEC)
        install("rival", "rival_codec:ToyCodec", TOY_CODEC)

        with pytest.raises(UnknownGameError, match="rival_codec:ToyCodec and toy_codec:ToyCodec"):
            codec_for(HighCard())


class TestOther:
    def test_a_message_comes_back(self):
        """The field can be put into any message that has it."""
        message = play_pb2.Decision.FromString(other_field(wrappers_pb2.StringValue(value="x")))

        assert read_other(message.other, wrappers_pb2.StringValue()).value == "x"

    @pytest.mark.parametrize(
        ("wrapped", "complaint"),
        [
            (any_pb2.Any(), "must hold google.protobuf.StringValue, not nothing"),
            (any_pb2.Any(type_url="x/a.B"), "not a.B"),
            (
                any_pb2.Any(type_url="x/google.protobuf.StringValue", value=b"\x0a\xff"),
                "cannot be decoded",
            ),
        ],
    )
    def test_something_else_is_refused(self, wrapped, complaint):
        """The complaint says what was expected."""
        with pytest.raises(FormatError, match=complaint):
            read_other(wrapped, wrappers_pb2.StringValue())


@pytest.mark.parametrize("game", [BYZANZ, SCHWARZMARKT], ids=lambda game: game.name)
def test_unknown_fields_are_passed_over(game):
    """A newer arena may say more, in every message, than this one knows."""
    state = game.deal(b"seed", 4)
    seen, legal = state.observe(state.to_act), state.legal_moves()
    events = state.copy().apply(legal[0])
    message = reference.decision(game.name, seen, legal, events)
    part = getattr(message, game.name)
    extra = b"\x82\x7d\x03new\x98\x7d\x05"  # fields 2000 and 2003
    for piece in (
        message,
        part,
        part.observation,
        *part.observation.seats,
        *part.legal_moves,
        *part.events,
    ):
        piece.MergeFromString(extra)
    newer = play_pb2.Decision.FromString(message.SerializeToString())

    codec = codec_for(game)
    assert len(newer.SerializeToString()) > len(codec.decision(seen, legal, events))
    assert codec.read_decision(newer) == (seen, legal)
    assert codec.read_events(newer) == events
