package arena.client;

import arena.v1.Play;
import java.util.List;
import java.util.OptionalInt;

/** How a match ended. */
public final class Outcome {
    private final Match match;
    private final Play.MatchEnded message;

    /** The outcome of a match, from the message that tells it. */
    public Outcome(Match match, Play.MatchEnded message) {
        this.match = match;
        this.message = message;
    }

    /** The match that ended. */
    public Match match() {
        return match;
    }

    /** The message it came in, with the last faults and events. */
    public Play.MatchEnded message() {
        return message;
    }

    /** The points by seat. Empty if the match is void. */
    public List<Integer> scores() {
        return message.getScoresList();
    }

    /** The ranks by seat, 1 is best, equal seats share one. Empty if the match is void. */
    public List<Integer> ranks() {
        return message.getRanksList();
    }

    /** The bot's own points. Empty if the match is void. */
    public OptionalInt score() {
        return own(scores());
    }

    /** The bot's own rank. Empty if the match is void. */
    public OptionalInt rank() {
        return own(ranks());
    }

    /** By seat the fault by which it forfeited; NONE for one that played to the end. */
    public List<Fault> forfeits() {
        return message.getForfeitsValueList().stream().map(Fault::of).toList();
    }

    /** Why the match does not count. Empty if it does. */
    public String voidReason() {
        return message.getVoidReason();
    }

    /** Whether the match does not count, because the arena could not finish it. */
    public boolean isVoid() {
        return !voidReason().isEmpty();
    }

    @Override
    public String toString() {
        return isVoid()
                ? "<match %s is void: %s>".formatted(match.id(), voidReason())
                : "<match %s: scores %s, ranks %s>".formatted(match.id(), scores(), ranks());
    }

    private OptionalInt own(List<Integer> bySeat) {
        int seat = match.seat();
        return seat < bySeat.size() ? OptionalInt.of(bySeat.get(seat)) : OptionalInt.empty();
    }
}
