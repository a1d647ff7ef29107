//! Randomness that is the same on every machine.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// A random generator (xoshiro256**), seeded by 32 bytes.
///
/// It can be drawn from through a shared reference, so that everything that knows the match draws
/// from the same one. For other distributions seed a generator of the `rand` crates with the
/// `bot_seed` in the message of the match.
pub struct Rng(Mutex<[u64; 4]>);

impl Rng {
    /// Makes a generator of a seed. All bytes of it count.
    pub fn new(seed: &[u8]) -> Self {
        let mut state = [0; 4];
        for (place, &byte) in seed.iter().enumerate() {
            let word = &mut state[place / 8 % 4];
            *word = u64::rotate_left(*word, 8) ^ u64::from(byte);
        }
        if state == [0; 4] {
            state[0] = 1; // the one state that the generator never leaves
        }
        let rng = Self(Mutex::new(state));
        for _ in 0..16 {
            rng.next_u64(); // seeds that differ in a few bits begin alike
        }
        rng
    }

    /// Makes a generator that nobody can foresee.
    pub(crate) fn unforeseen() -> Self {
        let random = RandomState::new().build_hasher().finish();
        Self::new(&random.to_le_bytes())
    }

    /// Returns the next 64 random bits.
    pub fn next_u64(&self) -> u64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let [a, b, c, d] = &mut *state;
        let drawn = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        drawn
    }

    /// Returns a number from 0 to `bound` - 1, all equally likely.
    ///
    /// # Panics
    /// If `bound` is 0: there is no such number.
    pub fn below(&self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0 to draw");
        let bound = bound as u64;
        let unfair = bound.wrapping_neg() % bound; // so many draws would favour small numbers
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(bound);
            if wide as u64 >= unfair {
                return (wide >> 64) as usize;
            }
        }
    }

    /// Returns a number of a range, all equally likely.
    ///
    /// # Panics
    /// If the range is empty.
    pub fn range(&self, range: Range<usize>) -> usize {
        range.start + self.below(range.end.saturating_sub(range.start))
    }

    /// Returns a number from 0 (included) to 1 (excluded).
    pub fn float(&self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns one of some things, all equally likely; `None` if there are none.
    pub fn choose<'a, T>(&self, things: &'a [T]) -> Option<&'a T> {
        (!things.is_empty()).then(|| &things[self.below(things.len())])
    }

    /// Brings things into a random order.
    pub fn shuffle<T>(&self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

impl fmt::Debug for Rng {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Rng")
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    /// The numbers are the same on every machine and in every version: bots play the same again.
    #[test]
    fn numbers_are_fixed_by_the_seed() {
        let seed: Vec<u8> = (0..32).collect();
        let rng = Rng::new(&seed);
        let drawn: Vec<usize> = (0..8).map(|_| rng.below(100)).collect();
        assert_eq!(drawn, [96, 27, 71, 27, 31, 99, 18, 42]);
    }

    /// Every byte of the seed changes what is drawn, and an empty or a zero seed works too.
    #[test]
    fn all_of_the_seed_counts() {
        let first = |seed: &[u8]| Rng::new(seed).next_u64();
        let plain = first(&[7; 32]);
        for place in 0..32 {
            let mut seed = [7; 32];
            seed[place] = 8;
            assert_ne!(first(&seed), plain, "byte {place}");
        }
        assert_ne!(first(&[]), Rng::new(&[1; 32]).next_u64());
        assert_ne!(Rng::new(&[0; 32]).next_u64(), 0);
    }

    /// Numbers stay in their range, all of it is used, and nothing gets lost by shuffling.
    #[test]
    fn draws_are_fair() {
        let rng = Rng::new(&[1; 32]);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[rng.range(10..15) - 10] += 1;
            assert!((0.0..1.0).contains(&rng.float()));
        }
        assert!(seen.iter().all(|&count| (100..300).contains(&count)), "{seen:?}");
        let mut order: Vec<usize> = (0..52).collect();
        rng.shuffle(&mut order);
        assert_ne!(order, (0..52).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..52).collect::<Vec<_>>());
        assert_eq!(rng.choose::<u8>(&[]), None);
    }
}
