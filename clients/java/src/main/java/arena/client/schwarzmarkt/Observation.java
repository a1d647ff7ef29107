package arena.client.schwarzmarkt;

import arena.v1.Schwarzmarkt.SchwarzmarktObservation;
import arena.v1.Schwarzmarkt.SchwarzmarktOpenCard;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** All the seat may know now. Complete: no memory is needed. */
public final class Observation {
    private final SchwarzmarktObservation message;
    private final Material material;
    private List<Good> goods;
    private List<Card> cards;
    private List<Good> demand;
    private List<Seat> seats;

    Observation(SchwarzmarktObservation message, Material material) {
        this.message = message;
        this.material = material;
    }

    /** The message it came in. */
    public SchwarzmarktObservation message() {
        return message;
    }

    /** What is printed. */
    public Material material() {
        return material;
    }

    /** The own seat. */
    public int seat() {
        return message.getSeat();
    }

    /** What is decided. */
    public Phase phase() {
        return Phase.of(message.getPhaseValue());
    }

    /** 1 or 2. */
    public int gameRound() {
        return message.getGameRound();
    }

    /** The seat that plays, or played last, a black-market card. */
    public int start() {
        return message.getStart();
    }

    /** The space of the track where the marker stands, from 0. */
    public int marker() {
        return message.getMarker();
    }

    /** What a good is paid there. */
    public int price() {
        return material.price(marker());
    }

    /** The card being exchanged. Empty when no exchange round runs. */
    public Optional<Card> offer() {
        return message.hasOffer()
                ? Optional.of(material.card(message.getOffer()))
                : Optional.empty();
    }

    /** The text card that is taking effect. Empty when there is none. */
    public Optional<Card> resolving() {
        return message.hasResolving()
                ? Optional.of(material.card(message.getResolving()))
                : Optional.empty();
    }

    /** The own goods. */
    public List<Good> goods() {
        if (goods == null) {
            goods = Goods.goods(message.getGoodsValueList());
        }
        return goods;
    }

    /** The own black-market cards. */
    public List<Card> cards() {
        if (cards == null) {
            cards = message.getCardsList().stream().map(material::card).toList();
        }
        return cards;
    }

    /** The goods still wanted. */
    public List<Good> demand() {
        if (demand == null) {
            demand = Goods.goods(message.getDemandValueList());
        }
        return demand;
    }

    /** The goods traded in this exchange round, in the order of trading. */
    public List<Good> traded() {
        return Goods.goods(message.getTradedValueList());
    }

    /** The text cards about the next or the running exchange round, in order of play. */
    public List<OpenCard> openCards() {
        return message.getOpenCardsList().stream().map(this::openCard).toList();
    }

    /** What is known about each seat, by seat. */
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

    /** How many goods are in the pile. */
    public int goodsPileSize() {
        return message.getGoodsPileSize();
    }

    /** How many black-market cards are in the pile. */
    public int blackMarketPileSize() {
        return message.getBlackMarketPileSize();
    }

    /** Goods known to be in the goods pile, the oldest knowledge first. */
    public List<Known> pileKnown() {
        return message.getPileKnownList().stream().map(Known::new).toList();
    }

    /** The black-market cards shown so far in the match, each type once. */
    public List<Card> seenCards() {
        return message.getSeenCardsList().stream().map(material::card).toList();
    }

    /** How many black-market cards were played or buried in this game round. */
    public int cardsDealtWith() {
        return message.getCardsDealtWith();
    }

    /** How many exchange rounds in a row went without a trade (S6.4). */
    public int idleRounds() {
        return message.getIdleRounds();
    }

    private OpenCard openCard(SchwarzmarktOpenCard open) {
        return new OpenCard(
                material.card(open.getCard()),
                open.hasTarget() ? OptionalInt.of(open.getTarget()) : OptionalInt.empty());
    }
}
