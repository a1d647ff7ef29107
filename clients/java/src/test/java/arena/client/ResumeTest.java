package arena.client;

import static arena.client.Messages.decision;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.client.ArenaClientException.Refused;
import arena.client.ArenaClientException.Unreachable;
import arena.client.FakeArena.Script;
import arena.v1.Play;
import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(20)
class ResumeTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Program recording =
            Program.anyGame(
                    "recording",
                    match -> {
                        asked.add("made " + match.id());
                        return decision -> {
                            asked.add(match.id() + decision.id());
                            return Choice.of(1);
                        };
                    });

    /** After a cut an open decision comes again and is answered, but not decided, again. */
    @Test
    void answersFromMemory() throws Exception {
        Played played =
                Played.play(
                        recording,
                        visit -> {
                            visit.welcome(token("first"));
                            visit.start("a", "b");
                            visit.ask(decision("a", 1), decision("b", 4));
                            assertEquals(List.of("a 1 1", "b 4 1"), visit.answers());
                            visit.abort(Status.UNAVAILABLE);
                        },
                        visit -> {
                            Play.Hello hello = visit.welcome(token("second").setResumed(true));
                            assertEquals("first", hello.getResumeToken().toStringUtf8());
                            visit.start("a", "b");
                            visit.ask(decision("a", 1), decision("b", 5));
                            assertEquals(List.of("a 1 1", "b 5 1"), visit.answers());
                            visit.ask(decision("b", 5));
                            assertEquals(List.of("b 5 1"), visit.answers());
                            // Without a goodbye the end of a stream is a lost connection.
                        },
                        visit -> {
                            Play.Hello hello = visit.welcome(token("third").setResumed(true));
                            assertEquals("second", hello.getResumeToken().toStringUtf8());
                            visit.goodbye();
                        });
        assertNull(played.error());
        assertEquals(List.of("made a", "made b", "a1", "b4", "b5"), asked);
        assertTrue(played.hasLine("the connection was lost (UNAVAILABLE); trying to resume"));
        assertTrue(played.hasLine("the session was resumed"));
    }

    /** What is being thought about when the connection is lost is answered over the next one. */
    @Test
    void thinksOnWhileResuming() throws Exception {
        CountDownLatch isAskedAgain = new CountDownLatch(1);
        Program slow =
                Program.anyGame(
                        "slow",
                        match ->
                                decision -> {
                                    asked.add(match.id() + decision.id());
                                    isAskedAgain.await();
                                    return Choice.of(2);
                                });
        Played played =
                Played.play(
                        slow,
                        visit -> {
                            visit.welcome(token("first"));
                            visit.start("a");
                            visit.ask(decision("a", 1));
                            visit.abort(Status.UNAVAILABLE);
                        },
                        visit -> {
                            visit.welcome(token("second").setResumed(true));
                            visit.start("a");
                            visit.ask(decision("a", 1));
                            isAskedAgain.countDown();
                            assertEquals(List.of("a 1 2"), visit.answers());
                            visit.goodbye();
                        });
        assertNull(played.error());
        assertEquals(List.of("a1"), asked);
    }

    /** When the arena does not know the resume token, a new session without matches begins. */
    @Test
    void beginsAnewWhenExpired() throws Exception {
        Played played =
                Played.play(
                        recording,
                        visit -> {
                            visit.welcome(token("first"));
                            visit.start("a");
                            visit.abort(Status.UNAVAILABLE);
                        },
                        refusing(Status.NOT_FOUND),
                        visit -> {
                            assertTrue(visit.welcome().getResumeToken().isEmpty());
                            visit.ask(decision("a", 1));
                            visit.start("b");
                            visit.ask(decision("b", 1));
                            assertEquals(List.of("b 1 1"), visit.answers());
                            visit.goodbye();
                        });
        assertNull(played.error());
        assertTrue(played.hasLine("warning: the session has expired at the arena"));
    }

    /** An arena that has not noticed the loss yet is asked again. */
    @Test
    void waitsUntilTheLossIsNoticed() throws Exception {
        Played played =
                Played.play(
                        recording,
                        visit -> {
                            visit.welcome(token("first"));
                            visit.abort(Status.UNAVAILABLE);
                        },
                        refusing(Status.ALREADY_EXISTS),
                        visit -> {
                            visit.welcome(token("second").setResumed(true));
                            visit.goodbye();
                        });
        assertNull(played.error());
        assertEquals(3, played.visits().size());
    }

    /** When the arena does not come back in time, the session is unreachable. */
    @Test
    void givesUpALostArena() throws Exception {
        Played played =
                Played.play(
                        recording,
                        Duration.ofMillis(300),
                        visit -> {
                            visit.welcome(token("first"));
                            visit.abort(Status.UNAVAILABLE.withDescription("gone"));
                        });
        assertInstanceOf(Unreachable.class, played.error());
        assertEquals(3, played.error().exitCode());
        assertTrue(played.error().getMessage().contains("did not come back within 0.3 s (UNAVA"));
    }

    /** A refused hello is reported with what to do, and not tried again. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UNAUTHENTICATED | the arena rejected the token: because (set ARENA_TOKEN",
                "PERMISSION_DENIED | the arena rejected the token: because (set ARENA_TOKEN",
                "ALREADY_EXISTS | the token is in use: because (stop the other program",
                "FAILED_PRECONDITION | because (this SDK speaks protocol 1:",
                "UNIMPLEMENTED | is not an arena: because (check ARENA_ADDRESS)",
                "INVALID_ARGUMENT | the arena ended the session: because (see",
            })
    void doesNotInsistWhenRefused(Status.Code code, String told) throws Exception {
        Played played =
                Played.play(recording, refusing(code.toStatus().withDescription("because")));
        assertInstanceOf(Refused.class, played.error());
        assertTrue(played.error().getMessage().contains(told), played.error().getMessage());
        assertEquals(1, played.visits().size());
    }

    private static Script refusing(Status status) {
        return visit -> {
            visit.read();
            visit.abort(status);
        };
    }

    private static Play.Welcome.Builder token(String token) {
        return Play.Welcome.newBuilder().setResumeToken(ByteString.copyFromUtf8(token));
    }
}
