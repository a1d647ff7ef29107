package arena.client.schwarzmarkt;

import arena.v1.Play;
import arena.v1.Schwarzmarkt.SchwarzmarktEvent;
import arena.v1.Schwarzmarkt.SchwarzmarktMove;
import java.util.ArrayList;
import java.util.List;

/** A decision of Schwarzmarkt. */
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

    /** All legal moves: cards as in the material; trades, then steps or hold. */
    @Override
    public List<Move> legalMoves() {
        if (legalMoves == null) {
            List<Move> moves = new ArrayList<>();
            for (SchwarzmarktMove move : message().getSchwarzmarkt().getLegalMovesList()) {
                moves.add(new Move(moves.size(), move, match.material()));
            }
            legalMoves = List.copyOf(moves);
        }
        return legalMoves;
    }

    @Override
    public Observation observation() {
        if (observation == null) {
            observation =
                    new Observation(message().getSchwarzmarkt().getObservation(), match.material());
        }
        return observation;
    }

    @Override
    public List<SchwarzmarktEvent> events() {
        return message().getSchwarzmarkt().getEventsList();
    }

    /** Returns the legal moves of some types, in their order. */
    public List<Move> movesOf(MoveType... types) {
        List<MoveType> wanted = List.of(types);
        return legalMoves().stream().filter(move -> wanted.contains(move.type())).toList();
    }
}
