package arena.client;

import arena.client.FakeArena.Script;
import arena.client.FakeArena.Visit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * How a session went.
 *
 * @param visits the connections, with what came over them
 * @param lines what was reported to the author
 * @param error why it ended before its time; null if it did not
 */
record Played(List<Visit> visits, List<String> lines, ArenaClientException error) {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** Lets a bot play against scripts in this process. */
    static Played play(Program program, Script... scripts) throws Exception {
        return play(program, Duration.ofSeconds(5), scripts);
    }

    static Played play(Program program, Duration resumeTimeout, Script... scripts)
            throws Exception {
        try (FakeArena arena = new FakeArena(scripts)) {
            Settings settings =
                    Settings.at(arena.address())
                            .withToken("secret")
                            .withTimeouts(CONNECT, resumeTimeout);
            List<String> lines = new CopyOnWriteArrayList<>();
            ArenaClientException error = null;
            try {
                new Session(program, settings, lines::add).play();
            } catch (ArenaClientException thrown) {
                error = thrown;
            }
            return new Played(arena.visits(), lines, error);
        }
    }

    /** Whether something was reported. */
    boolean hasLine(String part) {
        return lines.stream().anyMatch(line -> line.contains(part));
    }
}
