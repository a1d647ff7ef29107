package arena.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class XoshiroTest {
    private static final byte[] SEED =
            HexFormat.of() // no byte above 127: Java's versions differ about those
                    .parseHex("007f106f205f304f403f502f601f700f".concat("7b".repeat(16)));

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

    /** Every bit of the seed counts, those above 127 too. */
    @Test
    void everyByteCounts() {
        long drawn = new Xoshiro(SEED).nextLong();
        for (int place : new int[] {0, 7, 24, 31}) { // words that the first draw depends on
            byte[] other = SEED.clone();
            other[place] ^= (byte) 0x80;
            assertNotEquals(drawn, new Xoshiro(other).nextLong());
        }
    }

    /** A seed that is short or empty, as in a message made by hand, is good for something. */
    @Test
    void anySeedDraws() {
        RandomGenerator empty = new Xoshiro(new byte[0]);
        assertNotEquals(empty.nextLong(), empty.nextLong());
    }
}
