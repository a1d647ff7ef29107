package arena.client;

/** What decide() returns: a legal {@link Move}, or the place of one. */
public sealed interface Choice permits Move, Choice.Index {
    /** The place of the chosen move among the legal moves, from 0. */
    int index();

    /** Returns the choice of a legal move by its place, from 0. */
    static Choice of(int index) {
        return new Index(index);
    }

    /** The place of a legal move. */
    record Index(int index) implements Choice {
        @Override
        public String toString() {
            return Integer.toString(index);
        }
    }
}
