import arena.client.Bot;
import arena.client.Choice;
import arena.client.Decision;
import arena.client.Match;
import arena.client.Move;
import arena.client.Outcome;
import arena.client.Program;
import java.util.HexFormat;
import java.util.List;

/** Plays as CONFORMANCE says, for the tests of clients/conformance (see clients/README.md). */
public final class ConformanceBot implements Bot {
    private static final String BEHAVIOUR = variable("CONFORMANCE", "first");
    private static final long DELAY_MS = Long.parseLong(variable("CONFORMANCE_DELAY_MS", "1000"));

    private final Match match;
    private int asked;

    private ConformanceBot(Match match) {
        this.match = match;
        failIf("fail_on_start");
    }

    @Override
    public Choice decide(Decision decision) throws InterruptedException {
        asked++;
        failIf("fail");
        switch (BEHAVIOUR) {
            case "last" -> {
                List<? extends Move> moves = decision.legalMoves();
                Move move = moves.get(moves.size() - 1);
                decision.note(move.text());
                return move;
            }
            case "illegal" -> {
                return Choice.of(decision.legalCount());
            }
            case "slow" -> {
                System.out.println("deciding " + match.id() + " " + decision.id());
                Thread.sleep(DELAY_MS);
                System.out.println("decided " + match.id() + " " + decision.id());
            }
            case "count" -> decision.note(Integer.toString(asked));
            case "seed" ->
                    decision.note(
                            HexFormat.of().formatHex(match.message().getBotSeed().toByteArray()));
            case "note" -> decision.note("é".repeat(2000));
            default -> {}
        }
        return Choice.of(0);
    }

    @Override
    public void ended(Outcome outcome) {
        failIf("fail_on_end");
        String told =
                outcome.isVoid()
                        ? "void"
                        : "rank %d score %d"
                                .formatted(outcome.rank().getAsInt(), outcome.score().getAsInt());
        System.out.println("ended " + match.id() + " " + told);
    }

    public static void main(String[] arguments) {
        String games = variable("CONFORMANCE_GAMES", "").strip();
        Program.anyGame("conformance", ConformanceBot::new)
                .version("1")
                .games(games.isEmpty() ? new String[0] : games.split("\\s+"))
                .maxMatches(Integer.parseInt(variable("CONFORMANCE_MAX_MATCHES", "8")))
                .workers(Integer.parseInt(variable("CONFORMANCE_WORKERS", "1")))
                .run(arguments);
    }

    private static void failIf(String behaviour) {
        if (BEHAVIOUR.equals(behaviour)) {
            throw new IllegalStateException("the author's mistake");
        }
    }

    private static String variable(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }
}
