package arena.client;

import arena.v1.Play.PlayRequest;
import arena.v1.Play.PlayResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.util.function.Consumer;

/** One connection to an arena, and the one stream on it. Used by one thread. */
final class Link implements AutoCloseable {
    static final MethodDescriptor<PlayRequest, PlayResponse> PLAY =
            MethodDescriptor.<PlayRequest, PlayResponse>newBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .setFullMethodName("arena.v1.PlayService/Play")
                    .setRequestMarshaller(ProtoUtils.marshaller(PlayRequest.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(PlayResponse.getDefaultInstance()))
                    .build();

    private final ManagedChannel channel;
    private final ClientCall<PlayRequest, PlayResponse> call;

    /** Dials on a new channel, which is closed with the link. */
    Link(ManagedChannel channel) {
        this.channel = channel;
        call = channel.newCall(PLAY, CallOptions.DEFAULT);
    }

    /**
     * Opens the stream. The two are called by another thread: for messages, then once at the end.
     */
    void open(Consumer<PlayResponse> onMessage, Consumer<Status> onEnd) {
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(PlayResponse message) {
                        onMessage.accept(message);
                        call.request(1);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        onEnd.accept(status);
                    }
                },
                new Metadata());
        call.request(1);
    }

    /** Sends a message. If the stream is over, its end tells why. */
    void send(PlayRequest request) {
        call.sendMessage(request);
    }

    /** Closes the own side of the stream. */
    void halfClose() {
        call.halfClose();
    }

    @Override
    public void close() {
        call.cancel("the session is over", null);
        channel.shutdownNow();
    }
}
