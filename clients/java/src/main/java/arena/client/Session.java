package arena.client;

import arena.client.ArenaClientException.BotFailed;
import arena.client.ArenaClientException.Refused;
import arena.client.ArenaClientException.Unreachable;
import arena.v1.Play;
import arena.v1.Play.PlayRequest;
import arena.v1.Play.PlayResponse;
import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One session with an arena, over as many connections as it takes.
 *
 * <pre>
 * CONNECTING --welcome--&gt; PLAYING --goodbye, signal, failure--&gt; LEAVING --end of stream--&gt; ENDED
 *                          |   ^
 *       connection is lost |   | welcome
 *                          v   |
 *                        RESUMING
 * </pre>
 *
 * CONNECTING and RESUMING give up after their timeout and when the arena refuses. A session that
 * has expired at the arena goes from RESUMING back to CONNECTING, its matches are lost.
 *
 * <p>All of it happens on the thread that calls {@link #play}: others put what has come up into its
 * queue.
 */
final class Session {
    /** Where a session stands. */
    enum State {
        CONNECTING,
        PLAYING,
        RESUMING,
        LEAVING,
        ENDED
    }

    private static final int PROTOCOL = 1;
    private static final String SDK = "arena-java 0.1.0";
    private static final Duration WELCOME = Duration.ofSeconds(10); // after the hello
    private static final Duration GRACE = Duration.ofSeconds(2); // for the end of the stream
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50); // doubling
    private static final Duration LAST_PAUSE = Duration.ofSeconds(1);
    private static final int MAX_REASON = 1000; // characters of a leave, by the protocol
    private static final Set<Status.Code> TRANSIENT =
            EnumSet.of(
                    Status.Code.ABORTED,
                    Status.Code.CANCELLED,
                    Status.Code.DATA_LOSS,
                    Status.Code.DEADLINE_EXCEEDED,
                    Status.Code.INTERNAL,
                    Status.Code.OK, // without a goodbye: something in between closed the stream
                    Status.Code.UNAVAILABLE,
                    Status.Code.UNKNOWN);

    private final Program program;
    private final Settings settings;
    private final Consumer<String> report;
    private final Players players;
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private volatile State state = State.CONNECTING;
    private Link link; // null between two attempts
    private Status streamEnd; // null while the stream of the link runs
    private Deadline patience = Deadline.NEVER; // for a welcome, or for the end when leaving
    private Deadline giveUp; // for an arena that does not answer
    private Duration pause = FIRST_PAUSE;
    private ByteString resumeToken = ByteString.EMPTY;
    private int maxMessageBytes;
    private Play.Goodbye goodbye = Play.Goodbye.getDefaultInstance();

    /**
     * @param report takes a line for the author; called by any thread
     */
    Session(Program program, Settings settings, Consumer<String> report) {
        this.program = program;
        this.settings = settings;
        this.report = report;
        players = new Players(program, () -> events.add(() -> {}), report);
    }

    State state() {
        return state;
    }

    /**
     * Plays until the arena says goodbye or {@link #stop} is called. To be called once.
     *
     * @throws BotFailed the author's code failed; the arena has been told
     * @throws Refused the arena does not want this session
     * @throws Unreachable it cannot be reached, or not again
     */
    void play() {
        giveUp = Deadline.in(settings.connectTimeout());
        try (Dialer dialer = new Dialer(settings)) {
            while (state != State.LEAVING) {
                Status status = connect(dialer);
                if (state != State.LEAVING) {
                    afterLoss(status);
                }
            }
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt(); // whoever called does not want to play on
        } finally {
            close();
        }
        if (players.failure() != null) {
            throw players.failure();
        }
        if (goodbye.getReason() == Play.Goodbye.Reason.REASON_MISBEHAVED) {
            throw new Refused("the arena ended the session: " + Texts.inert(goodbye.getMessage()));
        }
    }

    /** Leaves soon; play() returns then. May be called by any thread. */
    void stop(String reason) {
        events.add(() -> leave(Play.Leave.newBuilder().setReason(reason).build()));
    }

    /** Dials once and plays until the stream ends; returns with which status. */
    private Status connect(Dialer dialer) throws InterruptedException {
        try (Link dialled = new Link(dialer.dial())) {
            link = dialled;
            streamEnd = null;
            patience = Deadline.in(WELCOME);
            dialled.open(
                    message -> events.add(() -> receive(dialled, message)),
                    status -> events.add(() -> finish(dialled, status)));
            dialled.send(PlayRequest.newBuilder().setHello(hello()).build());
            while (streamEnd == null) {
                step(patience);
                if (state == State.PLAYING) {
                    flush();
                } else if (streamEnd == null && patience.isOver()) {
                    streamEnd = Status.UNAVAILABLE.withDescription("no welcome in time");
                }
            }
            return streamEnd;
        } finally {
            link = null;
        }
    }

    /** Waits until something comes up, answers are to be sent or the time is over; handles it. */
    private void step(Deadline until) throws InterruptedException {
        long nanos = Math.min(until.nanosLeft(), players.waitNanos().orElse(Long.MAX_VALUE));
        Runnable event = events.poll(nanos, TimeUnit.NANOSECONDS);
        if (event != null) {
            event.run();
        }
        BotFailed failure = players.failure();
        if (failure != null) {
            leave(Play.Leave.newBuilder().setReason(reason(failure)).setFailed(true).build());
        }
    }

    private Play.Hello hello() {
        return Play.Hello.newBuilder()
                .setProtocol(PROTOCOL)
                .setToken(settings.token())
                .setBot(program.name())
                .setVersion(program.version())
                .setLanguage("java")
                .setSdk(SDK)
                .addAllGames(program.games())
                .setMaxMatches(program.maxMatches())
                .setBatchesMatches(true)
                .setResumeToken(resumeToken)
                .build();
    }

    /** Notes what the arena says. What this version does not know is ignored. */
    private void receive(Link from, PlayResponse response) {
        if (from != link || state == State.LEAVING) {
            return;
        }
        if (state != State.PLAYING) {
            if (response.hasWelcome()) {
                welcome(response.getWelcome());
            }
            return;
        }
        switch (response.getMessageCase()) {
            case MATCH_STARTED -> players.start(response.getMatchStarted());
            case DECISIONS -> {
                Play.Decisions decisions = response.getDecisions();
                decisions.getMatchEndedList().forEach(players::end);
                decisions.getMatchStartedList().forEach(players::start);
                players.ask(decisions);
            }
            case MATCH_ENDED -> players.end(response.getMatchEnded());
            case REJECTED -> report.accept(Texts.rejection(response.getRejected()));
            case GOODBYE -> {
                goodbye = response.getGoodbye();
                report.accept("the arena says goodbye: " + Texts.inert(goodbye.getMessage()));
                leave(null);
            }
            default -> {}
        }
    }

    private void finish(Link from, Status status) {
        if (from == link) {
            streamEnd = status;
        }
    }

    private void welcome(Play.Welcome welcome) {
        if (!resumeToken.isEmpty() && !welcome.getResumed()) {
            report.accept("warning: the arena started a new session; the old matches are lost");
        } else if (state == State.RESUMING) {
            report.accept("the session was resumed");
        } else {
            report.accept(
                    "playing as %s at %s (arena %s)"
                            .formatted(
                                    Texts.inert(welcome.getBot()),
                                    settings.address(),
                                    Texts.inert(welcome.getArena())));
        }
        resumeToken = welcome.getResumeToken();
        maxMessageBytes = welcome.getLimits().getMaxMessageBytes();
        pause = FIRST_PAUSE;
        patience = Deadline.NEVER;
        players.connected(welcome.getLimits(), welcome.getResumed());
        state = State.PLAYING;
    }

    /** Waits for the next attempt, or throws if there should be none. */
    private void afterLoss(Status status) throws InterruptedException {
        // Before the welcome: the arena has no room now. Later: the bot went too far.
        boolean isFull =
                status.getCode() == Status.Code.RESOURCE_EXHAUSTED && state != State.PLAYING;
        if (state == State.PLAYING) {
            state = State.RESUMING;
            giveUp = Deadline.in(settings.resumeTimeout());
            report.accept(
                    "the connection was lost (%s); trying to resume".formatted(Texts.why(status)));
        }
        Status.Code code = status.getCode();
        if (!resumeToken.isEmpty() && code == Status.Code.NOT_FOUND) {
            report.accept("warning: the session has expired at the arena; its matches are lost");
            resumeToken = ByteString.EMPTY;
            players.drop();
            state = State.CONNECTING;
            return;
        }
        // An arena that has not noticed the loss itself takes the old connection for another bot.
        boolean isOwn = !resumeToken.isEmpty() && code == Status.Code.ALREADY_EXISTS;
        if (!TRANSIENT.contains(code) && !isOwn && !isFull) {
            throw new Refused(Texts.refusal(status, settings.address(), PROTOCOL));
        }
        // Shortened at random, so that not all bots dial at once.
        double share = ThreadLocalRandom.current().nextDouble(0.5, 1.0);
        Deadline next = Deadline.in(Duration.ofNanos((long) (pause.toNanos() * share)));
        pause =
                pause.multipliedBy(2).compareTo(LAST_PAUSE) < 0
                        ? pause.multipliedBy(2)
                        : LAST_PAUSE;
        if (giveUp.isBefore(next)) {
            if (isFull) {
                throw new Refused(Texts.refusal(status, settings.address(), PROTOCOL));
            }
            throw new Unreachable(unreachable(Texts.why(status)));
        }
        while (state != State.LEAVING && !next.isOver()) {
            step(next);
        }
    }

    private String unreachable(String why) {
        if (state == State.RESUMING) {
            return "the arena at %s went away and did not come back within %s s (%s)"
                    .formatted(settings.address(), seconds(settings.resumeTimeout()), why);
        }
        return "no arena answers at %s (%s): %s"
                .formatted(settings.address(), why, Texts.silenceHint(why, settings));
    }

    /** Begins to leave; without a message if the arena has said goodbye itself. */
    private void leave(Play.Leave message) {
        if (state == State.LEAVING) {
            return;
        }
        boolean wasPlaying = state == State.PLAYING;
        state = State.LEAVING;
        patience = Deadline.in(GRACE);
        players.drop();
        if (!wasPlaying) {
            streamEnd = Status.CANCELLED;
            return;
        }
        if (message != null) {
            link.send(PlayRequest.newBuilder().setLeave(message).build());
        }
        link.halfClose();
    }

    /** Sends the answers that are due. */
    private void flush() {
        List<Play.Answer> answers = players.takeDue();
        if (!answers.isEmpty()) {
            send(answers);
        }
    }

    /** Sends answers in one message, or in several if that is larger than the arena takes. */
    private void send(List<Play.Answer> answers) {
        PlayRequest request =
                PlayRequest.newBuilder()
                        .setAnswers(Play.Answers.newBuilder().addAllAnswers(answers))
                        .build();
        int half = answers.size() / 2;
        if (half > 0 && maxMessageBytes > 0 && request.getSerializedSize() > maxMessageBytes) {
            send(answers.subList(0, half));
            send(answers.subList(half, answers.size()));
        } else {
            link.send(request);
        }
    }

    private void close() {
        boolean isLeaving = state == State.LEAVING;
        state = State.ENDED;
        try {
            players.close(isLeaving ? Duration.ofNanos(patience.nanosLeft()) : GRACE);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
    }

    private static String reason(BotFailed failure) {
        Throwable cause = failure.getCause();
        String text =
                cause == null
                        ? "IllegalChoice: " + failure.getMessage()
                        : "%s: %s".formatted(cause.getClass().getSimpleName(), cause.getMessage());
        String line = Texts.inert(text.lines().findFirst().orElse(""));
        int length = Math.min(line.codePointCount(0, line.length()), MAX_REASON);
        return line.substring(0, line.offsetByCodePoints(0, length));
    }

    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}
