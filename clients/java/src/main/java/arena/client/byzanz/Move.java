package arena.client.byzanz;

import arena.v1.Byzanz.ByzanzMove;
import java.util.List;
import java.util.Optional;

/** A legal move of Byzanz. Its text is such as "bid spice-2 wine-1". */
public final class Move extends arena.client.Move {
    private final ByzanzMove message;
    private List<Card> cards;

    /** A move by its place among the legal moves and its message. */
    public Move(int index, ByzanzMove message) {
        super(index);
        this.message = message;
    }

    /** The message it came in. */
    public ByzanzMove message() {
        return message;
    }

    /** What the move does. */
    public MoveType type() {
        return MoveType.of(message.getTypeValue());
    }

    /** Those added by a bid, the three of a sale, the one given or discarded. */
    public List<Card> cards() {
        if (cards == null) {
            cards = Cards.cards(message.getCardsValueList());
        }
        return cards;
    }

    /** The kind taken from the market. Empty for all other moves. */
    public Optional<Kind> kind() {
        int kind = message.getKindValue();
        return kind == 0 ? Optional.empty() : Optional.of(Kind.of(kind));
    }

    /** The sum of the values of the cards: what a bid adds. */
    public int value() {
        return Cards.value(cards());
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder(type().toString());
        cards().forEach(card -> text.append(' ').append(card));
        kind().ifPresent(kind -> text.append(' ').append(kind));
        return text.toString();
    }
}
