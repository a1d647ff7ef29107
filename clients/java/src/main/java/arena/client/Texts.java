package arena.client;

import arena.v1.Play;
import io.grpc.Status;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** What is told to the author of a bot, in words. */
final class Texts {
    private static final String REPLACEMENT = "\uFFFD";

    private Texts() {}

    private static final String IS_RUNNING = "is it running, and is ARENA_ADDRESS right?";

    // The library has no codes for these, only texts; a conformance scenario notices when they
    // change.
    private static final List<Map.Entry<Pattern, String>> HANDSHAKE_HINTS =
            List.of(
                    Map.entry(
                            Pattern.compile("not an SSL/TLS record"),
                            "it does not use TLS: unset ARENA_TLS, ARENA_CA_FILE, ARENA_CERT_FILE"
                                    + " and ARENA_KEY_FILE"),
                    Map.entry(
                            Pattern.compile("No (subject alternative|name matching)"),
                            "its certificate is for another host name: set ARENA_ADDRESS to a name"
                                    + " in the certificate"),
                    Map.entry(
                            Pattern.compile("certification path|trust anchors|signature check"),
                            "its certificate is not signed by a trusted authority: set"
                                    + " ARENA_CA_FILE to the organiser's file"));

    /** Returns why the arena refused a session, and what to do. */
    static String refusal(Status status, String address, int protocol) {
        String what;
        String advice;
        switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED -> {
                what = "the arena rejected the token";
                advice = "set ARENA_TOKEN to the token from the organiser";
            }
            case ALREADY_EXISTS -> {
                what = "the token is in use";
                advice =
                        "stop the other program that uses it, or wait until the arena has closed"
                                + " its session";
            }
            case FAILED_PRECONDITION -> {
                what = "the arena does not accept this bot";
                advice =
                        "this SDK speaks protocol %d: install a matching version, or check the"
                                        .formatted(protocol)
                                + " bot's games";
            }
            case RESOURCE_EXHAUSTED -> {
                what = "a limit of the arena was exceeded";
                advice = "try again later, or take fewer matches at once (maxMatches)";
            }
            case UNIMPLEMENTED -> {
                what = "the server at %s is not an arena".formatted(address);
                advice = "check ARENA_ADDRESS";
            }
            default -> {
                what = "the arena ended the session";
                advice = "see arena's documentation";
            }
        }
        return "%s: %s (%s)".formatted(what, why(status), advice);
    }

    /** Returns what to check when no arena answers. */
    static String silenceHint(String why, Settings settings) {
        if (settings.tls()) {
            for (Map.Entry<Pattern, String> found : HANDSHAKE_HINTS) {
                if (found.getKey().matcher(why).find()) {
                    return found.getValue();
                }
            }
        }
        if (why.contains("refused") || settings.address().startsWith("unix:")) {
            return IS_RUNNING;
        }
        if (!settings.tls()) {
            return IS_RUNNING + " If it uses TLS, set ARENA_CA_FILE or ARENA_TLS=1";
        }
        return settings.certFile().isEmpty()
                ? IS_RUNNING
                        + " If it requires a client certificate, set ARENA_CERT_FILE and"
                        + " ARENA_KEY_FILE"
                : IS_RUNNING;
    }

    /** Returns the warning about an answer that was not used. */
    static String rejection(Play.Rejected rejected) {
        Play.Rejected.Reason reason = rejected.getReason();
        String name =
                reason == Play.Rejected.Reason.UNRECOGNIZED
                        ? Integer.toString(rejected.getReasonValue())
                        : reason.name()
                                .substring("REASON_".length())
                                .toLowerCase(Locale.ROOT)
                                .replace('_', ' ');
        String told = inert(rejected.getMessage());
        return "warning: the arena rejected the answer to decision %s of match %s (%s): %s"
                .formatted(
                        Integer.toUnsignedString(rejected.getDecisionId()),
                        inert(rejected.getMatchId()),
                        name,
                        told.isEmpty() ? advice(reason) : told);
    }

    /** Returns why a stream ended, in one line. */
    static String why(Status status) {
        Throwable cause = status.getCause();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String told = cause == null ? null : cause.getMessage();
        if (told == null) {
            told = status.getDescription();
        }
        return told == null || told.isEmpty()
                ? status.getCode().name()
                : inert(told.lines().findFirst().orElse(""));
    }

    /** Returns a text from elsewhere so that it can do nothing to a terminal. */
    static String inert(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(
                        sign -> {
                            if (isPrintable(sign)) {
                                safe.appendCodePoint(sign);
                            } else {
                                safe.append(REPLACEMENT);
                            }
                        });
        return safe.toString();
    }

    /** Returns whether a sign can be shown: no control, format, separator or private one. */
    static boolean isPrintable(int sign) {
        return switch (Character.getType(sign)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            case Character.SPACE_SEPARATOR -> sign == ' ';
            default -> true;
        };
    }

    private static String advice(Play.Rejected.Reason reason) {
        return switch (reason) {
            case REASON_LATE -> "decide faster: see moveTime and bank of the decision";
            case REASON_REPEATED -> "nothing to do: the first answer counts";
            case REASON_UNKNOWN_DECISION, REASON_UNKNOWN_MATCH ->
                    "nothing to do, unless it happens often";
            case REASON_MATCH_OVER -> "nothing to do: the match ended while the bot was thinking";
            case REASON_ILLEGAL_MOVE, REASON_INCOMPLETE ->
                    "check that arena and the SDK have the same version";
            case REASON_NOTE_TOO_LONG -> "write shorter notes";
            default -> "see arena's documentation";
        };
    }
}
