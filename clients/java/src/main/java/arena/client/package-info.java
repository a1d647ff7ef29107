/**
 * Write a bot for the arena: implement {@link arena.client.Bot}, {@link arena.client.ByzanzBot} or
 * {@link arena.client.SchwarzmarktBot}, and {@link arena.client.Program#run run} it.
 *
 * <p>Matches and decisions are computed when they are looked at, so a bot pays only for what it
 * uses. They are not meant for several threads at once.
 */
package arena.client;
