package arena.client;

import arena.client.ArenaClientException.UsageError;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A bot as a program: who it is, how its objects are made, settings, signals and exit codes.
 *
 * @param name its name, up to 64 characters. Where there are tokens theirs counts
 * @param version its version, shown in replays and leaderboards
 * @param games the games it plays. Empty means every game
 * @param maxMatches how many matches it takes at once
 * @param workers on how many threads decide() runs; more than 1 thinks about several matches at
 *     once
 * @param make makes the object that plays a match
 */
public record Program(
        String name,
        String version,
        List<String> games,
        int maxMatches,
        int workers,
        Function<? super Match, ? extends Bot> make) {
    private static final int MAX_NAME = 64; // characters, by the protocol
    private static final int INTERRUPTED = 130; // what shells give for Ctrl-C
    private static final PrintStream STDERR =
            new PrintStream(System.err, true, StandardCharsets.UTF_8);

    /** Returns a program that plays every game. */
    public static Program anyGame(String name, Function<? super Match, ? extends Bot> make) {
        return new Program(name, "", List.of(), 16, 1, make);
    }

    /** Returns a program that plays Byzanz. */
    public static Program byzanz(
            String name, Function<arena.client.byzanz.Match, ? extends ByzanzBot> make) {
        return anyGame(name, match -> make.apply((arena.client.byzanz.Match) match))
                .games("byzanz");
    }

    /** Returns a program that plays Schwarzmarkt. */
    public static Program schwarzmarkt(
            String name,
            Function<arena.client.schwarzmarkt.Match, ? extends SchwarzmarktBot> make) {
        return anyGame(name, match -> make.apply((arena.client.schwarzmarkt.Match) match))
                .games("schwarzmarkt");
    }

    /** Returns this program with a version. */
    public Program version(String version) {
        return new Program(name, version, games, maxMatches, workers, make);
    }

    /** Returns this program for some games alone. */
    public Program games(String... games) {
        return new Program(name, version, List.of(games), maxMatches, workers, make);
    }

    /** Returns this program with how many matches it takes at once; 16 otherwise. */
    public Program maxMatches(int maxMatches) {
        return new Program(name, version, games, maxMatches, workers, make);
    }

    /** Returns this program with how many matches it thinks about at once; 1 otherwise. */
    public Program workers(int workers) {
        return new Program(name, version, games, maxMatches, workers, make);
    }

    /**
     * Plays until the arena says goodbye, then ends the process: with 0 after a goodbye or SIGTERM,
     * 1 if the bot's own code failed, 2 for bad usage or if the arena refuses, 3 if it cannot be
     * reached, 130 after Ctrl-C.
     *
     * <p>Reads ARENA_ADDRESS, ARENA_TOKEN and the other variables; flags of the same names count
     * more.
     *
     * @param arguments the flags
     */
    public void run(String... arguments) {
        int code = code(List.of(arguments), System.getenv());
        System.exit(code); // whatever threads of the author, or of a decide(), are still running
    }

    /** Does all that run() does but end the process; returns the exit code. */
    int code(List<String> arguments, Map<String, String> environment) {
        try {
            if (arguments.contains("--help")) {
                System.out.print(Settings.USAGE);
                return 0;
            }
            return play(Settings.read(arguments, environment));
        } catch (ArenaClientException error) {
            if (error.getCause() != null) {
                showStack(error.getCause());
            }
            report(error.getMessage());
            return error.exitCode();
        }
    }

    /**
     * Plays until the arena says goodbye or a signal comes.
     *
     * @return the exit code: 0, or 130 after Ctrl-C
     * @throws ArenaClientException it ended in another way
     */
    public int play(Settings settings) {
        check();
        Session session = new Session(this, settings, Program::report);
        AtomicInteger code = new AtomicInteger();
        Signals signals =
                new Signals(
                        signal -> {
                            code.set(signal.equals("SIGINT") ? INTERRUPTED : 0);
                            session.stop("stopped by " + signal);
                        });
        try (signals) {
            session.play();
        }
        return code.get();
    }

    private void check() {
        if (name.isEmpty() || !isLabel(name)) {
            throw new UsageError(
                    "name must be a text of 1 to 64 printable characters: " + Texts.inert(name));
        }
        if (!isLabel(version)) {
            throw new UsageError(
                    "version must be a text of up to 64 printable characters: "
                            + Texts.inert(version));
        }
        if (maxMatches < 1) {
            throw new UsageError("maxMatches must be 1 or more: " + maxMatches);
        }
        if (workers < 1) {
            throw new UsageError("workers must be 1 or more: " + workers);
        }
    }

    private static boolean isLabel(String text) {
        return text.codePoints().count() <= MAX_NAME
                && text.codePoints().allMatch(Texts::isPrintable);
    }

    /** Shows the stack of the author's code, without the frames of this package that called it. */
    private static void showStack(Throwable error) {
        error.setStackTrace(
                Stream.of(error.getStackTrace())
                        .takeWhile(frame -> !frame.getClassName().equals(Players.class.getName()))
                        .toArray(StackTraceElement[]::new));
        error.printStackTrace(STDERR);
    }

    private static void report(String text) {
        STDERR.println("arena_client: " + text);
    }
}
