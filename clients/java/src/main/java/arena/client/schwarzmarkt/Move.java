package arena.client.schwarzmarkt;

import arena.v1.Schwarzmarkt.SchwarzmarktMove;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A legal move of Schwarzmarkt. Its text is such as "trade potatoes butter". */
public final class Move extends arena.client.Move {
    private final SchwarzmarktMove message;
    private final Material material;
    private List<Good> goods;

    /** A move by its place among the legal moves, its message, and what is printed. */
    public Move(int index, SchwarzmarktMove message, Material material) {
        super(index);
        this.message = message;
        this.material = material;
    }

    /** The message it came in. */
    public SchwarzmarktMove message() {
        return message;
    }

    /** What the move does. */
    public MoveType type() {
        return MoveType.of(message.getTypeValue());
    }

    /** The black-market card played or buried. Empty for all other moves. */
    public Optional<Card> card() {
        return message.hasCard() ? Optional.of(material.card(message.getCard())) : Optional.empty();
    }

    /** The seat a card is played at. Empty if the card has no target. */
    public OptionalInt target() {
        return message.hasTarget() ? OptionalInt.of(message.getTarget()) : OptionalInt.empty();
    }

    /** Those traded, those laid aside for foraging, the one found or returned. */
    public List<Good> goods() {
        if (goods == null) {
            goods = Goods.goods(message.getGoodsValueList());
        }
        return goods;
    }

    /** How far the marker goes. 0 unless it is a step. */
    public int spaces() {
        return message.getSpaces();
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder(type().toString());
        card().ifPresent(card -> text.append(' ').append(card));
        target().ifPresent(target -> text.append(' ').append(target));
        goods().forEach(good -> text.append(' ').append(good));
        if (spaces() != 0) {
            text.append(' ').append(spaces());
        }
        return text.toString();
    }
}
