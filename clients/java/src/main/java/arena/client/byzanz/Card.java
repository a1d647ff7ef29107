package arena.client.byzanz;

import java.util.HashMap;
import java.util.Map;

/** A card: a good of a kind with a value, or a trader. There is one object per card. */
public final class Card implements Comparable<Card> {
    private static final Card[] ALL = new Card[26];
    private static final Map<String, Card> BY_NAME = new HashMap<>();

    static {
        for (int number = 0; number < ALL.length; number++) {
            ALL[number] = new Card(number);
            BY_NAME.put(ALL[number].name, ALL[number]);
        }
    }

    /** A card that the seat may not see, or that this library does not know. */
    public static final Card UNKNOWN = ALL[0];

    /** A trader: value 0, any good in a sale (B1.2). */
    public static final Card TRADER = ALL[25];

    private final int number;
    private final Kind kind;
    private final int value;
    private final String name;

    private Card(int number) {
        this.number = number;
        kind = number == 0 ? Kind.UNKNOWN : Kind.of((number - 1) / 4 + 1);
        value = number == 0 || kind == Kind.TRADER ? 0 : (number - 1) % 4 + 1;
        name = value == 0 ? kind.toString() : kind + "-" + value;
    }

    /** Returns a card by its number in the protocol; UNKNOWN if there is none. */
    public static Card of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
    }

    /**
     * Returns a card by its name, such as "wine-1".
     *
     * @throws IllegalArgumentException there is no card of that name
     */
    public static Card of(String name) {
        Card card = BY_NAME.get(name);
        if (card == null) {
            throw new IllegalArgumentException("there is no card \"%s\"".formatted(name));
        }
        return card;
    }

    /** Its number in the protocol: the order of cards. */
    public int number() {
        return number;
    }

    /** Its kind; UNKNOWN for a card that the seat may not see. */
    public Kind kind() {
        return kind;
    }

    /** 1 to 4; 0 for a trader. */
    public int value() {
        return value;
    }

    /** Its name, such as "cloth-1" or "trader". */
    public String name() {
        return name;
    }

    @Override
    public int compareTo(Card other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        return name;
    }
}
