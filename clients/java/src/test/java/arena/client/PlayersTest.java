package arena.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.v1.Play;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class PlayersTest {
    private final Semaphore woken = new Semaphore(0);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private Players players;

    @AfterEach
    void close() throws InterruptedException {
        gate.countDown();
        players.close(Duration.ofSeconds(2));
    }

    /** Answers that are found do not wait for a slow one longer than 50 ms. */
    @Test
    void sendsWhatItHas() throws InterruptedException {
        begin(waitingIn("b"), 1, "a", "b", "c");
        players.ask(Messages.firstOf(List.of("a", "b", "c")));
        long began = System.nanoTime();
        assertEquals(List.of("a"), nextAnswers());
        assertTrue(System.nanoTime() - began >= Players.FLUSH.toNanos());
        gate.countDown();
        assertEquals(List.of("b", "c"), nextAnswers());
    }

    /** A decision that waits is not begun after its match has ended, and nothing is sent for it. */
    @Test
    void dropsDecisionsOfEndedMatches() throws InterruptedException {
        begin(waitingIn("a"), 1, "a", "b", "c");
        players.ask(Messages.firstOf(List.of("a", "b", "c")));
        begun.await();
        players.end(Messages.ended("a"));
        players.end(Messages.ended("b"));
        gate.countDown();
        assertEquals(List.of("c"), nextAnswers());
        assertEquals(List.of("a", "c"), asked);
    }

    /** With more workers several matches are thought about at once, but one never twice. */
    @Test
    void thinksAboutSeveralMatches() throws InterruptedException {
        CyclicBarrier both = new CyclicBarrier(2);
        Set<String> busy = ConcurrentHashMap.newKeySet();
        Program program =
                Program.anyGame(
                        "parallel",
                        match ->
                                decision -> {
                                    assertTrue(busy.add(match.id()), "twice at once");
                                    both.await(); // only two matches at once get past this
                                    busy.remove(match.id());
                                    return Choice.of(0);
                                });
        begin(program, 2, "a", "b");
        Play.Decisions.Builder decisions = Play.Decisions.newBuilder();
        for (int id = 1; id <= 3; id++) {
            decisions.addDecisions(Messages.decision("a", id));
        }
        for (int id = 1; id <= 3; id++) {
            decisions.addDecisions(Messages.decision("b", id));
        }
        players.ask(decisions.build());
        List<String> answered = new ArrayList<>();
        while (answered.size() < 6) {
            answered.addAll(nextAnswers());
        }
        assertNull(players.failure());
    }

    /** What a broken off decide() throws is no failure; what ended() throws meanwhile is one. */
    @Test
    void aBrokenOffDecisionIsNoFailure() throws InterruptedException {
        Program program =
                Program.anyGame(
                        "stubborn",
                        match ->
                                new Bot() {
                                    @Override
                                    public Choice decide(Decision decision) throws Exception {
                                        asked.add(match.id());
                                        woken.release();
                                        gate.await();
                                        return null;
                                    }

                                    @Override
                                    public void ended(Outcome outcome) {
                                        throw new IllegalStateException("in the end");
                                    }
                                });
        begin(program, 1, "a", "b");
        players.ask(Messages.firstOf(List.of("a")));
        woken.acquire();
        players.end(Messages.ended("b"));
        players.close(Duration.ofSeconds(5));
        assertInstanceOf(IllegalStateException.class, players.failure().getCause());
    }

    /** After a failure nothing more of the author's code is called. */
    @Test
    void nothingFollowsAFailure() throws InterruptedException {
        begin(Program.anyGame("none", match -> null), 1, "a", "b");
        players.ask(Messages.firstOf(List.of("a", "b")));
        players.end(Messages.ended("a"));
        woken.acquire();
        assertTrue(players.failure().getMessage().startsWith("making the bot object failed in"));
    }

    private Program waitingIn(String matchId) {
        return Program.anyGame(
                "waiting",
                match ->
                        decision -> {
                            asked.add(match.id());
                            if (match.id().equals(matchId)) {
                                begun.countDown();
                                gate.await();
                            }
                            return Choice.of(0);
                        });
    }

    private void begin(Program program, int workers, String... matchIds) {
        players = new Players(program.workers(workers), woken::release, line -> {});
        players.connected(Play.Limits.getDefaultInstance(), false);
        for (String matchId : matchIds) {
            players.start(Messages.started(matchId, "byzanz"));
        }
    }

    /** Waits as a session does, and returns the matches that answers were found for. */
    private List<String> nextAnswers() throws InterruptedException {
        List<Play.Answer> answers = players.takeDue();
        while (answers.isEmpty()) {
            long nanos = players.waitNanos().orElse(Duration.ofSeconds(10).toNanos());
            assertTrue(
                    woken.tryAcquire(nanos, TimeUnit.NANOSECONDS)
                            || players.waitNanos().isPresent(),
                    "no answer");
            answers = players.takeDue();
        }
        return answers.stream().map(Play.Answer::getMatchId).toList();
    }
}
