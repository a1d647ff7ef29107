import arena.client.ByzanzBot;
import arena.client.Program;
import arena.client.byzanz.Cards;
import arena.client.byzanz.Decision;
import arena.client.byzanz.Match;
import arena.client.byzanz.Move;
import arena.client.byzanz.MoveType;
import arena.client.byzanz.Observation;
import java.util.Comparator;
import java.util.List;

/** Plays Byzanz. One object is made per match: keep what you like in its fields. */
public final class MyBot implements ByzanzBot {
    private final Match match;

    MyBot(Match match) {
        this.match = match;
    }

    /** Sells what it can, bids less than a lot is worth, and takes the most cards it can get. */
    @Override
    public Move decide(Decision decision) {
        Observation seen = decision.observation();
        List<Move> sales = decision.movesOf(MoveType.SELL);
        if (!sales.isEmpty()) {
            return best(sales, Comparator.comparingInt(sale -> Cards.salePoints(sale.cards())));
        }
        List<Move> takes = decision.movesOf(MoveType.TAKE);
        if (!takes.isEmpty()) {
            return best(takes, Comparator.comparingInt(take -> cardsTaken(seen, take)));
        }
        for (Move bid : decision.movesOf(MoveType.BID)) { // the lowest first
            if (Cards.value(seen.own().laid()) + bid.value() < Cards.value(seen.lot())) {
                return bid;
            }
        }
        int any = match.rng().nextInt(decision.legalCount());
        List<Move> passes = decision.movesOf(MoveType.PASS);
        return passes.isEmpty() ? decision.legalMoves().get(any) : passes.get(0);
    }

    private static int cardsTaken(Observation seen, Move take) {
        return take.kind().map(kind -> Cards.ofKind(seen.market(), kind).size()).orElse(0);
    }

    private static Move best(List<Move> moves, Comparator<Move> order) {
        return moves.stream().max(order).orElseThrow();
    }

    public static void main(String[] arguments) {
        Program.byzanz("{{name}}", MyBot::new).version("1").run(arguments);
    }
}
