package arena.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import arena.client.ArenaClientException.Unreachable;
import arena.client.ArenaClientException.UsageError;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.IOException;
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

    /** With the authority of the arena, and the certificate it asks for, TLS works. */
    @Test
    void speaksTls() throws Exception {
        Path arena = certify("arena");
        Path own = certify("own");
        ServerCredentials server =
                TlsServerCredentials.newBuilder()
                        .keyManager(arena.toFile(), key(arena).toFile())
                        .trustManager(own.toFile())
                        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                        .build();
        playOverTls(server, arena, own);
        assertThrows(Unreachable.class, () -> playOverTls(server, arena, null));
    }

    /** An arena whose certificate is from somebody else is not talked to. */
    @Test
    void distrustsOtherAuthorities() throws Exception {
        Path arena = certify("arena");
        Path other = certify("other");
        ServerCredentials server = TlsServerCredentials.create(arena.toFile(), key(arena).toFile());
        Unreachable error = assertThrows(Unreachable.class, () -> playOverTls(server, other, null));
        assertTrue(error.getMessage().contains("no arena answers at localhost:"));
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

    private static void playOverTls(ServerCredentials server, Path authority, Path own)
            throws IOException {
        try (FakeArena arena = new FakeArena(server, DialerTest::hail)) {
            play(
                    new Settings(
                            arena.address(),
                            "",
                            true,
                            authority.toString(),
                            own == null ? "" : own.toString(),
                            own == null ? "" : key(own).toString(),
                            own == null ? SHORT : Duration.ofSeconds(10),
                            SHORT));
        }
    }

    /** Makes a certificate that vouches for itself, and its key beside it. */
    private Path certify(String name) throws Exception {
        Path certificate = directory.resolve(name + ".pem");
        Process openssl;
        try {
            openssl =
                    new ProcessBuilder(
                                    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256"
                                            .concat(" -nodes -days 2 -subj /CN=" + name)
                                            .concat(" -addext subjectAltName=DNS:localhost")
                                            .concat(" -keyout " + key(certificate))
                                            .concat(" -out " + certificate)
                                            .split(" "))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
        } catch (IOException error) {
            assumeTrue(false, "openssl is not installed");
            throw error;
        }
        assertEquals(0, openssl.waitFor());
        return certificate;
    }

    private static Path key(Path certificate) {
        return Path.of(certificate + ".key");
    }
}
