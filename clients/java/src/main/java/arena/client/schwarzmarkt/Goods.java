package arena.client.schwarzmarkt;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What can be done with groups of goods. */
public final class Goods {
    private Goods() {}

    /** Returns goods by their numbers in the protocol. */
    public static List<Good> goods(List<Integer> numbers) {
        Good[] goods = new Good[numbers.size()];
        for (int place = 0; place < goods.length; place++) {
            goods[place] = Good.of(numbers.get(place));
        }
        return List.of(goods);
    }

    /** Returns how many of the goods held a demand wants. */
    public static int wanted(Collection<Good> held, Collection<Good> demand) {
        List<Good> left = new ArrayList<>(demand);
        return (int) held.stream().filter(left::remove).count();
    }
}
