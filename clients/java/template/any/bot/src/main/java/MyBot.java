import arena.client.Bot;
import arena.client.Choice;
import arena.client.Decision;
import arena.client.Match;
import arena.client.Program;

/** Plays every game, at random. One object is made per match: keep what you like in its fields. */
public final class MyBot implements Bot {
    private final Match match;

    MyBot(Match match) {
        this.match = match;
    }

    @Override
    public Choice decide(Decision decision) {
        return Choice.of(match.rng().nextInt(decision.legalCount()));
    }

    public static void main(String[] arguments) {
        Program.anyGame("{{name}}", MyBot::new).version("1").run(arguments);
    }
}
