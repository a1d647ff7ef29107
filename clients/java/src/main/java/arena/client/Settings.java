package arena.client;

import arena.client.ArenaClientException.UsageError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How to reach an arena. Files are paths to PEM files; empty means none.
 *
 * @param address host:port, [v6]:port or unix:/path
 * @param token who the bot is; empty where there are no tokens
 * @param tls whether to talk TLS; a file implies it
 * @param caFile the authority of the arena; that of the system if empty
 * @param certFile a client certificate
 * @param keyFile the key of the certificate
 * @param connectTimeout how long to keep trying at the start
 * @param resumeTimeout how long to keep trying after a lost connection
 */
public record Settings(
        String address,
        String token,
        boolean tls,
        String caFile,
        String certFile,
        String keyFile,
        Duration connectTimeout,
        Duration resumeTimeout) {

    static final String USAGE =
            """
            A bot for arena. Each flag can also be set as an environment variable.

              --address ADDRESS          unix:/path or host:port (ARENA_ADDRESS)
              --token TOKEN              the token from the organiser (prefer ARENA_TOKEN: other users can see flags)
              --tls                      TLS with the system's certificate authorities (ARENA_TLS=1)
              --ca-file FILE             TLS with the certificate authority in this PEM file (ARENA_CA_FILE)
              --cert-file FILE           a client certificate (ARENA_CERT_FILE)
              --key-file FILE            its key (ARENA_KEY_FILE)
              --connect-timeout SECONDS  how long to keep trying at the start: 5 (ARENA_CONNECT_TIMEOUT)
              --resume-timeout SECONDS   how long to keep trying later: 30 (ARENA_RESUME_TIMEOUT)
            """;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RESUME_TIMEOUT = Duration.ofSeconds(30);
    private static final Set<String> YES = Set.of("1", "true", "yes", "on");
    private static final Set<String> NO = Set.of("", "0", "false", "no", "off");
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(?<host>\\[[0-9A-Fa-f:.%\\w]+]|[^\\s:/\\[\\]]+):(?<port>\\d{1,5})");
    private static final List<String> FLAGS =
            List.of(
                    "--address",
                    "--token",
                    "--tls",
                    "--ca-file",
                    "--cert-file",
                    "--key-file",
                    "--connect-timeout",
                    "--resume-timeout");

    /** Settings are checked however they are made. */
    public Settings {
        checkAddress(address);
        if (!token.codePoints().allMatch(Texts::isPrintable)) {
            throw new UsageError("ARENA_TOKEN has characters that no token has: copy it again");
        }
        checkFile("CA_FILE", caFile);
        checkFile("CERT_FILE", certFile);
        checkFile("KEY_FILE", keyFile);
        if (certFile.isEmpty() != keyFile.isEmpty()) {
            throw new UsageError(
                    "a client certificate needs both ARENA_CERT_FILE and ARENA_KEY_FILE");
        }
        tls = tls || !caFile.isEmpty() || !certFile.isEmpty();
    }

    /** Returns the settings for an arena without tokens and TLS. */
    public static Settings at(String address) {
        return new Settings(address, "", false, "", "", "", CONNECT_TIMEOUT, RESUME_TIMEOUT);
    }

    /** Returns these settings with a token. */
    public Settings withToken(String token) {
        return new Settings(
                address, token, tls, caFile, certFile, keyFile, connectTimeout, resumeTimeout);
    }

    /** Returns these settings with other times to keep trying. */
    public Settings withTimeouts(Duration connectTimeout, Duration resumeTimeout) {
        return new Settings(
                address, token, tls, caFile, certFile, keyFile, connectTimeout, resumeTimeout);
    }

    /**
     * Returns the settings of a bot program, from its flags and its environment; flags count more.
     *
     * @throws UsageError an address is missing, or something makes no sense
     */
    public static Settings read(List<String> arguments, Map<String, String> environment) {
        Map<String, String> values = new HashMap<>();
        for (String flag : FLAGS) {
            values.put(flag, environment.getOrDefault(variable(flag), ""));
        }
        values.putAll(flags(arguments));
        return new Settings(
                values.get("--address"),
                values.get("--token"),
                isYes(values.get("--tls")),
                values.get("--ca-file"),
                values.get("--cert-file"),
                values.get("--key-file"),
                timeout("CONNECT_TIMEOUT", values.get("--connect-timeout"), CONNECT_TIMEOUT),
                timeout("RESUME_TIMEOUT", values.get("--resume-timeout"), RESUME_TIMEOUT));
    }

    /** Never shows the token. */
    @Override
    public String toString() {
        return "<Settings %s>".formatted(address);
    }

    private static Map<String, String> flags(List<String> arguments) {
        Map<String, String> given = new HashMap<>();
        for (int place = 0; place < arguments.size(); place++) {
            String[] parts = arguments.get(place).split("=", 2);
            String flag = parts[0];
            if (!FLAGS.contains(flag)) {
                throw new UsageError("unknown flag %s: see --help".formatted(Texts.inert(flag)));
            }
            if (flag.equals("--tls")) {
                if (parts.length > 1) {
                    throw new UsageError("--tls takes no value");
                }
                given.put(flag, "1");
            } else if (parts.length > 1) {
                given.put(flag, parts[1]);
            } else if (++place < arguments.size()) {
                given.put(flag, arguments.get(place));
            } else {
                throw new UsageError(flag + " needs a value");
            }
        }
        return given;
    }

    private static String variable(String flag) {
        return "ARENA_" + flag.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }

    private static void checkAddress(String text) {
        if (text.isEmpty()) {
            throw new UsageError(
                    "no address: set ARENA_ADDRESS to unix:/path or host:port, or --address");
        }
        Matcher found = HOST_AND_PORT.matcher(text);
        boolean isSocket = text.startsWith("unix:") && text.length() > "unix:".length();
        if (isSocket
                || !text.startsWith("unix:") && found.matches() && isPort(found.group("port"))) {
            return;
        }
        throw new UsageError(
                "ARENA_ADDRESS must be unix:/path or host:port, not '%s'"
                        .formatted(Texts.inert(text)));
    }

    private static boolean isPort(String digits) {
        int port = Integer.parseInt(digits);
        return port > 0 && port < 1 << 16;
    }

    private static boolean isYes(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (!YES.contains(lower) && !NO.contains(lower)) {
            throw new UsageError("ARENA_TLS must be 1 or 0, not '%s'".formatted(Texts.inert(text)));
        }
        return YES.contains(lower);
    }

    private static void checkFile(String name, String path) {
        if (!path.isEmpty() && !Files.isRegularFile(Path.of(path))) {
            throw new UsageError(
                    "ARENA_%s: there is no file %s".formatted(name, Texts.inert(path)));
        }
    }

    private static Duration timeout(String name, String text, Duration otherwise) {
        if (text.isEmpty()) {
            return otherwise;
        }
        double seconds;
        try {
            seconds = Double.parseDouble(text);
        } catch (NumberFormatException error) {
            seconds = -1;
        }
        if (!(seconds >= 0 && seconds < Double.POSITIVE_INFINITY)) {
            throw new UsageError(
                    "ARENA_%s must be a number of seconds, not '%s'"
                            .formatted(name, Texts.inert(text)));
        }
        return Duration.ofNanos((long) (seconds * 1e9)); // a Duration holds 292 years of them
    }
}
