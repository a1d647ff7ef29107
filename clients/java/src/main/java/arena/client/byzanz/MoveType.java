package arena.client.byzanz;

import java.util.Locale;

/** What a move does. */
public enum MoveType {
    /** One that this library does not know. */
    UNKNOWN,
    /** Leaves the auction (B3.6). */
    PASS,
    /** Adds cards to the own bid (B3.5). */
    BID,
    /** Puts a card of the lot on the market (B3.8). */
    GIVE,
    /** Takes all cards of a kind from the market (B4.1). */
    TAKE,
    /** Sells three cards (B5). */
    SELL,
    /** Puts a card out of the game face down (B6). */
    DISCARD,
    /** Ends the own final sales (B7.1). */
    DONE;

    private static final MoveType[] ALL = values();

    /** Returns the one of a number in the protocol; UNKNOWN if this library has none. */
    public static MoveType of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
