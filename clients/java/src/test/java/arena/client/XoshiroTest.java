package arena.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class XoshiroTest {
    private static final byte[] SEED =
            HexFormat.of().parseHex("00ff10ef20df30cf40bf50af609f708f80".concat("7f".repeat(15)));

    /** It is no generator of our own, but Java's, found faster. */
    @Test
    void drawsWhatJavaDraws() {
        RandomGenerator java = RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(SEED);
        RandomGenerator ours = new Xoshiro(SEED);
        for (int draw = 0; draw < 1000; draw++) {
            assertEquals(java.nextLong(), ours.nextLong());
        }
        assertEquals(java.nextInt(7), ours.nextInt(7));
        assertEquals(java.nextDouble(), ours.nextDouble());
    }

    /** A seed that is short or empty, as in a message made by hand, is good for something. */
    @Test
    void anySeedDraws() {
        RandomGenerator empty = new Xoshiro(new byte[0]);
        assertNotEquals(empty.nextLong(), empty.nextLong());
    }
}
