package arena.client;

import java.time.Duration;

/** A moment by the clock that only goes forward. */
record Deadline(long nanoTime) {
    private static final Duration LONG = Duration.ofDays(365); // more than any wait here

    /** Practically never. */
    static final Deadline NEVER = in(LONG);

    static Deadline in(Duration duration) {
        Duration bounded = duration.compareTo(LONG) < 0 ? duration : LONG;
        return new Deadline(System.nanoTime() + bounded.toNanos());
    }

    long nanosLeft() {
        return Math.max(0, nanoTime - System.nanoTime());
    }

    boolean isOver() {
        return nanosLeft() == 0;
    }

    boolean isBefore(Deadline other) {
        return nanoTime - other.nanoTime < 0;
    }
}
