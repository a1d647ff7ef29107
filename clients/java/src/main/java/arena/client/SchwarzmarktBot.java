package arena.client;

/** A bot that plays Schwarzmarkt. */
@FunctionalInterface
public interface SchwarzmarktBot extends Bot {
    /**
     * Returns one of the legal moves, or its index; see {@link Bot#decide}.
     *
     * @throws Exception whatever goes wrong: the arena is told, and the program ends with 1
     */
    Choice decide(arena.client.schwarzmarkt.Decision decision) throws Exception;

    @Override
    default Choice decide(Decision decision) throws Exception {
        return decide((arena.client.schwarzmarkt.Decision) decision);
    }
}
