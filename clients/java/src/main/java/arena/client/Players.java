package arena.client;

import arena.client.ArenaClientException.BotFailed;
import arena.client.ArenaClientException.IllegalChoice;
import arena.v1.Play;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The bot objects of a session, what they have been asked, and what they answered. Knows nothing of
 * the network. The session calls it from its thread, the author's code runs on the workers.
 */
final class Players {
    /** Answers that are found wait no longer than this for the others of what is open. */
    static final Duration FLUSH = Duration.ofMillis(50);

    private final Program program;
    private final Runnable wake;
    private final Consumer<String> warn;
    private final Workers workers;
    private final Map<String, Player> players = new HashMap<>();
    private final List<Play.Answer> ready = new ArrayList<>();
    private long readySince; // System.nanoTime() of the first of them
    private int open; // decisions of all players that wait or are being thought about
    private int link;
    private int maxNoteBytes;
    private BotFailed failure;

    /**
     * @param wake called by workers when there is something to send, or a failure
     * @param warn takes a line for the author
     */
    Players(Program program, Runnable wake, Consumer<String> warn) {
        this.program = program;
        this.wake = wake;
        this.warn = warn;
        workers = new Workers(program.workers());
    }

    /** A new connection has been welcomed. Unless it resumes, all matches are lost. */
    synchronized void connected(Play.Limits limits, boolean isResumed) {
        link++;
        maxNoteBytes = limits.getMaxNoteBytes();
        ready.clear(); // what is still open will be asked again
        if (!isResumed) {
            drop();
        }
    }

    /** Drops all matches and breaks off what still thinks. */
    synchronized void drop() {
        for (Player player : players.values()) {
            player.isOver = true;
            player.isDropped = true;
        }
        players.clear();
        ready.clear();
        open = 0;
        workers.interrupt(player -> player.isDropped);
    }

    /** Makes the bot object of a match; a match that is known already goes on. */
    synchronized void start(Play.MatchStarted message) {
        if (!players.containsKey(message.getMatchId())) {
            Player player = new Player(Match.of(message));
            players.put(message.getMatchId(), player);
            workers.submit(new Workers.Task(player, true, () -> make(player)));
        }
    }

    /** Asks decisions. One that was asked before is never decided twice. */
    synchronized void ask(Play.Decisions decisions) {
        for (Play.Decision message : decisions.getDecisionsList()) {
            Player player = players.get(message.getMatchId());
            if (player == null) {
                continue; // its match has ended in the meantime
            }
            player.link = link;
            int order = Integer.compareUnsigned(message.getDecisionId(), player.asked);
            if (order > 0) {
                player.asked = message.getDecisionId();
                player.answer = null;
                player.open++;
                open++;
                workers.submit(new Workers.Task(player, true, () -> decide(player, message)));
            } else if (order == 0 && player.answer != null) {
                addReady(player.answer); // it got lost with the last connection
            }
        }
    }

    /** Drops a match and tells its bot object. */
    synchronized void end(Play.MatchEnded message) {
        Player player = players.remove(message.getMatchId());
        if (player == null) {
            return;
        }
        player.isOver = true;
        open -= player.open;
        ready.removeIf(answer -> answer.getMatchId().equals(message.getMatchId()));
        Outcome outcome = new Outcome(player.match, message);
        workers.submit(new Workers.Task(player, false, () -> tell(player, outcome)));
    }

    /** Returns the answers that should be sent now; none while others may soon join them. */
    synchronized List<Play.Answer> takeDue() {
        if (open > 0 && !ready.isEmpty() && waitNanos().getAsLong() > 0) {
            return List.of();
        }
        List<Play.Answer> taken = List.copyOf(ready);
        ready.clear();
        return taken;
    }

    /**
     * Returns after how many nanoseconds at the latest answers should be sent; empty: none wait.
     */
    synchronized OptionalLong waitNanos() {
        return ready.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(readySince + FLUSH.toNanos() - System.nanoTime());
    }

    /** Returns how the author's code failed first; null if it has not. */
    synchronized BotFailed failure() {
        return failure;
    }

    /** Drops all matches; waits for what the author does in ended(), but not for ever. */
    void close(Duration patience) throws InterruptedException {
        drop();
        workers.close(patience.toNanos());
    }

    private void make(Player player) {
        if (!isWanted(player)) {
            return;
        }
        try {
            player.bot = Objects.requireNonNull(program.make().apply(player.match), "it is null");
        } catch (Throwable error) {
            fail(player, "making the bot object", error);
        }
    }

    private void decide(Player player, Play.Decision message) {
        if (!isOpen(player)) {
            return;
        }
        Decision decision = Decision.of(player.match, message);
        try {
            int index = decision.indexOf(player.bot.decide(decision));
            answer(player, message, index, cut(decision.note()));
        } catch (IllegalChoice error) {
            String where = "\n  in %s.decide".formatted(player.bot.getClass().getName());
            fail(player, new IllegalChoice(error.getMessage() + where));
        } catch (Throwable error) {
            fail(player, player.bot.getClass().getSimpleName() + ".decide()", error);
        }
    }

    private void tell(Player player, Outcome outcome) {
        if (player.bot == null || !isWanted(player)) {
            return;
        }
        try {
            player.bot.ended(outcome);
        } catch (Throwable error) {
            fail(player, player.bot.getClass().getSimpleName() + ".ended()", error);
        }
    }

    private synchronized boolean isOpen(Player player) {
        return !player.isOver && failure == null;
    }

    private synchronized boolean isWanted(Player player) {
        return !player.isDropped && failure == null;
    }

    private void answer(Player player, Play.Decision message, int index, String note) {
        Play.Answer answer =
                Play.Answer.newBuilder()
                        .setMatchId(message.getMatchId())
                        .setDecisionId(message.getDecisionId())
                        .setMoveIndex(index)
                        .setNote(note)
                        .build();
        synchronized (this) {
            if (player.isOver) {
                return;
            }
            player.open--;
            open--;
            if (message.getDecisionId() == player.asked) {
                player.answer = answer;
            }
            // One asked over a lost connection is kept only: it will be asked again over the new.
            if (player.link == link) {
                addReady(answer);
            }
            if (ready.isEmpty() || open > 0 && ready.size() > 1) {
                return; // nothing to send, or the session knows already that it is waiting
            }
        }
        wake.run();
    }

    private void addReady(Play.Answer answer) {
        if (ready.isEmpty()) {
            readySince = System.nanoTime();
        }
        ready.add(answer);
    }

    /** Returns a note as the arena takes it: whole characters, not too many. */
    private String cut(String note) {
        if (note.isEmpty()) {
            return note;
        }
        byte[] content = note.getBytes(StandardCharsets.UTF_8);
        int length = content.length;
        if (maxNoteBytes > 0 && length > maxNoteBytes) {
            length = maxNoteBytes;
            while (length > 0 && (content[length] & 0xC0) == 0x80) {
                length--; // in the middle of a character
            }
            warn.accept(
                    "warning: a note of %d bytes was cut to %d"
                            .formatted(content.length, maxNoteBytes));
        }
        return new String(content, 0, length, StandardCharsets.UTF_8);
    }

    private void fail(Player player, String what, Throwable error) {
        String text = "%s failed in %s: %s".formatted(what, player.match, error);
        fail(player, new BotFailed(text, error));
    }

    private void fail(Player player, BotFailed found) {
        synchronized (this) {
            if (player.isDropped || failure != null) {
                return; // broken off, or not the first
            }
            failure = found;
        }
        wake.run();
    }
}
