package arena.client;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Java's own "Xoshiro256PlusPlus", seeded by 32 bytes. Not from Java's factory, which takes a tenth
 * of a second that a first decision may not have, and whose reading of bytes above 127 is not the
 * same in all versions.
 */
final class Xoshiro implements RandomGenerator {
    private static final int SEED_BYTES = 32;

    private long a;
    private long b;
    private long c;
    private long d;

    Xoshiro(byte[] seed) {
        ByteBuffer words = ByteBuffer.wrap(Arrays.copyOf(seed, SEED_BYTES));
        a = words.getLong();
        b = words.getLong();
        c = words.getLong();
        d = words.getLong();
        if ((a | b | c | d) == 0) {
            d = 1; // from nothing but zeros it would draw nothing but zeros
        }
    }

    @Override
    public long nextLong() {
        long drawn = Long.rotateLeft(a + d, 23) + a;
        long shifted = b << 17;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = Long.rotateLeft(d, 45);
        return drawn;
    }
}
