/**
 * Byzanz for bots: cards, moves and what a seat sees. Rules cited are those of the rules page.
 *
 * <p>There is one object per card: compare with {@code ==}. Groups of cards are lists in rising
 * order, equal cards repeated; {@link arena.client.byzanz.Cards} counts and values them.
 */
package arena.client.byzanz;
