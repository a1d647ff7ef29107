package arena.client.byzanz;

import java.util.Locale;

/** A kind of cards. Traders are a kind on the market (B4.1). */
public enum Kind {
    /** The kind of a card that the seat may not see. */
    UNKNOWN,
    /** Cloth. */
    CLOTH,
    /** Spice. */
    SPICE,
    /** Wine. */
    WINE,
    /** Wood. */
    WOOD,
    /** Grain. */
    GRAIN,
    /** Olives. */
    OLIVES,
    /** The traders. */
    TRADER;

    private static final Kind[] ALL = values();

    /** Returns the one of a number in the protocol; UNKNOWN if this library has none. */
    public static Kind of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
