package arena.client;

import arena.client.ArenaClientException.UsageError;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.File;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Makes gRPC channels to an arena: address, TLS, and how a dead arena is noticed. */
final class Dialer implements AutoCloseable {
    private static final int DIAL_MS = 5_000;

    // What matters to an author is reported by the session. Kept here, or they would be forgotten.
    private static final List<Logger> QUIET =
            List.of(Logger.getLogger("io.grpc"), Logger.getLogger("io.netty"));

    static {
        QUIET.forEach(logger -> logger.setLevel(Level.SEVERE));
    }

    private final Settings settings;
    private final ChannelCredentials credentials;
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory("arena-net", true), NioIoHandler.newFactory());

    /**
     * @throws UsageError a file with a certificate or a key cannot be read
     */
    Dialer(Settings settings) {
        this.settings = settings;
        credentials = credentials(settings);
    }

    /**
     * Returns a new channel; it dials when it is first used, and at once.
     *
     * @throws UsageError what is in a file is no certificate or no key
     */
    ManagedChannel dial() {
        return builder()
                .eventLoopGroup(loop)
                .directExecutor() // nothing that takes time is done when a message comes
                .disableRetry() // the pauses between attempts are the session's business
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, DIAL_MS)
                // Without pings a dead host is noticed after many minutes, a stopped one never.
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS)
                .keepAliveWithoutCalls(true)
                // A batch has no upper size; the arena is trusted not to send nonsense.
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .build();
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private NettyChannelBuilder builder() {
        String address = settings.address();
        if (address.startsWith("unix:")) {
            String path = address.substring("unix:".length()).replaceFirst("^//", "");
            return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(path), credentials)
                    .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                    .overrideAuthority("localhost");
        }
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
        int port = Integer.parseInt(address.substring(colon + 1));
        NettyChannelBuilder builder;
        try {
            builder = NettyChannelBuilder.forAddress(host, port, credentials);
        } catch (IllegalArgumentException error) {
            throw unreadable(error);
        }
        builder.channelType(NioSocketChannel.class);
        if (Stream.of("localhost:", "127.", "[::1]:").anyMatch(address::startsWith)) {
            builder.proxyDetector(target -> null); // a proxy would look on its own machine
        }
        return builder;
    }

    private static ChannelCredentials credentials(Settings settings) {
        if (!settings.tls()) {
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
        try {
            if (!settings.caFile().isEmpty()) {
                builder.trustManager(new File(settings.caFile()));
            }
            if (!settings.certFile().isEmpty()) {
                builder.keyManager(new File(settings.certFile()), new File(settings.keyFile()));
            }
        } catch (IOException error) {
            throw unreadable(error);
        }
        return builder.build();
    }

    private static UsageError unreadable(Exception error) {
        return new UsageError(
                "cannot read a certificate or key: %s (PEM files are wanted, keys as PKCS#8)"
                        .formatted(Texts.why(Status.UNKNOWN.withCause(error))));
    }
}
