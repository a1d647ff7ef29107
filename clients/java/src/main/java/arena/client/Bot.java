package arena.client;

/**
 * What the author of a bot writes, for any game. One object is made per match, so that what it
 * keeps in its fields belongs to one match.
 */
@FunctionalInterface
public interface Bot {
    /**
     * Returns one of {@link Decision#legalMoves()}, or its index by {@link Choice#of}.
     *
     * <p>Called by one thread at a time for one match, and for one match at a time unless {@link
     * Program#workers(int)} says otherwise. The thread is interrupted when the session ends.
     *
     * @throws Exception whatever goes wrong: the arena is told, and the program ends with 1
     */
    Choice decide(Decision decision) throws Exception;

    /**
     * Called once when the match has ended; the object is dropped afterwards.
     *
     * @throws Exception whatever goes wrong: the arena is told, and the program ends with 1
     */
    default void ended(Outcome outcome) throws Exception {}
}
