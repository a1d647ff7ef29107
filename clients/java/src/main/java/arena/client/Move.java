package arena.client;

/**
 * One legal move of one decision. Moves are equal if they do the same, wherever they are listed.
 */
public non-sealed class Move implements Choice {
    private final int index;

    /** A move by its place among the legal moves: all there is to know in an unknown game. */
    public Move(int index) {
        this.index = index;
    }

    @Override
    public final int index() {
        return index;
    }

    /** The move as the rules write it; for an unknown game its index. */
    public String text() {
        return Integer.toString(index);
    }

    @Override
    public final String toString() {
        return text();
    }

    @Override
    public final boolean equals(Object other) {
        return this == other || other instanceof Move move && text().equals(move.text());
    }

    @Override
    public final int hashCode() {
        return text().hashCode();
    }
}
