package arena.client.schwarzmarkt;

import arena.v1.Schwarzmarkt.SchwarzmarktKnown;
import java.util.List;

/**
 * Goods the seat knows to have come to a hidden place.
 *
 * @param goods the goods
 * @param unseen up to so many of them may be gone; 0: all are there
 */
public record Known(List<Good> goods, int unseen) {
    Known(SchwarzmarktKnown message) {
        this(Goods.goods(message.getGoodsValueList()), message.getUnseen());
    }
}
