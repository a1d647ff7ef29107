package arena.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.v1.Play;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages that all SDKs are compared by. */
class GoldenTest {
    private static final Path GOLDEN = Path.of("..", "conformance", "golden");
    private static final TypeRegistry TYPES =
            TypeRegistry.newBuilder().add(Duration.getDescriptor()).build();

    static List<Path> binaries() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN)) {
            return files.filter(file -> file.toString().endsWith(".binpb")).sorted().toList();
        }
    }

    /** Both forms of a message say the same. */
    @ParameterizedTest
    @MethodSource("binaries")
    void bothFormsAreEqual(Path binary) throws IOException {
        String json = Files.readString(Path.of(binary.toString().replaceFirst("binpb$", "json")));
        byte[] content = Files.readAllBytes(binary);
        Message.Builder read = builder(json);
        JsonFormat.parser().usingTypeRegistry(TYPES).merge(json, read);
        assertEquals(builder(json).mergeFrom(content).build(), read.build());
    }

    /** A request, and not a response, has one of these fields. */
    private static Message.Builder builder(String json) {
        return Stream.of("\"hello\"", "\"answers\"", "\"leave\"").anyMatch(json::contains)
                ? Play.PlayRequest.newBuilder()
                : Play.PlayResponse.newBuilder();
    }

    /** Real decisions have as many moves as they say, each with a text of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"byzanz", "schwarzmarkt"})
    void decisionsCanBeRead(String game) throws IOException {
        Match match = Match.of(golden(game + "-match-started").getMatchStarted());
        assertEquals(game, match.game());
        List<Play.Decision> messages =
                golden(game + "-decisions").getDecisions().getDecisionsList();
        assertFalse(messages.isEmpty());
        for (Play.Decision message : messages) {
            Decision decision = Decision.of(match, message);
            assertEquals(decision.legalCount(), decision.legalMoves().size());
            assertEquals(
                    decision.legalCount(),
                    decision.legalMoves().stream().map(Move::text).distinct().count());
            assertTrue(
                    decision.legalMoves().stream().noneMatch(move -> move.text().contains("unk")));
        }
    }

    /** The outcome of a real match has a rank for the own seat. */
    @Test
    void outcomesCanBeRead() throws IOException {
        Match match = Match.of(golden("byzanz-match-started").getMatchStarted());
        Outcome outcome = new Outcome(match, golden("byzanz-match-ended").getMatchEnded());
        assertTrue(outcome.isVoid() || outcome.rank().isPresent());
    }

    private static Play.PlayResponse golden(String name) throws IOException {
        return Play.PlayResponse.parseFrom(Files.readAllBytes(GOLDEN.resolve(name + ".binpb")));
    }
}
