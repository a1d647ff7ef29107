package arena.client.schwarzmarkt;

import arena.v1.Schwarzmarkt.SchwarzmarktCard;
import java.util.List;
import java.util.Optional;

/**
 * A type of black-market card.
 *
 * @param number its place in the material
 * @param name such as "offer:potatoes-2,butter-2" or "raid"
 * @param copies how many of it there are
 * @param demand the goods an offer wants. Empty for text cards
 * @param effect what a text card does. Empty for offers
 */
public record Card(
        int number, String name, int copies, List<Good> demand, Optional<Effect> effect) {
    Card(int number, SchwarzmarktCard message) {
        this(
                number,
                message.getName(),
                message.getCopies(),
                Goods.goods(message.getDemandValueList()),
                message.getEffectValue() == 0
                        ? Optional.empty()
                        : Optional.of(Effect.of(message.getEffectValue())));
    }

    static Card unknown(int number) {
        return new Card(number, "unknown", 0, List.of(), Optional.empty());
    }

    /** Whether it opens an exchange round. */
    public boolean isOffer() {
        return !demand.isEmpty();
    }

    @Override
    public String toString() {
        return name;
    }
}
