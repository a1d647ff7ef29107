package arena.client;

/**
 * Why a bot program ends before its time. Each class carries the exit code of the process.
 *
 * <pre>
 * ArenaClientException
 * ├── BotFailed            1: the author's own code threw, which is the cause
 * │   └── IllegalChoice    1: decide() returned something that is not a legal move; nothing was sent
 * ├── UsageError           2: a setting or a field of the program is missing or wrong
 * ├── Refused              2: the arena does not want this session; trying again would not help
 * └── Unreachable          3: no arena answers, or it went away and did not come back in time
 * </pre>
 */
public abstract sealed class ArenaClientException extends RuntimeException {
    private final int exitCode;

    private ArenaClientException(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The exit code of a program that ends for this reason. */
    public final int exitCode() {
        return exitCode;
    }

    /** The author's own code failed. */
    public static sealed class BotFailed extends ArenaClientException {
        BotFailed(String message, Throwable cause) {
            super(1, message, cause);
        }
    }

    /** What decide() returned is not one of the legal moves; nothing was sent. */
    public static final class IllegalChoice extends BotFailed {
        IllegalChoice(String message) {
            super(message, null);
        }
    }

    /** A setting or a field of the program is missing or makes no sense. */
    public static final class UsageError extends ArenaClientException {
        UsageError(String message) {
            super(2, message, null);
        }
    }

    /** The arena does not want this session, and trying again would not help. */
    public static final class Refused extends ArenaClientException {
        Refused(String message) {
            super(2, message, null);
        }
    }

    /** No arena answers at the address, or it went away and did not come back in time. */
    public static final class Unreachable extends ArenaClientException {
        Unreachable(String message) {
            super(3, message, null);
        }
    }
}
