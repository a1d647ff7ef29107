package arena.client;

import static arena.client.Messages.decision;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.client.ArenaClientException.BotFailed;
import arena.client.ArenaClientException.IllegalChoice;
import arena.client.ArenaClientException.Refused;
import arena.v1.Play;
import arena.v1.Play.PlayResponse;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class SessionTest {
    private static final Program FIRST =
            Program.anyGame("first", match -> decision -> Choice.of(0));

    /** The hello carries protocol, token, who the bot is, language and library. */
    @Test
    void introducesTheBot() throws Exception {
        Program program = FIRST.version("3").games("byzanz", "chess").maxMatches(64);
        Played played =
                Played.play(
                        program,
                        visit -> {
                            visit.welcome();
                            visit.goodbye();
                        });
        assertNull(played.error());
        assertEquals(
                Play.Hello.newBuilder()
                        .setProtocol(1)
                        .setToken("secret")
                        .setBot("first")
                        .setVersion("3")
                        .setLanguage("java")
                        .setSdk("arena-java 0.1.0")
                        .addGames("byzanz")
                        .addGames("chess")
                        .setMaxMatches(64)
                        .setBatchesMatches(true)
                        .build(),
                played.visits().get(0).received().get(0).getHello());
        assertTrue(played.hasLine("playing as mine at localhost:"));
        assertTrue(played.hasLine("the arena says goodbye: that was all"));
        assertFalse(played.hasLine("secret"));
    }

    /** All decisions of one message come back in one message, in their order. */
    @Test
    void answersABatchTogether() throws Exception {
        Played played =
                Played.play(
                        FIRST,
                        visit -> {
                            visit.welcome();
                            visit.start("a", "b", "c");
                            visit.ask(decision("a", 1), decision("b", 1), decision("c", 1));
                            assertEquals(List.of("a 1 0", "b 1 0", "c 1 0"), visit.answers());
                            visit.ask(decision("b", 2));
                            assertEquals(List.of("b 2 0"), visit.answers());
                            visit.goodbye();
                        });
        assertNull(played.error());
    }

    /** Each match has its own object, which is told the outcome once. */
    @Test
    void makesOneObjectAMatch() throws Exception {
        List<String> made = new CopyOnWriteArrayList<>();
        List<Outcome> outcomes = new CopyOnWriteArrayList<>();
        Program program =
                Program.anyGame(
                        "recording",
                        match -> {
                            made.add(match.id());
                            return new Bot() {
                                @Override
                                public Choice decide(Decision decision) {
                                    return decision.legalMoves().get(1);
                                }

                                @Override
                                public void ended(Outcome outcome) {
                                    outcomes.add(outcome);
                                }
                            };
                        });
        Played.play(
                program,
                visit -> {
                    visit.welcome();
                    visit.start("a", "b", "a");
                    visit.ask(decision("a", 1), decision("b", 1));
                    assertEquals(List.of("a 1 1", "b 1 1"), visit.answers());
                    visit.end("b");
                    visit.end("b");
                    visit.end("never-heard-of");
                    visit.goodbye();
                });
        assertEquals(List.of("a", "b"), made);
        assertEquals(1, outcomes.size());
        assertEquals("b", outcomes.get(0).match().id());
        assertEquals(9, outcomes.get(0).score().orElseThrow());
        assertEquals(1, outcomes.get(0).rank().orElseThrow());
        assertEquals(List.of(Fault.TIMEOUT, Fault.NONE), outcomes.get(0).forfeits());
    }

    /** Messages, fields and values that this version does not know are passed over. */
    @Test
    void ignoresWhatItDoesNotKnow() throws Exception {
        UnknownFieldSet later =
                UnknownFieldSet.newBuilder()
                        .addField(77, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                        .build();
        Played played =
                Played.play(
                        FIRST,
                        visit -> {
                            visit.send(PlayResponse.newBuilder().setUnknownFields(later));
                            visit.welcome(Play.Welcome.newBuilder().setUnknownFields(later));
                            visit.send(PlayResponse.newBuilder().setUnknownFields(later));
                            visit.start("a");
                            visit.send(
                                    PlayResponse.newBuilder()
                                            .setRejected(
                                                    Play.Rejected.newBuilder().setReasonValue(88)));
                            visit.ask(decision("unknown", 1), decision("a", 1));
                            assertEquals(List.of("a 1 0"), visit.answers());
                            visit.goodbye(Play.Goodbye.Reason.REASON_UNSPECIFIED);
                        });
        assertNull(played.error());
    }

    /** What the arena rejects is reported with what to do, and the session goes on. */
    @Test
    void warnsOfRejections() throws Exception {
        Played played =
                Played.play(
                        FIRST,
                        visit -> {
                            visit.welcome();
                            visit.send(
                                    PlayResponse.newBuilder()
                                            .setRejected(
                                                    Play.Rejected.newBuilder()
                                                            .setMatchId("a\u001b[2J")
                                                            .setDecisionId(7)
                                                            .setReason(
                                                                    Play.Rejected.Reason
                                                                            .REASON_LATE)));
                            visit.goodbye();
                        });
        assertNull(played.error());
        assertTrue(
                played.hasLine(
                        "warning: the arena rejected the answer to decision 7 of match a\uFFFD[2J"
                                + " (late): decide faster"));
    }

    /** A goodbye for misbehaviour is an error; that of an arena that stops is none. */
    @Test
    void tellsGoodbyesApart() throws Exception {
        Played misbehaved =
                Played.play(
                        FIRST,
                        visit -> {
                            visit.welcome();
                            visit.goodbye(Play.Goodbye.Reason.REASON_MISBEHAVED);
                        });
        assertInstanceOf(Refused.class, misbehaved.error());
        assertEquals(2, misbehaved.error().exitCode());
        Played stopping =
                Played.play(
                        FIRST,
                        visit -> {
                            visit.welcome();
                            visit.goodbye(Play.Goodbye.Reason.REASON_STOPPING);
                            visit.abort(Status.UNAVAILABLE);
                        });
        assertNull(stopping.error());
        assertEquals(1, stopping.visits().size());
    }

    /** What is no legal move is refused with the legal ones, and the arena told of a failure. */
    @ParameterizedTest
    @ValueSource(ints = {3, -1, Integer.MAX_VALUE})
    void sendsNoIllegalChoice(int index) throws Exception {
        Played played =
                Played.play(
                        Program.anyGame("wrong", match -> decision -> Choice.of(index)),
                        visit -> {
                            visit.welcome();
                            visit.start("a");
                            visit.ask(decision("a", 1));
                            Play.Leave leave = visit.leave();
                            assertTrue(leave.getFailed());
                            assertTrue(leave.getReason().contains("not one of the 3 legal moves"));
                        });
        assertInstanceOf(IllegalChoice.class, played.error());
        assertTrue(
                played.error()
                        .getMessage()
                        .startsWith(
                                """
                                decide() returned %d, which is not one of the 3 legal moves:
                                  0: pass
                                  1: bid wine-1
                                  2: bid spice-2 wine-1
                                (decision 1 of <byzanz match a, seat 1 of 2>; return a legal move \
                                or its index)
                                """
                                        .formatted(index)));
    }

    /** Where the author's code may fail. */
    enum Place {
        START,
        DECIDE,
        END
    }

    /** Whatever the author's code throws, wherever, is told to the arena and thrown. */
    @ParameterizedTest
    @EnumSource
    void leavesAfterAFailure(Place place) throws Exception {
        Played played =
                Played.play(
                        Program.anyGame("failing", match -> new Failing(place)),
                        visit -> {
                            visit.welcome();
                            visit.start("a");
                            visit.ask(decision("a", 1));
                            if (place == Place.END) {
                                visit.answers();
                                visit.end("a");
                            }
                            Play.Leave leave = visit.leave();
                            assertTrue(leave.getFailed());
                            assertEquals("StackOverflowError: so \uFFFD it is", leave.getReason());
                        });
        assertInstanceOf(BotFailed.class, played.error());
        assertInstanceOf(StackOverflowError.class, played.error().getCause());
        assertEquals(1, played.error().exitCode());
        assertTrue(
                played.error()
                        .getMessage()
                        .contains(
                                "failed in <byzanz match a, seat 1 of 2>:"
                                        + " java.lang.StackOverflowError: so "));
    }

    private static final class Failing implements Bot {
        private final Place place;

        Failing(Place place) {
            this.place = place;
            failIn(Place.START);
        }

        @Override
        public Choice decide(Decision decision) {
            failIn(Place.DECIDE);
            return Choice.of(0);
        }

        @Override
        public void ended(Outcome outcome) {
            failIn(Place.END);
        }

        private void failIn(Place here) {
            if (place == here) {
                throw new StackOverflowError("so \ud800 it is\nand more");
            }
        }
    }

    /** A message larger than the arena takes becomes several. */
    @Test
    void splitsLargeBatches() throws Exception {
        List<String> seen = new ArrayList<>();
        Played played =
                Played.play(
                        FIRST,
                        visit -> {
                            visit.welcome(limits(Play.Limits.newBuilder().setMaxMessageBytes(40)));
                            String[] ids = "a b c d e f g h".split(" ");
                            visit.start(ids);
                            visit.send(
                                    PlayResponse.newBuilder()
                                            .setDecisions(Messages.firstOf(List.of(ids))));
                            while (seen.size() < ids.length) {
                                seen.addAll(visit.answers());
                            }
                            visit.goodbye();
                        });
        assertNull(played.error());
        assertEquals("a 1 0, b 1 0, c 1 0, d 1 0", String.join(", ", seen.subList(0, 4)));
        assertTrue(
                played.visits().get(0).received().stream()
                        .skip(1)
                        .allMatch(request -> request.getSerializedSize() <= 40));
    }

    /** A note goes with its answer, cut to what the arena takes, never within a character. */
    @Test
    void cutsNotes() throws Exception {
        Program program =
                Program.anyGame(
                        "noting",
                        match ->
                                decision -> {
                                    decision.note("ab€");
                                    return Choice.of(0);
                                });
        Played played =
                Played.play(
                        program,
                        visit -> {
                            visit.welcome(limits(Play.Limits.newBuilder().setMaxNoteBytes(4)));
                            visit.start("a");
                            visit.ask(decision("a", 1));
                            Play.Answers answers = visit.read().orElseThrow().getAnswers();
                            assertEquals("ab", answers.getAnswers(0).getNote());
                            visit.goodbye();
                        });
        assertNull(played.error());
        assertTrue(played.hasLine("warning: a note of 5 bytes was cut to 4"));
    }

    /** stop() breaks off a running decide(), which is no failure, and leaves. */
    @Test
    void stopBreaksOffDecide() throws Exception {
        CountDownLatch isThinking = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Program program =
                Program.anyGame(
                        "thinking",
                        match ->
                                decision -> {
                                    isThinking.countDown();
                                    never.await();
                                    return Choice.of(0);
                                });
        try (FakeArena arena =
                new FakeArena(
                        visit -> {
                            visit.welcome();
                            visit.start("a");
                            visit.ask(decision("a", 1));
                            Play.Leave leave = visit.leave();
                            assertFalse(leave.getFailed());
                            assertEquals("enough", leave.getReason());
                        })) {
            Session session = new Session(program, Settings.at(arena.address()), line -> {});
            Thread stopper =
                    new Thread(
                            () -> {
                                awaitQuietly(isThinking);
                                session.stop("enough");
                            });
            stopper.start();
            session.play();
            assertEquals(Session.State.ENDED, session.state());
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException error) {
            throw new AssertionError(error);
        }
    }

    private static Play.Welcome.Builder limits(Play.Limits.Builder limits) {
        return Play.Welcome.newBuilder().setLimits(limits);
    }
}
