package arena.client.byzanz;

import static arena.client.byzanz.Cards.cards;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.v1.Byzanz.ByzanzMove;
import arena.v1.Byzanz.ByzanzObservation;
import arena.v1.Byzanz.ByzanzSeat;
import arena.v1.Play;
import com.google.protobuf.TextFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByzanzTest {
    /** The 24 goods and the trader are numbered as in the protocol. */
    @Test
    void cardsHaveKindValueAndName() {
        Card wine = Card.of("wine-3");
        assertEquals(11, wine.number());
        assertEquals(Kind.WINE, wine.kind());
        assertEquals(3, wine.value());
        assertEquals("cloth-1", Card.of(1).name());
        assertEquals("olives-4", Card.of(24).name());
        assertEquals("trader", Card.TRADER.name());
        assertEquals(0, Card.TRADER.value());
        assertTrue(wine.compareTo(Card.TRADER) < 0);
        assertThrows(IllegalArgumentException.class, () -> cards("wine-1 beer-2"));
    }

    /** Numbers of a later version of the protocol do no harm. */
    @Test
    void unknownNumbersAreLikeCardsNotSeen() {
        assertEquals(List.of(Card.UNKNOWN, Card.UNKNOWN, Card.UNKNOWN), cards(List.of(0, 99, -1)));
        assertEquals(Phase.UNKNOWN, Phase.of(99));
        Move move = new Move(0, ByzanzMove.newBuilder().setTypeValue(99).setKindValue(88).build());
        assertEquals("unknown unknown", move.text());
    }

    /** Values add up, sales score their best card, kinds can be told apart. */
    @Test
    void groupsOfCardsAreCountedAndValued() {
        List<Card> group = cards("cloth-1 cloth-4 trader");
        assertEquals(5, Cards.value(group));
        assertEquals(4, Cards.salePoints(group));
        assertEquals(5, Cards.salePoints(cards("trader trader trader")));
        assertEquals(cards("cloth-1 cloth-4"), Cards.ofKind(group, Kind.CLOTH));
        assertEquals(
                Map.of(Kind.CLOTH, cards("cloth-1 cloth-4"), Kind.TRADER, cards("trader")),
                Cards.byKind(group));
        Map<Card, Integer> counts = Cards.counts(group, group);
        assertEquals(2, counts.get(Card.TRADER));
        assertEquals(
                cards("cloth-1 cloth-1 cloth-4 trader trader"),
                Cards.without(counts, cards("cloth-4 wine-1")));
    }

    /** The text of a move is that of the rules. */
    @ParameterizedTest
    @CsvSource({
        "type: TYPE_PASS, pass",
        "type: TYPE_BID cards: 6 cards: 9, bid spice-2 wine-1",
        "type: TYPE_GIVE cards: 13, give wood-1",
        "type: TYPE_TAKE kind: BYZANZ_KIND_WOOD, take wood",
        "type: TYPE_TAKE kind: BYZANZ_KIND_TRADER, take trader",
        "type: TYPE_SELL cards: 1 cards: 4 cards: 25, sell cloth-1 cloth-4 trader",
        "type: TYPE_DISCARD cards: 17, discard grain-1",
        "type: TYPE_DONE, done",
    })
    void movesReadAsInTheRules(String message, String text) throws TextFormat.ParseException {
        assertEquals(text, new Move(0, TextFormat.parse(message, ByzanzMove.class)).text());
    }

    /** Moves by type, cards and seats come out of the message. */
    @Test
    void aDecisionShowsMovesAndTable() {
        Play.Decision.Builder message = Play.Decision.newBuilder().setLegalCount(3);
        message.getByzanzBuilder()
                .setObservation(
                        ByzanzObservation.newBuilder()
                                .setSeat(1)
                                .setRound(2)
                                .addHandValue(25)
                                .addSeats(ByzanzSeat.newBuilder().setPoints(4))
                                .addSeats(ByzanzSeat.newBuilder().setPoints(9).addLaidValue(9))
                                .addSeats(ByzanzSeat.newBuilder().setPoints(5)))
                .addLegalMoves(ByzanzMove.newBuilder().setTypeValue(1))
                .addLegalMoves(ByzanzMove.newBuilder().setTypeValue(2).addCardsValue(6))
                .addLegalMoves(ByzanzMove.newBuilder().setTypeValue(2).addCardsValue(7));
        Play.MatchStarted.Builder started = Play.MatchStarted.newBuilder().setGame("byzanz");
        started.getByzanzBuilder().setRounds(5);
        Decision decision = new Decision(new Match(started.build()), message.build());
        List<Move> bids = decision.movesOf(MoveType.BID, MoveType.SELL);
        assertEquals(List.of(1, 2), bids.stream().map(Move::index).toList());
        assertEquals(List.of(2, 3), bids.stream().map(Move::value).toList());
        assertEquals(3, decision.roundsLeft());
        Observation seen = decision.observation();
        assertSame(seen, decision.observation());
        assertEquals(cards("trader"), seen.hand());
        assertTrue(seen.leader().isEmpty());
        assertEquals(9, seen.own().points());
        assertEquals(cards("wine-1"), seen.own().laid());
        assertEquals(List.of(5, 4), seen.others().stream().map(Seat::points).toList());
    }
}
