package arena.client.schwarzmarkt;

import arena.v1.Schwarzmarkt.SchwarzmarktSeat;
import java.util.List;

/** What is known about a seat. */
public final class Seat {
    private final int number;
    private final SchwarzmarktSeat message;

    Seat(int number, SchwarzmarktSeat message) {
        this.number = number;
        this.message = message;
    }

    /** Which seat, from 0. */
    public int number() {
        return number;
    }

    /** The message it came in. */
    public SchwarzmarktSeat message() {
        return message;
    }

    /** How many goods it holds. */
    public int handSize() {
        return message.getHandSize();
    }

    /** Its wealth: the score. */
    public int luxury() {
        return message.getLuxury();
    }

    /** Whether it has traded in this exchange round. */
    public boolean hasTraded() {
        return message.getHasTraded();
    }

    /** What the observing seat knows of its goods, the oldest knowledge first. */
    public List<Known> known() {
        return message.getKnownList().stream().map(Known::new).toList();
    }
}
