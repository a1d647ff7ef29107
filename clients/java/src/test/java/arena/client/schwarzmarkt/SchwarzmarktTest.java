package arena.client.schwarzmarkt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.v1.Play;
import arena.v1.Schwarzmarkt.SchwarzmarktDecision;
import arena.v1.Schwarzmarkt.SchwarzmarktMaterial;
import com.google.protobuf.TextFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchwarzmarktTest {
    private static final String MATERIAL =
            """
            track { price: 1 steps: 4 } track { price: 50 }
            cards { name: "offer:potatoes-2,butter-1" copies: 1 demand: 1 demand: 1 demand: 2 }
            cards { name: "old_debt" copies: 2 effect: SCHWARZMARKT_EFFECT_OLD_DEBT }
            cards { name: "foraging" copies: 1 effect: SCHWARZMARKT_EFFECT_FORAGING }
            goods: 1 goods: 5
            """;

    private static Decision decision(String content) throws TextFormat.ParseException {
        Play.MatchStarted started =
                Play.MatchStarted.newBuilder()
                        .setSchwarzmarkt(TextFormat.parse(MATERIAL, SchwarzmarktMaterial.class))
                        .build();
        Play.Decision message =
                Play.Decision.newBuilder()
                        .setSchwarzmarkt(TextFormat.parse(content, SchwarzmarktDecision.class))
                        .build();
        return new Decision(new Match(started), message);
    }

    /** The text of a move is that of the rules; a card of a later version is unknown. */
    @ParameterizedTest
    @CsvSource({
        "type: TYPE_PLAY card: 0, 'play offer:potatoes-2,butter-1'",
        "type: TYPE_PLAY card: 1 target: 0, play old_debt 0",
        "type: TYPE_PLAY card: 2 goods: 3 goods: 5, play foraging sugar flour",
        "type: TYPE_FIND goods: 1, find potatoes",
        "type: TYPE_BURY card: 1, bury old_debt",
        "type: TYPE_TRADE goods: 1 goods: 2, trade potatoes butter",
        "type: TYPE_STEP spaces: 4, step 4",
        "type: TYPE_HOLD, hold",
        "type: TYPE_RETURN goods: 4, return coffee",
        "type: TYPE_PLAY card: 77 goods: 88, play unknown unknown",
    })
    void movesReadAsInTheRules(String move, String text) throws TextFormat.ParseException {
        Decision decision = decision("legal_moves { " + move + " }");
        assertEquals(text, decision.legalMoves().get(0).text());
    }

    /** The cards of the observation are those of the material. */
    @Test
    void aDecisionShowsOfferPriceAndSeats() throws TextFormat.ParseException {
        Observation seen =
                decision(
                                """
                                observation {
                                  seat: 1 offer: 0 marker: 1
                                  demand: 1 demand: 2 goods: 1 goods: 1 goods: 5
                                  cards: 1 cards: 2 cards: 99
                                  open_cards { card: 1 target: 0 } open_cards { card: 2 }
                                  seats { luxury: 7 }
                                  seats { luxury: 9 known { goods: 3 unseen: 1 } }
                                }
                                """)
                        .observation();
        Card offer = seen.offer().orElseThrow();
        assertTrue(offer.isOffer());
        assertEquals(50, seen.price());
        assertEquals(1, Goods.wanted(seen.goods(), seen.demand()));
        assertEquals(2, Goods.wanted(seen.goods(), offer.demand()));
        assertEquals(
                List.of(
                        Optional.of(Effect.OLD_DEBT),
                        Optional.of(Effect.FORAGING),
                        Optional.empty()),
                seen.cards().stream().map(Card::effect).toList());
        assertEquals(0, seen.openCards().get(0).target().orElseThrow());
        assertTrue(seen.openCards().get(1).target().isEmpty());
        assertEquals(9, seen.own().luxury());
        assertEquals(List.of(Good.SUGAR), seen.own().known().get(0).goods());
        assertEquals(7, seen.others().get(0).luxury());
        assertTrue(seen.resolving().isEmpty());
    }

    /** Prices, steps and cards come with the match. */
    @Test
    void materialIsWhatIsPrinted() throws TextFormat.ParseException {
        Material material = decision("").match().material();
        assertEquals(List.of(1, 50), material.prices());
        assertEquals(List.of(4, 0), material.steps());
        assertEquals(1, material.lastSpace());
        assertEquals(List.of(Good.POTATOES, Good.FLOUR), material.goods());
    }

    /** A space that is not on the track pays nothing, and harms nobody. */
    @Test
    void anUnknownSpaceHasNoPrice() throws TextFormat.ParseException {
        assertEquals(0, decision("observation { marker: 9 }").observation().price());
    }
}
