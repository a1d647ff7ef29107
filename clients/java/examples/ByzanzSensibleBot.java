import static arena.client.byzanz.Cards.byKind;
import static arena.client.byzanz.Cards.counts;
import static arena.client.byzanz.Cards.ofKind;
import static arena.client.byzanz.Cards.salePoints;
import static arena.client.byzanz.Cards.without;

import arena.client.ByzanzBot;
import arena.client.Program;
import arena.client.byzanz.Card;
import arena.client.byzanz.Decision;
import arena.client.byzanz.Move;
import arena.client.byzanz.MoveType;
import arena.client.byzanz.Observation;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Byzanz: values a hand by the sales it makes or may make, and does what makes it worth most. */
public final class ByzanzSensibleBot implements ByzanzBot {
    // What an incomplete sale of so many cards is worth, of its best card.
    private static final double[] HOPE = {0.0, 0.3, 0.65};

    /** Returns the move after which points and hand are worth most. */
    @Override
    public Move decide(Decision decision) {
        Observation seen = decision.observation();
        return decision.legalMoves().stream()
                .max(Comparator.comparingDouble(move -> after(seen, move))) // the first of equals
                .orElseThrow();
    }

    private static double after(Observation seen, Move move) {
        if (move.type() == MoveType.DONE) {
            return 0.0;
        }
        List<Card> gain =
                switch (move.type()) {
                    case PASS -> seen.own().laid();
                    case BID, GIVE -> seen.lot();
                    case TAKE -> ofKind(seen.market(), move.kind().orElseThrow());
                    default -> List.of();
                };
        double hand = worth(without(counts(seen.hand(), gain), move.cards()));
        return hand + (move.type() == MoveType.SELL ? salePoints(move.cards()) : 0);
    }

    /** Returns about how many points a hand will make. */
    private static double worth(List<Card> hand) {
        double total = 1.3 * Collections.frequency(hand, Card.TRADER);
        for (List<Card> group : byKind(hand).values()) {
            int[] values = group.stream().mapToInt(card -> -card.value()).sorted().toArray();
            int sales = values.length / 3;
            int sold = 0;
            for (int place = 0; place < sales; place++) {
                sold -= values[place];
            }
            int next = sales < values.length ? -values[sales] : 0;
            total += sold + HOPE[values.length % 3] * next;
        }
        return total;
    }

    public static void main(String[] arguments) {
        Program.byzanz("sensible", match -> new ByzanzSensibleBot()).version("1").run(arguments);
    }
}
