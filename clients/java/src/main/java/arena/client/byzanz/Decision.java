package arena.client.byzanz;

import arena.v1.Byzanz.ByzanzEvent;
import arena.v1.Byzanz.ByzanzMove;
import arena.v1.Play;
import java.util.ArrayList;
import java.util.List;

/** A decision of Byzanz. */
public final class Decision extends arena.client.Decision {
    private final Match match;
    private List<Move> legalMoves;
    private Observation observation;

    /** A decision of a match, from the message that asks it. */
    public Decision(Match match, Play.Decision message) {
        super(match, message);
        this.match = match;
    }

    @Override
    public Match match() {
        return match;
    }

    /** All legal moves: those of the decision first, bids rising in value, then sales. */
    @Override
    public List<Move> legalMoves() {
        if (legalMoves == null) {
            List<Move> moves = new ArrayList<>();
            for (ByzanzMove move : message().getByzanz().getLegalMovesList()) {
                moves.add(new Move(moves.size(), move));
            }
            legalMoves = List.copyOf(moves);
        }
        return legalMoves;
    }

    @Override
    public Observation observation() {
        if (observation == null) {
            observation = new Observation(message().getByzanz().getObservation());
        }
        return observation;
    }

    @Override
    public List<ByzanzEvent> events() {
        return message().getByzanz().getEventsList();
    }

    /** How many rounds follow after this one; 0 in the last. */
    public int roundsLeft() {
        return match.material().getRounds() - observation().round();
    }

    /** Returns the legal moves of some types, in their order. */
    public List<Move> movesOf(MoveType... types) {
        List<MoveType> wanted = List.of(types);
        return legalMoves().stream().filter(move -> wanted.contains(move.type())).toList();
    }
}
