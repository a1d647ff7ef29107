package arena.client.schwarzmarkt;

import java.util.Locale;

/** What a move does. */
public enum MoveType {
    /** One that this library does not know. */
    UNKNOWN,
    /** Plays a black-market card (S3.1). */
    PLAY,
    /** Names the good to take from the pile (S5, new_goods). */
    FIND,
    /** Puts a card under the pile because none can be played (S3.3). */
    BURY,
    /** Trades goods at the current price (S4.2). */
    TRADE,
    /** Moves the marker without trading (S4.2). */
    STEP,
    /** Lets the last chance to trade go (S4.3). */
    HOLD,
    /** Gives a surplus good back (S6.1). */
    RETURN;

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
