package arena.client;

/** A bot that plays Byzanz. */
@FunctionalInterface
public interface ByzanzBot extends Bot {
    /**
     * Returns one of the legal moves, or its index; see {@link Bot#decide}.
     *
     * @throws Exception whatever goes wrong: the arena is told, and the program ends with 1
     */
    Choice decide(arena.client.byzanz.Decision decision) throws Exception;

    @Override
    default Choice decide(Decision decision) throws Exception {
        return decide((arena.client.byzanz.Decision) decision);
    }
}
