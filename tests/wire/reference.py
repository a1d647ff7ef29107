"""A slow encoder, field by field with the generated classes, to compare the fast one with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.byzanz import events as be
from arena.games.byzanz import moves as bm
from arena.games.byzanz.rules import TABLES
from arena.games.counts import UNIT, Counts, unpack
from arena.games.game import AnyGame, Event, Move
from arena.games.schwarzmarkt import events as se
from arena.games.schwarzmarkt import moves as sm
from arena.v1 import byzanz_pb2 as b
from arena.v1 import play_pb2, watch_pb2
from arena.v1 import schwarzmarkt_pb2 as s

BYZANZ_EVENTS = {
    be.LotTurned: ("lot_turned", b.ByzanzLotTurned),
    be.BidLaid: ("bid_laid", b.ByzanzBidLaid),
    be.Passed: ("passed", b.ByzanzPassed),
    be.AuctionWon: ("auction_won", b.ByzanzAuctionWon),
    be.LotTaken: ("lot_taken", b.ByzanzLotTaken),
    be.KindTaken: ("kind_taken", b.ByzanzKindTaken),
    be.MarketCleared: ("market_cleared", b.ByzanzMarketCleared),
    be.Sold: ("sold", b.ByzanzSold),
    be.Discarded: ("discarded", b.ByzanzDiscarded),
    be.SalesEnded: ("sales_ended", b.ByzanzSalesEnded),
}
SCHWARZMARKT_EVENTS = {
    se.CardPlayed: ("card_played", s.SchwarzmarktCardPlayed),
    se.CardBuried: ("card_buried", s.SchwarzmarktCardBuried),
    se.CardDrawn: ("card_drawn", s.SchwarzmarktCardDrawn),
    se.Traded: ("traded", s.SchwarzmarktTraded),
    se.MarkerMoved: ("marker_moved", s.SchwarzmarktMarkerMoved),
    se.Held: ("held", s.SchwarzmarktHeld),
    se.ExchangeEnded: ("exchange_ended", s.SchwarzmarktExchangeEnded),
    se.GoodDrawn: ("good_drawn", s.SchwarzmarktGoodDrawn),
    se.PileSearched: ("pile_searched", s.SchwarzmarktPileSearched),
    se.GoodFound: ("good_found", s.SchwarzmarktGoodFound),
    se.PileShuffled: ("pile_shuffled", s.SchwarzmarktPileShuffled),
    se.Foraged: ("foraged", s.SchwarzmarktForaged),
    se.ProtectionPaid: ("protection_paid", s.SchwarzmarktProtectionPaid),
    se.GameRoundEnded: ("game_round_ended", s.SchwarzmarktGameRoundEnded),
    se.GoodReturned: ("good_returned", s.SchwarzmarktGoodReturned),
    se.GoodsDealt: ("goods_dealt", s.SchwarzmarktGoodsDealt),
}
LISTS = {"cards", "taken_back", "paid", "taken", "given", "goods", "left", "laid", "drawn"}
ENUMS = {"kept", "kind", "good"}


def event_message(game: str, event: Event) -> Any:
    table: Any = BYZANZ_EVENTS if game == "byzanz" else SCHWARZMARKT_EVENTS
    name, message = table[type(event)]
    fields: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(event, field.name)
        if value is None:
            continue
        if field.name == "pile":
            value = {"goods": 1, "black_market": 2}[value]
        elif field.name in LISTS:
            value = plus_one(value)
        elif field.name in ENUMS or (game == "byzanz" and field.name == "card"):
            value += 1
        fields[field.name] = value
    whole: Any = b.ByzanzEvent if game == "byzanz" else s.SchwarzmarktEvent
    return whole(**{name: message(**fields)})


def move_message(game: str, move: Move) -> Any:
    return byzanz_move(move) if game == "byzanz" else schwarzmarkt_move(move)


def byzanz_move(move: Move) -> b.ByzanzMove:
    message = b.ByzanzMove(type=f"TYPE_{type(move).__name__.upper()}")
    match move:
        case bm.Bid(cards) | bm.Sell(cards):
            message.cards.extend(plus_one(cards))
        case bm.Give(card) | bm.Discard(card):
            message.cards.extend(plus_one(UNIT[card]))
        case bm.Take(kind):
            message.MergeFrom(b.ByzanzMove(kind=b.ByzanzKind.Name(kind + 1)))
        case _:
            assert isinstance(move, bm.Pass | bm.Done)
    return message


def schwarzmarkt_move(move: Move) -> s.SchwarzmarktMove:
    message = s.SchwarzmarktMove(type=f"TYPE_{type(move).__name__.upper()}")
    match move:
        case sm.Play(card, target, laid):
            message.card = card
            if target is not None:
                message.target = target
            message.goods.extend(plus_one(laid))
        case sm.Bury(card):
            message.card = card
        case sm.Trade(traded):
            message.goods.extend(plus_one(traded))
        case sm.Find(good) | sm.Return(good):
            message.goods.extend(plus_one(UNIT[good]))
        case sm.Step(spaces):
            message.spaces = spaces
        case _:
            assert isinstance(move, sm.Hold)
    return message


def observation_message(game: str, seen: Any) -> Any:
    return byzanz_observation(seen) if game == "byzanz" else schwarzmarkt_observation(seen)


def byzanz_observation(seen: Any) -> b.ByzanzObservation:
    message = b.ByzanzObservation(
        seat=seen.seat,
        to_act=seen.to_act,
        phase=f"BYZANZ_PHASE_{seen.phase.name}",
        leader=seen.leader,
        first_passer=seen.first_passer,
    )
    for name in ("round", "deck_size", "offer", "speaker", "high", "takes"):
        setattr(message, name, getattr(seen, name))
    for name in ("hand", "own_discards", "lot", "market", "out"):
        getattr(message, name).extend(plus_one(getattr(seen, name)))
    for seat, hand_size in enumerate(seen.hand_sizes):
        message.seats.append(
            b.ByzanzSeat(
                hand_size=hand_size,
                points=seen.points[seat],
                passed=seen.passed[seat],
                offer=seen.offers[seat],
                laid=plus_one(seen.laid[seat]),
                kept=plus_one(seen.kept[seat]),
                face_down=seen.face_down[seat],
                known=[
                    b.ByzanzKnown(cards=plus_one(tier.cards), unseen=tier.unseen)
                    for tier in seen.known[seat]
                ],
            )
        )
    return message


def schwarzmarkt_observation(seen: Any) -> s.SchwarzmarktObservation:
    message = s.SchwarzmarktObservation(
        seat=seen.seat,
        to_act=seen.to_act,
        phase=f"SCHWARZMARKT_PHASE_{seen.phase.name}",
        offer=seen.offer,
        resolving=seen.resolving,
        cards=unpack(seen.cards),
        traded=[good + 1 for good in seen.traded],
        open_cards=[
            s.SchwarzmarktOpenCard(card=one.card, target=one.target) for one in seen.open_cards
        ],
        pile_known=known_messages(seen.pile_known),
        seen_cards=unpack(seen.seen_cards),
    )
    plain = "game_round start marker goods_pile_size black_market_pile_size cards_dealt_with"
    for name in (*plain.split(), "idle_rounds"):
        setattr(message, name, getattr(seen, name))
    for name in ("goods", "demand"):
        getattr(message, name).extend(plus_one(getattr(seen, name)))
    for seat, hand_size in enumerate(seen.hand_sizes):
        message.seats.append(
            s.SchwarzmarktSeat(
                hand_size=hand_size,
                luxury=seen.luxury[seat],
                has_traded=seen.traders[seat],
                known=known_messages(seen.hands_known[seat]),
            )
        )
    return message


def known_messages(ledger: Any) -> list[s.SchwarzmarktKnown]:
    return [s.SchwarzmarktKnown(goods=plus_one(cards), unseen=unseen) for cards, unseen in ledger]


def plus_one(counts: Counts) -> list[Any]:
    return [card + 1 for card in unpack(counts)]


def decision(
    game: str, seen: Any, legal_moves: Sequence[Move], events: Sequence[Event]
) -> play_pb2.Decision:
    whole: Any = b.ByzanzDecision if game == "byzanz" else s.SchwarzmarktDecision
    part = whole(
        observation=observation_message(game, seen),
        legal_moves=[move_message(game, move) for move in legal_moves],
        events=[event_message(game, event) for event in events],
    )
    fields: Any = {game: part}
    return play_pb2.Decision(**fields)


def match_ended(game: str, events: Sequence[Event]) -> play_pb2.MatchEnded:
    fields: Any = {game: events_message(game, events)}
    return play_pb2.MatchEnded(**fields)


def watched_events(game: str, events: Sequence[Event]) -> watch_pb2.WatchedEvents:
    fields: Any = {game: events_message(game, events)}
    return watch_pb2.WatchedEvents(**fields)


def events_message(game: str, events: Sequence[Event]) -> Any:
    whole: Any = b.ByzanzEvents if game == "byzanz" else s.SchwarzmarktEvents
    return whole(events=[event_message(game, event) for event in events])


def watched_table(game: str, seen: Any) -> watch_pb2.WatchedTable:
    fields: Any = {game: observation_message(game, seen)}
    return watch_pb2.WatchedTable(**fields)


def match_started(game: AnyGame, seats: int) -> play_pb2.MatchStarted:
    if game.name == "byzanz":
        table = TABLES[seats]
        return play_pb2.MatchStarted(
            byzanz=b.ByzanzMaterial(offers=table.offers, rounds=table.rounds, removed=table.removed)
        )
    printed: Any = game.material  # type: ignore[attr-defined]
    return play_pb2.MatchStarted(
        schwarzmarkt=s.SchwarzmarktMaterial(
            track=[
                s.SchwarzmarktSpace(price=price, steps=steps)
                for price, steps in zip(printed.prices, printed.steps, strict=True)
            ],
            cards=[
                s.SchwarzmarktCard(
                    name=card.name,
                    copies=card.copies,
                    demand=plus_one(card.demand),
                    effect=None
                    if card.effect is None
                    else f"SCHWARZMARKT_EFFECT_{card.effect.name}",
                )
                for card in printed.cards
            ],
            goods=plus_one(printed.deck),
        )
    )
