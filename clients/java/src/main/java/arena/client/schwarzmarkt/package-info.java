/**
 * Schwarzmarkt for bots: goods, cards, moves and what a seat sees. Rules cited are those of the
 * rules page.
 *
 * <p>Groups of goods are lists in rising order, equal ones repeated.
 */
package arena.client.schwarzmarkt;
