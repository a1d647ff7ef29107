package arena.client;

import arena.v1.Play;
import io.grpc.Status;
import java.util.Locale;

/** What is told to the author of a bot, in words. */
final class Texts {
    private static final String REPLACEMENT = "\uFFFD";

    private Texts() {}

    /** Returns why the arena refused a session, and what to do. */
    static String refusal(Status status, String address, int protocol) {
        String what;
        String advice;
        switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED -> {
                what = "the arena refuses the token";
                advice = "set ARENA_TOKEN to the token from the organiser";
            }
            case ALREADY_EXISTS -> {
                what = "the token is in use";
                advice =
                        "end the other program that plays with it, or wait until the arena has"
                                + " noticed its end";
            }
            case FAILED_PRECONDITION -> {
                what = "the arena does not accept this bot";
                advice =
                        "this library speaks protocol %d; install one that fits, or check the bot's"
                                        .formatted(protocol)
                                + " games";
            }
            case RESOURCE_EXHAUSTED -> {
                what = "a limit of the arena was exceeded";
                advice = "try again later, or take fewer matches at once (maxMatches)";
            }
            case UNIMPLEMENTED -> {
                what = "what answers at %s is no arena".formatted(address);
                advice = "check ARENA_ADDRESS";
            }
            default -> {
                what = "the arena ended the session";
                advice = "see the documentation of the arena";
            }
        }
        return "%s: %s (%s)".formatted(what, why(status), advice);
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
                    "check that arena and library have the same version";
            case REASON_NOTE_TOO_LONG -> "write shorter notes";
            default -> "see the documentation of the arena";
        };
    }
}
