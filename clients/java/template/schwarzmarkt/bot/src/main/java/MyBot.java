import arena.client.Program;
import arena.client.SchwarzmarktBot;
import arena.client.schwarzmarkt.Decision;
import arena.client.schwarzmarkt.Goods;
import arena.client.schwarzmarkt.Match;
import arena.client.schwarzmarkt.Move;
import arena.client.schwarzmarkt.MoveType;
import arena.client.schwarzmarkt.Observation;
import java.util.Comparator;
import java.util.List;

/** Plays Schwarzmarkt. One object is made per match: keep what you like in its fields. */
public final class MyBot implements SchwarzmarktBot {
    private static final int DECENT = 10; // a price to trade at

    private final Match match;

    MyBot(Match match) {
        this.match = match;
    }

    /** Trades all it can at a decent price, and plays the offers that want its goods. */
    @Override
    public Move decide(Decision decision) {
        Observation seen = decision.observation();
        List<Move> trades = decision.movesOf(MoveType.TRADE);
        if (!trades.isEmpty() && seen.price() >= DECENT) {
            return best(trades, Comparator.comparingInt(trade -> trade.goods().size()));
        }
        List<Move> steps = decision.movesOf(MoveType.STEP, MoveType.HOLD);
        if (!steps.isEmpty()) {
            return steps.get(0);
        }
        List<Move> plays = decision.movesOf(MoveType.PLAY);
        if (!plays.isEmpty()) {
            return best(plays, Comparator.comparingInt(play -> wanted(seen, play)));
        }
        int any = match.rng().nextInt(decision.legalCount());
        return decision.legalMoves().get(any);
    }

    private static int wanted(Observation seen, Move play) {
        return play.card().map(card -> Goods.wanted(seen.goods(), card.demand())).orElse(0);
    }

    private static Move best(List<Move> moves, Comparator<Move> order) {
        return moves.stream().max(order).orElseThrow();
    }

    public static void main(String[] arguments) {
        Program.schwarzmarkt("{{name}}", MyBot::new).version("1").run(arguments);
    }
}
