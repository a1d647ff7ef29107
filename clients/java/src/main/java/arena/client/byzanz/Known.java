package arena.client.byzanz;

import arena.v1.Byzanz.ByzanzKnown;
import java.util.List;

/**
 * Cards publicly known to have come into a hand at about the same time.
 *
 * @param cards the cards
 * @param unseen up to so many of them may be gone; 0: all are there
 */
public record Known(List<Card> cards, int unseen) {
    Known(ByzanzKnown message) {
        this(Cards.cards(message.getCardsValueList()), message.getUnseen());
    }
}
