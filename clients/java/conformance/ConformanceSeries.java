import arena.client.Series;
import java.io.IOException;

/** Plays the conformance bot again and again, for the tests of clients/conformance. */
public final class ConformanceSeries {
    private ConformanceSeries() {}

    public static void main(String[] arguments) throws IOException {
        Series.play(ConformanceBot::program);
    }
}
