package arena.client.byzanz;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What can be done with groups of cards. */
public final class Cards {
    private Cards() {}

    /**
     * Returns cards by their names in one text, such as "wine-1 trader".
     *
     * @throws IllegalArgumentException there is no card of a name
     */
    public static List<Card> cards(String names) {
        return Stream.of(names.split("\\s+"))
                .filter(name -> !name.isEmpty())
                .map(Card::of)
                .toList();
    }

    /** Returns cards by their numbers in the protocol. */
    public static List<Card> cards(List<Integer> numbers) {
        Card[] cards = new Card[numbers.size()];
        for (int place = 0; place < cards.length; place++) {
            cards[place] = Card.of(numbers.get(place));
        }
        return List.of(cards);
    }

    /** Returns the sum of the values of cards: what they make as a bid (B3.5). */
    public static int value(Collection<Card> group) {
        return group.stream().mapToInt(Card::value).sum();
    }

    /** Returns what a sale of these cards scores: its best card, 5 for three traders (B5.2). */
    public static int salePoints(Collection<Card> group) {
        int best = group.stream().mapToInt(Card::value).max().orElse(0);
        return best == 0 ? 5 : best;
    }

    /** Returns how often each card is in groups of cards together, in the order they come up. */
    @SafeVarargs
    public static Map<Card, Integer> counts(Collection<Card>... groups) {
        Map<Card, Integer> total = new LinkedHashMap<>();
        for (Collection<Card> group : groups) {
            for (Card card : group) {
                total.merge(card, 1, Integer::sum);
            }
        }
        return total;
    }

    /** Returns the cards counted, without others, in the order of the counts. */
    public static List<Card> without(Map<Card, Integer> counts, Collection<Card> others) {
        Map<Card, Integer> gone = counts(others);
        List<Card> left = new ArrayList<>();
        counts.forEach(
                (card, count) -> {
                    int kept = Math.max(0, count - gone.getOrDefault(card, 0));
                    left.addAll(Collections.nCopies(kept, card));
                });
        return left;
    }

    /** Returns the cards of one kind. */
    public static List<Card> ofKind(Collection<Card> group, Kind kind) {
        return group.stream().filter(card -> card.kind() == kind).toList();
    }

    /** Returns cards by their kinds, in the order these come up; unknown cards are left out. */
    public static Map<Kind, List<Card>> byKind(Collection<Card> group) {
        Map<Kind, List<Card>> found = new LinkedHashMap<>();
        for (Card card : group) {
            if (card.kind() != Kind.UNKNOWN) {
                found.computeIfAbsent(card.kind(), kind -> new ArrayList<>()).add(card);
            }
        }
        return found;
    }
}
