import arena.client.Program;
import arena.client.SchwarzmarktBot;
import arena.client.schwarzmarkt.Card;
import arena.client.schwarzmarkt.Decision;
import arena.client.schwarzmarkt.Goods;
import arena.client.schwarzmarkt.Move;
import arena.client.schwarzmarkt.MoveType;
import arena.client.schwarzmarkt.Observation;
import java.util.Collections;
import java.util.Comparator;
import java.util.Optional;

/**
 * Schwarzmarkt: sells all it can at a decent price, and plays the offers that want its goods. Lets
 * the price rise slowly: a short step leaves the next seat a price it will not like.
 */
public final class SchwarzmarktSensibleBot implements SchwarzmarktBot {
    private static final double DECENT = 1 / 4.0; // of the last price

    /** Returns the move that looks best now. */
    @Override
    public Move decide(Decision decision) {
        Observation seen = decision.observation();
        return decision.legalMoves().stream()
                .max(Comparator.comparingDouble(move -> value(seen, move))) // the first of equals
                .orElseThrow();
    }

    private static double value(Observation seen, Move move) {
        int lastPrice = seen.material().prices().get(seen.material().lastSpace());
        if (move.type() == MoveType.TRADE) {
            return seen.price() >= DECENT * lastPrice ? move.goods().size() : -100;
        }
        if (move.type() == MoveType.STEP) {
            return -move.spaces();
        }
        Optional<Card> offer = move.card().filter(Card::isOffer);
        if (offer.isPresent()) {
            return Goods.wanted(seen.goods(), offer.get().demand());
        }
        int held = // find what is rare
                move.goods().stream()
                        .mapToInt(good -> Collections.frequency(seen.goods(), good))
                        .sum();
        return move.type() == MoveType.RETURN ? held : 0.5 - held;
    }

    public static void main(String[] arguments) {
        Program.schwarzmarkt("sensible", match -> new SchwarzmarktSensibleBot())
                .version("1")
                .run(arguments);
    }
}
