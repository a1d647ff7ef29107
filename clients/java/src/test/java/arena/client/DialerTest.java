package arena.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.client.ArenaClientException.Unreachable;
import arena.client.ArenaClientException.UsageError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class DialerTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    @TempDir Path directory;

    /** A socket of the file system is as good as a port. */
    @Test
    void dialsSockets() throws Exception {
        Path path = directory.resolve("arena");
        FakeArena arena = FakeArena.on(path, DialerTest::hail);
        try (arena) {
            play(Settings.at("unix:" + path));
            assertEquals(1, arena.visits().size());
        }
    }

    /** Without anybody listening the session gives up after its time. */
    @Test
    void reportsThatNobodyIsThere() {
        Settings settings = Settings.at("unix:" + directory + "/none").withTimeouts(SHORT, SHORT);
        Unreachable error = assertThrows(Unreachable.class, () -> play(settings));
        assertEquals(
                "no arena answers at unix:%s/none (No such file or directory): is it running, and is ARENA_ADDRESS right?"
                        .formatted(directory),
                error.getMessage());
        assertEquals(3, error.exitCode());
    }

    /** A file that is no certificate is refused before anything is dialled. */
    @Test
    void refusesWhatIsNoCertificate() throws Exception {
        Path nonsense = Files.writeString(directory.resolve("nonsense.pem"), "nonsense");
        Settings settings =
                new Settings("a:5", "", true, nonsense.toString(), "", "", SHORT, SHORT);
        UsageError error = assertThrows(UsageError.class, () -> play(settings));
        assertTrue(
                error.getMessage().contains("cannot read a certificate or key"),
                error.getMessage());
    }

    private static void hail(FakeArena.Visit visit) throws InterruptedException {
        visit.welcome();
        visit.goodbye();
    }

    private static void play(Settings settings) {
        Program program = Program.anyGame("first", match -> decision -> Choice.of(0));
        new Session(program, settings, line -> {}).play();
    }
}
