import arena.v1.Play.PlayRequest;
import arena.v1.Play.PlayResponse;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Between binary and JSON form, line by line, for the tests of clients/conformance. */
public final class GoldenCodec {
    // JSON names the type of what is in an Any, so it must be known.
    private static final TypeRegistry TYPES =
            TypeRegistry.newBuilder().add(Duration.getDescriptor()).build();

    private GoldenCodec() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            try {
                output.println(answer(line));
            } catch (InvalidProtocolBufferException | IllegalArgumentException error) {
                output.println("error " + error.toString().replace('\n', ' '));
            }
        }
    }

    /** Returns a message in its other form. */
    private static String answer(String line) throws InvalidProtocolBufferException {
        String[] parts = line.split(" ", 3);
        if (parts.length != 3) {
            throw new IllegalArgumentException("a line has a form, a type and a content");
        }
        Message.Builder message =
                switch (parts[1]) {
                    case "PlayRequest" -> PlayRequest.newBuilder();
                    case "PlayResponse" -> PlayResponse.newBuilder();
                    default -> throw new IllegalArgumentException("no type " + parts[1]);
                };
        return switch (parts[0]) {
            case "binary" ->
                    JsonFormat.printer()
                            .usingTypeRegistry(TYPES)
                            .omittingInsignificantWhitespace()
                            .print(message.mergeFrom(Base64.getDecoder().decode(parts[2])));
            case "json" -> {
                JsonFormat.parser().usingTypeRegistry(TYPES).merge(parts[2], message);
                yield Base64.getEncoder().encodeToString(message.build().toByteArray());
            }
            default -> throw new IllegalArgumentException("no form " + parts[0]);
        };
    }
}
