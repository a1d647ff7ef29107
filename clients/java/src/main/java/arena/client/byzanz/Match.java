package arena.client.byzanz;

import arena.v1.Byzanz.ByzanzMaterial;
import arena.v1.Play;

/** A match of Byzanz. */
public final class Match extends arena.client.Match {
    /** A match, from the message that starts it. */
    public Match(Play.MatchStarted message) {
        super(message);
    }

    /** The offers (highest first), rounds and number of cards removed unseen. */
    @Override
    public ByzanzMaterial material() {
        return message().getByzanz();
    }
}
