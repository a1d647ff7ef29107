package arena.client.schwarzmarkt;

import arena.v1.Play;

/** A match of Schwarzmarkt. */
public final class Match extends arena.client.Match {
    private Material material;

    /** A match, from the message that starts it. */
    public Match(Play.MatchStarted message) {
        super(message);
    }

    /** Track, black-market cards and goods. */
    @Override
    public Material material() {
        if (material == null) {
            material = new Material(message().getSchwarzmarkt());
        }
        return material;
    }
}
