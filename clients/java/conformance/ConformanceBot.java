import arena.client.Bot;
import arena.client.Choice;
import arena.client.Decision;
import arena.client.Match;
import arena.client.Move;
import arena.client.Outcome;
import arena.client.Program;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Plays as CONFORMANCE says, for the tests of clients/conformance (see clients/README.md). */
public final class ConformanceBot implements Bot {
    private final Match match;
    private final String behaviour;
    private final long delayMs;
    private int asked;

    private ConformanceBot(Match match, Map<String, String> variables) {
        this.match = match;
        behaviour = value(variables, "CONFORMANCE", "first");
        delayMs = Long.parseLong(value(variables, "CONFORMANCE_DELAY_MS", "1000"));
        failIf("fail_on_start");
    }

    /** Returns the bot as the variables of an environment say. */
    static Program program(Map<String, String> variables) {
        String games = value(variables, "CONFORMANCE_GAMES", "").strip();
        return Program.anyGame("conformance", match -> new ConformanceBot(match, variables))
                .version("1")
                .games(games.isEmpty() ? new String[0] : games.split("\\s+"))
                .maxMatches(Integer.parseInt(value(variables, "CONFORMANCE_MAX_MATCHES", "8")))
                .workers(Integer.parseInt(value(variables, "CONFORMANCE_WORKERS", "1")));
    }

    @Override
    public Choice decide(Decision decision) throws InterruptedException {
        asked++;
        failIf("fail");
        switch (behaviour) {
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
                Thread.sleep(delayMs);
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
        program(System.getenv()).run(arguments);
    }

    private void failIf(String behaviour) {
        if (this.behaviour.equals(behaviour)) {
            throw new IllegalStateException("the author's mistake");
        }
    }

    private static String value(Map<String, String> variables, String name, String otherwise) {
        String value = variables.getOrDefault(name, "");
        return value.isEmpty() ? otherwise : value;
    }
}
