package arena.client.schwarzmarkt;

import arena.v1.Schwarzmarkt.SchwarzmarktCard;
import arena.v1.Schwarzmarkt.SchwarzmarktMaterial;
import arena.v1.Schwarzmarkt.SchwarzmarktSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * What is printed: track, black-market cards and goods of this match.
 *
 * @param prices what a good is paid, by space of the track
 * @param steps how far the marker may go, by space
 * @param cards the types of black-market cards
 * @param goods all goods of the deck
 */
public record Material(
        List<Integer> prices, List<Integer> steps, List<Card> cards, List<Good> goods) {
    Material(SchwarzmarktMaterial message) {
        this(
                message.getTrackList().stream().map(SchwarzmarktSpace::getPrice).toList(),
                message.getTrackList().stream().map(SchwarzmarktSpace::getSteps).toList(),
                cards(message.getCardsList()),
                Goods.goods(message.getGoodsValueList()));
    }

    /** The last space of the track. */
    public int lastSpace() {
        return prices.size() - 1;
    }

    /** Returns what a good is paid on a space; 0 if there is no such space. */
    int price(int space) {
        return space >= 0 && space < prices.size() ? prices.get(space) : 0;
    }

    /** Returns a type of cards by its place; one without a meaning if there is none. */
    Card card(int number) {
        return number >= 0 && number < cards.size() ? cards.get(number) : Card.unknown(number);
    }

    private static List<Card> cards(List<SchwarzmarktCard> messages) {
        List<Card> cards = new ArrayList<>();
        messages.forEach(message -> cards.add(new Card(cards.size(), message)));
        return List.copyOf(cards);
    }
}
