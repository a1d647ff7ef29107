package arena.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TextsTest {
    /** What could steer a terminal is replaced; what can be read stays. */
    @Test
    void textsFromElsewhereAreInert() {
        assertEquals(
                "a\uFFFD[2Jb\uFFFDc é€😀 \uFFFD\uFFFD\uFFFD",
                Texts.inert("a\u001b[2Jb\nc é€😀 \u202e\u00a0\ud800"));
    }

    /** The reason of a lost connection is what went wrong at the bottom, in one line. */
    @Test
    void reasonsAreShort() {
        Throwable refused =
                new IllegalStateException("outer", new IOException("Connection refused"));
        assertEquals(
                "Connection refused",
                Texts.why(Status.UNAVAILABLE.withDescription("io exception").withCause(refused)));
        assertEquals("one", Texts.why(Status.ABORTED.withDescription("one\ntwo")));
        assertEquals("ABORTED", Texts.why(Status.ABORTED));
    }
}
