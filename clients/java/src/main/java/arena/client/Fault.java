package arena.client;

import java.util.Locale;

/** One way for a seat to misbehave. A default move was made for it. */
public enum Fault {
    /** No fault: the seat played to the end. */
    NONE,
    /** No answer within move time and bank. */
    TIMEOUT,
    /** The answer named no legal move. */
    ILLEGAL_MOVE,
    /** A message that makes no sense. */
    PROTOCOL_ERROR,
    /** Far more messages than asked for. */
    FLOOD,
    /** The program ended, or said that its code failed. */
    CRASH,
    /** The program was ended for the memory it used. */
    OUT_OF_MEMORY,
    /** The session went away and did not come back in time. */
    DISCONNECT,
    /** The bot was never ready. */
    NO_START,
    /** The program ended at its limit of processes and threads. */
    OUT_OF_PROCESSES,
    /** The program ended when it had filled the disk space that it may use. */
    OUT_OF_DISK,
    /** A fault that this library does not know. */
    UNKNOWN;

    private static final Fault[] ALL = values();

    /** Returns a fault by its number in the protocol. */
    public static Fault of(int number) {
        return number >= 0 && number < UNKNOWN.ordinal() ? ALL[number] : UNKNOWN;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
