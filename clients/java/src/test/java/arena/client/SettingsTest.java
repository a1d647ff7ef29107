package arena.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.client.ArenaClientException.UsageError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    /** Every variable is read, and files make the connection a TLS one. */
    @Test
    void readsTheEnvironment(@TempDir Path directory) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Settings settings =
                Settings.read(
                        List.of(),
                        Map.of(
                                "ARENA_ADDRESS",
                                "arena.example:50051",
                                "ARENA_TOKEN",
                                "hidden",
                                "ARENA_CA_FILE",
                                file.toString(),
                                "ARENA_CERT_FILE",
                                file.toString(),
                                "ARENA_KEY_FILE",
                                file.toString(),
                                "ARENA_RESUME_TIMEOUT",
                                "2.5"));
        assertTrue(settings.tls());
        assertEquals(Duration.ofMillis(2500), settings.resumeTimeout());
        assertEquals(Duration.ofSeconds(5), settings.connectTimeout());
        assertEquals("hidden", settings.token());
        assertFalse(settings.toString().contains("hidden"));
    }

    /** Flags count more than variables, and may be written in two ways. */
    @Test
    void flagsCountMore() {
        Settings settings =
                Settings.read(
                        List.of("--address=[::1]:5", "--token", "flag", "--tls"),
                        Map.of("ARENA_ADDRESS", "a:1", "ARENA_TOKEN", "variable"));
        assertEquals("[::1]:5", settings.address());
        assertEquals("flag", settings.token());
        assertTrue(settings.tls());
    }

    /** TLS is off unless something asks for it. */
    @ParameterizedTest
    @CsvSource({"1,true", "on,true", "0,false", "'',false"})
    void tlsIsYesOrNo(String value, boolean isOn) {
        Map<String, String> environment = Map.of("ARENA_ADDRESS", "a:5", "ARENA_TLS", value);
        assertEquals(isOn, Settings.read(List.of(), environment).tls());
    }

    /** A setting that makes no sense is refused by its name. */
    @ParameterizedTest
    @CsvSource({
        "ADDRESS,http://localhost:5",
        "ADDRESS,localhost",
        "ADDRESS,localhost:99999",
        "ADDRESS,localhost:0",
        "ADDRESS,unix:",
        "ADDRESS,''",
        "TOKEN,bro\u0001ken",
        "TOKEN,\ud800",
        "TLS,maybe",
        "CA_FILE,/nowhere/ca.pem",
        "CONNECT_TIMEOUT,soon",
        "CONNECT_TIMEOUT,-1",
        "RESUME_TIMEOUT,NaN",
        "RESUME_TIMEOUT,Infinity",
    })
    void refusesNonsense(String name, String value) {
        Map<String, String> environment =
                name.equals("ADDRESS")
                        ? Map.of("ARENA_ADDRESS", value)
                        : Map.of("ARENA_ADDRESS", "a:5", "ARENA_" + name, value);
        UsageError error =
                assertThrows(UsageError.class, () -> Settings.read(List.of(), environment));
        assertTrue(error.getMessage().contains("ARENA_" + name), error.getMessage());
        assertEquals(2, error.exitCode());
    }

    /** An unknown flag, or one without its value, is refused by its name. */
    @ParameterizedTest
    @ValueSource(strings = {"--speed", "--token", "--tls=1", "word"})
    void refusesWrongFlags(String flag) {
        Map<String, String> environment = Map.of("ARENA_ADDRESS", "a:5");
        UsageError error =
                assertThrows(UsageError.class, () -> Settings.read(List.of(flag), environment));
        assertTrue(error.getMessage().contains(flag.replace("=1", "")), error.getMessage());
    }

    /** A client certificate without a key is refused. */
    @Test
    void aCertificateNeedsItsKey(@TempDir Path directory) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Map<String, String> environment =
                Map.of("ARENA_ADDRESS", "a:5", "ARENA_CERT_FILE", file.toString());
        UsageError error =
                assertThrows(UsageError.class, () -> Settings.read(List.of(), environment));
        assertTrue(error.getMessage().contains("ARENA_KEY_FILE"));
    }
}
