package arena.client;

import arena.v1.Play;
import arena.v1.Play.PlayRequest;
import arena.v1.Play.PlayResponse;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A scripted arena: each connection is served by the next script of a list. */
final class FakeArena implements AutoCloseable {
    /** What an arena does on one connection. The stream ends with OK when it returns. */
    interface Script {
        void play(Visit visit) throws Exception;
    }

    private static final long PATIENCE_S = 10; // a bot that is silent for so long fails the test

    private final Deque<Script> scripts;
    private final List<Visit> visits = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Server server;

    FakeArena(Script... scripts) throws IOException {
        this(
                NettyServerBuilder.forAddress(
                        new InetSocketAddress("127.0.0.1", 0), InsecureServerCredentials.create()),
                scripts);
    }

    /** Listens on a socket of the file system. */
    static FakeArena on(Path path, Script... scripts) throws IOException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        return new FakeArena(
                NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(path))
                        .channelType(NioServerDomainSocketChannel.class)
                        .bossEventLoopGroup(loop)
                        .workerEventLoopGroup(loop),
                scripts);
    }

    private FakeArena(NettyServerBuilder builder, Script... scripts) throws IOException {
        this.scripts = new ArrayDeque<>(List.of(scripts));
        server =
                builder.addService(
                                ServerServiceDefinition.builder("arena.v1.PlayService")
                                        .addMethod(Link.PLAY, (call, headers) -> accept(call))
                                        .build())
                        .build()
                        .start();
    }

    /** Where it listens, by name: certificates of the tests are for localhost. */
    String address() {
        return "localhost:" + server.getPort();
    }

    /** What each connection received. */
    List<Visit> visits() {
        return visits;
    }

    @Override
    public void close() {
        server.shutdownNow();
        for (Throwable failure : failures) {
            throw new AssertionError("a script failed", failure);
        }
    }

    private ServerCall.Listener<PlayRequest> accept(ServerCall<PlayRequest, PlayResponse> call) {
        Visit visit = new Visit(call);
        Script script;
        synchronized (scripts) {
            script = scripts.isEmpty() ? any -> visit.abort(Status.UNAVAILABLE) : scripts.poll();
        }
        visits.add(visit);
        call.sendHeaders(new Metadata());
        call.request(1);
        Thread thread = new Thread(() -> serve(visit, script), "script");
        thread.setDaemon(true);
        thread.start();
        return visit.new Listener();
    }

    private void serve(Visit visit, Script script) {
        try {
            script.play(visit);
            visit.abort(Status.OK);
        } catch (InterruptedException | IllegalStateException error) {
            visit.abort(Status.CANCELLED); // the bot has gone, which the test notices by itself
        } catch (Exception | AssertionError error) {
            failures.add(error);
            visit.abort(Status.INTERNAL.withDescription(error.toString()));
        }
    }

    /** One connection from a bot, as the arena has it. */
    static final class Visit {
        private final ServerCall<PlayRequest, PlayResponse> call;
        private final BlockingQueue<Optional<PlayRequest>> incoming = new LinkedBlockingQueue<>();
        private final List<PlayRequest> received = new CopyOnWriteArrayList<>();
        private boolean isOver;

        Visit(ServerCall<PlayRequest, PlayResponse> call) {
            this.call = call;
        }

        /** What has been read so far. */
        List<PlayRequest> received() {
            return received;
        }

        /** Returns the next message of the bot; empty when it has closed its side. */
        Optional<PlayRequest> read() throws InterruptedException {
            Optional<PlayRequest> request = incoming.poll(PATIENCE_S, TimeUnit.SECONDS);
            if (request == null) {
                throw new AssertionError("the bot says nothing");
            }
            request.ifPresent(received::add);
            return request;
        }

        /** Returns the answers of the next message, as "match decision index". */
        List<String> answers() throws InterruptedException {
            return read().orElseThrow().getAnswers().getAnswersList().stream()
                    .map(
                            answer ->
                                    answer.getMatchId()
                                            + " "
                                            + answer.getDecisionId()
                                            + " "
                                            + (answer.hasMoveIndex() ? answer.getMoveIndex() : "-"))
                    .toList();
        }

        /** Returns the leave that must come next, before the bot closes its side. */
        Play.Leave leave() throws InterruptedException {
            PlayRequest request = read().orElseThrow();
            if (!request.hasLeave() || read().isPresent()) {
                throw new AssertionError("not a leave: " + request);
            }
            return request.getLeave();
        }

        void send(PlayResponse.Builder response) {
            call.sendMessage(response.build());
        }

        Play.Hello welcome() throws InterruptedException {
            return welcome(Play.Welcome.newBuilder());
        }

        /** Reads the hello, welcomes the bot and returns the hello. */
        Play.Hello welcome(Play.Welcome.Builder welcome) throws InterruptedException {
            Play.Hello hello = read().orElseThrow().getHello();
            send(PlayResponse.newBuilder().setWelcome(welcome.setArena("0.1.0").setBot("mine")));
            return hello;
        }

        void start(String... matchIds) {
            for (String matchId : matchIds) {
                send(
                        PlayResponse.newBuilder()
                                .setMatchStarted(Messages.started(matchId, "byzanz")));
            }
        }

        void ask(Play.Decision... decisions) {
            send(
                    PlayResponse.newBuilder()
                            .setDecisions(
                                    Play.Decisions.newBuilder()
                                            .addAllDecisions(List.of(decisions))));
        }

        void end(String matchId) {
            send(PlayResponse.newBuilder().setMatchEnded(Messages.ended(matchId)));
        }

        /** Says goodbye and waits until the bot has closed its side. */
        void goodbye(Play.Goodbye.Reason reason) throws InterruptedException {
            send(
                    PlayResponse.newBuilder()
                            .setGoodbye(
                                    Play.Goodbye.newBuilder()
                                            .setReason(reason)
                                            .setMessage("that was all")));
            if (read().isPresent()) {
                throw new AssertionError("the bot says something after a goodbye");
            }
        }

        void goodbye() throws InterruptedException {
            goodbye(Play.Goodbye.Reason.REASON_FINISHED);
        }

        /** Ends the stream with a status, once. */
        void abort(Status status) {
            if (!isOver) {
                isOver = true;
                call.close(status, new Metadata());
            }
        }

        private final class Listener extends ServerCall.Listener<PlayRequest> {
            @Override
            public void onMessage(PlayRequest message) {
                incoming.add(Optional.of(message));
                call.request(1);
            }

            @Override
            public void onHalfClose() {
                incoming.add(Optional.empty());
            }

            @Override
            public void onCancel() {
                incoming.add(Optional.empty());
            }
        }
    }
}
