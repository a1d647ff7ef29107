package arena.client.byzanz;

import java.util.Locale;

/** What the seat to act decides about. */
public enum Phase {
    /** One that this library does not know. */
    UNKNOWN,
    /** Bid or pass (B3.4). */
    AUCTION,
    /** Which card of the lot goes to the market (B3.8). */
    GIVE,
    /** Which kind to take from the market (B4.1). */
    TAKE,
    /** Sell or discard down to seven cards (B6.1). */
    LIMIT,
    /** Last sales (B7.1). */
    FINAL,
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
