package arena.client;

import static arena.client.Messages.decision;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.client.ArenaClientException.UsageError;
import arena.client.FakeArena.Script;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bots as programs of their own: what clients/conformance does not ask of every language. */
@Timeout(60)
class ProgramTest {
    /** A whole match of one decision. */
    private static void playShortly(FakeArena.Visit visit) throws InterruptedException {
        visit.welcome();
        visit.start("a");
        visit.ask(decision("a", 1));
        assertEquals(1, visit.answers().size());
        visit.end("a");
        visit.goodbye();
    }

    /** What the author's code throws is shown with its stack, without that of the library. */
    @Test
    void showsTheStackOfAFailure() throws Exception {
        Ended ended =
                run(
                        "ConformanceBot",
                        Map.of("CONFORMANCE", "fail"),
                        visit -> {
                            visit.welcome();
                            visit.start("a");
                            visit.ask(decision("a", 1));
                            assertTrue(visit.leave().getFailed());
                        });
        assertEquals(1, ended.code());
        assertTrue(ended.output().contains("at ConformanceBot.decide(ConformanceBot.java:"));
        assertTrue(ended.output().contains("arena_client: ConformanceBot.decide() failed in"));
        assertFalse(ended.output().contains("Players"), ended.output());
    }

    /** The bot that the README shows first works as it stands. */
    @Test
    void theBotOfTheReadmePlays(@TempDir Path directory) throws Exception {
        String shown = Files.readString(Path.of("README.md")).split("```java\n")[1];
        Path source = directory.resolve("MyBot.java");
        Files.writeString(source, shown.substring(0, shown.indexOf("```")));
        assertEquals(0, run(source.toString(), Map.of(), ProgramTest::playShortly).code());
    }

    static Stream<Program> wrong() {
        Program program = Program.anyGame("wrong", match -> decision -> Choice.of(0));
        return Stream.of(
                Program.anyGame("", match -> decision -> Choice.of(0)),
                Program.anyGame("x".repeat(65), match -> decision -> Choice.of(0)),
                program.version("two\nlines"),
                program.maxMatches(0),
                program.workers(0));
    }

    /** A program that the arena would refuse is refused before it dials. */
    @ParameterizedTest
    @MethodSource
    void wrong(Program program) {
        assertThrows(UsageError.class, () -> program.play(Settings.at("localhost:1")));
    }

    /** Returns the command of a class, or of a file with the source of one. */
    private static List<String> java(String bot) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@programs.args",
                bot);
    }

    private record Ended(int code, String output) {}

    private static Ended run(String bot, Map<String, String> environment, Script... scripts)
            throws IOException, InterruptedException {
        try (FakeArena arena = new FakeArena(scripts)) {
            ProcessBuilder builder = new ProcessBuilder(java(bot)).redirectErrorStream(true);
            builder.environment().putAll(environment);
            builder.environment().put("ARENA_ADDRESS", arena.address());
            Process process = builder.start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            return new Ended(process.exitValue(), output);
        }
    }
}
