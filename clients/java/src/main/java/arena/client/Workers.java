package arena.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The threads that the author's code runs on. Tasks are begun in the order they came, and never two
 * at once of one player.
 */
final class Workers {
    /**
     * A piece of the author's code: `isThinking` for what may be broken off, and not for ended().
     */
    record Task(Player player, boolean isThinking, Runnable code) {}

    private final Deque<Task> waiting = new ArrayDeque<>();
    private final Map<Thread, Task> running = new HashMap<>();
    private boolean isClosed;

    Workers(int count) {
        for (int number = 1; number <= count; number++) {
            Thread thread = new Thread(this::work, "arena-bot-" + number);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Runs a task as soon as its turn comes. */
    synchronized void submit(Task task) {
        waiting.add(task);
        notifyAll();
    }

    /** Interrupts the threads that think for some of the players. */
    synchronized void interrupt(Predicate<Player> isMeant) {
        running.forEach(
                (thread, task) -> {
                    if (task.isThinking() && isMeant.test(task.player())) {
                        thread.interrupt();
                    }
                });
    }

    /**
     * Waits until every ended() has returned, or the time is up, and takes no more tasks. A
     * decide() that runs on is left to itself.
     */
    synchronized void close(long nanos) throws InterruptedException {
        long until = System.nanoTime() + nanos;
        try {
            long left = nanos;
            while (left > 0 && isEndingSomething()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = until - System.nanoTime();
            }
        } finally {
            isClosed = true;
            waiting.clear();
            notifyAll();
        }
    }

    private void work() {
        for (Task task = take(); task != null; task = take()) {
            try {
                task.code().run();
            } finally {
                finish();
            }
        }
    }

    private synchronized Task take() {
        while (!isClosed) {
            for (Iterator<Task> tasks = waiting.iterator(); tasks.hasNext(); ) {
                Task task = tasks.next();
                if (running.values().stream().noneMatch(other -> other.player() == task.player())) {
                    tasks.remove();
                    running.put(Thread.currentThread(), task);
                    return task;
                }
            }
            try {
                wait();
            } catch (InterruptedException error) {
                // Meant for a task that has just returned.
            }
        }
        return null;
    }

    private synchronized void finish() {
        running.remove(Thread.currentThread());
        Thread.interrupted(); // an interrupt was meant for this task alone
        notifyAll();
    }

    private boolean isEndingSomething() {
        return waiting.stream().anyMatch(task -> !task.isThinking())
                || running.values().stream().anyMatch(task -> !task.isThinking());
    }
}
