import arena.client.Bot;
import arena.client.Choice;
import arena.client.Decision;
import arena.client.Program;

/**
 * Chooses any legal move. Plays every game, and knows nothing but how many legal moves there are.
 */
public final class RandomBot implements Bot {
    @Override
    public Choice decide(Decision decision) {
        return Choice.of(decision.match().rng().nextInt(decision.legalCount()));
    }

    public static void main(String[] arguments) {
        Program.anyGame("random", match -> new RandomBot())
                .version("1")
                .maxMatches(64)
                .run(arguments);
    }
}
