package arena.client.schwarzmarkt;

import java.util.Locale;

/** What a text card does (S5). */
public enum Effect {
    /** One that this library does not know. */
    UNKNOWN,
    /** Draws a good from another hand at random. */
    OLD_DEBT,
    /** Pays for a look into the goods pile and takes one good of it. */
    NEW_GOODS,
    /** Limits trading in the next exchange round. */
    SCARCE_GOODS,
    /** Exchanges goods with the pile. */
    FORAGING,
    /** Makes another seat pay. */
    PROTECTION,
    /** Keeps a seat from trading in the next exchange round. */
    RAID,
    /** Slows the marker in the next exchange round. */
    SLOW_TRADE;

    private static final Effect[] ALL = values();

    /** Returns the one of a number in the protocol; UNKNOWN if this library has none. */
    public static Effect of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
