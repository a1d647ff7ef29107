package arena.client.byzanz;

import arena.v1.Byzanz.ByzanzObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** All the seat may know now. Complete: no memory is needed. */
public final class Observation {
    private final ByzanzObservation message;
    private List<Card> hand;
    private List<Card> ownDiscards;
    private List<Card> lot;
    private List<Card> market;
    private List<Card> out;
    private List<Seat> seats;

    Observation(ByzanzObservation message) {
        this.message = message;
    }

    /** The message it came in. */
    public ByzanzObservation message() {
        return message;
    }

    /** The own seat. */
    public int seat() {
        return message.getSeat();
    }

    /** What is decided. */
    public Phase phase() {
        return Phase.of(message.getPhaseValue());
    }

    /** The number of the round, from 1. */
    public int round() {
        return message.getRound();
    }

    /** How many cards are left in the deck. */
    public int deckSize() {
        return message.getDeckSize();
    }

    /** The offer card of the running auction; 0 when none runs. */
    public int offer() {
        return message.getOffer();
    }

    /** The seat that spoke first in this auction, or will in the next. */
    public int speaker() {
        return message.getSpeaker();
    }

    /** The highest bid so far in this auction; 0 when there is none. */
    public int high() {
        return message.getHigh();
    }

    /** The seat of the highest bid. Empty when there is none. */
    public OptionalInt leader() {
        return message.hasLeader() ? OptionalInt.of(message.getLeader()) : OptionalInt.empty();
    }

    /** The seat that passed first in this auction. Empty when none has. */
    public OptionalInt firstPasser() {
        return message.hasFirstPasser()
                ? OptionalInt.of(message.getFirstPasser())
                : OptionalInt.empty();
    }

    /** How many seats have had their turn at the market this round. */
    public int takes() {
        return message.getTakes();
    }

    /** The own hand. */
    public List<Card> hand() {
        if (hand == null) {
            hand = Cards.cards(message.getHandValueList());
        }
        return hand;
    }

    /** The cards the seat itself discarded face down. */
    public List<Card> ownDiscards() {
        if (ownDiscards == null) {
            ownDiscards = Cards.cards(message.getOwnDiscardsValueList());
        }
        return ownDiscards;
    }

    /** What is up for auction, or won and still to be given from. */
    public List<Card> lot() {
        if (lot == null) {
            lot = Cards.cards(message.getLotValueList());
        }
        return lot;
    }

    /** What lies on the market. */
    public List<Card> market() {
        if (market == null) {
            market = Cards.cards(message.getMarketValueList());
        }
        return market;
    }

    /** The cards publicly out of the game, profit cards not counted. */
    public List<Card> out() {
        if (out == null) {
            out = Cards.cards(message.getOutValueList());
        }
        return out;
    }

    /** What everybody knows about each seat, by seat. */
    public List<Seat> seats() {
        if (seats == null) {
            List<Seat> found = new ArrayList<>();
            message.getSeatsList().forEach(seat -> found.add(new Seat(found.size(), seat)));
            seats = List.copyOf(found);
        }
        return seats;
    }

    /** The own seat. */
    public Seat own() {
        return seats().get(seat());
    }

    /** The other seats, clockwise from the own one. */
    public List<Seat> others() {
        List<Seat> others = new ArrayList<>(seats().subList(seat() + 1, seats().size()));
        others.addAll(seats().subList(0, seat()));
        return others;
    }
}
