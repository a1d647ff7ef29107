package arena.client.schwarzmarkt;

import java.util.Locale;

/** What the seat to act decides about. */
public enum Phase {
    /** One that this library does not know. */
    UNKNOWN,
    /** Which black-market card to play or to bury (S3.1). */
    PLAY,
    /** Which good to take out of the pile (S5, new_goods). */
    FIND,
    /** Trade, step or hold (S4.2). */
    EXCHANGE,
    /** Which surplus good to give back (S6.1). */
    RETURN,
    /** The match is over. */
    OVER;

    private static final Phase[] ALL = values();

    /** Returns the one of a number in the protocol; UNKNOWN if this library has none. */
    public static Phase of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
