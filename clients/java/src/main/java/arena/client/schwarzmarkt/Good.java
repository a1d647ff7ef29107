package arena.client.schwarzmarkt;

import java.util.Locale;

/** A good. */
public enum Good {
    /** One that the seat may not see. */
    UNKNOWN,
    /** Potatoes. */
    POTATOES,
    /** Butter. */
    BUTTER,
    /** Sugar. */
    SUGAR,
    /** Coffee. */
    COFFEE,
    /** Flour. */
    FLOUR;

    private static final Good[] ALL = values();

    /** Returns the one of a number in the protocol; UNKNOWN if this library has none. */
    public static Good of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
