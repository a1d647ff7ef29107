package arena.client;

import arena.v1.Play;

/** One match: the bot object that plays it and the last decision it was asked. */
final class Player {
    final Match match;
    Bot bot; // made, and used, by a worker
    int asked; // the id of the last decision; ids rise
    Play.Answer answer; // the answer to it, once there is one
    int link; // the connection it was asked over last
    int open; // decisions that wait or are being thought about
    boolean isOver;
    boolean isDropped; // the match went on without us: whatever its code does now is of no interest

    Player(Match match) {
        this.match = match;
    }
}
