package arena.client;

import arena.v1.Play;
import com.google.protobuf.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A question to a seat: what decide() gets. All but the note is read only. */
public class Decision {
    private static final int LISTED = 40; // legal moves named in a refusal; a reader wants no more

    private final Match match;
    private final Play.Decision message;
    private List<? extends Move> legalMoves;
    private String note = "";

    /** A decision of a game that this library does not know. */
    public Decision(Match match, Play.Decision message) {
        this.match = match;
        this.message = message;
    }

    /** Returns a decision, typed by the game of its match. */
    public static Decision of(Match match, Play.Decision message) {
        if (match instanceof arena.client.byzanz.Match byzanz) {
            return new arena.client.byzanz.Decision(byzanz, message);
        }
        if (match instanceof arena.client.schwarzmarkt.Match schwarzmarkt) {
            return new arena.client.schwarzmarkt.Decision(schwarzmarkt, message);
        }
        return new Decision(match, message);
    }

    /** The number of the question within the match, from 1, rising. */
    public final int id() {
        return message.getDecisionId();
    }

    /** The match it belongs to. */
    public Match match() {
        return match;
    }

    /** The message it came in. */
    public final Play.Decision message() {
        return message;
    }

    /** How many legal moves there are, at least 2. Costs less than {@link #legalMoves()}. */
    public final int legalCount() {
        return message.getLegalCount();
    }

    /** All moves the seat may make, each once, in the game's fixed order. */
    public List<? extends Move> legalMoves() {
        if (legalMoves == null) {
            legalMoves = IntStream.range(0, legalCount()).mapToObj(Move::new).toList();
        }
        return legalMoves;
    }

    /** All the seat may know now, by game; for an unknown game the bare Any message. */
    public Object observation() {
        return message.getOther();
    }

    /** What happened since the seat's last decision, oldest first, as messages of the game. */
    public List<? extends Message> events() {
        return List.of();
    }

    /** The misbehaviours of seats since this seat's last decision, its own among them. */
    public final List<Play.SeatFault> faults() {
        return message.getFaultsList();
    }

    /** How long this decision may take before the bank is touched. Empty: no limit. */
    public final Optional<Duration> moveTime() {
        return message.hasMoveTime()
                ? Optional.of(Match.duration(message.getMoveTime()))
                : Optional.empty();
    }

    /** What is left in the bank. Empty: no limit. */
    public final Optional<Duration> bank() {
        return message.hasBank()
                ? Optional.of(Match.duration(message.getBank()))
                : Optional.empty();
    }

    /** The text to keep beside the move in the replay; empty unless it was set. */
    public final String note() {
        return note;
    }

    /** Keeps a text beside the move in the replay. */
    public final void note(String text) {
        note = text == null ? "" : text;
    }

    /**
     * Returns the place of a chosen move among the legal ones.
     *
     * @throws ArenaClientException.IllegalChoice it is neither a legal move nor the place of one
     */
    public final int indexOf(Choice choice) {
        int index = -1;
        if (choice instanceof Move move) {
            List<? extends Move> moves = legalMoves();
            index = move.index();
            if (index < 0 || index >= moves.size() || moves.get(index) != move) {
                index = moves.indexOf(move); // perhaps one kept from an earlier decision
            }
        } else if (choice != null && choice.index() < legalCount()) {
            index = choice.index();
        }
        if (index < 0) {
            throw new ArenaClientException.IllegalChoice(refusal(choice));
        }
        return index;
    }

    private String refusal(Choice choice) {
        String more =
                legalCount() > LISTED ? "  ... and %d more\n".formatted(legalCount() - LISTED) : "";
        return "decide() returned %s, which is not one of the %d legal moves:\n"
                        .formatted(choice, legalCount())
                + legalMoves().stream()
                        .limit(LISTED)
                        .map(move -> "  %d: %s\n".formatted(move.index(), move))
                        .collect(Collectors.joining())
                + more
                + "(decision %s of %s; return a legal move or its index)"
                        .formatted(Integer.toUnsignedString(id()), match);
    }
}
