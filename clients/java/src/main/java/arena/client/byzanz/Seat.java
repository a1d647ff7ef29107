package arena.client.byzanz;

import arena.v1.Byzanz.ByzanzSeat;
import java.util.List;

/** What everybody knows about a seat. */
public final class Seat {
    private final int number;
    private final ByzanzSeat message;

    Seat(int number, ByzanzSeat message) {
        this.number = number;
        this.message = message;
    }

    /** Which seat, from 0. */
    public int number() {
        return number;
    }

    /** The message it came in. */
    public ByzanzSeat message() {
        return message;
    }

    /** How many cards it holds. */
    public int handSize() {
        return message.getHandSize();
    }

    /** Its points so far. */
    public int points() {
        return message.getPoints();
    }

    /** Whether it is out of this auction by passing. */
    public boolean passed() {
        return message.getPassed();
    }

    /** The offer card it holds; 0 for none. Whoever holds one is out of the auctions. */
    public int offer() {
        return message.getOffer();
    }

    /** How many cards it has discarded face down. */
    public int faceDown() {
        return message.getFaceDown();
    }

    /** The cards of its bid in this auction; they are not in its hand. */
    public List<Card> laid() {
        return Cards.cards(message.getLaidValueList());
    }

    /** Its profit cards. */
    public List<Card> kept() {
        return Cards.cards(message.getKeptValueList());
    }

    /** What is publicly known of its hand, the oldest knowledge first. */
    public List<Known> known() {
        return message.getKnownList().stream().map(Known::new).toList();
    }
}
