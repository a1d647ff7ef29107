package arena.client.schwarzmarkt;

import java.util.OptionalInt;

/**
 * A text card that lies open until the next exchange round ends.
 *
 * @param card the card
 * @param target the seat it was played at. Empty if it has no target
 */
public record OpenCard(Card card, OptionalInt target) {}
